"""The desk: everything that a ruling looks at, read from the repository once."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from inventory.codec import MAX_BYTES, parse_tombstone
from inventory.console import say
from inventory.errors import CouldNotRun, Fault, WrongUsage
from inventory.escapes import visible
from inventory.git import Git
from inventory.oracle import Oracle
from inventory.reading import read_oracle
from inventory.records import PROPOSED_DIR, REJECTED_DIR, Tombstone
from inventory.targets import has_target
from inventory.tree import Tree, commit_tree, work_tree
from review.branch import Branch, read_branch
from review.ledger import mend
from review.queue import Item, Surroundings, build

_NOT_CANDIDATES = (".gitkeep", "README.md")


@dataclass(frozen=True)
class Desk:
    """One look at a repository. `work` is the work tree, `source` where the candidates are read from.

    `untracked` are the paths that git did not track when the desk was laid.
    """

    git: Git
    work: Tree
    source: Tree
    untracked: frozenset[str]
    base: str | None

    @cached_property
    def oracle(self) -> Oracle:
        """The oracle as it lies in the work tree. Raises CouldNotRun with every fault."""
        return read_oracle(self.work)

    @cached_property
    def branch(self) -> Branch:
        """The branch that is checked out, against its base."""
        return read_branch(self.git, self.work, self.untracked, self.base)

    @cached_property
    def queue(self) -> tuple[Item, ...]:
        """Every file of `proposed/`, the broken ones included."""
        return build(_files(self.source, _proposed(self.source)), self._around(self.graves.values()))

    def find(self, candidate_id: str) -> Item:
        """One candidate, without reading the others. Raises WrongUsage where there is no such file."""
        path = f"{PROPOSED_DIR}/{candidate_id}.yaml"
        if path not in self.source:
            raise _unknown(candidate_id, self)
        files = _files(self.source, [path])
        digest = build(files, self._around(()))[0].digest
        named = [p for p in self.work.under(REJECTED_DIR) if digest and p.endswith(f"--{digest[:12]}.yaml")]
        return build(files, self._around(_readable(self._tombstones(named)).values()))[0]

    def waits(self, candidate_id: str) -> bool:
        """Whether a candidate of this id lies in the queue."""
        return f"{PROPOSED_DIR}/{candidate_id}.yaml" in self.source

    @cached_property
    def graves(self) -> dict[str, Tombstone]:
        """Every tombstone that can be read, by its path; a broken one rules out nothing, see `notices`."""
        return _readable(self._rejected)

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reviewer should know besides the queue."""
        broken = [str(fault) for fault in self._rejected.values() if isinstance(fault, Fault)]
        return tuple(f"a tombstone that rules out nothing until it is mended: {visible(fault)}" for fault in broken)

    @cached_property
    def _rejected(self) -> dict[str, Tombstone | Fault]:
        paths = [path for path in self.work.under(REJECTED_DIR) if not path.endswith(_NOT_CANDIDATES)]
        return self._tombstones(paths)

    def _tombstones(self, paths: Iterable[str]) -> dict[str, Tombstone | Fault]:
        return {path: _tombstone(path, data) for path, data in _files(self.work, paths).items()}

    def _around(self, tombstones: Iterable[Tombstone]) -> Surroundings:
        return Surroundings(
            self.oracle.inventory, tuple(tombstones), lambda target: has_target(self.work, self.oracle.policy, target)
        )


@contextmanager
def open_desk(start: Path, *, source: str | None = None, base: str | None = None) -> Iterator[Desk]:
    """The desk of the repository around `start`; `source` names the commit that candidates are read from.

    A ruling that a crash cut short is finished first, and said.
    Raises CouldNotRun outside a repository and for an unknown revision.
    """
    git = Git.open(start)
    mended = mend(git)
    if mended:
        say(f"notice: {mended}")
    with work_tree(git) as work:
        found = git.resolve(source, what="source") if source is not None else None
        tree = commit_tree(git, found.id, str(found)) if found else work
        yield Desk(git, work, tree, git.untracked(), base)


def _proposed(tree: Tree) -> list[str]:
    return [path for path in tree.under(PROPOSED_DIR) if not path.endswith(_NOT_CANDIDATES)]


def _files(tree: Tree, paths: Iterable[str]) -> dict[str, bytes | Fault]:
    """The bytes of each file, or why it is not read: a link, a submodule, too large."""
    entries = [tree.entries[path] for path in paths]
    sizes = tree.git.sizes(entry.id for entry in entries if entry.kind == "blob")
    found: dict[str, bytes | Fault] = {}
    for entry in entries:
        if entry.kind != "blob" or entry.is_link:
            found[entry.path] = Fault(entry.path, 0, "no regular file: links and submodules are not read")
        elif sizes[entry.id] > MAX_BYTES:
            found[entry.path] = Fault(entry.path, 0, f"{sizes[entry.id]} bytes: more than the {MAX_BYTES} allowed")
    return found | tree.read_many(entry.path for entry in entries if entry.path not in found)


def _tombstone(path: str, data: bytes | Fault) -> Tombstone | Fault:
    if isinstance(data, Fault):
        return data
    try:
        return parse_tombstone(data, path)
    except CouldNotRun as stop:
        return stop.faults[0] if stop.faults else Fault(path, 0, stop.why)


def _readable(found: dict[str, Tombstone | Fault]) -> dict[str, Tombstone]:
    return {path: tombstone for path, tombstone in found.items() if isinstance(tombstone, Tombstone)}


def _unknown(candidate_id: str, desk: Desk) -> WrongUsage:
    if desk.oracle.inventory.find(candidate_id):
        return WrongUsage(
            f"{candidate_id} is a property, not a candidate", why="it was promoted before", fix="See it: gate run"
        )
    known = [path.rpartition("/")[2].removesuffix(".yaml") for path in _proposed(desk.source)]
    near = difflib.get_close_matches(candidate_id, known, n=3)
    return WrongUsage(
        f"there is no candidate {candidate_id!r}",
        why=f"{PROPOSED_DIR}/ of {desk.source.label} holds {len(known)} candidates, none of that name",
        fix=f"Did you mean {' or '.join(near)}?" if near else "See what is there: review list",
    )
