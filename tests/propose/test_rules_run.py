"""The whole path with the embedded proposer: offline, on a real branch."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from inventory.codec import parse_candidate
from tests.propose.conftest import Command
from tests.repo import FRONT_DOOR, Repo


def test_without_an_endpoint_the_rules_propose_and_say_so(branch: Repo, command: Command) -> None:
    done = command()
    assert done.code == 0, done
    assert "the embedded rules" in done.err
    assert "base main" in done.err
    assert "invariants/proposed/clamp_bounds.yaml" in done.out
    path = "invariants/proposed/clamp_bounds.yaml"
    candidate = parse_candidate(branch.read(path).encode(), path)
    assert [use.name for use in candidate.checks] == ["lo_le_hi", "output_in_range"]
    assert candidate.evidence == "def clamp(lo: int, hi: int, x: int) -> int:"


def test_it_ends_with_the_lines_that_bring_the_candidates_to_a_reviewer(
    branch: Repo, command: Command, tmp_path: Path
) -> None:
    branch.git("init", "--quiet", "--bare", str(tmp_path / "origin"))
    branch.git("remote", "add", "origin", str(tmp_path / "origin"))
    (branch.root / "app" / "deep").mkdir()
    told = command(cwd="app/deep").err.partition("next:\n")[2].splitlines()
    steps = [shlex.split(line) for line in told if line.startswith("  ")]
    for step in steps[:-1]:
        branch.git("-C", "app/deep", *step[1:])
    assert branch.git("status", "--porcelain") == ""
    branch.branch("main")
    assert steps[-1] == ["review", "list", "--from", "origin/feature"]
    assert "clamp_bounds  stale" in branch.call(*steps[-1]).out
    assert "next:" not in command("--base", "main~0", "--head", "feature", "--dry-run").err


def test_propose_writes_only_below_proposed(branch: Repo, command: Command) -> None:
    before = branch.files()
    command()
    after = branch.files()
    assert {path for path in after if after[path] != before.get(path)} == {"invariants/proposed/clamp_bounds.yaml"}
    assert set(before) <= set(after)


def test_candidates_for_a_branch_of_their_own_leave_the_work_tree_alone(branch: Repo, command: Command) -> None:
    before = branch.files(), branch.git("status", "--porcelain"), branch.git("rev-parse", "HEAD")
    done = command("--to-branch", "candidates")
    assert done.code == 0, done
    assert (branch.files(), branch.git("status", "--porcelain"), branch.git("rev-parse", "HEAD")) == before
    assert branch.git("diff", "--name-only", "main", "candidates") == "invariants/proposed/clamp_bounds.yaml"
    tip = branch.git("rev-parse", "candidates")
    again = command("--to-branch", "candidates")
    assert "1 known already" in again.out
    assert branch.git("rev-parse", "candidates") == tip


@pytest.mark.usefixtures("branch")
@pytest.mark.parametrize("name", ["-b", "a..b", "a\nb", "a\udcff", "x" * 100_000])
def test_what_no_branch_may_be_called_is_wrong_usage(command: Command, name: str) -> None:
    done = command("--to-branch", name)
    assert (done.code, done.out) == (2, "")
    assert "cannot be a branch" in done.err


def test_a_dry_run_says_what_rules_would_propose_and_that_nothing_is_sent(branch: Repo, command: Command) -> None:
    before = branch.tree_hash()
    done = command("--dry-run")
    assert "clamp_bounds" in done.out
    assert "no message would be sent" in done.out
    assert "out  tests/test_window.py: its role is test" in done.out
    assert branch.tree_hash() == before


def test_a_reader_that_goes_away_is_no_answer(branch: Repo) -> None:
    """`propose --json | head -1`: more is printed than any pipe holds, and nobody reads it."""
    source = "".join(f"def clamp_{n}(lo, hi, x):\n    return min(max(lo, x), hi)\n\n\n" for n in range(60))
    branch.commit("More", {"app/more.py": source})
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, str(FRONT_DOOR), "propose", "--dry-run", "--json"],
        cwd=branch.root,
        env=branch.environment(),
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 3, done.stderr
    assert "Traceback" not in done.stderr
    assert "clamp_9" not in branch.git("status", "--porcelain")
