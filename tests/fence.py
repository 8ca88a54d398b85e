"""The fence: while a test runs, an audit hook forbids the network beyond loopback and writes elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_LOOPBACK = ("127.0.0.1", "::1", "localhost", "", None, b"localhost", b"127.0.0.1")
_OWN_PREFIXES = (str(ROOT / ".coverage"), str(ROOT / ".hypothesis"), "/dev/", "/proc/self/")
_PATHS = {
    "os.mkdir": (0,),
    "os.remove": (0,),
    "os.rename": (0, 1),
    "os.rmdir": (0,),
    "os.link": (1,),
    "os.symlink": (1,),
    "os.chmod": (0,),
}


class Fence:
    """Open until `closed` is entered; an audit hook cannot be taken away again, so it asks here."""

    def __init__(self) -> None:
        self._allowed: str | None = None
        sys.addaudithook(self._hear)

    @contextmanager
    def closed(self, allowed: Path) -> Iterator[None]:
        """Within it, writes go below `allowed` only. Code in other processes is not fenced."""
        self._allowed = os.path.realpath(allowed)
        try:
            yield
        finally:
            self._allowed = None

    def _hear(self, event: str, args: tuple[Any, ...]) -> None:
        if self._allowed is None:
            return
        if event == "open":
            path, mode, flags = args
            if isinstance(flags, int) and flags & _WRITES and not _may_be_relative_to_a_folder(path, mode):
                self._judge_write(path)
        elif event in _PATHS:
            indexes = _PATHS[event]
            if all(descriptor == -1 for descriptor in args[-len(indexes) :]):
                for index in indexes:
                    self._judge_write(args[index])
        elif event in ("socket.connect", "socket.sendto"):
            _judge_address(args[1])
        elif event == "socket.getaddrinfo":
            _judge_address((args[0],))

    def _judge_write(self, path: int | str | bytes) -> None:
        if isinstance(path, int) or self._allowed is None:
            return
        folder, name = os.path.split(os.path.abspath(os.fsdecode(path)))
        real = os.path.join(os.path.realpath(folder), name)
        inside = (real + os.sep).startswith(self._allowed + os.sep)  # the folder itself: a file without a name
        if not (inside or real.startswith(_OWN_PREFIXES) or "/__pycache__/" in real):
            pytest.fail(f"a test wrote outside its temporary folder: {real}")


def _may_be_relative_to_a_folder(path: object, mode: object) -> bool:
    """`os.open` (no mode) takes a `dir_fd` that its audit event does not tell."""
    return mode is None and isinstance(path, str | bytes) and not os.path.isabs(path)


def _judge_address(address: object) -> None:
    if isinstance(address, tuple) and address[0] not in _LOOPBACK:
        pytest.fail(f"a test went beyond loopback: {address!r}")


FENCE = Fence()
