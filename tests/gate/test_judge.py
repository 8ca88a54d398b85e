"""The judge ends with the one who started it, whatever a check does, and none starts once the lane is abandoned."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from base64 import b64encode
from dataclasses import replace
from pathlib import Path

import pytest

from gate.lane import Lane, LaneSettings
from gate.verdicts import Verdict
from inventory.errors import CouldNotRun
from inventory.git import Git
from inventory.reading import read_oracle
from inventory.tree import commit_tree
from tests.gate.lanes import TODAY, lock_of, one_property, result_of
from tests.repo import FRONT_DOOR, Repo

FIXTURE = "tests/fixtures/samples.json"
STUBBORN = """\
def never_ends(fn, sample):
    with open({fifo!r}, "w") as told:
        told.write(f"{{__import__('os').getpid()}}\\n")
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""


def test_a_check_that_catches_everything_ends_with_a_gate_that_was_killed(repo: Repo, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    repo.commit(
        "Start",
        {
            "app.py": "def f(x):\n    return x\n",
            "invariants/inventory.yaml": "version: 1\nproperties:\n  - id: stubborn\n    module: app\n    fn: f\n"
            f"    seed: 1\n    fixture: {FIXTURE}\n    checks: [never_ends]\n",
            "invariants/checks.py": STUBBORN.format(fifo=str(fifo)),
            "invariants/fixture.lock.json": lock_of({FIXTURE: "[1]\n"}),
            FIXTURE: "[1]\n",
        },
    )
    gate = subprocess.Popen(
        [sys.executable, str(FRONT_DOOR), "gate", "run"],
        cwd=repo.root,
        env=repo.environment() | {"TMPDIR": str(tmp_path)},  # what a killed gate leaves is nobody else's
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    assert select.select([reader], [], [], 60)[0], "no check was started"
    judge = os.pidfd_open(int(os.read(reader, 100).split()[0]))
    try:
        gate.kill()
        gate.wait()
        ended, _, _ = select.select([judge], [], [], 30)
        assert ended, "the judge outlived the gate"
    finally:
        if not select.select([judge], [], [], 0)[0]:
            signal.pidfd_send_signal(judge, signal.SIGKILL)
        os.close(judge)
        os.close(reader)


def test_a_lane_that_was_abandoned_before_it_began_runs_no_check_and_has_no_verdict(repo: Repo, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    check = f"def marks(fn, sample):\n    open({str(begun)!r}, 'w').close()\n"
    one_property(repo, "def fn(x):\n    return x\n", "[marks]", [1], own=check)
    tree = commit_tree(Git.open(repo.root), "HEAD")
    with Lane.ready(tree, read_oracle(tree), LaneSettings(TODAY)) as lane:
        lane.abandon()
        with pytest.raises(CouldNotRun, match="the lane has no verdict"):
            lane.report(tree)
    assert not begun.exists()


def test_a_program_that_its_interpreter_cannot_load_is_a_fault_and_no_miss(repo: Repo) -> None:
    one_property(repo, "def fn(x):\n    return x\n", "[never_raises]", [1])
    tree = commit_tree(Git.open(repo.root), "HEAD")
    with Lane.ready(tree, read_oracle(tree), LaneSettings(TODAY)) as lane:
        other = replace(lane.interpreter, program=b64encode(b"of another Python").decode())
        [result] = replace(lane, interpreter=other).report(tree).results
    assert result.status is Verdict.PROTOCOL_ERROR
    assert "the interpreter cannot run the subject: its process ended with exit code 1" in result.detail


def test_a_subject_that_may_not_choose_its_processors_runs_on_those_it_has(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gate.lane.processors", lambda: [1 << 12, 1 << 13])  # there are none such
    one_property(repo, "def fn(x):\n    return x\n", "[never_raises]", [1])
    assert result_of(repo).status is Verdict.PASS
