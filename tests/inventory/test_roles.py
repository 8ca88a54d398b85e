"""Which role a path has: known repositories read as their owners mean them, and policy comes first."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from inventory.records import Policy, Role
from inventory.roles import KEPT_FROM_SUBJECT, is_seen, role_of

_TABLE = Path(__file__).parent.parent / "cases" / "path_roles.tsv"
ROWS = [row[:3] for row in csv.reader(_TABLE.read_text().splitlines(), delimiter="\t")]


@pytest.mark.parametrize(("repository", "word", "path"), ROWS)
def test_paths_of_known_repositories(repository: str, word: str, path: str) -> None:
    assert role_of(path, Policy()).value == {"prod": "production"}.get(word, word), repository


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("invariants/inventory.yaml", Role.ORACLE),
        ("invariants/checks.py", Role.ORACLE),
        ("invariants/rejected/a--0123456789ab.yaml", Role.ORACLE),
        ("invariants/proposed/a.yaml", Role.CANDIDATE),
        ("invariants/proposed/a.py", Role.UNKNOWN),
        ("invariants/proposed/deep/a.yaml", Role.UNKNOWN),
        ("app/invariants/inventory.yaml", Role.UNKNOWN),
        ("invari\u0430nts/inventory.yaml", Role.UNKNOWN),
        ("app/tests/test_a.py", Role.TEST),
        ("django/test/client.py", Role.PRODUCTION),
        ("test/test_a.py", Role.TEST),
        ("tests_typing/test_a.py", Role.TEST),
        ("tests/fixtures/a.py", Role.FIXTURE),
        ("tests/a.json", Role.FIXTURE),
        ("fixtures/cart.json", Role.FIXTURE),
        ("tests/__snapshots__/a.ambr", Role.SNAPSHOT),
        ("tests/cassettes/a.yaml", Role.CASSETTE),
        ("app/data.json", Role.UNKNOWN),
        ("app/contest.py", Role.PRODUCTION),
        ("app/latest_news.py", Role.PRODUCTION),
        ("app/api_pb2.py", Role.GENERATED),
        ("poetry.lock", Role.LOCKFILE),
        ("requirements-dev.txt", Role.LOCKFILE),
        ("requirements/base.txt", Role.LOCKFILE),
        ("setup.py", Role.TOOLING),
        ("app/setup.py", Role.PRODUCTION),
        (".github/workflows/ci.yml", Role.TOOLING),
        (".github/CODEOWNERS", Role.TOOLING),
        ("README.md", Role.DOCS),
        ("docs/conf.py", Role.DOCS),
        ("examples/use.py", Role.EXAMPLE),
        ("app/examples/use.py", Role.PRODUCTION),
        ("-rf.py", Role.PRODUCTION),
        ("tests/README.md", Role.DOCS),
        ("tests/data/README.md", Role.FIXTURE),
        ("extras/man/http.1", Role.DOCS),
        ("CITATION.cff", Role.DOCS),
        ("extras/packaging/linux/Dockerfile", Role.TOOLING),
        ("extras/httpie-completion.fish", Role.PRODUCTION),
        ("scrapy/py.typed", Role.TOOLING),
        ("scrapy/VERSION", Role.UNKNOWN),
        ("scrapy/templates/project/module/items.py.tmpl", Role.UNKNOWN),
        ("Tests/x.bin", Role.UNKNOWN),
    ],
)
def test_roles_by_convention(path: str, role: Role) -> None:
    assert role_of(path, Policy()) is role


def test_the_policy_comes_before_the_conventions_but_never_before_the_oracle() -> None:
    policy = Policy(roles={Role.PRODUCTION: ("examples/**", "invariants/**"), Role.GENERATED: ("app/schema/*.py",)})
    assert role_of("examples/use.py", policy) is Role.PRODUCTION
    assert role_of("app/schema/a.py", policy) is Role.GENERATED
    assert role_of("invariants/inventory.yaml", policy) is Role.ORACLE


@pytest.mark.parametrize(
    ("path", "seen"),
    [
        ("app/window.py", True),
        ("assets/table.bin", True),
        ("tools/bounds.py", True),
        ("setup.py", True),
        ("settings.toml", True),
        ("examples/bounds.py", True),
        ("app/prompts/system.md", True),
        ("vendor/x.py", True),
        (".venv/lib/python3.12/site-packages/x.py", True),
        ("README.md", False),
        ("docs/conf.py", False),
        (".github/workflows/gate.yml", False),
        (".github/CODEOWNERS", False),
        ("CODEOWNERS", False),
        ("app/.gitkeep", False),
        ("tests/test_window.py", False),
        ("app/conftest.py", False),
        ("invariants/inventory.yaml", False),
        ("invariants/proposed/x.yaml", False),
    ],
)
def test_what_code_under_test_may_see_counts_as_production(path: str, *, seen: bool) -> None:
    assert is_seen(path, role_of(path, Policy())) is seen


def test_unknown_counts_as_production_and_no_test_does() -> None:
    assert is_seen("x", Role.UNKNOWN)
    assert not any(is_seen("app/x.py", role) for role in KEPT_FROM_SUBJECT)
