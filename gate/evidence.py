"""What the decision table looks at: everything that is known about one patch; pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from gate.beside import Beside
from gate.oracle_diff import OracleDiff
from gate.verdicts import LaneReport, Verdict
from inventory.errors import Fault
from inventory.objects import Entry, Place
from inventory.oracle import Fixture, Oracle
from inventory.patch import Patch
from inventory.records import Role, Target


@dataclass(frozen=True)
class ChangedTarget:
    """A function that the patch adds or changes, and where head defines it."""

    target: Target
    place: Place


@dataclass(frozen=True)
class Evidence:
    """What is known about one patch.

    `oracle` is the one that the lane ran: base's where the patch changes production, else head's.
    `base` is None where base's oracle cannot be read, `head` likewise, with `head_faults`.
    `base_entries` and `head_fixtures` hold base's locked fixtures as base and head have them.
    `hasty` are the properties promoted from a candidate that this patch itself adds, `groundless`
    those whose target base does not have. `unowned` are the oracle's paths without an owner, and
    `owners_changed` those whose owners differ between base and head. `places` say where head
    defines the target of each property that was run. `functions` are those that the patch changes,
    `twins` the paths it touches that are mistaken for oracle files, and for what. `beside` holds
    base beside head for each property, and nothing where the patch leaves production alone;
    `base_name` is how the caller knows base. `forgotten` are the fixtures of which the work tree has
    the bytes that head's lock trusts, and head has not.
    """

    patch: Patch
    oracle: Oracle
    base: Oracle | None
    head: Oracle | None
    head_faults: tuple[Fault, ...]
    base_entries: dict[str, Entry]
    head_fixtures: dict[str, Fixture]
    hasty: tuple[str, ...]
    groundless: tuple[str, ...]
    unowned: tuple[str, ...]
    owners_changed: tuple[str, ...]
    places: dict[str, Place]
    functions: tuple[ChangedTarget, ...]
    twins: tuple[tuple[str, str], ...]
    lane: LaneReport | None
    beside: Mapping[str, Beside]
    base_name: str
    today: date
    allow_empty: bool
    forgotten: frozenset[str] = frozenset()

    @property
    def diff(self) -> OracleDiff | None:
        return OracleDiff(self.base, self.head) if self.base and self.head else None

    @property
    def only_candidates(self) -> bool:
        """Whether the patch holds candidates and nothing else: then there is nothing for the oracle to judge."""
        return bool(self.patch.changes) and all(change.role is Role.CANDIDATE for change in self.patch)

    @property
    def anything_votes(self) -> bool:
        """Whether the lane ran a property that is not frozen."""
        return self.lane is not None and any(r.status is not Verdict.FROZEN for r in self.lane.results)

    @property
    def is_judged(self) -> bool:
        """Whether the oracle had a word; without one nothing is allowed unless the caller says so."""
        return self.anything_votes or self.allow_empty
