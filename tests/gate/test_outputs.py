"""The outputs of `gate check` for CI pages: each read as its reader would, with foreign text harmless."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests import article
from tests.repo import Repo

HOSTILE = "tests/a,b:c%0A::set-output|<b>`x`\x1b\u202e\n.py"


@pytest.fixture
def broken(repo: Repo) -> Repo:
    """A branch that breaks a law, edits tests, and has a path that tries to be markup."""
    repo.commit("base", article.FILES)
    repo.branch("feature")
    repo.commit("work", {"app/window.py": article.BROKEN_WINDOW, HOSTILE: "# less\n"})
    return repo


def test_annotations_and_summary_come_where_github_runs_it(broken: Repo, tmp_path: Path) -> None:
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    env = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    result = broken.run("gate", "check", "--base", "main", "--json", env=env)
    assert json.loads(result.out)["decision"] == "block"
    orders = [line for line in result.err.splitlines() if line.startswith("::")]
    assert orders[0].startswith(
        "::error file=app/window.py,line=4,title=row 5 invariant_miss window_bounds::red in all"
    )
    assert "%0Anext: " in orders[0]
    [notice] = [order for order in orders if order.startswith("::notice")]
    assert re.fullmatch(r"::notice file=tests/a%2Cb%3Ac%250A%3A%3Aset-output[^:,]*,title=row 2 specimen::.*", notice)
    text = summary.read_text()
    assert text.startswith("before\n## Gate: the inventory blocks this patch\n")
    assert "| 5 | invariant\\_miss | **blocks** | window\\_bounds<br>app/window.py\\:4 |" in text
    assert re.sub(r"<br>", "", text).count("<") == text.count("\\<") > 0
    assert "\x1b" not in text + result.err
    assert "\u202e" not in text + result.err


def test_nothing_is_annotated_elsewhere(broken: Repo) -> None:
    assert "::error" not in broken.run("gate", "check", "--base", "main").err


def test_sarif_names_rule_level_and_place(broken: Repo, tmp_path: Path) -> None:
    path = tmp_path / "gate.sarif"
    broken.run("gate", "check", "--base", "main", "--sarif", str(path))
    [run] = json.loads(path.read_text())["runs"]
    known = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    results = {result["ruleId"]: result for result in run["results"]}
    assert set(results) == {"specimen", "invariant_miss"} <= known
    assert results["invariant_miss"]["level"] == "error"
    [place] = results["invariant_miss"]["locations"]
    assert place["physicalLocation"] == {"artifactLocation": {"uri": "app/window.py"}, "region": {"startLine": 4}}
    [odd] = results["specimen"]["locations"]
    assert re.fullmatch(r"[\w./%-]+", odd["physicalLocation"]["artifactLocation"]["uri"])


def test_code_quality_is_a_list_of_places_with_steady_fingerprints(broken: Repo, tmp_path: Path) -> None:
    first, second = tmp_path / "one.json", tmp_path / "two.json"
    broken.run("gate", "check", "--base", "main", "--code-quality", str(first))
    broken.commit("more", {"README.md": "more\n"})
    broken.run("gate", "check", "--base", "main", "--code-quality", str(second))
    entries = json.loads(first.read_text())
    assert [(e["check_name"], e["severity"]) for e in entries] == [("specimen", "info"), ("invariant_miss", "blocker")]
    assert entries[1]["location"] == {"path": "app/window.py", "lines": {"begin": 4}}
    again = json.loads(second.read_text())
    assert [e["fingerprint"] for e in entries] == [e["fingerprint"] for e in again]
    assert len({e["fingerprint"] for e in entries}) == 2


def test_junit_counts_the_properties(broken: Repo, tmp_path: Path) -> None:
    path = tmp_path / "gate.xml"
    broken.run("gate", "check", "--base", "main", "--junit", str(path))
    suite = ET.fromstring(path.read_text())  # noqa: S314  # our own file
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", "1", "0")


@pytest.mark.parametrize("flag", ["--sarif", "--code-quality", "--junit"])
def test_a_place_that_cannot_be_written_stops(broken: Repo, flag: str) -> None:
    result = broken.run("gate", "check", "--base", "main", flag, "/nowhere/at/all.json")
    assert (result.code, result.out) == (3, "")
    assert "next:" in result.err
