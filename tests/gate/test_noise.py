"""Noise with known rates gets its name as often as the rules imply, drawn and in the real lane."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gate.verdicts import Verdict
from scripts.noise import RATES, RUNS, drawn, expected, flaked

CLASSES = (Verdict.PASS, Verdict.INVARIANT_MISS, Verdict.NOISE)


def is_near(counted: Counter[Verdict], shares: tuple[float, float, float]) -> bool:
    """Within five standard deviations, and never another class."""
    assert sum(counted.values()) == sum(counted[verdict] for verdict in CLASSES) == RUNS
    return all(
        abs(counted[verdict] - RUNS * share) <= 5 * (RUNS * share * (1 - share)) ** 0.5 + 1
        for verdict, share in zip(CLASSES, shares, strict=True)
    )


@pytest.mark.parametrize("count", [1, 20])
@pytest.mark.parametrize("rate", RATES)
def test_verdicts_on_drawn_colours_follow_the_rates(rate: float, count: int) -> None:
    assert is_near(Counter(drawn(rate, count, seed) for seed in range(RUNS)), expected(rate, count))


@pytest.mark.parametrize(("rate", "count"), [(0.5, 1), (0.1, 20), (0.01, 20)])
def test_the_real_lane_follows_the_rates(tmp_path: Path, rate: float, count: int) -> None:
    assert is_near(Counter(flaked(tmp_path / "repo", rate, count)), expected(rate, count))
