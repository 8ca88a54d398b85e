"""The strength of properties of one function: which of its mutants the lane shows each of them to notice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gate.verdicts import PropertyResult
from inventory.counts import counted
from inventory.git import Git
from inventory.oracle import Fixture, Oracle
from inventory.records import Property
from inventory.targets import module_path
from inventory.tree import Tree
from review.kills import Field, Kills, Row, kills_of
from review.kinds import NOTHING, literal
from review.mutants import Mutant, mutants_of

_MAX_SAMPLES = 50


@dataclass(frozen=True)
class Strength:
    """How many mutants a property killed, and those that survived; `why` says why nothing could be measured.

    Mutants that raise or hang where the function answers are left out, `loud` of them: whatever calls the
    function notices these, so they tell no property from another.
    `unjudged` are mutants that were neither red nor green: they count as not killed, so that the score of
    two properties of one function on one fixture is of the same mutants.
    """

    killed: int = 0
    survived: tuple[Mutant, ...] = ()
    unjudged: tuple[Mutant, ...] = ()
    loud: int = 0
    why: str = ""

    @property
    def total(self) -> int:
        return self.killed + len(self.survived) + len(self.unjudged)

    @property
    def vacuous(self) -> bool:
        """Whether there were mutants and it noticed none."""
        return self.total > 0 and self.killed == 0

    @property
    def score(self) -> float:
        """From 0 to 1; 0 where nothing could be measured."""
        return self.killed / self.total if self.total else 0.0


def strengths_of(
    tree: Tree, aside: Git, oracle: Oracle, tried: Sequence[tuple[Property, PropertyResult]], fixture: Fixture
) -> tuple[Strength, ...]:
    """Try properties of one function on its mutants, each a module beside the real one in a tree of its own.

    `tried` are the properties that hold, each with how it did; `aside` is where new git objects may go. A
    mutant is killed when the property is red on it, or when its answers make a check raise, as in `gate check`.
    """
    (first, result), *_ = tried
    path = module_path(tree, oracle.policy, first.module)
    source = tree.read(path) if path else None
    if path is None or source is None:
        return _all(tried, f"the source of {first.module} is not in this tree")
    mutants = mutants_of(source, first.fn, _answers(result))
    if len(mutants) < 2:
        return _all(tried, f"{first.fn} is not defined as a function in {path}")
    some = replace(fixture, samples=(fixture.samples or ())[:_MAX_SAMPLES])
    field = Field(tree, path, mutants, max(repeat.seconds for _, r in tried for repeat in r.repeats))
    kills = kills_of(field, aside, oracle, [entry for entry, _ in tried], some, lambda _done, _total: None)
    return tuple(_strength(kills, row) for row in kills.rows)


def _strength(kills: Kills, row: Row) -> Strength:
    if row.why:
        return Strength(why=row.why)
    seen = list(zip(kills.mutants, row.noticed, strict=True))
    killed, survived, unjudged = (tuple(m for m, told in seen if told is wanted) for wanted in (True, False, None))
    count = len(kills.mutants) + kills.loud
    why = "" if killed or survived else f"none of {counted(count, 'mutant')} answers as can be judged"
    return Strength(len(killed), survived, unjudged, kills.loud, why)


def _all(tried: Sequence[object], why: str) -> tuple[Strength, ...]:
    return tuple(Strength(why=why) for _ in tried)


def _answers(result: PropertyResult) -> list[object]:
    """The first answers of the real function, as far as they can be written down."""
    found = [literal(text) for repeat in result.repeats[:1] for text in repeat.values[:1]]
    return [value for value in found if value is not NOTHING]
