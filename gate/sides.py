"""Runs the lane on both sides of a patch: head, and base where it has other production, on the same samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from gate.beside import Beside, beside, off_the_samples
from gate.lane import Lane, LaneSettings
from gate.results import blamed_on_production
from gate.verdicts import LaneReport, PropertyResult
from inventory.oracle import Oracle
from inventory.records import Property
from inventory.tree import Tree


@dataclass(frozen=True)
class Seen:
    """What the lane saw: head's report, and base beside head for each property where both were run."""

    lane: LaneReport | None = None
    beside: Mapping[str, Beside] = field(default_factory=dict)

    def of_commit(self, commit: str) -> Seen:
        """The same with the commit in the report, whose tree was judged."""
        return replace(self, lane=self.lane and self.lane.model_copy(update={"commit": commit}))


def run_sides(
    head: Tree, base: Tree | None, oracle: Oracle, settings: LaneSettings, only: Sequence[Property] | None = None
) -> Seen:
    """The lane on head, and on base where one is given, with the same judges and samples.

    `only` some properties are run, or all of the oracle. Raises CouldNotRun where no interpreter can be used.
    """
    if not oracle.inventory.properties:
        return Seen()
    with Lane.ready(head, oracle, settings, only, asks=base is not None, trusted=base) as lane:
        report = lane.report(head)
        if base is None:
            return Seen(report)
        on_base = {result.prop_id: result for result in lane.report(base, more_on_red=0).results}
        results = tuple(blamed_on_production(result, on_base[result.prop_id]) for result in report.results)
        report = report.model_copy(update={"results": results})
        return Seen(report, _beside(lane, report, on_base, head, base))


def _beside(
    lane: Lane, report: LaneReport, on_base: Mapping[str, PropertyResult], head: Tree, base: Tree
) -> dict[str, Beside]:
    """Each property on both sides; where the samples show no difference, what lies beside them is asked."""
    found = {
        entry.id: beside(entry, result, on_base[entry.id], lane.oracle.fixtures[entry.fixture].samples or ())
        for entry, result in zip(lane.entries, report.results, strict=True)
    }
    alike = [name for name, one in found.items() if one.passes and not one.changed]
    asked, answered = lane.ask(base, alike), lane.ask(head, alike)
    for name in asked:
        result = next(result for result in report.results if result.prop_id == name)
        found[name] = off_the_samples(found[name], result, lane.neighbours[name], asked[name], answered[name])
    return found
