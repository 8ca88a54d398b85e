"""The fast reader: what it reads, the strict one reads alike and without a fault; what our own files hold, it reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory import plain_yaml, strict_yaml, strict_yaml_dump
from inventory.digests import canonical, canonical_digest, claim_digest
from inventory.records import CheckUse

WORDS = st.sampled_from(
    ["a", "no", "Yes", "true", "null", "1", "-3", "0.5", "1e3", "a b", '"q"', "x: y", "- z", "#", "", " "]
)
TEXTS = WORDS | st.text(st.sampled_from('ab 0:#-.[]{}"\\\n~|>&*!%@`é'), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)
PIECES = st.sampled_from(
    [
        "a: 1\n", "b:\n", "  - x\n", "  - y: 2\n", "    z: |-\n", "      text\n", "\n", "  ", "c: |-\n", "  - - q\n",
        "a:\n", "  k: no\n", "  k: yes\n", 'd: "t"\n', "   odd: 1\n", "e: []\n", "f: x # y\n", "---\n", "g: 010\n",
        "- h\n", "    deep: {}\n", "i: 'x'\n", "j: |\n", "- - - a: b\n", "k: a: b\n", "l: &x\n", "\t", "m: -0\n",
        "n: 1.50\n", "o: 12345678901234567890\n",
    ]
)  # fmt: skip


def agrees(data: bytes) -> bool:
    """Whether it left these bytes alone, or read what the strict reader reads."""
    value = plain_yaml.load(data)
    if value is None:
        return True
    document = strict_yaml.load(data.decode(), "p")
    return not document.faults and repr(document.value) == repr(value)


@given(st.dictionaries(TEXTS, VALUES, max_size=5))
def test_it_agrees_with_the_strict_reader_on_what_we_write(value: dict[str, object]) -> None:
    assert agrees(strict_yaml_dump.dump(value).encode())


@given(st.lists(PIECES, max_size=9).map("".join))
def test_it_agrees_with_the_strict_reader_on_pieces_of_yaml(text: str) -> None:
    assert agrees(text.encode())


@given(st.lists(PIECES, max_size=9).map("".join), st.integers(0, 60), st.text(max_size=2))
def test_it_agrees_with_the_strict_reader_on_broken_text(text: str, at: int, more: str) -> None:
    assert agrees((text[:at] + more + text[at:]).encode("utf-8", "surrogatepass"))


def test_it_reads_what_a_candidate_usually_holds() -> None:
    value = {
        "id": "a_b",
        "checks": ["total", {"in_range": {"min": 0, "max": 9.5}}],
        "evidence": "def f(x):\n    return x\n\n# end",
        "statement": 'It "stays" there',
        "samples": [{"lo": 0, "hi": None, "x": True}, [1, [2, []], {}], -7],
    }
    assert plain_yaml.load(strict_yaml_dump.dump(value).encode()) == value


@pytest.mark.parametrize(
    "data",
    [b"", b"a: 1", b"a: 1\r\n", b"a: no\n", b"no: 1\n", b"a: 1\na: 2\n", b"a:\n", b"a: |-\n", b"- a\n", b"\xff\n",
     b"a: 'x'\n",     b"a: x # y\n", b"a:\n - 1\n", b"a: " + b"9" * 40 + b"\n", b'a: "\\x41"\n', b"a: |-\n  x\n\n",
     b"a: &x 1\n",
     b"".join(b" " * 2 * n + b"a:\n" for n in range(30)) + b" " * 60 + b"a: 1\n"],
)  # fmt: skip
def test_what_is_not_plain_is_left_to_the_strict_reader(data: bytes) -> None:
    assert plain_yaml.load(data) is None


@pytest.mark.parametrize("names", [["b", "a"], ["a"], ["c", "a", "c"]])
@pytest.mark.parametrize("params", [{}, {"x": [None, "é"]}])
def test_the_digest_of_a_claim_is_that_of_its_canonical_form(names: list[str], params: dict[str, object]) -> None:
    uses = [CheckUse(name=name, params=params) for name in names]
    checks = sorted((use.to_data() for use in uses), key=canonical)
    assert claim_digest("m", "f", uses) == canonical_digest({"module": "m", "fn": "f", "checks": checks})
