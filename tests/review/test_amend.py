"""Amending and retiring a property: as easy as promoting, with the lock and the freezes kept in step."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from hashlib import sha256

import pytest

from inventory.codec import parse_inventory, parse_lock
from inventory.records import Inventory, Lock
from tests.repo import Repo, Result

INVENTORY_PATH, LOCK_PATH = "invariants/inventory.yaml", "invariants/fixture.lock.json"
FIXTURE, OTHER = "tests/fixtures/window.json", "tests/fixtures/wide.json"
SAMPLES = '[{"lo": 0, "hi": 3, "x": 9}, {"lo": 0, "hi": 3, "x": 1}]\n'
WIDE = '[{"lo": -5, "hi": 300, "x": 9}]\n'
DIGEST, WIDE_DIGEST = (sha256(text.encode()).hexdigest() for text in (SAMPLES, WIDE))
INVENTORY = f"""\
# ours
version: 1
properties:
  # the first one
  - id: window_range
    module: app.window
    fn: clamp
    seed: 7   # any
    fixture: {FIXTURE}
    checks: [output_in_range]
    note: since the start
freezes:
  - property_id: window_range
    seed: 7
    fixture: {FIXTURE}
    fixture_sha256: {DIGEST}
    reason: noise
    expires_on: "2020-01-01"
    repeats: [red, green]
"""
BASE = {
    "app/__init__.py": "",
    "app/window.py": "def clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n",
    ".github/CODEOWNERS": "/invariants/ @oracle\n/.github/ @oracle\n",
    INVENTORY_PATH: INVENTORY,
    LOCK_PATH: json.dumps({FIXTURE: DIGEST}) + "\n",
    FIXTURE: SAMPLES,
    OTHER: WIDE,
}
WHO = ("--reviewer", "Jo", "--note", "Both bounds count")


@pytest.fixture
def voting(repo: Repo) -> Repo:
    """A branch of its own in a repository with one property that votes."""
    repo.commit("Start", BASE)
    repo.branch("oracle")
    return repo


def oracle_of(repo: Repo) -> tuple[Inventory, Lock]:
    return (
        parse_inventory(repo.read(INVENTORY_PATH).encode(), "i"),
        parse_lock(repo.read(LOCK_PATH).encode(), "l"),
    )


def refused(repo: Repo, *command: str, code: int = 1, says: str = "") -> Result:
    before = repo.files()
    result = repo.call("review", *command)
    assert (result.code, result.out) == (code, ""), result
    assert says in result.err
    assert repo.files() == before
    return result


def commit_as_printed(repo: Repo, talk: str) -> None:
    for line in map(str.strip, talk.splitlines()):
        if line.startswith(("git add", "git commit")):
            repo.git(*shlex.split(line)[1:])


def rows_of(repo: Repo) -> dict[int, str]:
    judged = repo.call("gate", "check", "--base", "main", "--json")
    return {row["row"]: row["vote"] for row in json.loads(judged.out)["rows"]}


def test_amend_changes_checks_seed_and_fixture_with_the_lock_and_the_gate_lets_it_in(voting: Repo) -> None:
    red = ("--checks", "output_in_range, in_range: {min: 0}, does_not_mutate")
    assert "reject" not in refused(voting, "amend", "window_range", *red, *WHO, says="not green").err
    typo = refused(voting, "amend", "window_range", "--checks", "output_in_rang", *WHO, code=3, says="Did you mean").err
    assert ("Did you mean output_in_range?" in typo, "reject" in typo) == (True, False)
    checks = ("--checks", "output_in_range, deterministic", "--call", "kwargs", "--seed", "0")
    done = voting.call(
        "review", "amend", "window_range", *checks, "--fixture", OTHER, "--sha256", WIDE_DIGEST, *WHO
    )  # fmt: skip
    assert done.code == 0, done.err
    inventory, lock = oracle_of(voting)
    [entry] = inventory.properties
    assert [use.name for use in entry.checks] == ["output_in_range", "deterministic"]
    assert (entry.seed, entry.fixture, entry.call, entry.note) == (0, OTHER, "kwargs", "Both bounds count")
    assert inventory.freezes == ()  # it spoke of another triple
    assert lock.entries == {OTHER: WIDE_DIGEST}
    assert voting.read(INVENTORY_PATH).startswith("# ours\nversion: 1\nproperties:\n  # the first one\n")
    assert "seed: 0   # any" in voting.read(INVENTORY_PATH)
    commit_as_printed(voting, done.err)
    assert voting.git("status", "--porcelain") == ""
    assert rows_of(voting) == {11: "none", 1: "allow"}


def test_retire_takes_it_out_remembers_why_and_reopen_brings_it_back(voting: Repo) -> None:
    done = voting.call("review", "retire", "window_range", *WHO)
    assert "notice: nothing votes any more" in done.err
    assert done.code == 0, done.err
    inventory, lock = oracle_of(voting)
    assert (inventory, lock) == (Inventory(), Lock())
    assert voting.read(INVENTORY_PATH) == "# ours\nversion: 1\nproperties:\n  # the first one\nfreezes:\n"
    [grave] = [path for path in voting.files() if path.startswith("invariants/rejected/")]
    assert "reason: retired" in voting.read(grave)
    assert "Both bounds count" in voting.read(grave)
    refused(voting, "show", "window_range", code=2, says="was retired by Jo\nwhy: Both bounds count\nnext: Bring it")
    assert voting.call("review", "reopen", "window_range").code == 0
    assert grave not in voting.files()
    assert "window_range  pending" in voting.call("review", "list").out


def test_reopen_names_exactly_one_tombstone(voting: Repo) -> None:
    refused(voting, "reopen", "window_range", code=2, says="was not rejected or retired")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--seed", "7"], "nothing of window_range would change"),
        (["--checks", "output_in_range"], "nothing of window_range would change"),
        (["--seed", "8", "--expect", "0" * 64], "not what you expected"),
        (["--seed", "8", "--note", "since the start"], "needs a note"),
        (["--seed", "8", "--note", " "], "needs a note"),
        (["--fixture", OTHER], "another digest"),
        (["--fixture", OTHER, "--sha256", DIGEST], "another digest"),
        (["--fixture", "tests/none.json", "--sha256", DIGEST], "is not there"),
    ],
)
def test_an_amendment_that_says_too_little_or_the_wrong_thing_is_refused(
    voting: Repo, words: Sequence[str], says: str
) -> None:
    told = refused(voting, "amend", "window_range", *WHO, *words, says=says).err
    assert ("--note TEXT" in told) is (says == "needs a note")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["amend", "nobody", "--seed", "1"], "window_range"),
        (["retire", "nobody"], "window_range"),
        (["amend", "window_range", "--checks", ""], "cannot be read"),
        (["amend", "window_range", "--checks", "[a"], "cannot be read"),
        (["amend", "window_range", "--checks", "law: clamp(lo, hi, x) == x"], "a law in quotes of its own"),
        (["amend", "window_range", "--checks", "no"], "quote it"),
        (["amend", "window_range", "--checks", "in_range: {least: 1}"], "least"),
        (["amend", "window_range", "--checks", "length_at_most"], "limit"),
    ],
)
def test_what_names_nothing_is_wrong_usage(voting: Repo, words: Sequence[str], says: str) -> None:
    refused(voting, *words, *WHO, code=2, says=says)


@pytest.mark.parametrize(
    "command",
    [
        ("amend", "window_range", "--seed", "8", *WHO),
        ("retire", "window_range", *WHO),
        ("freeze", "window_range", "--days", "3"),
        ("lock", FIXTURE, "--note", "New ones"),
    ],
    ids=lambda words: words[0],
)
def test_beside_production_the_oracle_stays_and_the_way_out_works(voting: Repo, command: tuple[str, ...]) -> None:
    voting.write({"app/window.py": BASE["app/window.py"] + "\n", FIXTURE: WIDE if command[0] == "lock" else SAMPLES})
    told = refused(voting, *command, says="changes production: app/window.py").err.splitlines()
    steps = told[next(n for n, line in enumerate(told) if line.startswith("next: ")) + 1 :]
    assert steps[0] == "git stash"
    assert steps[1].startswith("git switch --create ")
    again = shlex.split(steps[2])
    assert again[:2] == ["review", command[0]]
    if command[0] in ("amend", "retire"):
        for line in steps[:2]:
            voting.git(*shlex.split(line)[1:])
        assert voting.call(*again).code == 0


def test_a_property_is_shown_with_the_digest_that_expect_takes(voting: Repo) -> None:
    shown = voting.call("review", "show", "window_range")
    assert "since the start" in shown.out
    digest = json.loads(voting.call("review", "show", "window_range", "--json").out)["digest"]
    assert digest in shown.out
    assert voting.call("review", "retire", "window_range", *WHO, "--expect", digest[:16]).code == 0
