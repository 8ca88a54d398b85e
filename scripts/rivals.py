"""Counts what two other tools let pass and refuse, on the hacks and honest changes that `scripts/measure hacks` takes.

Each tool lies in an environment of its own, made where RIVALS, a folder, has none; without RIVALS for one run.

adversary-gate is given what its first run asks for: a baseline, the diff, coverage of the tests and the test to
verify, which for honest changes is one that pins the answers. checkwash is given the range of commits.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.hacks import Builder, Files, Hack, lay, read_hacks  # noqa: E402
from tests.repo import Repo  # noqa: E402
from tests.twins import INTS, PLACES, TWINS, house, street  # noqa: E402

PASSES, REFUSES, CANNOT_JUDGE = "passes", "refuses", "cannot judge"
_EVERY = 4  # of the honest changes of one module, each fourth: every one is a repository of its own here
_LIMIT_S = 900
_HANG_S = 5
_ALONE = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
_PINNED = "tests/test_answers.py"
_TEST = '''\
"""Pins what fn answers."""

import copy
import pathlib
import sys

import pytest

sys.path.append(str(pathlib.Path(__file__).parent.parent / "src"))
from {module} import fn


@pytest.mark.parametrize(("sample", "answer"), {pairs!r})
def test_answers(sample, answer):
    assert repr(fn(copy.deepcopy(sample))) == answer
'''
_ANSWERS = """\
import copy, importlib, sys
sys.path.append("src")
fn = importlib.import_module(sys.argv[1]).fn
print("\\0" + "\\0".join(repr(fn(copy.deepcopy(sample))) for sample in eval(sys.argv[2])) + "\\0")
"""


@dataclass(frozen=True)
class Change:
    """A change to judge, from main to the checked out head, and the test that is its claim."""

    repo: Repo
    claim: str
    python: str = sys.executable
    environment: dict[str, str] = field(default_factory=dict)
    hangs: bool = False


@dataclass(frozen=True)
class Rival:
    """A tool of a fixed version, its exit code on a change, and the one of how many hacks and changes that it gets."""

    package: str
    version: str
    run: Callable[[str, Change], int]
    of_hacks: int = 1
    of_honest: int = 1


@dataclass(frozen=True)
class Counted:
    """How often each outcome was seen for the hacks and for the honest changes of one tool."""

    rival: str
    hacks: Sequence[str]
    honest: Sequence[str]


def outcome(exit_code: int) -> str:
    """What an exit code says; both tools document 0 and 1, and more than 1 for what they could not judge."""
    return {0: PASSES, 1: REFUSES}.get(exit_code, CANNOT_JUDGE)


def table_of(rows: Sequence[Counted]) -> str:
    """The table as Markdown, with a line for each tool."""
    heads = ("tool", "hacks", "lets pass", "refuses", "cannot judge")
    more = ("honest changes", "lets pass", "refuses", "cannot judge")
    lines = ["| " + " | ".join((*heads, *more)) + " |", "|" + "---|" * (len(heads) + len(more))]
    for row in rows:
        counts = [str(count) for seen in (row.hacks, row.honest) for count in _counts(seen)]
        lines.append("| " + " | ".join((row.rival, *counts)) + " |")
    return "\n".join(lines) + "\n"


def _counts(seen: Sequence[str]) -> tuple[int, ...]:
    return len(seen), *(sum(one == name for one in seen) for name in (PASSES, REFUSES, CANNOT_JUDGE))


def measure(folder: Path) -> str:
    """Build the changes below `folder`, run each tool on each of them, and return the table."""
    environments = Path(os.environ.get("RIVALS") or folder / "rivals").resolve()
    hacks, honest = _hacks(folder / "hacks"), _honest(folder / "honest")
    rows = []
    for rival in RIVALS:
        program = _program(rival, environments)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            judge = partial(_tried, rival, program)
            seen = [list(pool.map(judge, each)) for each in (hacks[:: rival.of_hacks], honest[:: rival.of_honest])]
        rows.append(Counted(f"{rival.package} {rival.version}", *seen))
    return table_of(rows)


def _tried(rival: Rival, program: str, change: Change) -> str:
    seen = outcome(rival.run(program, change))
    sys.stderr.write(f"{rival.package}: {change.repo.root.parent.name} {seen}\n")
    return seen


def _program(rival: Rival, environments: Path) -> str:
    """The program of a tool in its own environment, which is made where there is none."""
    home = environments / rival.package
    if not (home / "bin" / rival.package).exists():
        venv.create(home, with_pip=True)
        wanted = f"{rival.package}=={rival.version}"
        subprocess.run([home / "bin" / "pip", "install", "-qq", wanted], check=True, stdout=sys.stderr)
    program = str(home / "bin" / rival.package)
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    if told.split()[-1] != rival.version:
        raise SystemExit(f"error: {program} is {told.strip()}\nwhy: {rival.version} is measured\nnext: remove {home}")
    return program


# -- the changes ---------------------------------------------------------------------------


def _hacks(folder: Path) -> list[Change]:
    builder = Builder(folder)
    hacks = [hack for hack in read_hacks().values() if hack.must != "allow"]
    return [_hacked(builder, hack) for hack in hacks]


def _hacked(builder: Builder, hack: Hack) -> Change:
    claim = "tests/test_pricing.py::test_total"
    return Change(builder.repository(hack), claim, builder.python(hack), hack.environment, hack.hangs)


def _honest(folder: Path) -> list[Change]:
    """Each place and every fourth twin whose answers stay as they are, with a test that pins them."""
    repos: list[Repo] = []
    for place in PLACES:
        test = _pinned(folder / "answers" / place.name, place.module, INTS, place.base, place.head)
        if test:
            pinned = replace(place, base=place.base | test)
            repos.append(house(folder / place.name / "repo", pinned))
    plain = [twin for twin in TWINS if not twin.warns and not twin.more and twin.fn == "fn"]
    for twin in plain[::_EVERY]:
        path = f"{twin.name}.py"
        test = _pinned(folder / "answers" / twin.name, twin.name, twin.samples, {path: twin.base}, {path: twin.head})
        if test:
            repos.append(street(folder / twin.name / "repo", (twin,), test))
    return [Change(repo, f"{_PINNED}::test_answers") for repo in repos]


def _pinned(folder: Path, module: str, samples: list[Any], base: Files, head: Files) -> Files:
    """A test of the answers that base and head agree on; nothing where they do not."""
    told = [_answers(folder / side, module, samples, files) for side, files in (("base", base), ("head", base | head))]
    if not told[0] or told[0] != told[1]:
        return {}
    return {_PINNED: _TEST.format(module=module, pairs=list(zip(samples, told[0], strict=True)))}


def _answers(folder: Path, module: str, samples: list[Any], files: Files) -> list[str]:
    folder.mkdir(parents=True)
    lay(folder, files)
    command = [sys.executable, "-c", _ANSWERS, module, repr(samples)]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=_LIMIT_S)
    return done.stdout.split("\0")[1:-1]


# -- the tools -----------------------------------------------------------------------------


def _adversary_gate(program: str, change: Change) -> int:
    """With coverage and the diff where the tests let coverage be had; the tool takes both or none."""
    repo, home = change.repo, change.repo.root.parent
    repo.git("worktree", "add", "--quiet", "--detach", str(home / "baseline"), "main")
    (home / "changes.diff").write_text(repo.git("diff", "--no-ext-diff", "main...HEAD") + "\n")
    measured = _covered(change, home / "coverage.json")
    evidence = (
        ["--diff", str(home / "changes.diff"), "--coverage-json", str(home / "coverage.json")] if measured else []
    )
    words = ["--baseline", str(home / "baseline"), "--patch", str(repo.root), "--claim", change.claim]
    settings = _ALONE | change.environment
    given = [word for name, value in settings.items() for word in ("--env", f"{name}={value}")]
    given += ["--full-suite-timeout", "30"] if change.hangs else []  # instead of twice 900 s
    return _run([program, *words, *evidence, "--python", change.python, *given], change, {}, _LIMIT_S)


def _covered(change: Change, report: Path) -> bool:
    """Whether coverage of all tests of the head could be written to `report`."""
    coverage = [change.python, "-m", "coverage"]
    settings = _ALONE | {"COVERAGE_FILE": str(report.with_suffix(".data"))}
    limit_s = _HANG_S if change.hangs else _LIMIT_S
    tests = [*coverage, "run", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    _run(tests, change, settings | change.environment, limit_s)
    return _run([*coverage, "json", "-q", "-o", str(report)], change, settings, _LIMIT_S) == 0 and report.exists()


def _checkwash(program: str, change: Change) -> int:
    return _run([program, "check", "main..HEAD"], change, {}, _LIMIT_S)


def _run(command: list[str], change: Change, settings: dict[str, str], limit_s: int) -> int:
    """The exit code of a command in the repository; -1 when it takes too long."""
    kept = {name: value for name, value in change.repo.environment().items() if not name.startswith("COVERAGE_")}
    try:
        return subprocess.run(
            command,
            cwd=change.repo.root,
            env=kept | settings,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=limit_s,
            check=False,
        ).returncode
    except subprocess.TimeoutExpired:
        return -1


RIVALS = (
    Rival("adversary-gate", "3.0.17", _adversary_gate, of_hacks=2, of_honest=4),  # a dozen runs of pytest for each
    Rival("checkwash", "0.9.0", _checkwash),
)
