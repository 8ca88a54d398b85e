"""The front door: our own modules are found, whatever the caller's folder and PYTHONPATH hold."""

from __future__ import annotations

import shlex
import subprocess
import sys

import pytest

from tests.repo import FRONT_DOOR, Repo

HOSTILE = "raise RuntimeError('the module of the user was imported')\n"


@pytest.mark.parametrize("command", ["propose", "review", "gate"])
@pytest.mark.parametrize("folder", [".", "elsewhere"])
def test_modules_of_the_user_are_never_imported_in_place_of_ours(repo: Repo, command: str, folder: str) -> None:
    names = (
        "json",
        "typing",
        "typer",
        "click",
        "yaml",
        "inventory",
        "propose",
        "review",
        "gate",
        "invariant_inventory",
    )
    repo.write({f"{folder}/{name}.py": HOSTILE for name in names})
    uncovered = dict.fromkeys(("COVERAGE_PROCESS_CONFIG", "COVERAGE_PROCESS_START"), "")  # it starts before we do
    done = repo.run(command, "--help", env={"PYTHONPATH": folder} | uncovered)
    assert (done.code, done.err) == (0, "")
    assert command in done.out


def test_a_module_that_python_itself_took_from_the_user_stops_us(repo: Repo) -> None:
    repo.write({"sitecustomize.py": "CHANGED = True\n"})
    done = repo.run("gate", "--help", env={"PYTHONPATH": "."})
    assert (done.code, done.out) == (3, "")
    assert "sitecustomize.py" in done.err
    assert "\nnext: " in done.err


def test_no_command_or_an_unknown_one_is_wrong_usage(repo: Repo) -> None:
    for args in ((), ("promote",)):
        done = repo.run(*args)
        assert (done.code, done.out) == (2, "")
        assert done.err.startswith("usage: ")


def test_help_that_was_asked_for_is_a_result(repo: Repo) -> None:
    done = repo.run("--help")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("usage: invariant-inventory ")


@pytest.mark.parametrize("command", [("gate",), ("review",), ("propose",), ()])
def test_each_tells_the_version(repo: Repo, command: tuple[str, ...]) -> None:
    done = repo.run(*command, "--version")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("invariant-inventory ")


def _shell(repo: Repo, command: str) -> subprocess.CompletedProcess[str]:
    """A command line, as a person types it; `gate` and its kin stand for the front door."""
    door = f"{shlex.quote(sys.executable)} {shlex.quote(str(FRONT_DOOR))} {command}"
    return subprocess.run(
        ["sh", "-c", door], cwd=repo.root, env=repo.environment(), capture_output=True, check=False, text=True
    )


def test_a_log_of_both_streams_has_the_result_before_what_follows_it(repo: Repo) -> None:
    told = _shell(repo, "review init --owner @ada 2>&1").stdout
    assert told.index("inventory.yaml: written") < told.index("next: ")


@pytest.mark.parametrize("words", ["gate checks", "gate --help", "gate doctor", "gate nonsense", "review list"])
def test_a_stream_that_is_closed_or_lost_changes_no_answer_and_is_no_bug_of_ours(repo: Repo, words: str) -> None:
    usual = _shell(repo, words)
    for closed in (">&-", "2>&-", ">&- 2>&-", "<&-", "2> /dev/full"):
        done = _shell(repo, f"{words} {closed}")
        assert done.returncode == usual.returncode, closed
        assert done.stdout in ("", usual.stdout), closed
        assert done.stderr in ("", usual.stderr), closed
    full = _shell(repo, f"{words} > /dev/full")
    assert full.returncode == (3 if usual.stdout else usual.returncode)
    assert "internal fault" not in full.stderr
    assert "Exception ignored" not in full.stderr
    assert ("No space left" in full.stderr) == bool(usual.stdout)
