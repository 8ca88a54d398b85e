"""The function extractor: spans, signatures and changes, on sources made for it and on the standard library's."""

from __future__ import annotations

import ast
import random
import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.functions import Binding, Function, changed_functions, decode, functions_of

STDLIB = Path(sysconfig.get_path("stdlib"))
SOURCES = sorted(path for path in STDLIB.glob("*.py") if path.stat().st_size < 120_000)
SAMPLE = random.Random(7).sample(SOURCES, 60)  # noqa: S311  # a fixed choice, no secret
# Some distributions of Python leave out the library's own tests, so a few odd sources are ours.
ODD = [
    *(path.read_bytes() for path in (STDLIB / "test").glob("bad*.py")),
    *(path.read_bytes() for path in (STDLIB / "test" / "encoded_modules").glob("*.py")),
    b"\xef\xbb\xbfdef f(): pass\n",
    b"# coding: no-such\ndef f(): pass\n",
    b"# coding: koi8-r\ndef f(): return '\xc1'\n",
    b"\xef\xbb\xbf# coding: latin-1\ndef f(): pass\n",
    b"def f(:\n",
    b"def f():\n\tx = 1\n        y = 2\n",
    b"x = 08\nprint 'x'\n",
    b"\0",
]


def one(source: str, qualname: str) -> Function:
    found = functions_of(source.encode())
    assert found is not None
    return next(f for f in found if f.qualname == qualname)


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_every_function_of_the_standard_library_is_found_with_its_own_source(path: Path) -> None:
    source = path.read_bytes()
    found = functions_of(source)
    assert found is not None
    text = decode(source) or ""
    lines = text.split("\n")
    nodes = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    assert {f.name for f in found} == {n.name for n in nodes}
    assert len({f.qualname for f in found}) == len(found)
    for function in found:
        assert function.source.split("\n")[0] == lines[function.first - 1]
        assert function.source.split("\n")[-1] == lines[function.last - 1]
        assert f"def {function.name}" in function.source
    assert changed_functions(source, source) == ()
    added = changed_functions(None, source)
    assert added is not None
    assert {c.present.qualname for c in added} == {f.qualname for f in found if f.binding is not Binding.NESTED}


@pytest.mark.parametrize("source", ODD, ids=range(len(ODD)))
def test_odd_sources_break_nothing(source: bytes) -> None:
    found = functions_of(source)
    assert found is None or all(function.first <= function.last for function in found)


@given(st.binary(max_size=400))
def test_arbitrary_bytes_break_nothing(source: bytes) -> None:
    found = functions_of(source)
    assert found is None or all(f.first >= 1 for f in found)


@given(st.sampled_from(SAMPLE[:8]), st.integers(0, 2**32), st.binary(max_size=6))
def test_damaged_sources_break_nothing(path: Path, at: int, damage: bytes) -> None:
    source = path.read_bytes()
    at %= len(source)
    changed_functions(source, source[:at] + damage + source[at + 3 :])


@pytest.mark.parametrize(
    "source",
    [
        b"x = 1\x00",
        b"def f(:\n",
        b"(" * 5000,
        b"-" * 100_000 + b"1",
        b"# coding: nowhere\n",
        b"# coding: undefined\n",
        b"\xff\xfe",
        b"\xef\xbb\xbfx",
    ],
)
def test_what_does_not_parse_is_none_or_nothing(source: bytes) -> None:
    assert functions_of(source) in (None, ())


def test_a_function_is_described() -> None:
    source = '''STEP = 3
OTHER = 4


class Box(Base):
    """A box."""

    @staticmethod
    @cache
    def put(x: int, *rest: str, key: bool = False, **more) -> list[int]:
        """Puts it."""
        return [x * STEP]
'''
    put = one(source, "Box.put")
    assert put.signature == "def put(x: int, *rest: str, key: bool=False, **more) -> list[int]"
    assert put.decorators == ("staticmethod", "cache")
    assert put.docstring == "Puts it."
    assert put.class_header == "class Box(Base):"
    assert put.constants == ("STEP = 3",)
    assert put.binding is Binding.STATIC
    assert put.is_callable_by_name
    assert (put.first, put.last) == (8, 12)
    kinds = [(p.name, p.kind, p.required) for p in put.parameters]
    assert kinds == [
        ("x", "positional", True),
        ("rest", "var_positional", False),
        ("key", "keyword", False),
        ("more", "var_keyword", False),
    ]


@pytest.mark.parametrize(
    ("source", "qualname", "binding", "is_nameable"),
    [
        ("def f(): pass", "f", Binding.FUNCTION, True),
        ("async def f(): pass", "f", Binding.FUNCTION, False),
        ("def f():\n    g = lambda: (yield)\n    return g", "f", Binding.FUNCTION, True),
        ("class A:\n    def f(self): pass", "A.f", Binding.INSTANCE, False),
        ("class A:\n    @classmethod\n    def f(cls, x): pass", "A.f", Binding.STATIC, True),
        ("class A:\n    @property\n    def f(self): pass", "A.f", Binding.PROPERTY, False),
        ("class A:\n    @functools.cached_property\n    def f(self): pass", "A.f", Binding.PROPERTY, False),
        ("class A:\n    class B:\n        @staticmethod\n        def f(): pass", "A.B.f", Binding.STATIC, True),
        ("def f():\n    def g(): pass\n    return g", "f.<locals>.g", Binding.NESTED, False),
        (
            "def f():\n    class C:\n        @staticmethod\n        def g(): pass",
            "f.<locals>.C.g",
            Binding.NESTED,
            False,
        ),
        ("def f(x):\n    yield x", "f", Binding.FUNCTION, True),
        ("if True:\n    def f(): pass\nelse:\n    def f(x): pass", "f", Binding.FUNCTION, True),
        ("try:\n    pass\nexcept E:\n    def f(): pass", "f", Binding.FUNCTION, True),
        ("match x:\n    case 1:\n        def f(): pass", "f", Binding.FUNCTION, True),
    ],
)
def test_what_a_call_by_name_needs(source: str, qualname: str, binding: Binding, *, is_nameable: bool) -> None:
    function = one(source, qualname)
    assert function.binding is binding
    assert function.is_callable_by_name is is_nameable


def test_all_definitions_of_a_name_belong_together() -> None:
    source = "@overload\ndef f(x: int): ...\n@overload\ndef f(x: str): ...\ndef f(x):\n    return x\n"
    function = one(source, "f")
    assert function.source.count("def f") == 3
    assert function.signature == "def f(x)"
    changed = changed_functions(source.encode(), source.replace("x: str", "x: bytes").encode())
    assert changed is not None
    assert [c.present.qualname for c in changed] == ["f"]


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("def f(): return 1", "def f(): return 2", ["f"]),
        ("def f(): return 1", "import os\n\n\ndef f(): return 1", []),
        ("def f(): return 1", "def f():\n    # why\n    return 1\n", []),
        ("def f(): return 1", "def f():\n    'doc'\n    return 1\n", ["f"]),
        ("@a\ndef f(): return 1", "@b\ndef f(): return 1", ["f"]),
        ("def f(): return 1", "def g(): return 1", ["g", "-f"]),
        ("class A:\n    def f(self): pass", "class B:\n    def f(self): pass", ["B.f", "-A.f"]),
        ("def f():\n    def g(): return 1\n    return g", "def f():\n    def g(): return 2\n    return g", ["f"]),
        ("def f(): pass", "def f(): pass\r\n", []),
        ("def f(): pass", "async def f(): pass", ["f"]),
    ],
)
def test_which_functions_changed(old: str, new: str, changed: list[str]) -> None:
    found = changed_functions(old.encode(), new.encode())
    assert found is not None
    assert [("-" if c.is_deleted else "") + c.present.qualname for c in found] == changed
    back = changed_functions(new.encode(), old.encode())
    assert back is not None
    assert len(back) == len(found)


def test_a_latin_source_is_read_by_its_own_coding_line() -> None:
    source = "# -*- coding: latin-1 -*-\ndef f():\n    return 'é'\n".encode("latin-1")
    assert (functions_of(source) or ())[0].source == "def f():\n    return 'é'"


def test_an_expression_deeper_than_the_stack_breaks_nothing() -> None:
    deep = "def f(x=" + " + ".join(["1"] * 1500) + "):\n    return x\n"
    assert changed_functions(deep.encode(), deep.encode()) == ()
    changed = changed_functions(deep.encode(), deep.replace("return x", "return -x").encode())
    assert changed is not None
    assert [c.present.qualname for c in changed] == ["f"]
    assert changed[0].present.signature.startswith("def f(")
