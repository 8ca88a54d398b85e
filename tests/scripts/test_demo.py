"""The demo is a test of the whole path: it fails by itself where a step ends otherwise than told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fence import ROOT

pytestmark = pytest.mark.bulk

COMMANDS = ("propose", "review", "gate")


def _demo(*args: str, path: str = os.environ["PATH"]) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k in ("HOME", "TMPDIR") or k.startswith("COVERAGE_")}
    return subprocess.run(
        [sys.executable, ROOT / "scripts/demo.py", *args],
        env=kept | {"PATH": path},
        capture_output=True,
        check=False,
        text=True,
        timeout=300,
    )


@pytest.fixture
def commands(tmp_path: Path) -> str:
    """A PATH whose first folder holds the three commands of this checkout and this Python."""
    starts = {name: f'"{sys.executable}" "{ROOT}/invariant_inventory.py" {name}' for name in COMMANDS}
    return _path(tmp_path, starts | {"python3": f'"{sys.executable}"'})


def _path(tmp_path: Path, starts: dict[str, str]) -> str:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name, start in starts.items():
        (folder / name).write_text(f'#!/bin/sh\nexec {start} "$@"\n')
        (folder / name).chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


@pytest.mark.slow
def test_the_story_comes_true_and_leaves_its_repository(tmp_path: Path, commands: str) -> None:
    done = _demo(str(tmp_path / "story"), path=commands)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "invariant_miss" in done.stdout
    assert str(tmp_path / "story") in done.stdout.splitlines()[-1]
    branches = subprocess.run(
        ["git", "branch", "--format=%(refname:short)"],
        cwd=tmp_path / "story",
        capture_output=True,
        check=True,
        text=True,
    )
    assert {"main", "agent/soft-edges", "promote/window"} <= set(branches.stdout.split())


def test_a_story_that_breaks_says_where_and_fails(tmp_path: Path) -> None:
    done = _demo(str(tmp_path / "story"), path=_path(tmp_path, {"review": "false"}))
    assert done.returncode == 1
    assert "The story broke: `review init" in done.stdout


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x")
    done = _demo(str(tmp_path))
    assert (done.returncode, os.listdir(tmp_path)) == (2, ["mine"])
