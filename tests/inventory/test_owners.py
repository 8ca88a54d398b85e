"""Who owns a path, as GitHub and as GitLab read a CODEOWNERS file."""

from __future__ import annotations

import pytest

from inventory.owners import owners_of, parse_owners, places_in

TEXT = b"""\
# the rest
*               @everyone
/invariants/    @oracle @org/team   # a team
docs/*          @writers
*.lock          build@example.org
/free/          @someone
/free/inner/
/with\\ space/   @spaced
/word/          not-an-owner
"""
GITHUB_SKIPS = b"* @a\n!/invariants/ @b\n/[i]nvariants/ @c\n[Section]\n/other/ @d\n"
SECTIONS = b"""\
*.py @py
[Oracle][2] @oracle
/invariants/
!/invariants/proposed/
^[Docs]
/docs/ @writers
[oracle]
/fixtures/ @fixers
"""


@pytest.mark.parametrize("forge", ["GitHub", "GitLab"])
@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("a.py", ("@everyone",)),
        ("invariants/inventory.yaml", ("@oracle", "@org/team")),
        ("invariants/deep/x", ("@oracle", "@org/team")),
        ("sub/invariants/inventory.yaml", ("@everyone",)),
        ("Invariants/inventory.yaml", ("@everyone",)),
        ("docs/a.md", ("@writers",)),
        ("docs/deep/a.md", ("@everyone",)),
        ("x/poetry.lock", ("build@example.org",)),
        ("free/a", ("@someone",)),
        ("free/inner/a", ()),
        ("with space/a", ("@spaced",)),
        ("word/a", ()),
    ],
)
def test_the_last_match_wins_and_a_rule_without_owners_takes_them_away(
    forge: str, path: str, owners: tuple[str, ...]
) -> None:
    assert parse_owners(forge, "CODEOWNERS", TEXT).of(path) == owners


def test_github_skips_what_it_does_not_understand() -> None:
    owners = parse_owners("GitHub", "CODEOWNERS", GITHUB_SKIPS)
    assert owners.of("invariants/inventory.yaml") == ("@a",)
    assert owners.of("other/x") == ("@d",)


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("invariants/checks.py", ("@py", "@oracle")),
        ("invariants/inventory.yaml", ("@oracle",)),
        ("invariants/proposed/a.yaml", ()),
        ("fixtures/a.json", ("@fixers",)),
        ("docs/a.md", ("@writers",)),
        ("README", ()),
    ],
)
def test_gitlab_lets_every_section_have_its_own_last_match(path: str, owners: tuple[str, ...]) -> None:
    assert parse_owners("GitLab", "CODEOWNERS", SECTIONS).of(path) == owners


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ((), []),
        ((".github/CODEOWNERS",), [("GitHub", ".github/CODEOWNERS")]),
        ((".gitlab/CODEOWNERS",), [("GitLab", ".gitlab/CODEOWNERS")]),
        (("CODEOWNERS", ".github/CODEOWNERS"), [("GitHub", ".github/CODEOWNERS"), ("GitLab", "CODEOWNERS")]),
        (("docs/CODEOWNERS", "CODEOWNERS"), [("GitHub", "CODEOWNERS"), ("GitLab", "CODEOWNERS")]),
        (("docs/CODEOWNERS", ".gitlab/CODEOWNERS"), [("GitHub", "docs/CODEOWNERS"), ("GitLab", "docs/CODEOWNERS")]),
    ],
)
def test_each_forge_looks_in_its_own_places(files: tuple[str, ...], found: list[tuple[str, str]]) -> None:
    assert list(places_in(files)) == found


def test_a_path_is_owned_only_where_every_forge_that_looks_finds_an_owner() -> None:
    with_owner = parse_owners("GitHub", ".github/CODEOWNERS", b"* @a\n")
    without = parse_owners("GitLab", "CODEOWNERS", b"/x @b\n")
    assert owners_of([with_owner], "y") == ("@a",)
    assert owners_of([with_owner, without], "y") == ()
    assert owners_of([with_owner, without], "x") == ("@a", "@b")
    assert owners_of([], "y") == ()


@pytest.mark.parametrize("forge", ["GitHub", "GitLab"])
def test_a_pattern_that_no_forge_can_read_matches_nothing(forge: str) -> None:
    owners = parse_owners(forge, "CODEOWNERS", b"* @a\n/[z-a] @b\n")
    assert owners.of("invariants/inventory.yaml") == ("@a",)
