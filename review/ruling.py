"""A ruling: what a human decided against what was seen, and the changes of files that it comes to; pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from inventory.codec import dump_lock, dump_tombstone, parse_candidate, parse_inventory, parse_lock
from inventory.errors import Overtaken, Refused
from inventory.records import INVENTORY_PATH, LOCK_PATH, Candidate, Inventory, Lock, Tombstone

Read = Callable[[str], bytes | None]
Splice = Callable[[str], str]


@dataclass(frozen=True)
class Change:
    """One file: its bytes as they were read (None: there was none) and as they shall be (None: removed)."""

    path: str
    old: bytes | None
    new: bytes | None


@dataclass(frozen=True)
class Ruling:
    """What a human decided, against what was seen: nothing is written when the files say otherwise by now."""

    seen: Inventory
    seen_lock: Lock
    inventory: Inventory | None = None  # with `splice`: what the inventory shall say
    splice: Splice | None = None
    lock: Lock | None = None
    tombstone: tuple[str, Tombstone] | None = None  # its path and itself
    settled: tuple[str, Candidate] | None = None  # the candidate that leaves the queue: its path and itself


def build(read: Read, ruling: Ruling) -> tuple[Change, ...]:
    """The changes of a ruling in the order in which they are written; pure but for `read`."""
    built = (_lock(read, ruling), _inventory(read, ruling), _tombstone(read, ruling), _removal(read, ruling))
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


def _lock(read: Read, ruling: Ruling) -> Change | None:
    if ruling.lock is None:
        return None
    old = read(LOCK_PATH)
    if (parse_lock(old, LOCK_PATH) if old is not None else Lock()) != ruling.seen_lock:
        raise _overtaken(LOCK_PATH)
    return Change(LOCK_PATH, old, dump_lock(ruling.lock) if ruling.lock != ruling.seen_lock else old)


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


def _tombstone(read: Read, ruling: Ruling) -> Change | None:
    if ruling.tombstone is None:
        return None
    path, tombstone = ruling.tombstone
    return Change(path, read(path), dump_tombstone(tombstone))


def _removal(read: Read, ruling: Ruling) -> Change | None:
    """A candidate that was read from another branch may not lie here; another one of its name stays."""
    if ruling.settled is None:
        return None
    path, candidate = ruling.settled
    old = read(path)
    if old is not None and parse_candidate(old, path) != candidate:
        raise _overtaken(path)
    return Change(path, old, None)


def _overtaken(path: str) -> Overtaken:
    return Overtaken(
        f"{path} changed meanwhile",
        why="it does not say what it said when you looked",
        fix="Look at it again (git status), then run the command once more.",
    )
