"""The repository of the demo at its last chapter: an oracle on main, and an agent's branch that breaks a property."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from unittest import mock

FILES = Path(__file__).resolve().parent / "demo_files"
STEPS = ("1_start", "1_oracle", "3_promotion", "2_shortcut")
BRANCH = "agent/soft-edges"
DATE = "2026-01-05T12:00:00+00:00"


def build(root: Path) -> None:
    """Make the repository in an empty folder; its branch is checked out."""
    git(root, "init", "--quiet", "--initial-branch=main")
    for step in STEPS:
        shutil.copytree(FILES / step, root, dirs_exist_ok=True)
    run(root, "review", "init", "--owner", "@oracle-team")
    (root / "invariants/policy.yaml").write_text("time_limit_s: 300\n")  # a busy machine changes no picture
    commit(root, "Keep the oracle in invariants/")
    git(root, "switch", "--quiet", "--create", BRANCH)
    shutil.copytree(FILES / "4_agent_again", root, dirs_exist_ok=True)
    commit(root, "Give the window soft edges")


def commit(root: Path, message: str) -> None:
    """Commit everything that changed."""
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", message)


def git(root: Path, *args: str) -> None:
    """Run git, without anybody's configuration. Raises CalledProcessError."""
    named = ("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "commit.gpgSign=false")
    subprocess.run(["git", *named, *args], cwd=root, env=environment(root), capture_output=True, check=True)


def run(root: Path, *command: str) -> tuple[int, str, str]:
    """Run one of our commands in this process; its exit code, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ, environment(root), clear=True),
        mock.patch.object(sys, "argv", list(command)),
        contextlib.chdir(root),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code: int = import_module(f"{command[0]}.cli").main()
    return code, out.getvalue(), err.getvalue()


def environment(root: Path) -> dict[str, str]:
    """What is the same on every machine, and the way to git and Python."""
    kept = {name: os.environ[name] for name in ("PATH", "TMPDIR") if name in os.environ}
    cache = {"HOME": str(root.parent), "XDG_CACHE_HOME": str(root.parent / "cache")}
    pinned = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull, "LC_ALL": "C.UTF-8"}
    return kept | cache | pinned | {"GIT_AUTHOR_DATE": DATE, "GIT_COMMITTER_DATE": DATE}
