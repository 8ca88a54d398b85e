"""The house rules that no linter knows: a place for every module, one sentence in each, and a core that is pure."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path
from typing import Any

import grimp
import pytest

from tests.fence import ROOT

DESCRIPTION = tomllib.loads((ROOT / "pyproject.toml").read_text())
CONTRACTS: dict[str, dict[str, Any]] = {c["id"]: c for c in DESCRIPTION["tool"]["importlinter"]["contracts"]}
FOLDERS = sorted(path.parent.name for path in ROOT.glob("*/__init__.py"))
SOURCES = [
    ROOT / "invariant_inventory.py",
    *(path for name in FOLDERS for path in sorted((ROOT / name).glob("**/*.py"))),
]
PURE = [ROOT / f"{module.replace('.', '/')}.py" for module in CONTRACTS["pure"]["source_modules"]]
COMPILES = {"gate.own_checks"}  # runs the checks that a repository brings along
TESTS = sorted((ROOT / "tests").glob("**/*.py"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_every_folder_of_code_is_packed_and_under_contract() -> None:
    assert sorted(DESCRIPTION["tool"]["setuptools"]["packages"]) == FOLDERS
    assert sorted(DESCRIPTION["tool"]["importlinter"]["root_packages"]) == FOLDERS
    exhaustive = {name for c in CONTRACTS.values() if c.get("exhaustive") for name in c["containers"]}
    assert exhaustive == {name for name in FOLDERS if name != "prompts"}  # one module and its templates


@pytest.mark.parametrize("path", SOURCES, ids=_name)
def test_a_module_says_what_it_owns_and_stays_small(path: Path) -> None:
    text = path.read_text()
    sentence = (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0]
    assert sentence.endswith((".", "?"))
    assert text.count("\n") <= 400


@pytest.mark.parametrize("path", TESTS, ids=_name)
def test_a_test_module_stays_readable(path: Path) -> None:
    assert path.read_text().count("\n") <= 800


@pytest.mark.parametrize("path", PURE, ids=_name)
def test_a_pure_module_calls_no_builtin_that_reaches_outside(path: Path) -> None:
    """Import contracts do not see builtins."""
    calls = [node.func for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
    called = {call.id for call in calls if isinstance(call, ast.Name)}
    assert called.isdisjoint({"open", "input", "print", "eval", "exec", "__import__", "breakpoint"})


def test_a_module_that_could_be_pure_is_held_to_it() -> None:
    graph = grimp.build_graph(*FOLDERS, include_external_packages=True, cache_dir=None)
    for edge in CONTRACTS["pure"].get("ignore_imports", ()):
        importer, imported = edge.split(" -> ")
        graph.remove_import(importer=importer, imported=imported)
    outside = set(CONTRACTS["pure"]["forbidden_modules"])
    modules = [module for module in graph.modules if module.split(".")[0] in FOLDERS and "." in module]
    could_be = {module for module in modules if outside.isdisjoint(graph.find_upstream_modules(module))}
    assert could_be - COMPILES == set(CONTRACTS["pure"]["source_modules"])
