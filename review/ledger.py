"""The ledger: carries out a ruling under the write lock, in one order.

The order is lock, inventory, tombstone, removal of the candidate: a crash in between never leaves a
property that votes on a fixture without a lock entry, and never loses a candidate.
"""

from __future__ import annotations

from inventory.files import Writer, writing
from inventory.git import Git
from inventory.records import INVENTORY_PATH, LOCK_PATH, PROPOSED_DIR, REJECTED_DIR
from review.ruling import Change, Ruling, build


def write(git: Git, ruling: Ruling) -> tuple[Change, ...]:
    """Carry out a ruling under the write lock and return what was changed.

    Raises Overtaken when a file is not what the ruling was made on, Refused when the inventory has
    no place for a splice, CouldNotRun when the system refuses. Everything is built before the first write.
    """
    with writing(git, INVENTORY_PATH, LOCK_PATH, REJECTED_DIR, PROPOSED_DIR) as writer:
        changes = build(writer.read, ruling)
        for change in changes:
            _apply(writer, change)
    return changes


def _apply(writer: Writer, change: Change) -> None:
    if change.new is None:
        writer.remove(change.path, expected=change.old or b"")
    elif change.old is None:
        writer.create_new(change.path, change.new)
    else:
        writer.replace(change.path, change.new, expected=change.old)
