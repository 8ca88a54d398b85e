"""The last rule that matches decides who owns a path, as the forges read it."""

from __future__ import annotations

import pytest

from inventory.owners import parse_owners

TEXT = b"""\
# the rest
*               @everyone
/invariants/    @oracle @org/team   # a team
docs/*          @writers
*.lock          build@example.org
/free/          @someone
/free/inner/
!/negated       @nobody
[Section]
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("a.py", ("@everyone",)),
        ("invariants/inventory.yaml", ("@oracle", "@org/team")),
        ("invariants/deep/x", ("@oracle", "@org/team")),
        ("sub/invariants/inventory.yaml", ("@everyone",)),
        ("docs/a.md", ("@writers",)),
        ("docs/deep/a.md", ("@everyone",)),
        ("x/poetry.lock", ("build@example.org",)),
        ("free/a", ("@someone",)),
        ("free/inner/a", ()),
    ],
)
def test_the_last_match_wins_and_a_rule_without_owners_takes_them_away(path: str, owners: tuple[str, ...]) -> None:
    assert parse_owners("CODEOWNERS", TEXT).of(path) == owners


def test_paths_differ_by_case() -> None:
    assert parse_owners("CODEOWNERS", b"/Invariants/ @a\n").of("invariants/inventory.yaml") == ()


def test_nobody_owns_anything_without_a_file() -> None:
    assert parse_owners(None, b"").of("invariants/inventory.yaml") == ()
