"""Odd paths, contents, states and settings of git, through the real command and through the hunk parser."""

from __future__ import annotations

from typing import Any

import pytest

from inventory.git import Git
from propose.hunks import hunks_of
from tests.diff_cases import CASES, lay
from tests.propose.conftest import Command, Script, answer, draft
from tests.repo import Repo

NOT_REGULAR = {"120000", "160000"}


@pytest.fixture(params=CASES, ids=lambda case: case["id"])
def case(request: pytest.FixtureRequest, repo: Repo) -> dict[str, Any]:
    """A case laid out on a branch of the repository."""
    found: dict[str, Any] = request.param
    for name, value in found["git_config"].items():
        repo.git("config", name, value)
    lay(repo, found["before"])
    repo.commit("before")
    repo.branch("feature")
    lay(repo, found["after"])
    repo.commit("after")
    return found


def test_every_changed_path_is_told_and_only_those(case: dict[str, Any], repo: Repo, command: Command) -> None:
    document = command.json("--dry-run")
    shown = {file["path"]: file["in"] for file in document["files"]}
    assert set(shown) == {path for row in case["truth"] for path in (row["old"], row["new"])}
    for row in case["truth"]:
        leaves_production = row["status"] == "R" and row["new"].startswith("tests/")
        if leaves_production or row["new_mode"] in NOT_REGULAR:
            assert not shown[row["old"]]
            assert not shown[row["new"]]
    assert not any(shown[path] for path in shown if not path.endswith(".py") or path.startswith("tests/"))
    assert repo.git("status", "--porcelain") == ""


def test_hunks_add_up_to_the_truth(case: dict[str, Any], repo: Repo) -> None:
    git = Git.open(repo.root)
    for row in (r for r in case["truth"] if r["status"] != "R"):
        counts = git.numstat("main", "feature")[row["new"]]
        if counts is None:
            continue
        assert counts == (row["added"], row["removed"])
        hunks = hunks_of(git.patch_text("main", "feature", row["new"]), counts)
        assert hunks is not None
        assert sum(len(hunk.added) for hunk in hunks) == row["added"]
        assert sum(len(hunk.removed) for hunk in hunks) == row["removed"]
        assert hunks_of(git.patch_text("main", "feature", row["new"]), (counts[0] + 1, counts[1])) is None


def test_a_file_that_does_not_parse_is_asked_about_by_its_hunks(repo: Repo, command: Command, script: Script) -> None:
    repo.commit("Start", {"app/__init__.py": "", "app/old.py": "print 'two'\n\n\ndef kept(x):\n    return x\n"})
    repo.branch("feature")
    repo.commit(
        "Python 2", {"app/old.py": "print 'two'\n\n\ndef kept(x):\n    return x\n\n\ndef fresh(x):\n    print x\n"}
    )
    told = draft(target="app.old:fresh", evidence="print x", samples=["1"])
    script.plays(answer({**told, "checks": [{"name": "never_raises", "params": []}]}))
    done = command("--endpoint", script.url, "--model", "m")
    assert done.code == 0, done.err
    assert "app.old (hunks)" in script.prompts[0]
    assert "+def fresh(x):" in script.prompts[0]
    assert "kept" not in script.prompts[0]
    assert "invariants/proposed/clamp_stays_inside.yaml" in repo.files()
    shown = {file["path"]: file["reason"] for file in command.json("--dry-run")["files"]}
    assert shown == {"app/old.py": "it does not parse: hunks only"}


@pytest.mark.parametrize("text", ["@@ -1 +1 @@", "--- a\n+++ b\n@@ -1,9 +1,9 @@\n+x\n", "+++ b/x\n"])
def test_a_patch_that_is_none_has_no_hunks(text: str) -> None:
    assert hunks_of(text, (1, 0)) is None
