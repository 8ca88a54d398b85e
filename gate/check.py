"""Judges one patch: resolves its ends, chooses the oracle that votes, runs the lane, asks the table."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace

from gate.gather import Side, gather, read_side
from gate.lane import LaneSettings
from gate.rows import Checked, decide
from gate.sides import run_sides
from gate.table import rows_of
from inventory.errors import CouldNotRun
from inventory.git import Git
from inventory.objects import Resolved
from inventory.oracle import Fixture, Oracle
from inventory.patch import patch_of
from inventory.reading import read_fixtures
from inventory.records import Policy, Role
from inventory.roles import role_of
from inventory.tree import work_tree

_SHOWN = 5


def check(git: Git, base_asked: str, settings: LaneSettings, *, allow_empty: bool) -> Checked:
    """Judge the patch from `base_asked` to HEAD.

    Raises CouldNotRun where an end cannot be resolved or an oracle that must vote cannot be read.
    """
    base, head = git.resolve(base_asked, what="base"), git.head()
    start = _merge_base(git, base, head)
    before, after = read_side(git, start, "base"), read_side(git, head.id, "head")
    policy = before.oracle.policy if before.oracle else Policy()
    patch = patch_of(start, head.id, git.changes(start, head.id), policy)
    _refuse_dirty(git, policy)
    voter = before if patch.production else after
    oracle = _voting_oracle(voter)
    _refuse_moved_oracle(git, base, start, voter)
    seen = run_sides(after.tree, before.tree if patch.production else None, oracle, settings).of_commit(head.id)
    evidence = gather(patch, before, after, oracle, seen, base.name, settings.today, allow_empty=allow_empty)
    evidence = replace(evidence, forgotten=_forgotten(git, evidence.head_fixtures, oracle.policy))
    judgement = decide(rows_of(evidence), judged=evidence.is_judged)
    return Checked(base, head, patch, voter.tree.label, judgement, seen.lane)


# -- the ends ----------------------------------------------------------------------------


def _merge_base(git: Git, base: Resolved, head: Resolved) -> str:
    start = git.merge_base(base.id, head.id)
    if start == head.id and (dirty := git.dirty()):
        raise _not_committed(base, dirty, on_base=git.branch() == base.name)
    if start == head.id:
        raise CouldNotRun(
            "there is no patch to judge",
            why=f"HEAD ({head.id[:12]}) holds nothing that the base {base} does not have",
            fix="Check out the branch, or name the commit that it started from: --base REF",
        )
    return start


def _not_committed(base: Resolved, dirty: tuple[str, ...], *, on_base: bool) -> CouldNotRun:
    branch = "git switch --create NAME && " if on_base else ""  # on base itself a commit would move base along
    few = len(dirty) <= _SHOWN
    more = "" if few else f" and {len(dirty) - _SHOWN} more"
    return CouldNotRun(
        "there is no patch to judge: nothing of the work tree's changes is committed",
        why=f"only commits are judged, HEAD holds nothing that the base {base} does not have, "
        f"and these are changed but not committed: {', '.join(dirty[:_SHOWN])}{more}",
        fix=f"Commit the patch: {branch}git add {shlex.join(dirty) if few else '--all'} && git commit"
        "\n(or check out its branch, where it lies on another; `gate run` tries the inventory on the work tree)",
    )


def _refuse_dirty(git: Git, policy: Policy) -> None:
    """A run beside uncommitted edits would make its reader believe that they were judged."""
    dirty = [path for path in git.dirty() if _matters(path, policy)]
    if dirty:
        raise CouldNotRun(
            "the work tree differs from HEAD",
            why="only commits are judged, and these are not committed: " + ", ".join(dirty[:_SHOWN]),
            fix="Commit or stash them. (`gate run` tries the inventory on the work tree.)",
        )


def _forgotten(git: Git, fixtures: Mapping[str, Fixture], policy: Policy) -> frozenset[str]:
    """The fixtures that lie in the work tree as head's lock trusts them, and not in head."""
    off = {path: fixture.locked for path, fixture in fixtures.items() if not fixture.matches}
    if off.keys().isdisjoint(git.dirty() if off else ()):
        return frozenset()
    with work_tree(git) as tree:
        return frozenset(path for path, fixture in read_fixtures(tree, off, policy).items() if fixture.matches)


def _matters(path: str, policy: Policy) -> bool:
    return role_of(path, policy) in (Role.PRODUCTION, Role.ORACLE)  # a candidate has no vote, committed or not


def _voting_oracle(side: Side) -> Oracle:
    faults = side.faults or (side.oracle.faults if side.oracle else ())
    if side.oracle is None or faults:
        raise CouldNotRun(
            f"the oracle of {side.tree.label} cannot vote",
            why="its files do not have one meaning",
            fix="Mend them at the lines named, in a patch without production changes.",
            faults=faults,
        )
    return side.oracle


def _refuse_moved_oracle(git: Git, base: Resolved, start: str, voter: Side) -> None:
    """An oracle that moved on since the branch started would vote with rules that no longer hold."""
    if base.id == start or voter.oracle is None:
        return
    moved = [
        c.path for c in git.changes(start, base.id) if c.path.startswith("invariants/") and "/proposed/" not in c.path
    ]
    if moved:
        raise CouldNotRun(
            "base's oracle changed since this branch started",
            why=f"{base} has other " + ", ".join(moved[:5]),
            fix=f"Bring the branch up to date first: git merge {base.name}",
        )
