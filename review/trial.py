"""The trial: one property, promoted only in memory, run through the real lane on some tree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from gate.lane import LaneSettings, run_lane
from gate.verdicts import LaneReport, PropertyResult, Verdict
from inventory.errors import CouldNotRun
from inventory.oracle import Fixture, Oracle
from inventory.records import Inventory, Lock, Property
from inventory.tree import Tree

_ANY_DAY = date.min  # a property on trial has no freeze, so no day matters


@dataclass(frozen=True)
class Trial:
    """How a property did on one tree; `on` is the tree as messages call it."""

    on: str
    result: PropertyResult

    @property
    def passed(self) -> bool:
        """Whether every repeat was green."""
        return self.result.status is Verdict.PASS


@dataclass(frozen=True)
class Rehearsal:
    """A candidate tried without being promoted; `samples` says on which."""

    samples: str
    trials: tuple[Trial, ...]

    @property
    def passed(self) -> bool:
        """Whether it was tried at all, and green everywhere."""
        return bool(self.trials) and all(trial.passed for trial in self.trials)


def try_out(trees: Sequence[Tree], oracle: Oracle, entry: Property, fixture: Fixture) -> tuple[Trial, ...]:
    """Run `entry` twice on each tree, with the checks and the policy of `oracle`.

    Raises CouldNotRun when the lane cannot run.
    """
    trusted = replace(fixture, locked=fixture.actual)
    alone = replace(
        oracle,
        inventory=Inventory(properties=(entry,)),
        lock=Lock(entries={fixture.path: fixture.actual or ""}),
        fixtures={fixture.path: trusted},
        faults=(),
    )
    return tuple(Trial(tree.label, _run(tree, alone, entry)) for tree in trees)


def run_now(tree: Tree, oracle: Oracle, entry: Property, today: date) -> LaneReport:
    """A lane of one property as it stands. Raises CouldNotRun when the lane cannot run."""
    return run_lane(tree, oracle, LaneSettings(today=today), only=[entry])


def _run(tree: Tree, oracle: Oracle, entry: Property) -> PropertyResult:
    found = run_lane(tree, oracle, LaneSettings(today=_ANY_DAY), only=[entry]).find(entry.id)
    if found is None:
        raise CouldNotRun(
            f"the lane said nothing about {entry.id}", why="it ended without a verdict", fix="Try again: gate run"
        )
    return found
