"""The judge ends with the one who started it, whatever a check does, and none starts once the lane is abandoned."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gate.lane import Lane, LaneSettings
from inventory.errors import CouldNotRun
from inventory.git import Git
from inventory.reading import read_oracle
from inventory.tree import commit_tree
from tests.gate.lanes import TODAY, lock_of, one_property
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
