"""A property's limit counts the time that its processes could use: a busy machine makes nobody red."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from gate.patience import MOST, Patience

SPINS, SLEEPS = "print(1, flush=True)\nwhile True: pass", "print(1, flush=True)\nimport time; time.sleep(600)"


@pytest.fixture
def group(request: pytest.FixtureRequest) -> Iterator[int]:
    """A process in a group of its own that runs the code named."""
    command = [sys.executable, "-S", "-c", request.param]
    with subprocess.Popen(command, stdout=subprocess.PIPE, process_group=0) as process:
        assert process.stdout
        process.stdout.readline()
        yield process.pid
        process.kill()


@pytest.mark.parametrize("group", [SPINS], indirect=True)
def test_a_subject_that_wants_to_run_and_had_little_is_waited_for(group: int) -> None:
    assert not Patience(group, limit_s=600.0).is_over(waiting=True)


@pytest.mark.parametrize("group", [SLEEPS], indirect=True)
def test_a_subject_that_sleeps_is_over_at_its_limit(group: int) -> None:
    until = time.monotonic() + 60
    while not Patience(group, limit_s=600.0).is_over(waiting=True):  # it may not have come to its sleep yet
        assert time.monotonic() < until
    assert not Patience(group, limit_s=600.0).is_over(waiting=False), "then it is the judge that works"


@pytest.mark.parametrize("group", [SPINS], indirect=True)
def test_a_subject_that_had_its_limit_is_over(group: int) -> None:
    patience = Patience(group, limit_s=0.1)
    while time.process_time() - patience.own_s < 0.1:
        pass
    assert patience.is_over(waiting=True)


@pytest.mark.parametrize("group", [SPINS], indirect=True)
def test_nothing_is_waited_for_longer_than_a_few_limits(group: int) -> None:
    long_ago = Patience(group, limit_s=600.0, started=time.monotonic() - MOST * 600.0)
    assert long_ago.is_over(waiting=True)
