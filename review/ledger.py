"""The ledger: carries out a ruling under the write lock, in one order, and finishes what a crash cut short.

The order is lock, inventory, tombstone, removal of the candidate: a crash in between never leaves a
property that votes on a fixture without a lock entry, and never loses a candidate. The changes stand in
a journal in the git directory until all are made, so that the next command goes on where a crash stopped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from inventory.errors import Overtaken, Stop
from inventory.files import Writer, keeping, writing
from inventory.git import Git
from inventory.records import INVENTORY_PATH, LOCK_PATH, PROPOSED_DIR, REJECTED_DIR
from review import journal
from review.ruling import Change, Ruling, build, reversed_changes


def write(git: Git, ruling: Ruling) -> tuple[Change, ...]:
    """Carry out a ruling under the write lock and return what was changed.

    Raises Overtaken when a file is not what the ruling was made on, Refused when the inventory has
    no place for a splice, CouldNotRun when the system refuses. Everything is built before the first write.
    """
    with _opened(git) as ledger:
        ledger.mend()
        changes = build(ledger.writer.read, ruling)
        ledger.carry_out(changes)
    return changes


def undo(git: Git, changes: tuple[Change, ...]) -> tuple[Change, ...]:
    """Take changes back, all or none. Raises Overtaken when a file is not as they left it."""
    back = reversed_changes(changes)
    with _opened(git) as ledger:
        ledger.mend()
        ledger.carry_out(back)
    return back


def mend(git: Git) -> str | None:
    """Finish what a crash cut short; in words what was found, None where there was nothing."""
    if not git.private_path(journal.NAME).exists():
        return None
    with _opened(git) as ledger:
        return ledger.mend()


@dataclass(frozen=True)
class _Ledger:
    writer: Writer
    kept: Writer  # for the journal

    def carry_out(self, changes: tuple[Change, ...]) -> None:
        if not changes:
            return
        if journal.progress(changes, self.writer.read) != 0:
            paths = ", ".join(dict.fromkeys(change.path for change in changes))
            raise Overtaken(
                f"{paths} changed meanwhile", why="somebody wrote there since", fix="Look at it again: git status"
            )
        self.kept.create_new(journal.NAME, data := journal.dump(changes))
        self._make_or_take_back(changes)
        self.kept.remove(journal.NAME, expected=data)

    def mend(self) -> str | None:
        data = self.kept.read(journal.NAME)
        if data is None:
            return None
        changes = journal.parse(data) or ()
        done = journal.progress(changes, self.writer.read) if changes else None
        for change in changes[done:] if done else ():
            _make(self.writer, change)
        for change in changes:
            self.writer.tidy(change.path)
        self.kept.remove(journal.NAME, expected=data)
        return _in_words(changes, done)

    def _make_or_take_back(self, changes: tuple[Change, ...]) -> None:
        """Make the changes; where the system refuses one, take back those before it."""
        made = 0
        try:
            for change in changes:
                _make(self.writer, change)
                made += 1
        except Stop:
            for change in reversed_changes(changes[:made]):
                _make(self.writer, change)
            self.kept.remove(journal.NAME, expected=journal.dump(changes))
            raise


@contextmanager
def _opened(git: Git) -> Iterator[_Ledger]:
    with writing(git, INVENTORY_PATH, LOCK_PATH, REJECTED_DIR, PROPOSED_DIR) as writer, keeping(git, journal.NAME) as k:
        yield _Ledger(writer, k)


def _make(writer: Writer, change: Change) -> None:
    if change.new is None:
        writer.remove(change.path, expected=change.old or b"")
    elif change.old is None:
        writer.create_new(change.path, change.new)
    else:
        writer.replace(change.path, change.new, expected=change.old)


def _in_words(changes: Sequence[Change], done: int | None) -> str:
    paths = ", ".join(dict.fromkeys(change.path for change in changes)) or "its journal cannot be read"
    if done is None:
        return f"an earlier command was cut short, and the files changed since: look at them with git diff ({paths})"
    if done == 0:
        return f"an earlier command was cut short before it changed anything ({paths})"
    if done == len(changes):
        return f"an earlier command was cut short when all was done ({paths})"
    return f"an earlier command was cut short and is finished now ({paths})"
