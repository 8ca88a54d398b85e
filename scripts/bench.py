"""Times the lane on 200 properties of 100 samples, beside one run of pytest with the same checks and samples.

Both run the same production code, in the same interpreter, one after the other. pytest is timed twice: with
one test for each property, which loops over its samples, and with one test for each sample, as a
parametrized test has it. The lane runs each property in two fresh processes and compares them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from datetime import date
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gate.lane import JUDGES, Lane, LaneSettings  # noqa: E402
from gate.verdicts import Verdict  # noqa: E402
from inventory.git import Git  # noqa: E402
from inventory.reading import read_oracle  # noqa: E402
from inventory.tree import commit_tree  # noqa: E402
from tests.repo import Repo  # noqa: E402
from tests.twins import oracle_of, property_of  # noqa: E402

MODULES, FUNCTIONS, SAMPLES = 20, 10, 100
_CHECKS = "[is_sorted, is_permutation]"
_CODE = "def fn{n}(items):\n    out = list(items)\n    out.sort()\n    return out\n"
_TEST = """\
import json, pathlib, sys
sys.path.insert(0, {root!r})
sys.path.insert(0, {here!r})
import importlib, pytest
from inventory.checks import is_permutation, is_sorted
from inventory.target import Answer, Function
HERE = pathlib.Path({here!r})
CASES = {{n: json.loads((HERE / "fixtures" / f"{{n}}.json").read_text()) for n in {names!r}}}
def function(name):
    module, fn = name.rsplit("_", 1)
    found = getattr(importlib.import_module(module), fn)
    return Function(lambda _name, args, kwargs, after=False: Answer(found(*args, **kwargs)), fn)
"""
_BY_PROPERTY = """\
@pytest.mark.parametrize("name", CASES)
def test_property(name):
    fn = function(name)
    for sample in CASES[name]:
        is_sorted(fn, sample)
        is_permutation(fn, sample)
"""
_BY_SAMPLE = """\
@pytest.mark.parametrize(("name", "sample"), [(n, s) for n, samples in CASES.items() for s in samples])
def test_sample(name, sample):
    fn = function(name)
    is_sorted(fn, sample)
    is_permutation(fn, sample)
"""


@dataclass(frozen=True)
class Spent:
    """Seconds on the wall, and of processors in this process and those that it started."""

    wall: float
    cpu: float

    def __str__(self) -> str:
        return f"{self.wall:7.2f} s on the wall, {self.cpu:6.2f} s of processors"


class Clock:
    """Tells what was spent since it was last asked."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), _cpu()

    def spent(self) -> Spent:
        before = self._wall, self._cpu
        self._wall, self._cpu = time.perf_counter(), _cpu()
        return Spent(self._wall - before[0], self._cpu - before[1])


def _cpu() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def main(argv: list[str]) -> int:
    """Run the benchmark and print its table; 2 for anything but `lane`."""
    if argv != ["lane"]:
        sys.stderr.write("usage: scripts/bench lane\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        print(_run(Path(folder)))
    return 0


def _run(folder: Path) -> str:
    repo, names = _repository(folder / "repo")
    head = _TEST.format(root=str(ROOT), here=str(repo.root), names=names)
    (folder / "test_by_property.py").write_text(head + _BY_PROPERTY)
    (folder / "test_by_sample.py").write_text(head + _BY_SAMPLE)
    by_property, by_sample = (_pytest(folder, f"test_by_{name}.py") for name in ("property", "sample"))
    git = Git.open(repo.root)
    tree = commit_tree(git, git.head().id)
    clock = Clock()
    oracle = read_oracle(tree)
    reading = clock.spent()
    with Lane.ready(tree, oracle, LaneSettings(date(2026, 1, 1), sys.executable)) as lane:
        report = lane.report(tree)
    running = clock.spent()
    if any(result.status is not Verdict.PASS for result in report.results):
        raise SystemExit("the benchmark is broken: a property does not pass")
    judging = sum(repeat.seconds for result in report.results for repeat in result.repeats) / JUDGES
    took = reading.wall + running.wall
    return "\n".join(
        (
            f"{len(names)} properties, {SAMPLES} samples, 2 checks, 2 repeats, {os.cpu_count()} processors",
            f"pytest, one test a property  {by_property}",
            f"pytest, one test a sample    {by_sample}",
            f"lane: reading the oracle     {reading}",
            f"lane: two repeats            {running}",
            f"  of it judging              {judging:7.2f} s on the wall; the rest is laying out and comparing",
            f"lane / pytest by property    {took / by_property.wall:7.2f} on the wall",
            f"lane / pytest by sample      {took / by_sample.wall:7.2f} on the wall",
        )
    )


def _repository(root: Path) -> tuple[Repo, list[str]]:
    repo = Repo.create(root)
    names = [f"m{m:02}_fn{n}" for m in range(MODULES) for n in range(FUNCTIONS)]
    lines = [property_of(name, name[:3], name[4:], _CHECKS) for name in names]
    fixtures = {
        name: [[(i * k + p) % 97 for k in range(12)] for i in range(1, SAMPLES + 1)] for p, name in enumerate(names)
    }
    code = {f"m{m:02}.py": "\n".join(_CODE.format(n=n) for n in range(FUNCTIONS)) for m in range(MODULES)}
    repo.commit("bench", oracle_of(lines, fixtures) | code)
    return repo, names


def _pytest(folder: Path, name: str) -> Spent:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:xdist", name]
    clock = Clock()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    spent = clock.spent()
    if done.returncode:
        raise SystemExit(done.stdout[-2000:] + done.stderr[-2000:])
    return spent


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
