"""What changed between two oracles: properties, lock entries, freezes and what grew weaker; pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inventory.counts import counted
from inventory.oracle import Oracle
from inventory.records import Freeze, Property


@dataclass(frozen=True)
class Weakening:
    """One way in which the new oracle may ask less than the old one."""

    property_id: str | None
    path: str | None
    what: str


@dataclass(frozen=True)
class OracleDiff:
    """The differences from an old oracle to a new one."""

    old: Oracle
    new: Oracle

    @property
    def added(self) -> tuple[Property, ...]:
        return tuple(p for p in self.new.inventory.properties if self.old.inventory.find(p.id) is None)

    @property
    def removed(self) -> tuple[Property, ...]:
        return tuple(p for p in self.old.inventory.properties if self.new.inventory.find(p.id) is None)

    @property
    def changed(self) -> tuple[Property, ...]:
        """The properties of the new oracle that differ in anything from the old one of the same id."""
        return tuple(p for p in self.new.inventory.properties if self.old.inventory.find(p.id) not in (None, p))

    @property
    def added_freezes(self) -> tuple[Freeze, ...]:
        return tuple(f for f in self.new.inventory.freezes if f not in self.old.inventory.freezes)

    @property
    def changed_locks(self) -> tuple[str, ...]:
        """The fixtures whose lock entry was added, removed or changed."""
        old, new = self.old.lock.entries, self.new.lock.entries
        return tuple(sorted(path for path in old.keys() | new.keys() if old.get(path) != new.get(path)))

    def explains_lock(self, fixture: str) -> bool:
        """Whether a property on this fixture changed its id, checks or note, so that the new lock has a reason."""
        return _reasons(self.old, fixture) != _reasons(self.new, fixture)

    def weakenings(self) -> Iterator[Weakening]:
        """What the new oracle may no longer catch, for a code owner to look at first."""
        for gone in self.removed:
            yield Weakening(gone.id, None, f"the property {gone.id} is removed")
        for after in self.changed:
            before = self.old.inventory.find(after.id)
            if before is not None:
                yield from _weaker_property(before, after)
        for freeze in self.added_freezes:
            yield Weakening(freeze.property_id, None, f"{freeze.property_id} is frozen until {freeze.expires_on}")
        yield from self._weaker_fixtures()
        if self.old.checks_source and self.old.checks_source != self.new.checks_source:
            yield Weakening(None, "invariants/checks.py", "checks that already vote may have changed")
        if self.old.policy != self.new.policy:
            yield Weakening(None, "invariants/policy.yaml", "the policy changed")

    def _weaker_fixtures(self) -> Iterator[Weakening]:
        for path in self.changed_locks:
            old, new = self.old.fixtures.get(path), self.new.fixtures.get(path)
            if old is None or new is None or old.samples is None or new.samples is None or old.samples == new.samples:
                continue
            kept = sum(1 for sample in old.samples if sample in new.samples)
            if kept < len(old.samples):
                gone = len(old.samples) - kept
                yield Weakening(
                    None, path, f"gone or changed in {path}: {gone} of {counted(len(old.samples), 'sample')}"
                )


def _weaker_property(before: Property, after: Property) -> Iterator[Weakening]:
    dropped = [use.law or use.name for use in before.checks if use not in after.checks]
    if dropped:
        yield Weakening(after.id, None, f"{after.id} loses or changes the checks {'; '.join(dropped)}")
    for name in ("module", "fn", "siblings", "seed", "fixture", "call", "clock", "nonfinite"):
        old, new = getattr(before, name), getattr(after, name)
        if old != new:
            yield Weakening(after.id, None, f"{after.id} changes its {name} from {old} to {new}")


def _reasons(oracle: Oracle, fixture: str) -> set[tuple[str, str, str | None]]:
    return {
        (p.id, repr([use.to_data() for use in p.checks]), p.note)
        for p in oracle.inventory.properties
        if p.fixture == fixture
    }
