"""The name of a module from its path, in every layout that a repository may have without a word about it."""

from __future__ import annotations

import pytest

from inventory.modules import file_of, import_roots, module_of, project_of
from inventory.records import Policy

MONOREPO = (
    "pyproject.toml",
    "api/pyproject.toml",
    "api/src/acme/api/__init__.py",
    "core/setup.py",
    "core/acme/core.py",
    "services/a/setup.cfg",
    "services/a/app/jobs.py",
    "services/b/setup.cfg",
    "services/b/app/jobs.py",
    "services/b/app/only.py",
    "tests/samples/pyproject.toml",
    "tests/samples/app/jobs.py",
    "tool/__init__.py",
    "tool/pyproject.toml",
    "tool/run.py",
)
ROOTS = (".", "api/src", "api", "core", "services/a", "services/b")


def test_a_file_belongs_to_the_innermost_project() -> None:
    for path, home in (
        ("api/src/acme/api/__init__.py", "api"),
        ("services/b/app/jobs.py", "services/b"),
        ("x.py", "."),
    ):
        assert project_of(path, MONOREPO) == home


def test_every_project_of_a_monorepo_is_a_root_and_a_package_or_a_sample_is_none() -> None:
    assert import_roots(Policy(), MONOREPO) == ROOTS


@pytest.mark.parametrize(
    ("paths", "roots"),
    [
        (("app/a.py",), (".",)),
        (("src/app/a.py", "pyproject.toml"), ("src", ".")),
        (("src/__init__.py", "src/a.py"), (".",)),
        (("docs/pyproject.toml", ".ci/setup.py", "examples/x/setup.py"), (".",)),
    ],
)
def test_one_project_has_its_root_and_src(paths: tuple[str, ...], roots: tuple[str, ...]) -> None:
    assert import_roots(Policy(), paths) == roots


def test_what_the_policy_names_is_all() -> None:
    assert import_roots(Policy(import_roots=("core",)), MONOREPO) == ("core",)


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("api/src/acme/api/__init__.py", "acme.api"),
        ("core/acme/core.py", "acme.core"),
        ("services/a/app/jobs.py", "app.jobs"),
        ("services/b/app/jobs.py", "services.b.app.jobs"),
        ("services/b/app/only.py", "app.only"),
        ("services/b/app/gone.py", "app.gone"),
        ("tool/run.py", "tool.run"),
        ("core/acme/not-a-name.py", None),
        ("core/acme/core.txt", None),
    ],
)
def test_a_module_has_the_shortest_name_that_leads_to_its_file(path: str, module: str | None) -> None:
    assert module_of(path, ROOTS, MONOREPO) == module
    if module and path in MONOREPO:
        assert file_of(module, ROOTS, MONOREPO) == path
