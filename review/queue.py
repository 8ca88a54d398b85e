"""The queue: every file of `proposed/` as an item with its state, however broken it is; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from inventory.catalogue import faults_of
from inventory.codec import parse_candidate
from inventory.digests import canonical, claim_digest
from inventory.errors import CouldNotRun, Fault
from inventory.records import Candidate, CheckUse, Inventory, Target, Tombstone


class State(StrEnum):
    """Where a candidate stands; only a pending one can be promoted."""

    PENDING = "pending"
    STALE = "stale"  # its target is not in this tree
    DUPLICATE = "duplicate"
    INVALID = "invalid"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Item:
    """One file of `proposed/`. An invalid one has no candidate, but its faults."""

    path: str
    state: State
    why: str = ""
    candidate: Candidate | None = None
    digest: str | None = None
    faults: tuple[Fault, ...] = ()

    @property
    def id(self) -> str:
        """The id by which a reviewer calls it: the name of the file."""
        return self.path.rpartition("/")[2].removesuffix(".yaml")


@dataclass(frozen=True)
class Surroundings:
    """What a candidate is judged against: what votes, what was rejected, and what the code holds."""

    inventory: Inventory
    tombstones: tuple[Tombstone, ...]
    has_target: Callable[[Target], bool]


def build(files: Mapping[str, bytes | Fault], around: Surroundings) -> tuple[Item, ...]:
    """The queue in the order of the paths; a file that could not be read comes as its fault."""
    items: list[Item] = []
    claimed = _Claims()
    for entry in around.inventory.properties:
        claimed.add(entry.target, entry.checks, f"the property {entry.id}")
    for tombstone in around.tombstones:
        claimed.add(tombstone.target, tombstone.checks, f"the rejected {tombstone.id}")
    for path, data in sorted(files.items()):
        item = _judge(_read(path, data), around, claimed)
        if item.candidate:
            claimed.add(item.candidate.target, item.candidate.checks, f"the candidate {item.id}")
        items.append(item)
    return tuple(items)


class _Claims:
    """Which checks are spoken for on which target, and by whom."""

    def __init__(self) -> None:
        self._by: dict[tuple[str, bytes], str] = {}

    def add(self, target: Target, checks: Iterable[CheckUse], who: str) -> None:
        for use in checks:
            self._by.setdefault(_key(target, use), who)

    def cover(self, candidate: Candidate) -> tuple[str, ...]:
        """Who speaks for all checks of a candidate; () when one of them is new."""
        found = [self._by.get(_key(candidate.target, use)) for use in candidate.checks]
        return tuple(dict.fromkeys(who for who in found if who)) if all(found) else ()


def _key(target: Target, use: CheckUse) -> tuple[str, bytes]:
    return str(target), canonical(use.to_data())


def _read(path: str, data: bytes | Fault) -> Item:
    if isinstance(data, Fault):
        return Item(path, State.INVALID, data.what, faults=(data,))
    try:
        candidate = parse_candidate(data, path)
        digest = claim_digest(candidate.module, candidate.fn, candidate.checks)
    except CouldNotRun as stop:
        faults = stop.faults or (Fault(path, 0, stop.why),)
        return Item(path, State.INVALID, faults[0].what, faults=faults)
    wrong = [*_misnamed(path, candidate), *(what for use in candidate.checks for what in faults_of(use))]
    if wrong:
        return Item(path, State.INVALID, wrong[0], faults=tuple(Fault(path, 0, what) for what in wrong))
    return Item(path, State.PENDING, candidate=candidate, digest=digest)


def _misnamed(path: str, candidate: Candidate) -> list[str]:
    return [] if path.endswith(f"/{candidate.id}.yaml") else [f"the id {candidate.id} and the name of the file differ"]


def _judge(item: Item, around: Surroundings, claimed: _Claims) -> Item:
    if item.candidate is None:
        return item
    no = next((t for t in around.tombstones if _digest(t) == item.digest), None)
    if no:
        return _in_state(item, State.REJECTED, f"{no.reason}, by {no.rejected_by}")
    covered = claimed.cover(item.candidate)
    if covered:
        return _in_state(item, State.DUPLICATE, f"all its checks stand in {' and '.join(covered)}")
    if not around.has_target(item.candidate.target):
        return _in_state(item, State.STALE, f"{item.candidate.target} is not in this tree: gone, or not merged yet")
    return item


def _in_state(item: Item, state: State, why: str) -> Item:
    return Item(item.path, state, why, item.candidate, item.digest)


def _digest(tombstone: Tombstone) -> str:
    return claim_digest(tombstone.module, tombstone.fn, tombstone.checks)
