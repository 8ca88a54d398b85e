"""Nothing but the law runs, and it takes neither long nor much: escapes, bombs, arbitrary text and trees."""

from __future__ import annotations

import contextlib
import time
import tracemalloc

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inventory.law_names import Scope, faults_of_names
from inventory.law_syntax import MAX_CHARS, LawFault, parse_law
from inventory.target import BadCheck, BadSample, Raised
from tests.laws import BOMBS, ESCAPES, tried

OURS = (AssertionError, BadCheck, BadSample, Raised)
SCOPE = Scope("f", ("x",))
LIMIT_S = 1.0
LIMIT_BYTES = 100 << 20


def test_there_are_enough_of_them() -> None:
    assert len(set(ESCAPES)) >= 60
    assert len(set(BOMBS)) >= 40


@pytest.mark.parametrize("text", ESCAPES)
def test_an_escape_is_refused_before_anything_runs(text: str) -> None:
    def reached(*_args: object) -> None:
        raise SystemExit("an escape was evaluated")

    faults = _faults(text)
    assert faults
    assert all(1 <= int(told.split()[1]) <= MAX_CHARS + 1 for told in faults)
    with pytest.raises(BadCheck):
        tried(text, reached, [1, 2])


def _faults(text: str) -> tuple[str, ...]:
    """Each begins with `column N of the law`."""
    try:
        return faults_of_names(parse_law(text), SCOPE)
    except LawFault as fault:
        return (str(fault),)


@pytest.mark.parametrize("text", BOMBS)
def test_a_bomb_ends_in_time_and_memory(text: str) -> None:
    started = time.process_time()
    tracemalloc.start()
    try:
        with pytest.raises(OURS):
            tried(text, lambda x: x, 3)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < LIMIT_BYTES
    assert time.process_time() - started < 10 * LIMIT_S  # watching memory and coverage takes several times as long


@settings(max_examples=300)
@given(st.text(max_size=MAX_CHARS + 50))
def test_arbitrary_text_raises_nothing_but_our_own(text: str) -> None:
    _only_ours(text)


PIECES = (
    "f(x) == != <= < in not and or if else for i , . : ( ) [ ] { } ' \" 0 1 9**9 * ** << % - ~ lambda := await sorted"
    " len str sum range all any raises close isinstance int list .split .join .count __class__ 'a' x y # \\ key="
    " reverse= None True is @ -> = f'' b'' 1e9 1j ... ;"
)
SIGNS = "+ - * / // % ** << >> & | ^ == != < <= > >= and or in"
LEAVES = "x f(x) 0 1 -1 2.5 'ab' '' [] [1,'a'] {} {'a':1} None True 7**99 list(range(9))"
WORDS = (
    "abs all any bin bool dict float int len list max min reversed set sorted str sum tuple zip enumerate round f ord"
    " chr range"
)
METHODS = "split strip keys items values upper copy lower splitlines isdigit"
BINARY_METHODS = "join count index get issubset startswith replace zfill"


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*PIECES.split(), "\n"]), max_size=40).map(" ".join))
def test_text_of_likely_pieces_raises_nothing_but_our_own(text: str) -> None:
    _only_ours(text)


def _grown(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    two, signs, words = st.tuples(inner, inner), st.sampled_from(SIGNS.split()), st.sampled_from(WORDS.split())
    return st.one_of(
        st.tuples(inner, signs, inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(words, inner).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(inner, st.sampled_from(METHODS.split())).map(lambda t: f"({t[0]}).{t[1]}()"),
        st.tuples(inner, st.sampled_from(BINARY_METHODS.split()), inner).map(lambda t: f"({t[0]}).{t[1]}({t[2]})"),
        two.map(lambda t: f"[{t[0]} for i in {t[1]}]"),
        two.map(lambda t: f"{{{t[0]}: {t[1]}}}"),
        two.map(lambda t: f"({t[0]})[{t[1]}]"),
        two.map(lambda t: f"({t[0]})[:{t[1]}]"),
        two.map(lambda t: f"close({t[0]}, {t[1]})"),
        inner.map(lambda t: f"raises('ValueError', f({t}))"),
        inner.map(lambda t: f"sorted({t}, key=lambda k: (k, x), reverse={t})"),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} if {t[1]} else not {t[2]})"),
    )


@settings(max_examples=500)
@given(
    st.recursive(st.sampled_from(LEAVES.split()), _grown, max_leaves=12),
    st.sampled_from([0, 3, -2, "ab", [3, 1, 2], {"a": [1]}, None, 1.5, True]),
)
def test_trees_of_the_language_raise_nothing_but_our_own(text: str, sample: object) -> None:
    _only_ours(text, sample)


def _only_ours(text: str, sample: object = 3) -> None:
    started = time.process_time()
    with contextlib.suppress(*OURS):
        tried(text, lambda x: x, sample)
    assert time.process_time() - started < LIMIT_S
