"""Whether a tree has a target is read from its source, never by importing it."""

from __future__ import annotations

import pytest

from inventory.git import Git
from inventory.records import Policy, Target
from inventory.targets import has_target
from inventory.tree import Tree, commit_tree
from tests.repo import Repo

SOURCE = """\
from other import borrowed as lent
import os.path
from star import *  # STAR
alias = lent
typed: int = 1
if os:
    def guarded(): ...
try:
    def tried(): ...
except ImportError:
    def fallback(): ...
def plain(): ...
async def waits(): ...
class Codec:
    @staticmethod
    def parse(): ...
    class Inner:
        def deep(self): ...
class Child(Codec): ...
"""


def tree_of(repo: Repo, source: str, path: str = "app/mod.py") -> Tree:
    return commit_tree(Git.open(repo.root), repo.commit("base", {path: source}))


def has(tree: Tree, fn: str, module: str = "app.mod", policy: Policy | None = None) -> bool:
    return has_target(tree, policy or Policy(), Target(module=module, fn=fn))


@pytest.mark.parametrize(
    "fn",
    ["plain", "waits", "lent", "alias", "typed", "guarded", "tried", "fallback", "Codec.parse", "Codec.Inner.deep",
     "Child.parse", "alias.anything"],
)  # fmt: skip
def test_a_bound_name_is_found(repo: Repo, fn: str) -> None:
    assert has(tree_of(repo, SOURCE.replace("from star import *  # STAR\n", "")), fn)


@pytest.mark.parametrize("fn", ["borrowed", "absent", "Codec.absent", "Codec.Inner.absent", "parse", "deep"])
def test_a_name_that_nothing_binds_is_not_found(repo: Repo, fn: str) -> None:
    assert not has(tree_of(repo, SOURCE.replace("from star import *  # STAR\n", "")), fn)


def test_a_star_import_may_bind_anything(repo: Repo) -> None:
    assert has(tree_of(repo, SOURCE), "absent")


@pytest.mark.parametrize("path", ["src/app/mod.py", "src/app/mod/__init__.py", "app/mod/__init__.py"])
def test_packages_and_src_layouts_are_searched(repo: Repo, path: str) -> None:
    assert has(tree_of(repo, "def f(): ...\n", path), "f")


def test_the_policy_names_the_roots(repo: Repo) -> None:
    tree = tree_of(repo, "def f(): ...\n", "lib/python/app/mod.py")
    assert not has(tree, "f")
    assert has(tree, "f", policy=Policy(import_roots=("lib/python",)))


@pytest.mark.parametrize("source", ["def f(:\n", "\0", "(" * 3000])
def test_a_file_that_does_not_parse_holds_nothing(repo: Repo, source: str) -> None:
    assert not has(tree_of(repo, source), "f")


def test_a_chain_of_branches_longer_than_the_stack_hides_no_target(repo: Repo) -> None:
    chain = "if os:\n    pass\n" + "".join(f"elif os == {n}:\n    pass\n" for n in range(2000))
    assert has(tree_of(repo, f"import os\n{chain}else:\n    def last(): ...\n"), "last")
