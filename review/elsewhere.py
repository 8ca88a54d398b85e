"""Candidates that wait on other branches than the one at hand: where a reviewer with an empty queue finds them."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from inventory.counts import counted
from inventory.git import Git
from inventory.records import PROPOSED_DIR
from inventory.tree import Tree, commit_tree

_RECENT = 20  # branches: enough for what is under review, and quick where thousands lie about


@dataclass(frozen=True)
class Waiting:
    """The ids of the candidates that wait on one branch."""

    branch: str
    ids: tuple[str, ...]

    def in_words(self) -> str:
        """How many wait where, and the line that lists them."""
        verb = "waits" if len(self.ids) == 1 else "wait"
        listed = shlex.join(["review", "list", "--from", self.branch])
        return f"{counted(len(self.ids), 'candidate')} {verb} on {self.branch}: {listed}"


def shelves(git: Git) -> tuple[Tree, ...]:
    """The trees of the newest other branches that hold candidates, labelled with the branch."""
    here = git.branch()
    recent = git.recent_branches(_RECENT, PROPOSED_DIR)
    return tuple(commit_tree(git, one.id, one.name) for one in recent if one.name != here and one.name.isprintable())
