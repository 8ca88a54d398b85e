"""Repositories with an oracle, small enough to read, and the lane run on them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gate.lane import LaneSettings, run_lane
from gate.verdicts import LaneReport, PropertyResult
from inventory.git import Git
from inventory.reading import read_oracle
from inventory.records import INVENTORY_PATH, LOCK_PATH
from inventory.tree import commit_tree
from tests.article import INVENTORY
from tests.repo import Repo

_VERSIONS = Path.home() / ".pyenv" / "versions"
_MINORS = {int(path.name.split(".")[1]): str(path / "bin" / "python") for path in _VERSIONS.glob("3.*")}
PYTHONS = [_MINORS[minor] for minor in sorted(_MINORS) if minor >= 9] or [sys.executable]
OLDEST_AND_NEWEST = sorted({PYTHONS[0], PYTHONS[-1]})
TODAY = date(2026, 12, 1)
FIXTURE = "tests/fixtures/samples.json"


def _kernel_gives_namespaces() -> bool:
    """Asked of the kernel itself: what the lane says of it is what the tests are about."""
    if not shutil.which("unshare") or not shutil.which("setpriv"):
        return False
    user = () if os.geteuid() == 0 else ("--user", "--map-current-user", "--keep-caps")
    command = ["unshare", *user, "--net", "--pid", "--ipc", "--mount-proc", "--fork", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


needs_namespaces = pytest.mark.skipif(not _kernel_gives_namespaces(), reason="the kernel gives no namespaces here")
# A coin that no sensor sees: the subject's own folder has another random name in each repeat.
COIN = (
    "import hashlib, os\ndef toss(x, sides=2):\n"
    "    return hashlib.sha256(f\"{os.environ['HOME']} {x}\".encode()).digest()[0] % sides\n"
)
CLAMP = "def clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n"
BROKEN_CLAMP = "def clamp(lo, hi, x):\n    return max(lo, x)\n"
PARSE = "def parse(record, reverse=False):\n    return dict(reversed(record.items()))\n"


def lock_of(fixtures: Mapping[str, str]) -> str:
    """The text of a lock that trusts these fixtures."""
    return json.dumps({path: hashlib.sha256(text.encode()).hexdigest() for path, text in sorted(fixtures.items())})


def article(repo: Repo) -> None:
    """Commit the article's example, with fixtures made up to fit."""
    fixtures = {
        "tests/fixtures/parse_corpus.json": json.dumps([{"name": "a", "n": 1}, {"x": [1, 2]}, {}]),
        "tests/fixtures/window_cases.json": json.dumps([{"lo": 0, "hi": 10, "x": x} for x in (-5, 3, 12)]),
    }
    code = {"app/__init__.py": "", "app/codec.py": PARSE, "app/window.py": CLAMP}
    repo.commit("Start", {**code, **fixtures, INVENTORY_PATH: INVENTORY, LOCK_PATH: lock_of(fixtures)})


def one_property(  # the names say it
    repo: Repo,
    code: str | Mapping[str, str],
    checks: str,
    samples: list[Any],
    *,
    own: str | None = None,
    more: str = "",
    files: Mapping[str, str] | None = None,
) -> None:
    """Commit a repository whose only property is `prod.fn` under `checks` (YAML flow text)."""
    fixture = json.dumps(samples)
    inventory = (
        f"version: 1\nproperties:\n  - {{id: the_one, module: prod, fn: fn, seed: 7, fixture: {FIXTURE},"
        f" checks: {checks}{more}}}\n"
    )
    sources = {"prod.py": code} if isinstance(code, str) else dict(code)
    oracle = {INVENTORY_PATH: inventory, LOCK_PATH: lock_of({FIXTURE: fixture}), FIXTURE: fixture}
    if own is not None:
        oracle["invariants/checks.py"] = own
    repo.commit("Start", {**sources, **oracle, **(files or {})})


def lane_of(repo: Repo, *, python: str | None = None, repeats: int | None = None, today: date = TODAY) -> LaneReport:
    """The lane on the commit that is checked out, code and oracle from the same tree."""
    git = Git.open(Path(repo.root))
    tree = commit_tree(git, git.head().id)
    return run_lane(tree, read_oracle(tree), LaneSettings(today=today, python=python, repeats=repeats))


def result_of(repo: Repo, **settings: Any) -> PropertyResult:
    """The only result of the lane."""
    [result] = lane_of(repo, **settings).results
    return result
