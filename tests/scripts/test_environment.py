"""The environment of a checkout: made once, reused, made anew when the project's description changes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fence import ROOT

PROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"
[project]
name = "tiny-sample"
version = "1"
[tool.setuptools]
py-modules = ["tiny_sample"]
"""
START = '. "$(dirname "$0")/environment.sh"; "$python" -c "import tiny_sample; print(tiny_sample.ANSWER)"\n'


def _start(folder: Path, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["/bin/sh", folder / "scripts/start"],
        env={"PATH": path, "HOME": os.environ["HOME"]},
        capture_output=True,
        check=False,
        text=True,
    )


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A tiny project that uses our two environment files."""
    (tmp_path / "scripts").mkdir()
    for name in ("environment.sh", "environment.py"):
        shutil.copyfile(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    (tmp_path / "scripts/start").write_text(START)
    (tmp_path / "pyproject.toml").write_text(PROJECT)
    (tmp_path / "tiny_sample.py").write_text("ANSWER = 42\n")
    return tmp_path


@pytest.mark.slow
def test_an_environment_is_reused_until_the_project_changes(checkout: Path) -> None:
    first, second = _start(checkout, os.environ["PATH"]), _start(checkout, os.environ["PATH"])
    assert (first.returncode, first.stdout) == (0, "42\n"), first.stderr
    assert "making the environment" in first.stderr
    assert (second.returncode, second.stdout, second.stderr) == (0, "42\n", "")

    (checkout / "pyproject.toml").write_text(
        PROJECT.replace('version = "1"', 'version = "1"\nrequires-python = ">=99"')
    )
    third = _start(checkout, os.environ["PATH"])
    assert third.returncode == 3
    assert "error: the environment could not be made\nwhy: " in third.stderr
    assert "Traceback" not in third.stderr


def test_a_machine_without_a_new_enough_python_is_told(checkout: Path) -> None:
    tools = checkout / "bin"
    tools.mkdir()
    (tools / "dirname").symlink_to(shutil.which("dirname") or "")
    (tools / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tools / "python3").chmod(0o755)
    done = _start(checkout, str(tools))
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: no Python 3.11 or newer was found\nwhy: ")
    assert not (checkout / ".venv").exists()


def test_the_python_that_makes_it_may_be_that_of_an_active_environment(checkout: Path) -> None:
    """Found first on PATH, the environment's own Python must not be what makes it anew."""
    made_with = subprocess.run(
        [sys.executable, "-c", "import environment; print(environment.BASE)"],
        cwd=checkout / "scripts",
        capture_output=True,
        check=True,
        text=True,
    ).stdout.strip()
    probe = [made_with, "-c", "import sys; print(sys.prefix == sys.base_prefix, sys.version_info[:2])"]
    told = subprocess.run(probe, capture_output=True, check=True, text=True).stdout.strip()
    assert told == f"True {sys.version_info[:2]}"
