"""Runs a command that the reviewer named, with one function watched in every Python process it starts."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from inventory.errors import CouldNotRun

WATCHER = Path(__file__).with_name("watcher.py")
_MOST_PROCESSES = 1000
_MOST_BYTES = 16 << 20
_PAUSE_S = 3.0  # for a command to end by itself once it was interrupted


@dataclass(frozen=True)
class Watch:
    """The function to watch: its file, how that path ends in any tree, its name and its lines.

    `bound` is how many of its first parameters a caller never gives.
    """

    path: Path
    tail: str
    name: str
    first: int
    last: int
    bound: int

    def text(self) -> str:
        """The form in which the watcher reads it."""
        return "\n".join((str(self.path), self.tail, self.name, str(self.first), str(self.last), str(self.bound), ""))


@dataclass(frozen=True)
class Run:
    """How a command ended (below 0: by that signal), what its watchers wrote, and whether any Python had one."""

    code: int
    files: tuple[bytes, ...]
    watched: bool


def run_watched(command: Sequence[str], watch: Watch) -> Run:
    """Run the command here, with this terminal and this environment, until it ends.

    Nothing differs for it but one folder more, first on PYTHONPATH. Raises CouldNotRun where it cannot be started,
    and KeyboardInterrupt once an interrupted command has ended.
    """
    with tempfile.TemporaryDirectory(prefix="review-record-", ignore_cleanup_errors=True) as made:
        folder = Path(made).resolve()
        (folder / "sitecustomize.py").write_bytes(WATCHER.read_bytes())
        (folder / "target").write_text(watch.text(), "utf-8", "surrogateescape")
        code = _wait(_started(command, folder))
        found = sorted(folder.glob("*.calls"))[:_MOST_PROCESSES]
        return Run(code, tuple(map(_read, found)), (folder / "started").exists())


def _started(command: Sequence[str], folder: Path) -> subprocess.Popen[bytes]:
    before = os.environ.get("PYTHONPATH")
    path = os.pathsep.join([str(folder), before] if before else [str(folder)])
    try:
        return subprocess.Popen(list(command), env=os.environ | {"PYTHONPATH": path})
    except (OSError, ValueError) as error:
        raise CouldNotRun(
            f"the command could not be started: {command[0]}",
            why=getattr(error, "strerror", None) or str(error),
            fix="Give it as you would type it here, behind --: review record MODULE:FN --out PATH -- python -m pytest",
        ) from None


def _wait(process: subprocess.Popen[bytes]) -> int:
    try:
        return process.wait()
    except KeyboardInterrupt:  # the terminal has told the command as well
        _end(process)
        raise


def _end(process: subprocess.Popen[bytes]) -> None:
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(subprocess.TimeoutExpired, KeyboardInterrupt):
            if number is not None:
                process.send_signal(number)
            process.wait(_PAUSE_S)
            return
    process.wait()


def _read(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_MOST_BYTES)
