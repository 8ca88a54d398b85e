"""The desk: everything that a ruling looks at, read from the repository once."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from inventory.console import say
from inventory.counts import counted
from inventory.errors import CouldNotRun, Refused, WrongUsage
from inventory.escapes import visible
from inventory.files import writing
from inventory.functions import Function
from inventory.git import Git
from inventory.oracle import Oracle, first_step
from inventory.reading import read_oracle
from inventory.records import PROPOSED_DIR, REJECTED_DIR, Target, Tombstone, candidate_path
from inventory.targets import Modules
from inventory.tree import Tree, commit_tree, work_tree
from review import shelf
from review.branch import Branch, read_branch
from review.claims import Claim, Reading, claim_of_property
from review.draft import to_text
from review.elsewhere import Waiting, shelves
from review.findings import FORMAT, Finding
from review.ledger import mend
from review.memory import Memory
from review.queue import Item, State, Surroundings, build, in_order
from review.reject import RETIRED


@dataclass(frozen=True)
class Desk:
    """One look at a repository. `work` is the work tree, `source` where the candidates are read from.

    `code` is what they are tried on: a branch that brings nothing but candidates speaks of the work tree.
    `untracked` are the paths that git did not track when the desk was laid.
    """

    git: Git
    work: Tree
    source: Tree
    code: Tree
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
    def modules(self) -> Modules:
        """The modules of the work tree."""
        return Modules(self.work, self.oracle.policy)

    def function(self, target: Target) -> Function | None:
        """The target as its source in the work tree defines it; None where it does not."""
        return self.modules.function(target)

    def siblings(self, target: Target) -> tuple[str, ...]:
        """The functions of the target's module that a law may call by name."""
        return tuple(f.qualname for f in self.modules.functions(target.module) if f.is_callable_by_name)

    @cached_property
    def queue(self) -> tuple[Item, ...]:
        """Every file of `proposed/`, the broken ones included, in the order in which to look at them."""
        readings = shelf.recall(self.git, self.source, shelf.proposed(self.source))
        items = build(readings, self._around(readings, _claims(self._buried)))
        return in_order(replace(item, finding=self._finding(item)) for item in items)

    @cached_property
    def elsewhere(self) -> tuple[Waiting, ...]:
        """What waits for a ruling on other branches, the newest first."""
        found = ((tree.label, self._open_on(tree)) for tree in shelves(self.git))
        return tuple(Waiting(name, ids) for name, ids in found if ids)

    def _open_on(self, tree: Tree) -> tuple[str, ...]:
        try:
            readings = shelf.recall(self.git, tree, shelf.proposed(tree))
        except CouldNotRun:  # a branch that is not here whole is in nobody's way
            return ()
        items = build(readings, self._around(readings, _claims(self._buried)))
        return tuple(item.id for item in items if item.state not in (State.DUPLICATE, State.REJECTED))

    def way_on(self) -> str:
        """How a reviewer goes on whose queue is empty."""
        return "\n      ".join(one.in_words() for one in self.elsewhere) or first_step(self.oracle)

    def find(self, candidate_id: str) -> Item:
        """One candidate, without reading the others. Raises WrongUsage where there is no such file."""
        path = candidate_path(candidate_id)
        if path not in self.source:
            raise _unknown(candidate_id, self)
        readings = shelf.read(self.source, [path])
        claim = readings[path].claim
        named = [p for p in shelf.rejected(self.work) if claim and p.endswith(f"--{claim.digest[:12]}.yaml")]
        [item] = build(readings, self._around(readings, _claims(shelf.read(self.work, named))))
        return replace(item, finding=self._finding(item))

    def waits(self, candidate_id: str) -> bool:
        """Whether a candidate of this id lies in the queue."""
        return candidate_path(candidate_id) in self.source

    def demand_free(self, path: str) -> None:
        """Raises Refused where something lies at a path already: a draft never replaces a file."""
        if path in self.work or os.path.lexists(self.git.root / path):
            raise Refused(
                f"{path} is there already", why="a draft never replaces a file", fix="Give another path: --out"
            )

    def write_draft(self, path: str, samples: Sequence[object]) -> None:
        """Write a fixture to start with. Raises Refused where something lies at the path by now."""
        with writing(self.git, path) as writer:
            writer.create_new(path, to_text(samples).encode())

    @property
    def graves(self) -> dict[str, Tombstone]:
        """Every tombstone that can be read, by its path; a broken one rules out nothing, see `notices`."""
        read = shelf.read(self.work, shelf.rejected(self.work))
        return {path: reading.tombstone for path, reading in read.items() if reading.tombstone}

    def graves_of(self, target: Target) -> tuple[Tombstone, ...]:
        """What was rejected or retired on one target."""
        paths = [path for path, r in self._buried.items() if r.claim and r.claim.target == str(target)]
        return tuple(r.tombstone for r in shelf.read(self.work, paths).values() if r.tombstone)

    @property
    def notices(self) -> tuple[str, ...]:
        """What a reviewer should know besides the queue."""
        blocked = [
            f"{folder} is no folder, and links are not followed: nothing of it is read"
            for folder, tree in ((PROPOSED_DIR, self.source), (REJECTED_DIR, self.work))
            if folder in tree
        ]
        broken = [str(reading.faults[0]) for reading in self._buried.values() if reading.faults]
        return (
            *blocked,
            *(f"a tombstone that rules out nothing until it is mended: {visible(fault)}" for fault in broken),
        )

    def remember(self, item: Item, finding: Finding) -> None:
        """Keep what a rehearsal found, for the order of the queue."""
        self.remember_all([(item, finding)])

    def remember_all(self, found: Iterable[tuple[Item, Finding]]) -> None:
        """The same for several, in one write."""
        for item, finding in found:
            if item.digest:
                self._findings.remember(self._key(item), finding.to_data())
        self._findings.save()

    @cached_property
    def _findings(self) -> Memory:
        return Memory(self.git, "rehearsals", FORMAT)

    @cached_property
    def _code(self) -> str:
        return shelf.code_id(self.code)

    def _key(self, item: Item) -> str:
        return f"{item.digest} {self._code}"

    def _finding(self, item: Item) -> Finding:
        return Finding.from_data(self._findings.recall(self._key(item)))

    @cached_property
    def _buried(self) -> dict[str, Reading]:
        return shelf.recall(self.git, self.work, shelf.rejected(self.work))

    def _around(self, readings: Mapping[str, Reading], rejected: tuple[Claim, ...]) -> Surroundings:
        voting = tuple(claim_of_property(entry) for entry in self.oracle.inventory.properties)
        return Surroundings(voting, rejected, self._present(_claims(readings)))

    def _present(self, claims: Iterable[Claim]) -> frozenset[str]:
        """The targets of these claims that the work tree has."""
        targets = {claim.target: (claim.module, claim.fn) for claim in claims}
        self.modules.load(module for module, _ in targets.values())
        return frozenset(t for t, (m, fn) in targets.items() if self.modules.locate(Target(module=m, fn=fn)))


@contextmanager
def open_desk(start: Path, *, source: str | None = None, base: str | None = None) -> Iterator[Desk]:
    """The desk of the repository around `start`; `source` names the commit that candidates are read from.

    A ruling that a crash cut short is finished first, and said.
    Raises CouldNotRun outside a repository and for an unknown revision, be it needed or not.
    """
    git = Git.open(start)
    if base is not None:
        git.resolve(base, what="base")  # a name that is wrong is told even where nothing comes to be compared
    mended = mend(git)
    if mended:
        say(f"notice: {mended}")
    with work_tree(git) as work:
        found = git.resolve(source, what="source") if source is not None else None
        tree = commit_tree(git, found.id, str(found)) if found else work
        code = work if found is None or _is_shelf(git, found.id) else tree
        yield Desk(git, work, tree, code, git.untracked(), base)


def _is_shelf(git: Git, source: str) -> bool:
    """Whether a commit changes nothing but candidates since HEAD's branch left it, however old its code is."""
    try:
        start = git.merge_base(source, git.head().id)
    except CouldNotRun:  # no common commit: it stands for itself
        return False
    return all(change.path.startswith(f"{PROPOSED_DIR}/") for change in git.changes(start, source))


def _claims(readings: Mapping[str, Reading]) -> tuple[Claim, ...]:
    return tuple(reading.claim for reading in readings.values() if reading.claim)


def _unknown(candidate_id: str, desk: Desk) -> WrongUsage:
    if desk.oracle.inventory.find(candidate_id):
        return WrongUsage(
            f"{candidate_id} is a property, not a candidate",
            why="it was promoted before",
            fix=f"Run it: gate reproduce {candidate_id}",
        )
    known = [path.rpartition("/")[2].removesuffix(".yaml") for path in shelf.proposed(desk.source)]
    there = next((one.branch for one in desk.elsewhere if candidate_id in one.ids), None)
    if not there and (graves := {path: t for path, t in desk.graves.items() if t.id == candidate_id}):
        return _buried(graves)
    if there:
        fix = f"It waits on {there}: {shlex.join(['review', 'show', candidate_id, '--from', there])}"
    elif near := difflib.get_close_matches(candidate_id, known, n=3):
        fix = f"Did you mean {' or '.join(near)}?"
    else:
        fix = "See what is there: review list" if known else desk.way_on()
    return WrongUsage(
        f"there is no candidate {candidate_id!r}",
        why=f"{PROPOSED_DIR}/ of {desk.source.label} holds {counted(len(known), 'candidate')}, none of that name",
        fix=fix,
    )


def _buried(graves: Mapping[str, Tombstone]) -> WrongUsage:
    """What was rejected or retired under one id, and the way back; of several, the file that is named last."""
    path, stone = max(graves.items())
    name = stone.id if len(graves) == 1 else path.rpartition("/")[2].removesuffix(".yaml")
    return WrongUsage(
        f"{stone.id} was {stone.reason if stone.reason == RETIRED else 'rejected'} by {stone.rejected_by}",
        why=stone.note or f"it was {stone.reason}",
        fix=f"Bring it back into the queue: review reopen {name}",
    )
