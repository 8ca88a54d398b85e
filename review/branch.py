"""The branch a reviewer stands on: what it changes against the place where it started."""

from __future__ import annotations

from dataclasses import dataclass

from inventory.git import Git
from inventory.patch import patch_of
from inventory.reading import read_policy
from inventory.records import Policy, Target
from inventory.targets import has_target
from inventory.tree import Tree, commit_tree


@dataclass(frozen=True)
class Branch:
    """`name` is the commit id on a detached head; `production` are the production paths that differ from base.

    `uncommitted` are those of them that differ from HEAD. A file that git does not track yet is part
    of no patch, so it is not counted.
    """

    name: str
    base: str
    tree: Tree
    head: Tree
    policy: Policy
    production: tuple[str, ...]
    uncommitted: tuple[str, ...]

    def base_has(self, target: Target) -> bool:
        """Whether the code that this branch started from has the target."""
        return has_target(self.tree, self.policy, target)

    def adds(self, path: str) -> bool:
        """Whether a commit of this branch, not base, brought `path`."""
        return path in self.head and path not in self.tree


def read_branch(git: Git, work: Tree, untracked: frozenset[str], base: str | None) -> Branch:
    """The branch that is checked out, against `base` or the default base.

    Raises CouldNotRun without a commit or a base, WrongUsage for a base that can be no revision.
    """
    head = git.head()
    named = git.resolve(base, what="base") if base is not None else git.default_base()
    start = commit_tree(git, git.merge_base(named.id, head.id), f"base {named}")
    policy = read_policy(start)

    def production(since: str) -> tuple[str, ...]:
        found = patch_of(since, work.id, work.git.changes(since, work.id), policy).production
        return tuple(path for path in found if path not in untracked)

    return Branch(
        git.branch() or head.id,
        named.name,
        start,
        commit_tree(git, head.id, "HEAD"),
        policy,
        production(start.id),
        production(head.id),
    )
