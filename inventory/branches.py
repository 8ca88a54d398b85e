"""Commits made with git's plumbing: new files on a branch, without a touch of the work tree or the index."""

from __future__ import annotations

import os
from collections.abc import Mapping

from inventory.errors import CouldNotRun, Overtaken, Refused, WrongUsage
from inventory.git import Git
from inventory.tree import commit_tree, with_files

_IDENTITY = tuple(f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL", "DATE"))
_ABSENT = "0" * 40
_MAX_NAME = 200  # characters; a branch is a file, and git itself fails on names that no file may have


def branch_tip(git: Git, name: str) -> str | None:
    """The commit of a local branch; None where there is none and one can be made.

    Raises WrongUsage for a name that no branch may have or that git takes for something else already, Refused
    for a branch that is checked out or stands for another one.
    """
    full = f"refs/heads/{name}"
    odd = len(name) > _MAX_NAME or not name.isprintable() or name.startswith("-")
    if odd or not git.succeeds("check-ref-format", full):
        raise _no_branch(name, "git takes no such name")
    if f"branch {full}".encode() in git.run("worktree", "list", "--porcelain", "-z").split(b"\0"):
        raise Refused(
            f"the branch {name} is checked out",
            why="a commit made beside the work tree would make its files look changed",
            fix="Give another name, or leave the flag away and commit the files yourself.",
        )
    if git.succeeds("symbolic-ref", "--quiet", full):
        raise Refused(f"the branch {name} stands for another one", why="it is a symbolic ref", fix="Name that one.")
    if git.succeeds("show-ref", "--verify", "--quiet", full):
        return git.resolve(full, what="branch").id
    if git.succeeds("rev-parse", "--verify", "--quiet", "--end-of-options", name):
        raise _no_branch(name, "git takes this name for another commit already")
    if clash := _clash(git, name):
        raise _no_branch(name, f"there is a branch {clash}, and git keeps no branch below another")
    return None


def _clash(git: Git, name: str) -> str | None:
    """A branch that stands above or below this name, so that none of this name can be made."""
    parts = name.split("/")
    above = ["/".join(parts[:at]) for at in range(1, len(parts))]
    found = (a for a in above if git.succeeds("show-ref", "--verify", "--quiet", f"refs/heads/{a}"))
    below = git.run("for-each-ref", "--count=1", "--format=%(refname:lstrip=2)", f"refs/heads/{name}/")
    return next(found, None) or os.fsdecode(below.strip()) or None


def _no_branch(name: str, why: str) -> WrongUsage:
    return WrongUsage(f"{name!r} cannot be a branch", why=why, fix="Give a name such as candidates.")


def committer(git: Git) -> Git:
    """The repository with the name that commits here. Raises CouldNotRun where git knows none."""
    named = Git(git.root, {name: os.environ[name] for name in _IDENTITY if name in os.environ})
    if not named.succeeds("var", "GIT_COMMITTER_IDENT") or not named.succeeds("var", "GIT_AUTHOR_IDENT"):
        raise CouldNotRun(
            "git does not know who commits",
            why="neither user.name and user.email nor the variables of git are set",
            fix='Set them: git config user.name "NAME" and git config user.email MAIL',
        )
    return named


def commit_files(git: Git, branch: str, tip: str | None, onto: str, files: Mapping[str, bytes], message: str) -> str:
    """Commit `files` as new ones on `branch`, whose commit is still `tip`; a new branch starts at `onto`.

    Returns the new commit. Raises Overtaken where one of the files is there already, and CouldNotRun when git
    refuses, for example for want of a name to commit as.
    """
    parent = tip or onto
    before = commit_tree(git, parent)
    if there := [path for path in files if path in before]:
        raise Overtaken(
            f"the branch {branch} changed meanwhile", why=f"{there[0]} came to it", fix="Run the command once more."
        )
    tree = with_files(before, files).id
    commit = committer(git).run("commit-tree", tree, "-p", parent, stdin=message.encode()).decode().strip()
    git.run(
        "update-ref", "--no-deref", "--create-reflog", "-m", "propose", f"refs/heads/{branch}", commit, tip or _ABSENT
    )
    return commit
