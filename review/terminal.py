"""The reviewer's terminal: the one place that asks; keys one by one, lines, and the size of the window."""

from __future__ import annotations

import os
import select
import shutil
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

from inventory.console import show
from review.keys import Decoder, Key, LineEdit

_ESCAPE_S = 0.05  # how long the rest of a key that starts with an escape may take
_ROOM = 24  # columns for what is typed behind a question
_RESIZED = Key("resize")
_END = Key("end")


def is_terminal() -> bool:
    """Whether a person can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Terminal:
    """A terminal that gives each key at once; made by `opened`, valid inside its `with`."""

    def __init__(self, keys: int, woken: int) -> None:
        self._keys, self._woken = keys, woken
        self._decoder = Decoder()
        self._ready: list[Key] = []

    @property
    def width(self) -> int:
        """Columns of the window as it is now."""
        return max(40, shutil.get_terminal_size().columns)

    def show(self, text: str) -> None:
        """Lines of text."""
        show(text)
        sys.stdout.flush()

    def key(self) -> Key:
        """The next key; `resize` when the window changed, `end` when there will be no more."""
        while not self._ready:
            wait = _ESCAPE_S if self._decoder.waits else None
            readable = select.select([self._keys, self._woken], [], [], wait)[0]
            if self._woken in readable:
                os.read(self._woken, 512)
                return _RESIZED
            data = _read(self._keys) if readable else b""
            if readable and not data:
                return _END
            self._ready += self._decoder.feed(data, last=not readable)
        return self._ready.pop(0)

    def ask(self, question: str) -> str | None:
        """A line typed to a question; None when it is given up (Esc, or end of input)."""
        line = LineEdit()
        if len(question) > self.width - _ROOM:  # a line that wraps cannot be drawn anew in place
            self.show(question)
            question = ">"
        self._draw(question, line)
        while not line.done:
            key = self.key()
            if key == _END and not line.text:
                self._ready.insert(0, _END)  # end of input ends the session too
            line = line if key == _RESIZED else line.press(key)
            self._draw(question, line)
        self.show("")
        return None if line.cancelled else line.text.strip()

    def _draw(self, question: str, line: LineEdit) -> None:
        shown = line.text[-max(10, self.width - len(question) - 4) :]
        sys.stdout.write(f"\r\x1b[K{question} {shown}")
        sys.stdout.flush()


def _read(keys: int) -> bytes:
    try:
        return os.read(keys, 4096)
    except OSError:  # the terminal is gone
        return b""


@contextmanager
def opened() -> Iterator[Terminal]:
    """The terminal until the block ends, then as it was before."""
    keys = sys.stdin.fileno()
    before = termios.tcgetattr(keys)
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    handler = signal.signal(signal.SIGWINCH, lambda *_: None)
    wakeup = signal.set_wakeup_fd(writes, warn_on_full_buffer=False)
    try:
        tty.setcbreak(keys)
        sys.stdout.write("\x1b[?2004h")  # what is pasted comes marked as such
        sys.stdout.flush()
        yield Terminal(keys, reads)
    finally:
        signal.set_wakeup_fd(wakeup)
        signal.signal(signal.SIGWINCH, handler)
        sys.stdout.write("\x1b[?2004l")
        sys.stdout.flush()
        termios.tcsetattr(keys, termios.TCSADRAIN, before)
        os.close(reads)
        os.close(writes)
