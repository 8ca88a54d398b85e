"""Noise with known rates: how often a property that flakes is called what, beside what the rules imply.

A sample flakes when it is red in a repeat with a known chance, each time anew. The verdicts follow from
that alone: pass, when both repeats are green on every sample; invariant_miss, when up to seven repeats show
the same colour on each sample, and red on one at least; noise, when anything else.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterable
from datetime import date
from pathlib import Path

from gate.lane import MORE_ON_RED, LaneSettings, run_lane
from gate.verdicts import Outcome, Repeat, Verdict, verdict_of
from inventory.git import Git
from inventory.reading import read_oracle
from inventory.tree import commit_tree
from tests.repo import Repo
from tests.twins import oracle_of, property_of

RATES = (0.5, 0.1, 0.01)
SAMPLES = (1, 20)
RUNS = 200
_CLASSES = (Verdict.PASS, Verdict.INVARIANT_MISS, Verdict.NOISE)
# Texts hash differently in each repeat, as the order of a set does, and no sensor sees that.
_CODE = """\
def fn(run, sample):
    return -1 if hash(f"{{run}} {{sample}}") % 9973 < {rate} * 9973 else 1
"""


def noise_table(folder: Path) -> str:
    """The frequencies over RUNS runs of a property, for each rate and number of samples."""
    lines = [f"| flakes per sample | samples | {RUNS} runs of | {' | '.join(_CLASSES)} |", "|---|---|---|---|---|---|"]
    for count, rate in itertools.product(SAMPLES, RATES):
        shares = " | ".join(f"{RUNS * share:.1f}" for share in expected(rate, count))
        lines.append(f"| {rate} | {count} | expected | {shares} |")
        lines.append(f"| | | verdicts alone | {_counts(drawn(rate, count, seed) for seed in range(RUNS))} |")
        lines.append(f"| | | the real lane | {_counts(flaked(folder / f'{rate}-{count}' / 'repo', rate, count))} |")
    return "\n".join((*lines, ""))


def _counts(verdicts: Iterable[Verdict]) -> str:
    counted = Counter(verdicts)
    other = sum(count for verdict, count in counted.items() if verdict not in _CLASSES)
    return " | ".join(str(counted[verdict]) for verdict in _CLASSES) + (f", other {other}" if other else "")


def expected(rate: float, count: int) -> tuple[float, float, float]:
    """The chances of pass, invariant_miss and noise, as they follow from the rules."""
    repeats = 2 + MORE_ON_RED
    green = (1 - rate) ** (2 * count)
    steady = ((1 - rate) ** repeats + rate**repeats) ** count - (1 - rate) ** (repeats * count)
    return green, steady, 1 - green - steady


def drawn(rate: float, count: int, seed: int) -> Verdict:
    """The verdict on drawn colours: two repeats, and one more as long as they look like a miss."""
    dice = random.Random(seed)  # noqa: S311  # a draw that comes back is what is wanted
    repeats = [_repeat(number, dice, rate, count) for number in (1, 2)]
    while verdict_of(repeats) is Verdict.INVARIANT_MISS and len(repeats) < 2 + MORE_ON_RED:
        repeats.append(_repeat(len(repeats) + 1, dice, rate, count))
    return verdict_of(repeats)


def _repeat(number: int, dice: random.Random, rate: float, count: int) -> Repeat:
    colours = "".join("r" if dice.random() < rate else "g" for _ in range(count))
    outcome = Outcome.RED if "r" in colours else Outcome.GREEN
    return Repeat(number=number, outcome=outcome, seconds=0, colours=colours, digests=tuple(colours))


def flaked(root: Path, rate: float, count: int) -> list[Verdict]:
    """The verdicts on RUNS properties in one real lane: each is a run of its own, for its coins are."""
    repo = Repo.create(root)
    names = [f"run_{number}" for number in range(RUNS)]
    lines = [property_of(name, "prod", "fn", "[non_negative]", ", call: args") for name in names]
    fixtures = {name: [[number, sample] for sample in range(count)] for number, name in enumerate(names)}
    repo.commit("noise", {"prod.py": _CODE.format(rate=rate), **oracle_of(lines, fixtures)})
    git = Git.open(repo.root)
    tree = commit_tree(git, git.head().id)
    report = run_lane(tree, read_oracle(tree), LaneSettings(date(2026, 1, 1), sys.executable))
    return [result.status for result in report.results]
