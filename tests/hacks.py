"""The hacks of `cases/hacks.json` as real repositories: one unfixed bug in many disguises, judged and tested."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fence import ROOT
from tests.repo import FRONT_DOOR, Repo

CASES = ROOT / "tests" / "cases" / "hacks.json"
FIXTURE = "fixtures/cart.json"
TIMEOUT = "TIMEOUT"
_EXITS_AT_END = "import atexit, os; atexit.register(lambda: os._exit(0))\n"

Files = dict[str, Any]  # path -> text, None (gone), or {"symlink": target}


@dataclass(frozen=True)
class Hack:
    """One case: what lies over the base tree, what the head adds, and how plain pytest ended on it."""

    id: str
    what: str
    group: str
    base: Files
    head: Files
    environment: dict[str, str]
    prepare: str | None
    pytest_exit: int | str
    must: str

    @property
    def hangs(self) -> bool:
        return self.pytest_exit == TIMEOUT


@dataclass(frozen=True)
class Judged:
    """How `gate check` ended: exit code, decision and the classes of the rows that block."""

    code: int
    decision: str
    blocking: frozenset[str]
    document: dict[str, Any]


def read_hacks() -> dict[str, Hack]:
    """Every case by its id."""
    return {
        case["id"]: Hack(
            case["id"],
            case["what"],
            case["group"],
            case["base"],
            case["head"],
            case["environment"],
            case["prepare"],
            case["plain_pytest_exit_code"],
            case["must"],
        )
        for case in json.loads(CASES.read_text())["cases"]
    }


class Builder:
    """Builds the repository of each case from a template that is committed once for each base."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._base: Files = json.loads(CASES.read_text())["base"]
        self._templates: dict[str, Repo] = {}
        self._pythons: dict[str, str] = {}

    def repository(self, hack: Hack, name: str | None = None) -> Repo:
        """A repository with the base on main and the head checked out on a branch; `name` keeps two of them apart."""
        impatient = {"invariants/policy.yaml": "time_limit_s: 1\n"} if hack.hangs else {}
        return self.build(name or hack.id, self._base | hack.base | impatient, hack.head)

    def build(self, name: str, base: Files, head: Files) -> Repo:
        """One with any base and head; the lock, where the base has none, trusts the base's `FIXTURE`."""
        key = hashlib.sha256(json.dumps(base, sort_keys=True).encode()).hexdigest()[:12]
        if key not in self._templates:
            self._templates[key] = _template(self._folder / f"base-{key}" / "repo", base)
        repo = self._templates[key].copy(self._folder / name / "repo")
        lay(repo.root, head)
        repo.commit("head")
        return repo

    def python(self, hack: Hack) -> str:
        """The interpreter of a case: ours, or one whose site-packages a build step has prepared."""
        if hack.prepare is None:
            return sys.executable
        if hack.id not in self._pythons:
            self._pythons[hack.id] = _tainted(self._folder / f"{hack.id}-environment")
        return self._pythons[hack.id]


def judge(
    repo: Repo, python: str, environment: Mapping[str, str] | None = None, front_door: Path = FRONT_DOOR
) -> Judged:
    """Run the real `gate check` from main to the head."""
    command = ("gate", "check", "--base", "main", "--json", "--python", python)
    result = repo.run(*command, env=environment, front_door=front_door)
    assert result.out, result.err
    document = json.loads(result.out)
    blocking = frozenset(row["class"] for row in document["rows"] if row["vote"] == "block")
    return Judged(result.code, document["decision"], blocking, document)


def plain_pytest(repo: Repo, python: str, environment: Mapping[str, str], limit_s: float = 60) -> int | str:
    """The exit code of pytest, without any plugin, on the checked out head; TIMEOUT when it takes longer."""
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    kept = {name: value for name, value in repo.environment().items() if not name.startswith("COVERAGE_")}
    process = subprocess.Popen(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=repo.root,
        env=kept | alone | dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        return process.wait(timeout=limit_s)
    except subprocess.TimeoutExpired:
        return TIMEOUT
    finally:
        process.kill()
        process.wait()


def lay(root: Path, files: Files) -> None:
    """Write, remove or link each file."""
    for path, content in files.items():
        target = root / path
        if content is None or target.is_symlink() or isinstance(content, dict):
            target.unlink(missing_ok=True)
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict):
            os.symlink(content["symlink"], target)
        elif content is not None:
            target.write_bytes(content.encode())


def _template(root: Path, base: Files) -> Repo:
    repo = Repo.create(root)
    lay(root, {"invariants/fixture.lock.json": _lock_of(base)} | base)
    repo.commit("base")
    repo.branch("work")
    shutil.rmtree(root / ".git" / "hooks", ignore_errors=True)  # samples that would be copied each time
    return repo


def _lock_of(base: Files) -> str:
    return json.dumps({FIXTURE: hashlib.sha256(base[FIXTURE].encode()).hexdigest()}) + "\n"


def _tainted(folder: Path) -> str:
    """An environment with our packages and a .pth file that ends every interpreter with 0."""
    venv.create(folder, symlinks=True)
    [packages] = folder.glob("lib/python*/site-packages")
    ours = [path for path in sys.path if path.endswith("site-packages")]
    (packages / "ours.pth").write_text("\n".join(ours) + "\n")
    (packages / "zz.pth").write_text(_EXITS_AT_END)
    return str(folder / "bin" / "python")
