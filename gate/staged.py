"""Judges what is staged without running any code: whether the oracle's files hold, and what the table says of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from gate.gather import Side, gather, read_side
from gate.rows import Row, RowClass, Vote
from gate.sides import Seen
from gate.table import rows_of
from inventory import codec
from inventory.errors import CouldNotRun, Fault
from inventory.git import Git
from inventory.oracle import Oracle
from inventory.patch import Patch, patch_of
from inventory.records import Policy, Role
from inventory.tree import Tree

_OF_THE_LANE = (RowClass.LIKELY_SAFE, RowClass.NO_ORACLE)  # nothing ran, so nothing is said of what would


@dataclass(frozen=True)
class Staged:
    """The rows that what is staged meets, those without a vote included; nothing of it was run."""

    rows: tuple[Row, ...]

    @property
    def blocks(self) -> bool:
        return any(row.vote is Vote.BLOCK for row in self.rows)


def check_staged(git: Git, today: date) -> Staged:
    """What the gate will say about the commit that is staged, as far as files alone tell.

    Raises CouldNotRun where a file of the oracle or a candidate among them cannot be read, with every fault.
    """
    head = git.head()
    with git.staged(head.id) as (aside, commit):
        before, after = read_side(aside, head.id, "HEAD"), read_side(aside, commit, "what is staged")
        policy = before.oracle.policy if before.oracle else Policy()
        patch = patch_of(head.id, commit, aside.changes(head.id, commit), policy)
        staged = _readable(patch, after)
        oracle = before.oracle or staged
        rows = rows_of(gather(patch, before, after, oracle, Seen(), "HEAD", today, allow_empty=True))
    return Staged(tuple(row for row in rows if row.kind not in _OF_THE_LANE))


def _readable(patch: Patch, after: Side) -> Oracle:
    """The oracle that is staged. Raises CouldNotRun where it or a candidate cannot be read."""
    faults = after.faults or (after.oracle.faults if after.oracle else ())
    faults += tuple(fault for path in patch.paths(Role.CANDIDATE) for fault in _faults_of(after.tree, path))
    if faults or after.oracle is None:
        raise CouldNotRun(
            "what is staged cannot be read",
            why="files of the inventory do not have one meaning, so the gate could not run",
            fix="Mend them at the lines named, then stage them again: git add",
            faults=faults,
        )
    return after.oracle


def _faults_of(tree: Tree, path: str) -> tuple[Fault, ...]:
    data = tree.read(path) if path.endswith(".yaml") else None
    try:
        if data is not None:
            codec.parse_candidate(data, path)
    except CouldNotRun as stop:
        return stop.faults
    return ()
