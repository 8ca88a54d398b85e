"""Reads from git what the decision table looks at: both ends of the patch, owners, targets, fresh candidates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from gate.coverage import changed_targets
from gate.evidence import Evidence
from gate.oracle_diff import OracleDiff
from gate.sides import Seen
from inventory import codec
from inventory.digests import claim_of
from inventory.errors import CouldNotRun, Fault
from inventory.git import Git
from inventory.objects import Place
from inventory.oracle import ORACLE_FILES, Fixture, Oracle
from inventory.owners import Owners, owners_of
from inventory.patch import Patch
from inventory.reading import read_fixtures, read_oracle, read_owners
from inventory.records import PROPOSED_DIR, Lock, Property
from inventory.targets import has_target, locate
from inventory.tree import Tree, commit_tree
from inventory.twins import twins


@dataclass(frozen=True)
class Side:
    """One end of the patch: its tree and its oracle, or the faults that keep it from being read."""

    tree: Tree
    oracle: Oracle | None
    faults: tuple[Fault, ...]

    @property
    def lock(self) -> Lock:
        return self.oracle.lock if self.oracle else Lock()


def read_side(git: Git, commit: str, name: str) -> Side:
    """The tree of a commit with its oracle, whether that can be read or not."""
    tree = commit_tree(git, commit, f"{name} ({commit[:12]})")
    try:
        return Side(tree, read_oracle(tree), ())
    except CouldNotRun as stop:
        return Side(tree, None, stop.faults)


def gather(  # noqa: PLR0913, PLR0917  # one parameter for each thing that is known by then
    patch: Patch,
    before: Side,
    after: Side,
    oracle: Oracle,
    seen: Seen,
    base_name: str,
    today: date,
    *,
    allow_empty: bool,
) -> Evidence:
    """The evidence about a patch from `before` to `after`, of which `oracle` voted and the lane has `seen` both."""
    touched = _touched(before.oracle, after.oracle)
    fresh = _fresh_claims(patch, before.tree) if touched else set()
    owners = read_owners(before.tree), read_owners(after.tree)
    return Evidence(
        patch=patch,
        oracle=oracle,
        base=before.oracle,
        head=after.oracle,
        head_faults=after.faults,
        base_entries=before.tree.entries,
        head_fixtures=_head_fixtures(before, after, oracle),
        hasty=tuple(p.id for p in touched if {p.promoted_from, claim_of(p)} & fresh),
        groundless=tuple(p.id for p in touched if not has_target(before.tree, oracle.policy, p.target)),
        unowned=_unowned(owners[0] if patch.production else owners[1], after.tree),
        owners_changed=_disowned(*owners) if any(path in before.tree for path in ORACLE_FILES) else (),
        places=_places(after.tree, oracle),
        twins=tuple((path, what) for path, what in twins(after.tree.entries) if path in {c.path for c in patch}),
        functions=changed_targets(patch, after.tree, oracle.policy),
        lane=seen.lane,
        beside=seen.beside,
        base_name=base_name,
        today=today,
        allow_empty=allow_empty,
    )


def _touched(before: Oracle | None, after: Oracle | None) -> tuple[Property, ...]:
    if before is None or after is None:
        return ()
    diff = OracleDiff(before, after)
    return (*diff.added, *diff.changed)


def _fresh_claims(patch: Patch, base: Tree) -> set[str]:
    """What the candidates claim that some commit of this patch adds and base does not have."""
    known = {base.entries[path].id for path in base.under(PROPOSED_DIR)}
    fresh = [i for i in base.git.added_blobs(patch.base, patch.head, PROPOSED_DIR) if i not in known]
    if not fresh:
        return set()
    return {claim for data in base.git.blobs(fresh).values() if (claim := _claim(data))} - {
        claim for data in base.git.blobs(known).values() if (claim := _claim(data))
    }


def _claim(data: bytes) -> str | None:
    try:
        candidate = codec.parse_candidate(data, PROPOSED_DIR)
        return claim_of(candidate)
    except CouldNotRun:
        return None  # a file that is no candidate claims nothing


def _head_fixtures(before: Side, after: Side, oracle: Oracle) -> dict[str, Fixture]:
    """Every fixture that base or head locks, as head has it, beside the digest that head's lock trusts."""
    trusted = after.lock.entries if after.oracle else before.lock.entries
    paths = sorted(before.lock.entries.keys() | trusted.keys())
    return read_fixtures(after.tree, {path: trusted.get(path) for path in paths}, oracle.policy)


def _places(tree: Tree, oracle: Oracle) -> dict[str, Place]:
    found = {entry.id: locate(tree, oracle.policy, entry.target) for entry in oracle.inventory.properties}
    return {property_id: place for property_id, place in found.items() if place}


def _unowned(owners: list[Owners], head: Tree) -> tuple[str, ...]:
    """The oracle files that head has and nobody owns; a repository without an oracle has none to own."""
    return tuple(sorted(path for path in ORACLE_FILES if path in head and not owners_of(owners, path)))


def _disowned(before: list[Owners], after: list[Owners]) -> tuple[str, ...]:
    """The oracle's paths that had owners and now have others; a first owner takes nothing away."""
    old = {path: owners_of(before, path) for path in ORACLE_FILES}
    return tuple(path for path in ORACLE_FILES if old[path] and old[path] != owners_of(after, path))
