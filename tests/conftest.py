"""Fixtures of every room: a fence around each test, and real git repositories to work on."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.fence import FENCE
from tests.repo import Repo

hypothesis.settings.register_profile("suite", deadline=None, database=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("suite")


@pytest.fixture(autouse=True)
def fence(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """No network beyond loopback, no write outside the temporary folder, no setting of the caller's."""
    base = tmp_path_factory.getbasetemp()
    if request.node.get_closest_marker("bulk"):
        for name in [name for name in os.environ if name.startswith("COVERAGE_")]:
            monkeypatch.delenv(name)
    for name in ("OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY", "VIRTUAL_ENV"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TMPDIR", str(base))
    monkeypatch.setattr(tempfile, "tempdir", str(base))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # started in the background, which every child would inherit
        signal.signal(signal.SIGINT, signal.default_int_handler)
    with FENCE.closed(base):
        yield


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """An empty repository on branch main, with nothing committed."""
    return Repo.create(tmp_path / "repo")
