"""`gate staged`: what the table says of the files alone, before a commit, and without a trace."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping

import pytest
import yaml

from tests.fence import ROOT
from tests.repo import Repo

CLAMP = "def clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n"
CASES = '[{"lo": 0, "hi": 9, "x": 12}]\n'
PROPERTY = (
    "version: 1\nproperties:\n  - id: window_range\n    module: app.window\n    fn: clamp\n    seed: 7\n"
    "    fixture: tests/fixtures/window.json\n    checks: [output_in_range]\nfreezes:\n"
)
ANOTHER = PROPERTY.replace("freezes:\n", PROPERTY.partition("properties:\n")[2].replace("range", "two"))
CANDIDATE = "id: settles\nmodule: app.window\nfn: clamp\nchecks: [deterministic]\n"
INVENTORY, LOCK, FIXTURE = "invariants/inventory.yaml", "invariants/fixture.lock.json", "tests/fixtures/window.json"


@pytest.fixture
def house(repo: Repo) -> Repo:
    """A repository with one property."""
    lock = {FIXTURE: hashlib.sha256(CASES.encode()).hexdigest()}
    repo.commit(
        "Start",
        {
            "app/__init__.py": "",
            "app/window.py": CLAMP,
            INVENTORY: PROPERTY,
            LOCK: json.dumps(lock),
            FIXTURE: CASES,
            ".github/CODEOWNERS": "/invariants/ @team\n",
        },
    )
    return repo


def stage(repo: Repo, files: Mapping[str, str]) -> None:
    repo.write(files)
    repo.git("add", "--all")


@pytest.mark.parametrize(
    ("files", "classes"),
    [
        ({"app/window.py": "# Bounds\n" + CLAMP, "tests/test_window.py": "def test(): ...\n"}, {"specimen"}),
        ({"app/window.py": CLAMP + "\n", INVENTORY: ANOTHER}, {"same_patch_promotion"}),
        ({"app/window.py": CLAMP + "\n", LOCK: "{}\n", INVENTORY: "version: 1\nproperties: []\n"}, {"oracle_edit"}),
        ({"invariants/proposed/settles.yaml": CANDIDATE}, {"untrusted"}),
        ({FIXTURE: "[]\n"}, {"fixture_drift"}),
    ],
)
def test_the_rows_are_those_of_the_table(house: Repo, files: dict[str, str], classes: set[str]) -> None:
    stage(house, files)
    before = house.tree_hash()
    done = house.run("gate", "staged", "--json")
    rows = json.loads(done.out)["rows"]
    assert {row["class"] for row in rows} == classes, done.out
    assert done.code == (1 if any(row["vote"] == "block" for row in rows) else 0)
    assert house.tree_hash() == before


def test_what_is_not_staged_and_what_breaks_a_law_are_not_its_business(house: Repo) -> None:
    stage(house, {"app/window.py": "raise SystemExit('this ran')\n"})
    house.write({INVENTORY: "not staged\n"})
    done = house.run("gate", "staged")
    assert (done.code, done.err) == (0, "")
    assert done.out == "what is staged leaves the oracle as it should\n"


@pytest.mark.parametrize(
    ("path", "text", "says"),
    [
        (INVENTORY, PROPERTY + "freezes:\n", f"{INVENTORY}:10"),
        (LOCK, "{}\n", FIXTURE),
        ("invariants/proposed/settles.yaml", CANDIDATE + "seed: 1\n", "settles.yaml:5"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_with_its_line(house: Repo, path: str, text: str, says: str) -> None:
    stage(house, {path: text})
    done = house.run("gate", "staged")
    assert (done.code, done.out) == (3, "")
    assert all(part in done.err for part in (says, "why: ", "next: "))


def test_the_hook_for_pre_commit_is_this_command(house: Repo) -> None:
    [hook] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    stage(house, {"app/window.py": CLAMP + "\n", INVENTORY: ANOTHER})
    assert (hook["language"], hook["pass_filenames"]) == ("python", False)
    assert house.run(*hook["entry"].split()).code == 1
