"""The distribution, installed alone in a fresh environment by the step of the action, as a user gets it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.fence import ROOT
from tests.repo import Repo, Result
from tests.scripts.runner import Runner

pytestmark = [pytest.mark.slow, pytest.mark.bulk]

WINDOW = "def clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n"
PROPERTY = """\
version: 1
properties:
  - id: stock_range
    module: inventory.stock
    fn: clamp
    seed: 7
    fixture: tests/fixtures/stock.json
    checks: [output_in_range]
freezes:
"""
OWN_PACKAGES = {
    f"{package}/{module}.py": f"raise RuntimeError('the {package} package of the user was imported')\n"
    for package in ("review", "gate", "propose", "inventory", "prompts")
    for module in ("cli", "errors", "console", "commands")
} | {f"{package}/__init__.py": "" for package in ("review", "gate", "propose", "inventory", "prompts")}


@dataclass(frozen=True)
class Installed:
    """The console scripts of an environment that holds the wheel and its dependencies."""

    scripts: Path

    def run(self, repo: Repo, name: str, *args: str, env: dict[str, str] | None = None) -> Result:
        """Run one of them in a repository."""
        done = subprocess.run(
            [self.scripts / name, *args],
            cwd=repo.root,
            env=repo.environment() | (env or {}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            text=True,
        )
        return Result(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The tracked files as they are now, built and installed in an environment of their own."""
    folder = tmp_path_factory.mktemp("wheel")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    for path in filter(None, listed.stdout.split("\0")):
        if (ROOT / path).exists():
            (folder / "source" / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / path, folder / "source" / path)
    runner = Runner(folder / "source", folder / "temp", {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"})
    runner.temp.mkdir()
    ran = runner.step("tool", Repo.create(folder / "checkout"))
    assert ran.code == 0, ran.log
    return Installed(runner.temp / "invariant-inventory/tool/bin")


def _stock(repo: Repo) -> None:
    """A repository that ships packages of our names, with one property on a function of its `inventory`."""
    repo.commit(
        "Start",
        OWN_PACKAGES
        | {
            "inventory/stock.py": WINDOW,
            "invariants/inventory.yaml": PROPERTY,
            "tests/fixtures/stock.json": '[{"lo": 0, "hi": 9, "x": 12}]\n',
            ".github/CODEOWNERS": "/invariants/ @team\n",
        },
    )


def test_each_command_tells_its_usage(installed: Installed, repo: Repo) -> None:
    for name in ("propose", "review", "gate"):
        done = installed.run(repo, name, "--help")
        assert (done.code, done.err) == (0, "")
        assert name in done.out


def test_the_distribution_has_a_command_of_its_own_name(installed: Installed, repo: Repo) -> None:
    assert installed.run(repo, "invariant-inventory", "gate", "checks").out.startswith("roundtrip")
    told = {installed.run(repo, *words).out for words in (("gate", "--version"), ("invariant-inventory", "--version"))}
    assert len(told) == 1
    assert re.fullmatch(r"invariant-inventory \d+\.\d+\.\d+\n", told.pop())


@pytest.mark.parametrize("path", ["gate/other.py", "review/cli.py"])
def test_files_of_another_distribution_stop_every_command(installed: Installed, repo: Repo, path: str) -> None:
    [site] = installed.scripts.parent.glob("lib/python*/site-packages")
    before = (site / path).read_bytes() if (site / path).exists() else None
    record = site / "other-1.0.dist-info" / "RECORD"
    record.parent.mkdir()
    try:
        record.write_text(f"{path},,\n")
        (site / path).write_text("print('hello')\n")
        for name in ("propose", "review", "gate"):
            done = installed.run(repo, name, "--help")
            assert (done.code, done.out) == (3, "")
            assert all(part in done.err for part in (path, "other-1.0", "pipx install"))
    finally:
        shutil.rmtree(record.parent)
        (site / path).unlink() if before is None else (site / path).write_bytes(before)
    assert installed.run(repo, "gate", "--help").code == 0


def test_the_prompts_are_in_the_wheel(installed: Installed, repo: Repo) -> None:
    repo.commit("Start", {"app/__init__.py": "", "app/window.py": WINDOW})
    repo.branch("work")
    repo.commit("Sort the bounds", {"app/window.py": WINDOW.replace("lo, min", "min(lo, hi), min")})
    endpoint = ("--endpoint", "http://127.0.0.1:9/v1", "--model", "any")
    done = installed.run(repo, "propose", "--base", "main", "--dry-run", *endpoint)
    assert done.code == 0, done.err
    assert "def clamp(lo, hi, x):" in done.out + done.err


@pytest.mark.parametrize("env", [{}, {"PYTHONPATH": "."}])
def test_packages_of_our_names_are_the_users_own(installed: Installed, repo: Repo, env: dict[str, str]) -> None:
    _stock(repo)
    lock = installed.run(repo, "review", "lock", "tests/fixtures/stock.json", "--note", "First samples", env=env)
    assert lock.code == 0, lock.err
    repo.commit("Lock")
    run = installed.run(repo, "gate", "run", env=env)
    assert (run.code, "stock_range" in run.out) == (0, True), run.out + run.err

    repo.branch("work")
    repo.commit("Let it overflow", {"inventory/stock.py": WINDOW.replace("min(hi, x)", "x")})
    blocked = installed.run(repo, "gate", "check", "--base", "main", env=env)
    assert (blocked.code, "invariant_miss" in blocked.out) == (1, True), blocked.out + blocked.err
    proposed = installed.run(repo, "propose", "--base", "main", "--rules", env=env)
    assert proposed.code == 0, proposed.err
    listed = installed.run(repo, "review", "list", env=env)
    assert (listed.code, "inventory.stock:clamp" in listed.out) == (0, True), listed.out + listed.err
