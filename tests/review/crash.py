"""Kills a ruling at each of its system calls and tells what lies there then, and after the next command.

Started as a process of its own, so that it can fork while it has one thread:
`python crash.py ROOT` reads rulings by name from `tests.review.rulings`, prints one JSON line for each kill.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from inventory import files
from inventory.files import LOCK_NAME
from inventory.git import Git
from review import journal
from review.ledger import mend, write
from tests.review.rulings import BEFORE, RULINGS

CALLS = {"open", "fdopen", "fsync", "fchmod", "link", "replace", "unlink", "mkdir"}


class Deadly:
    """The module `os`, that kills this process at one of its calls; a write is also cut in half."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name == "fdopen":
            return lambda *args: Cut(self, real(*args))
        return self.counted(real) if name in CALLS else real

    def counted(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **named: Any) -> Any:
            self.tick()
            return real(*args, **named)

        return call

    def tick(self) -> None:
        self.left -= 1
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)


class Cut:
    """An open file whose writes may end in the middle."""

    def __init__(self, deadly: Deadly, file: Any) -> None:
        self.deadly, self.file = deadly, file

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)

    def write(self, data: bytes) -> None:
        self.file.write(data[: len(data) // 2])
        self.file.flush()
        self.deadly.tick()
        self.file.write(data[len(data) // 2 :])


def main(root: Path) -> None:
    """Every ruling, killed at every call."""
    git = Git.open(root)
    places = {name: git.private_path(name) for name in (LOCK_NAME, journal.NAME)}
    Git.private_path = lambda _, name: places[name]  # type: ignore[method-assign, assignment]  # asked of git once, not 2,000 times
    for name, ruling in RULINGS.items():
        at = 0
        killed = True
        while killed:
            at += 1
            lay(root, BEFORE)
            killed = dies(lambda: write(git, ruling), at)  # noqa: B023  # called at once
            then = state(root)
            said = mend(git)
            print(
                json.dumps(
                    {"ruling": name, "at": at, "killed": killed, "then": then, "said": said, "after": state(root)}
                )
            )


def dies(action: Callable[[], Any], at: int) -> bool:
    """Whether a fork that does `action` is killed at its call number `at`."""
    child = os.fork()
    if child == 0:
        files.os = Deadly(at)  # type: ignore[attr-defined, assignment]
        try:
            action()
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def lay(root: Path, content: dict[str, bytes]) -> None:
    for path in state(root):
        (root / path).unlink()
    for path, data in content.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(data)


def state(root: Path) -> dict[str, str]:
    """Every file outside the git directory, with its text."""
    found = (path for path in sorted(root.rglob("*")) if path.is_file())
    return {str(p.relative_to(root)): p.read_text() for p in found if ".git" not in p.relative_to(root).parts}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
