"""Builds real git repositories for tests, and runs the real commands in them through the front door."""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from unittest import mock

from tests.fence import ROOT
from tests.warm import Warm

FRONT_DOOR = ROOT / "invariant_inventory.py"
WARM = Warm()
_DATE = "2026-01-05T12:00:00+00:00"
_GITCONFIG = "[user]\n\tname = Ada Tester\n\temail = ada@example.org\n[init]\n\tdefaultBranch = main\n"


@dataclass(frozen=True)
class Result:
    """How a command ended: exit code, stdout and stderr."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Repo:
    """A repository at `root`; its home folder (for git's configuration) lies beside it."""

    root: Path

    @classmethod
    def create(cls, root: Path) -> Repo:
        """A new repository on branch main, without a commit."""
        root.mkdir(parents=True)
        repo = cls(root)
        repo._home.mkdir(exist_ok=True)
        (repo._home / ".gitconfig").write_text(_GITCONFIG)
        repo.git("init", "--quiet")
        return repo

    def copy(self, root: Path) -> Repo:
        """The same repository once more at another place, with its whole history."""
        shutil.copytree(self.root, root, symlinks=True)
        shutil.copytree(self._home, root.parent / "home", dirs_exist_ok=True)
        return Repo(root)

    def write(self, files: Mapping[str, str | bytes | None]) -> None:
        """Write each file, making its folders; None removes it."""
        for path, content in files.items():
            target = self.root / path
            if content is None:
                target.unlink()
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)

    def read(self, path: str) -> str:
        """The text of a file of the work tree."""
        return (self.root / path).read_bytes().decode()

    def commit(self, message: str = "A step", files: Mapping[str, str | bytes | None] | None = None) -> str:
        """Write `files`, if any, then commit everything that changed and return the commit id."""
        self.write(files or {})
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str) -> None:
        """Check out the branch; make it from the current commit where there is none."""
        known = self.git("branch", "--list", "--format=%(refname:short)").splitlines()
        self.git("checkout", "--quiet", *([name] if name in known else ["-b", name]))

    def git(self, *args: str) -> str:
        """What git prints, without the last newline."""
        done = subprocess.run(["git", *args], cwd=self.root, env=self.environment(), capture_output=True, check=False)
        assert done.returncode == 0, f"git {args} failed: {done.stderr.decode()}"
        return os.fsdecode(done.stdout).removesuffix("\n")

    def run(
        self,
        *command: str,
        env: Mapping[str, str] | None = None,
        cwd: str = ".",
        stdin: str = "",
        limit_s: int = 120,
        front_door: Path = FRONT_DOOR,
    ) -> Result:
        """Run `propose`, `review` or `gate` with its arguments in a process of its own, forked from a warm one.

        It is started from nothing where that can make a difference: other sources, or variables of Python.
        """
        full, folder = self.environment() | dict(env or {}), self.root / cwd
        if front_door == FRONT_DOOR and not any(name.startswith("PYTHON") for name in full):
            return _result(*WARM.run(command, folder, full, stdin.encode(), limit_s))
        done = subprocess.run(
            [sys.executable, str(front_door), *command],
            cwd=folder,
            env=full,
            input=stdin.encode(),
            capture_output=True,
            timeout=limit_s,
            check=False,
        )
        return _result(done.returncode, done.stdout, done.stderr)

    def call(self, *command: str, env: Mapping[str, str] | None = None, cwd: str = ".") -> Result:
        """Like `run`, but in this process: for what a command does, where nothing hangs on how it is started."""
        name, *words = command
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8") for _ in range(2))
        with (
            mock.patch.dict(os.environ, self.environment() | dict(env or {}), clear=True),
            mock.patch.multiple(sys, argv=[name, *words], stdin=io.StringIO(), stdout=out, stderr=err),
            contextlib.chdir(self.root / cwd),
        ):
            code = import_module(f"{name}.cli").main()
        told = [stream.buffer.getvalue().decode("utf-8", "replace") for stream in (out, err)]
        return Result(code, *told)

    def tree_hash(self) -> str:
        """One digest over every path, mode and byte of the repository, `.git` included."""
        return hashlib.sha256(repr(sorted(self.files(git=True).items())).encode()).hexdigest()

    def files(self, *, git: bool = False) -> dict[str, str]:
        """Path -> mode and digest of every file; those below `.git` only where asked for."""
        found = {}
        for folder, folders, names in os.walk(self.root):
            if not git and Path(folder) == self.root and ".git" in folders:
                folders.remove(".git")
            for name in (*names, *(f for f in folders if (Path(folder) / f).is_symlink())):
                path = Path(folder) / name
                found[path.relative_to(self.root).as_posix()] = _digest(path)
        return found

    def environment(self) -> dict[str, str]:
        """What the processes started here get: nothing of the caller's but PATH, TMPDIR and coverage."""
        kept = {k: v for k, v in os.environ.items() if k in ("PATH", "TMPDIR") or k.startswith("COVERAGE_")}
        dates = {"GIT_AUTHOR_DATE": _DATE, "GIT_COMMITTER_DATE": _DATE}
        return kept | dates | {"HOME": str(self._home), "LC_ALL": "C.UTF-8", "GIT_CONFIG_NOSYSTEM": "1"}

    @property
    def _home(self) -> Path:
        return self.root.parent / "home"


def _result(code: int, out: bytes, err: bytes) -> Result:
    return Result(code, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


def _digest(path: Path) -> str:
    if path.is_symlink():
        return f"link {path.readlink()}"
    return f"{path.stat().st_mode:o} {hashlib.sha256(path.read_bytes()).hexdigest()}"
