"""Commits made with git's plumbing: new files on a branch, without a touch of the work tree or the index."""

from __future__ import annotations

import os
from collections.abc import Mapping

from inventory.errors import CouldNotRun, Refused, WrongUsage
from inventory.git import Git
from inventory.tree import commit_tree, with_files

_IDENTITY = tuple(f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL", "DATE"))
_ABSENT = "0" * 40


def branch_tip(git: Git, name: str) -> str | None:
    """The commit of a local branch; None where there is none.

    Raises WrongUsage for a name that no branch may have, Refused for one that is checked out.
    """
    if name.startswith("-") or not git.succeeds("check-ref-format", f"refs/heads/{name}"):
        raise WrongUsage(f"{name!r} is no branch", why="git takes no such name", fix="Give a name such as candidates.")
    checked_out = git.run("worktree", "list", "--porcelain", "-z").split(b"\0")
    if f"branch refs/heads/{name}".encode() in checked_out:
        raise Refused(
            f"the branch {name} is checked out",
            why="a commit made beside the work tree would make its files look changed",
            fix="Give another name, or leave the flag away and commit the files yourself.",
        )
    tip = git.run("for-each-ref", "--format=%(objectname)", f"refs/heads/{name}").decode().strip()
    return tip or None


def commit_files(git: Git, branch: str, tip: str | None, onto: str, files: Mapping[str, bytes], message: str) -> str:
    """Commit `files` as new ones on `branch`, whose commit is still `tip`; a new branch starts at `onto`.

    Returns the new commit. Raises CouldNotRun when git refuses, for example for want of a name to commit as.
    """
    parent = tip or onto
    tree = with_files(commit_tree(git, parent), files).id
    named = Git(git.root, {name: os.environ[name] for name in _IDENTITY if name in os.environ})
    if not named.succeeds("var", "GIT_COMMITTER_IDENT") or not named.succeeds("var", "GIT_AUTHOR_IDENT"):
        raise CouldNotRun(
            "git does not know who commits",
            why="neither user.name and user.email nor the variables of git are set",
            fix='Set them: git config user.name "NAME" and git config user.email MAIL',
        )
    commit = named.run("commit-tree", tree, "-p", parent, stdin=message.encode()).decode().strip()
    git.run("update-ref", "--create-reflog", "-m", "propose", f"refs/heads/{branch}", commit, tip or _ABSENT)
    return commit
