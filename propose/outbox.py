"""Where candidates go when a run shall not touch the work tree: a branch of their own."""

from __future__ import annotations

from collections.abc import Sequence

from inventory.branches import branch_tip, commit_files, committer
from inventory.candidates import files_of
from inventory.counts import counted
from inventory.errors import Refused
from inventory.git import Git
from inventory.records import PROPOSED_DIR, Candidate
from inventory.tree import Tree, commit_tree


def read_shelf(git: Git, branch: str, base: str) -> Tree:
    """The tree of a branch for candidates, or of base where the branch is not there yet.

    Raises Refused for a branch that holds anything but candidates, for then it could satisfy the gate, and
    CouldNotRun where nothing could be committed to it: both before anybody is asked anything.
    """
    tip = branch_tip(git, branch)
    committer(git)
    if tip is None:
        return commit_tree(git, base, f"base {base[:12]}")
    start = git.merge_base(base, tip, *git.default_ids())  # an older base than before still finds where it began
    changes = git.changes(start, tip)
    others = [change.path for change in changes if not change.path.startswith(f"{PROPOSED_DIR}/")]
    if others or not changes:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise Refused(
            f"the branch {branch} is none for candidates",
            why=f"since {start[:12]} it changes {others[0]}{more}"
            if others
            else "it holds none that are not merged, so it serves something else",
            fix="Give the name of a new branch: --to-branch NAME",
        )
    return commit_tree(git, tip, f"the branch {branch}")


def commit_candidates(git: Git, branch: str, base: str, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Commit each candidate as a new file on a branch made from `base`, and return their paths."""
    if not candidates:
        return ()
    files = files_of(candidates)
    message = f"Propose {counted(len(files), 'candidate')}\n\nUnreviewed: they have no vote.\n"
    commit_files(git, branch, branch_tip(git, branch), base, files, message)
    return tuple(files)
