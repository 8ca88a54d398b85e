"""Results that are more than plain data: they cross as records and go back as themselves."""

from __future__ import annotations

import sys

import pytest

from gate.verdicts import Verdict
from tests.gate.lanes import OLDEST_AND_NEWEST, one_property, result_of
from tests.repo import Repo

DATACLASS = """\
from dataclasses import dataclass

@dataclass(frozen=True)
class Money:
    amount: int
    currency: str = "EUR"
    def __eq__(self, other): return True

def fn(text): return Money(int(text))
def render(money): return str(money.amount)
"""
OPAQUE = """\
import threading
class Handle:
    __slots__ = ("lock", "text")
    def __init__(self, text): self.lock, self.text = threading.Lock(), text
def fn(text): return Handle(text)
def render(handle): return handle.text
"""
CYCLE = """\
class Node:
    def __init__(self, text): self.me, self.text = self, text
def fn(text): return [Node(text)]
def render(nodes): return nodes[0].text
"""
NAMED = """\
import collections
Pair = collections.namedtuple("Pair", "left right")
def fn(x): return Pair(x, x + 1)
"""
GENERATOR = "def fn(n):\n    for i in range(n): yield i\n"
COROUTINE = "import asyncio\nasync def fn(n):\n    await asyncio.sleep(0)\n    return n\n"
SPECIAL = """\
import collections, enum, decimal, datetime, uuid
class Colour(enum.Enum):
    RED = 1
class Level(enum.IntEnum):
    LOW = 1
class Codec:
    @staticmethod
    def parse(x): return x
    @classmethod
    def make(cls, x): return cls.parse(x)
def fn(x):
    return [Colour.RED, Level.LOW, collections.OrderedDict(a=1), collections.Counter("aab"), {(1, 2): 3}, {1, 2},
            b"x", decimal.Decimal("1.50"), datetime.date(2026, 1, 2), uuid.UUID(int=1), -0.0, 1 << 200, "\\ud800"]
"""
OWN = """\
import decimal, datetime
def special(fn, sample):
    colour, level, ordered, counts, tuples, numbers, raw, price, day, ident, zero, big, odd = fn(sample)
    assert (colour.name, colour.value) == ("RED", 1)
    assert level.value == 1 and level != 1
    assert ordered["a"] == 1 and list(ordered) == ["a"]
    assert counts["a"] == 2 and dict(counts.items()) == {"a": 2, "b": 1}
    assert tuples == {(1, 2): 3} and numbers == {1, 2} and raw == b"x"
    assert price == decimal.Decimal("1.50") and day == datetime.date(2026, 1, 2) and ident.int == 1
    assert zero == 0 and big == 1 << 200 and odd == chr(0xD800)

def pair(fn, sample):
    got = fn(sample)
    assert got.left == sample and got[1] == sample + 1 and tuple(got) == (sample, sample + 1)

def listed(fn, sample):
    assert list(fn(sample)) == list(range(sample))

@check("raises_value_error")
def _(fn, sample):
    try:
        fn(sample)
    except ValueError as error:
        assert "no" in str(error)
    else:
        raise AssertionError("raised nothing")

CHECKS = {"same_again": lambda fn, sample: expect_same(fn(sample), fn(sample))}
"""
CASES = [
    (DATACLASS, "[{roundtrip: {inverse: render}}, deterministic, {returns_type: {type: Money}}]", ["1", "20"]),
    (OPAQUE, "[{roundtrip: {inverse: render}}, {returns_type: {type: prod.Handle}}]", ["a"]),
    (CYCLE, "[{roundtrip: {inverse: render}}]", ["a", "b"]),
    (NAMED, "[pair, deterministic, same_again, {has_keys: {keys: [left, right]}}]", [1]),
    (GENERATOR, "[listed, is_sorted, no_duplicates]", [0, 3]),
    (COROUTINE, "[non_negative]", [1]),
    (SPECIAL, "[special, deterministic]", [1]),
    ("def fn(x):\n    raise ValueError('no')\n", "[raises_value_error, {raises: {allowed: ValueError}}]", [1]),
]


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST)
@pytest.mark.parametrize(("code", "checks", "samples"), CASES)
def test_what_is_not_plain_data_crosses_and_comes_back(
    repo: Repo, python: str, code: str, checks: str, samples: list[object]
) -> None:
    one_property(repo, code, checks, samples, own=OWN)
    result = result_of(repo, python=python)
    assert result.status is Verdict.PASS, result.detail


@pytest.mark.parametrize(
    ("code", "checks", "words"),
    [
        (DATACLASS.replace("int(text))", "int(text), object())"), "[deterministic]", "cannot be compared"),
        (DATACLASS.replace("int(text))", "__import__('itertools').count())"), "[deterministic]", "cannot be compared"),
        ("class L:\n    def __eq__(self, o): return True\n    def __sub__(self, o): return 0\ndef fn(x): return L()\n",
         "[near]", "a prod.L is not plain data"),
        ("class L:\n    def __eq__(self, o): return True\ndef fn(x): return L()\n", "[is_one]", "got <prod.L>"),
        ("class E(Exception):\n    def __str__(self): raise SystemExit(0)\ndef fn(x): raise E\n",
         "[is_one]", "its text cannot be had"),
    ],
)  # fmt: skip
def test_an_object_convinces_nobody(repo: Repo, code: str, checks: str, words: str) -> None:
    own = (
        "def near(fn, sample):\n    if abs(fn(sample) - 1) > 0.1: raise AssertionError\n"
        "def is_one(fn, sample):\n    got = fn(sample)\n    assert got == 1, f'got {got!r}'\n"
    )
    one_property(repo, code, checks, ["1"], own=own)
    result = result_of(repo)
    assert result.status is Verdict.INVARIANT_MISS
    assert words in result.detail


def test_a_refused_answer_is_red_even_for_a_check_that_swallows_everything(repo: Repo) -> None:
    own = "def soft(fn, sample):\n    try: fn(sample)\n    except BaseException: pass\n"
    for body in ("return float('nan')", "import os; os._exit(0)"):
        one_property(repo, f"def fn(x):\n    {body}\n", "[soft]", [1, 2], own=own)
        assert result_of(repo).status is Verdict.INVARIANT_MISS


def test_static_and_class_methods_are_targets(repo: Repo) -> None:
    one_property(repo, SPECIAL, "[non_negative]", [1])
    for name in ("Codec.parse", "Codec.make"):
        text = repo.read("invariants/inventory.yaml")
        repo.commit("Aim", {"invariants/inventory.yaml": text.replace("fn: fn,", f"fn: {name},")})
        assert result_of(repo, python=sys.executable).status is Verdict.PASS


IMPOSTORS = {
    "a type of Python": "E = type('ValueError', (Exception,), {'__module__': 'builtins'})",
    "a text of its own": "class S(str): pass\nE = type('ValueError', (Exception,), {'__module__': S('builtins')})",
    "a type of the library": "import json\nE = type('JSONDecodeError', (Exception,), {'__module__': 'json.decoder'})",
    "its bases": (
        "class M(type):\n    @property\n    def __mro__(self): return (self, ValueError, Exception, BaseException)\n"
        "class E(Exception, metaclass=M): pass"
    ),
}


@pytest.mark.parametrize("code", IMPOSTORS.values(), ids=IMPOSTORS)
def test_an_exception_that_claims_to_be_another_is_not_taken_for_it(repo: Repo, code: str) -> None:
    checks = "[{raises: {allowed: [ValueError, JSONDecodeError]}}]"
    one_property(repo, f"{code}\ndef fn(x):\n    raise E(x)\n", checks, [1])
    assert result_of(repo).status is Verdict.INVARIANT_MISS


@pytest.mark.parametrize("name", ["int", "Decimal"])
def test_an_object_that_claims_another_type_is_not_taken_for_one(repo: Repo, name: str) -> None:
    code = "import decimal\nN = type({0!r}, (), {{'__module__': {1!r}}})\ndef fn(x):\n    return N()\n"
    module = {"int": "builtins", "Decimal": "decimal"}[name]
    one_property(repo, code.format(name, module), f"[{{returns_type: {{type: {name}}}}}]", [1])
    assert result_of(repo).status is Verdict.INVARIANT_MISS
