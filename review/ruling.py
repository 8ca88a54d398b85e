"""A ruling: what a human decided against what was seen, and the changes of files that it comes to; pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from inventory.codec import (
    dump_candidate,
    dump_lock,
    dump_tombstone,
    parse_candidate,
    parse_inventory,
    parse_lock,
    parse_tombstone,
)
from inventory.errors import Overtaken, Refused
from inventory.records import INVENTORY_PATH, LOCK_PATH, Candidate, Inventory, Lock, Record, Tombstone

Read = Callable[[str], bytes | None]
Splice = Callable[[str], str]
_R = TypeVar("_R", bound=Record)


@dataclass(frozen=True)
class Change:
    """One file: its bytes as they were read (None: there was none) and as they shall be (None: removed)."""

    path: str
    old: bytes | None
    new: bytes | None


@dataclass(frozen=True)
class Ruling:
    """What a human decided, against what was seen: nothing is written when the files say otherwise by now.

    Each file comes as its path and what it says: `tombstone` and `waiting` are written, the others removed.
    """

    seen: Inventory
    seen_lock: Lock
    inventory: Inventory | None = None  # with `splice`: what the inventory shall say
    splice: Splice | None = None
    lock: Lock | None = None
    tombstone: tuple[str, Tombstone] | None = None
    settled: tuple[str, Candidate] | None = None  # leaves the queue
    waiting: tuple[str, Candidate] | None = None  # comes back to the queue
    lifted: tuple[str, Tombstone] | None = None


def reversed_changes(changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """The changes that take these back, from the last to the first."""
    return tuple(Change(change.path, change.new, change.old) for change in reversed(changes))


def build(read: Read, ruling: Ruling) -> tuple[Change, ...]:
    """The changes of a ruling in the order in which they are written; pure but for `read`.

    New lock entries come before the inventory and those that go come after it, so that no property
    ever votes on a fixture without one.
    """
    grown, shrunk = _locks(read, ruling)
    built = (
        grown,
        _inventory(read, ruling),
        shrunk,
        _written(read, ruling.tombstone, dump_tombstone),
        _written(read, ruling.waiting, dump_candidate),
        _removed(read, ruling.settled, parse_candidate),
        _removed(read, ruling.lifted, parse_tombstone),
    )
    return tuple(change for change in built if change and change.old != change.new)


def spliced(data: bytes, splice: Splice, meant: Inventory) -> bytes:
    """The spliced bytes of the inventory. Raises Refused unless they say exactly what is meant."""
    new = splice(data.decode("utf-8")).encode("utf-8")
    if parse_inventory(new, INVENTORY_PATH) != meant:
        raise Refused(
            "inventory.yaml cannot be spliced",
            why="read back, the new text would not say what was decided, so nothing was written",
            fix="Bring the file into the shape that `review init` writes, or write the entry by hand.",
        )
    return new


def _locks(read: Read, ruling: Ruling) -> tuple[Change | None, Change | None]:
    """The lock with what is new in it, and then without what is no longer in it."""
    if ruling.lock is None:
        return None, None
    old = read(LOCK_PATH)
    if (parse_lock(old, LOCK_PATH) if old is not None else Lock()) != ruling.seen_lock:
        raise _overtaken(LOCK_PATH)
    union = Lock(entries={**ruling.seen_lock.entries, **ruling.lock.entries})
    between = dump_lock(union) if union != ruling.seen_lock else old
    last = dump_lock(ruling.lock) if ruling.lock != union else between
    return Change(LOCK_PATH, old, between), Change(LOCK_PATH, between, last)


def _inventory(read: Read, ruling: Ruling) -> Change | None:
    if ruling.inventory is None or ruling.splice is None:
        return None
    old = read(INVENTORY_PATH)
    if old is None:
        raise Refused(
            f"there is no {INVENTORY_PATH}",
            why="a property needs an inventory to stand in",
            fix="Lay it first: review init --owner @WHO",
        )
    if parse_inventory(old, INVENTORY_PATH) != ruling.seen:
        raise _overtaken(INVENTORY_PATH)
    return Change(INVENTORY_PATH, old, spliced(old, ruling.splice, ruling.inventory))


def _written(read: Read, file: tuple[str, _R] | None, dump: Callable[[_R], bytes]) -> Change | None:
    return Change(file[0], read(file[0]), dump(file[1])) if file else None


def _removed(read: Read, file: tuple[str, _R] | None, parse: Callable[[bytes, str], _R]) -> Change | None:
    """What was read from another branch may not lie here; something else of its name stays."""
    if file is None:
        return None
    path, seen = file
    old = read(path)
    if old is not None and parse(old, path) != seen:
        raise _overtaken(path)
    return Change(path, old, None)


def _overtaken(path: str) -> Overtaken:
    return Overtaken(
        f"{path} changed meanwhile",
        why="it does not say what it said when you looked",
        fix="Look at it again (git status), then run the command once more.",
    )
