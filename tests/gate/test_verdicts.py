"""How repeats become a verdict: sample by sample, and never green without having been seen."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.verdicts import Outcome, Repeat, Verdict, verdict_of

_RED = st.tuples(st.just("r"), st.sampled_from(["a", "b"]))
_SAMPLE = st.just(("g", "a")) | _RED


def repeat(*samples: tuple[str, str], outcome: Outcome = Outcome.GREEN) -> Repeat:
    colours, digests = "".join(s[0] for s in samples), tuple(s[1] for s in samples)
    return Repeat(number=1, outcome=outcome, seconds=0, colours=colours, digests=digests)


@pytest.mark.parametrize(
    ("repeats", "verdict"),
    [
        ([[("g", "a")], [("g", "a")]], Verdict.PASS),
        ([[("g", "a")], [("g", "b")]], Verdict.PASS),
        ([[("r", "a")], [("r", "a")]], Verdict.INVARIANT_MISS),
        ([[("r", "a")], [("r", "b")]], Verdict.NOISE),
        ([[("r", "a")], [("g", "a")]], Verdict.NOISE),
        ([[("r", "a"), ("g", "a")], [("g", "a"), ("r", "a")]], Verdict.NOISE),
        ([[("r", "a"), ("r", "x")], [("r", "a"), ("g", "x")]], Verdict.NOISE),
        ([[("r", "a"), ("g", "x")], [("r", "a"), ("g", "y")]], Verdict.INVARIANT_MISS),
        ([], Verdict.PROTOCOL_ERROR),
        ([[], []], Verdict.PROTOCOL_ERROR),
        ([[("g", "a")], [("g", "a"), ("g", "a")]], Verdict.PROTOCOL_ERROR),
    ],
)
def test_repeats_are_compared_by_sample(repeats: list[list[tuple[str, str]]], verdict: Verdict) -> None:
    assert verdict_of([repeat(*samples) for samples in repeats]) is verdict


def test_a_fault_in_one_repeat_has_the_last_word() -> None:
    good = repeat(("g", "a"))
    assert verdict_of([good, repeat(("r", "a"), outcome=Outcome.FAULT)]) is Verdict.PROTOCOL_ERROR


@given(st.lists(st.lists(_SAMPLE, min_size=3, max_size=3), min_size=1, max_size=6))
def test_only_green_throughout_passes(repeats: list[list[tuple[str, str]]]) -> None:
    green = all(colour == "g" for samples in repeats for colour, _ in samples)
    assert (verdict_of([repeat(*samples) for samples in repeats]) is Verdict.PASS) == green


@given(st.lists(st.lists(_SAMPLE, min_size=2, max_size=2), min_size=1, max_size=5))
def test_the_order_of_repeats_does_not_matter(repeats: list[list[tuple[str, str]]]) -> None:
    turned = list(reversed(repeats))
    assert verdict_of([repeat(*r) for r in repeats]) is verdict_of([repeat(*r) for r in turned])
