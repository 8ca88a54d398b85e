"""The trial: one property, promoted only in memory, run through the real lane on some tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from gate.lane import Lane, LaneSettings, run_lane
from gate.verdicts import LaneReport, PropertyResult, Verdict
from inventory.errors import CouldNotRun
from inventory.oracle import Fixture, Oracle
from inventory.records import Inventory, Lock, Property
from inventory.tree import Tree

_ANY_DAY = date.min  # a property on trial has no freeze, so no day matters


@dataclass(frozen=True)
class Trial:
    """How a property did on one tree; `on` is the tree as messages call it, `notices` are those of its lane."""

    on: str
    result: PropertyResult
    notices: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every repeat was green."""
        return self.result.status is Verdict.PASS

    @property
    def judged(self) -> bool:
        """Whether it is the code that the result speaks of, and not a check, the fixture or the environment."""
        return self.result.status is not Verdict.PROTOCOL_ERROR


def alone(oracle: Oracle, entries: Sequence[Property], fixture: Fixture) -> Oracle:
    """An oracle of nothing but these properties on one fixture, taken as locked, with the checks of `oracle`."""
    return replace(
        oracle,
        inventory=Inventory(properties=tuple(entries)),
        lock=Lock(entries={fixture.path: fixture.actual or ""}),
        fixtures={fixture.path: replace(fixture, locked=fixture.actual)},
        faults=(),
    )


def try_out(trees: Sequence[Tree], oracle: Oracle, entry: Property, fixture: Fixture) -> tuple[Trial, ...]:
    """Run `entry` twice on each tree, with the checks and the policy of `oracle`.

    Raises CouldNotRun when the lane cannot run.
    """
    [trials] = try_all(trees, oracle, [entry], fixture)
    return trials


def try_all(
    trees: Sequence[Tree], oracle: Oracle, entries: Sequence[Property], fixture: Fixture
) -> tuple[tuple[Trial, ...], ...]:
    """The same for several properties on one fixture, in one lane: for each of them its trial on each tree."""
    with Lane.ready(trees[0], alone(oracle, entries, fixture), LaneSettings(today=_ANY_DAY)) as lane:
        reports = [(tree.label, lane.report(tree)) for tree in trees]
    return tuple(
        tuple(Trial(label, _result(report, entry), report.notices) for label, report in reports) for entry in entries
    )


def run_now(tree: Tree, oracle: Oracle, entry: Property, today: date) -> LaneReport:
    """A lane of one property as it stands. Raises CouldNotRun when the lane cannot run."""
    return run_lane(tree, oracle, LaneSettings(today=today), only=[entry])


def run_once(tree: Tree, oracle: Oracle, begun: Callable[[Callable[[], None]], None]) -> LaneReport:
    """A lane that runs every property one time only: enough to compare, never enough to vote.

    `begun` gets what another thread can call to cut it short, which ends in CouldNotRun here.
    """
    with Lane.ready(tree, oracle, LaneSettings(today=_ANY_DAY, repeats=1)) as lane:
        begun(lane.abandon)
        return lane.report(tree, more_on_red=0)


def _result(report: LaneReport, entry: Property) -> PropertyResult:
    found = report.find(entry.id)
    if found is None:
        raise CouldNotRun(
            f"the lane said nothing about {entry.id}", why="it ended without a verdict", fix="Try again: gate run"
        )
    return found
