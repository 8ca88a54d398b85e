"""A command of ours on a real pseudo terminal, driven by strings of keys; it waits for what is shown, not for time."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pyte

from tests.fence import ROOT
from tests.repo import Repo

_LIMIT_S = 60
_BOOT = (
    "import fcntl, runpy, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); sys.argv = sys.argv[1:];"
    "sys.path.insert(0, sys.argv[1]); del sys.argv[1]; runpy.run_module(sys.argv[0], run_name='__main__')"
)


class Keyboard:
    """One running command; `seen` is all that it wrote so far."""

    def __init__(self, process: subprocess.Popen[bytes], terminal: int) -> None:
        self.process = process
        self.seen = ""
        self._terminal = terminal
        self._from = 0

    def press(self, keys: str, until: str) -> str:
        """Type keys, wait until `until` is shown, and give what was shown since the last wait."""
        os.write(self._terminal, keys.encode())
        return self.until(until)

    def until(self, text: str) -> str:
        """Wait until `text` is shown behind what was waited for before."""
        while (at := self.seen.find(text, self._from)) < 0:
            if not self._more():
                raise AssertionError(f"it ended without showing {text!r}: {self.seen[self._from :]}")
        told, self._from = self.seen[self._from : at + len(text)], at + len(text)
        return told

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the window, as a person would by dragging its corner."""
        fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def end(self, keys: str = "") -> int:
        """Type the last keys and wait for the end; the exit code."""
        os.write(self._terminal, keys.encode())
        while self._more():
            pass
        return self.process.wait(_LIMIT_S)

    def screen(self, rows: int = 200, columns: int = 80) -> str:
        """What a person sees of all that was written."""
        drawn = pyte.Screen(columns, rows)
        pyte.Stream(drawn).feed(self.seen.replace("\n", "\r\n"))
        return "\n".join(line.rstrip() for line in drawn.display).rstrip()

    def _more(self) -> bool:
        deadline = time.monotonic() + _LIMIT_S
        if not select.select([self._terminal], [], [], _LIMIT_S)[0] or time.monotonic() > deadline:
            raise AssertionError(f"it says nothing more: {self.seen[self._from :]}")
        try:
            data = os.read(self._terminal, 65536)
        except OSError:  # the other end is closed
            return False
        self.seen += data.decode("utf-8", "replace").replace("\r\n", "\n")
        return bool(data)


@contextmanager
def keyboard(repo: Repo, *words: str) -> Iterator[Keyboard]:
    """`review` on a terminal of 80 columns in a repository; killed where the test leaves it running."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", _BOOT, "invariant_inventory", str(ROOT), "review", *words]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=repo.root, start_new_session=True,
        env=repo.environment() | {"TERM": "xterm", "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    os.close(theirs)
    running = Keyboard(process, ours)
    running.resize(40, 80)
    try:
        yield running
    finally:
        process.kill()
        process.wait()
        os.close(ours)
