"""The one door to disk writes: locked, atomic, durable, and never outside the paths it was opened for.

Every folder on the way to a file is opened by itself, relative to its parent and without following
links, so a link that is put in place meanwhile leads nowhere. A crash leaves the old file or the
new one, and at most a temporary file beside it, which the next write of that file takes away.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from inventory.errors import CouldNotRun, Overtaken
from inventory.git import Git

LOCK_NAME = "inventory.lock"
_WAIT_S = 10.0
_PAUSE_S = 0.05
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # NONBLOCK: a fifo must not hang us
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def writing(git: Git, *allowed: str, wait_s: float = _WAIT_S) -> Iterator[Writer]:
    """Hold the repository's write lock and give the writer for the `allowed` files and folders.

    `allowed` are paths from the root of the work tree; a folder allows everything below it.
    The lock is advisory and lives in the git directory, so the work tree stays clean.
    Raises CouldNotRun when another command holds the lock for longer than `wait_s` seconds.
    """
    with _held(git.private_path(LOCK_NAME), wait_s):
        root = os.open(git.root, _FOLDER)
        try:
            yield Writer(root, allowed)
        finally:
            os.close(root)


@contextmanager
def keeping(git: Git, name: str) -> Iterator[Writer]:
    """The writer for one file of the git directory, which no commit ever holds; for use inside `writing`."""
    folder = os.open(git.private_path(name).parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        yield Writer(folder, (name,))
    finally:
        os.close(folder)


@contextmanager
def aside(name: str) -> Iterator[Writer]:
    """The writer for one file of this user's cache, outside every repository; what lies there may go at any time.

    The folder is `invariant-inventory` in `$XDG_CACHE_HOME`, else in `~/.cache`. Raises CouldNotRun where it
    cannot be had.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "invariant-inventory"
    with _told("write", str(home)):
        home.mkdir(parents=True, exist_ok=True, mode=0o700)
        root = os.open(home, _FOLDER)
    try:
        with _held(home / f"{name}.lock", _WAIT_S):
            yield Writer(root, (name,))
    finally:
        os.close(root)


@dataclass(frozen=True)
class Writer:
    """The right to change some paths below one folder; made by `writing` and its like, valid inside their `with`.

    Paths are given from the root with forward slashes. Every method raises CouldNotRun for a path
    that is not allowed, leads through a link or is no regular file, and when the system refuses.
    """

    root: int
    allowed: tuple[str, ...]

    def read(self, path: str) -> bytes | None:
        """The bytes on disk now; None where there is no such file."""
        with _told("read", path):
            try:
                with self._folder(path) as (folder, name):
                    return _read(folder, name)
            except FileNotFoundError:
                return None

    def create_new(self, path: str, data: bytes) -> None:
        """Write a file that is not there yet, missing folders included. Raises Overtaken when it is."""
        with _told("write", path), self._folder(path, make=True) as (folder, name), _temporary(folder, name, data) as t:
            try:
                os.link(t, name, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
            except FileExistsError:
                raise _overtaken(path, "it exists already") from None
            os.fsync(folder)

    def replace(self, path: str, data: bytes, *, expected: bytes) -> None:
        """Put `data` in the place of a file that still holds `expected`. Raises Overtaken when it does not."""
        with _told("write", path), self._folder(path) as (folder, name):
            self._check(path, folder, name, expected)
            mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
            with _temporary(folder, name, data, mode) as temporary:
                os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)
                os.fsync(folder)

    def remove(self, path: str, *, expected: bytes) -> None:
        """Remove a file that still holds `expected`. Raises Overtaken when it does not."""
        with _told("remove", path), self._folder(path) as (folder, name):
            self._check(path, folder, name, expected)
            os.unlink(name, dir_fd=folder)
            os.fsync(folder)

    def tidy(self, path: str) -> None:
        """Take away the temporary file that a crash may have left beside `path`."""
        with _told("write", path), suppress(FileNotFoundError), self._folder(path) as (folder, name):
            os.unlink(_beside(name), dir_fd=folder)

    def _check(self, path: str, folder: int, name: str, expected: bytes) -> None:
        try:
            if _read(folder, name) == expected:
                return
        except FileNotFoundError:
            raise _overtaken(path, "it is gone") from None
        raise _overtaken(path, "its bytes are others than those this command read")

    @contextmanager
    def _folder(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """The open folder that holds `path`, and the name in it."""
        *folders, name = _parts(path, self.allowed)
        at = os.dup(self.root)
        try:
            for part in folders:
                below = _enter(at, part, make=make)
                os.close(at)
                at = below
            yield at, name
        finally:
            os.close(at)


@contextmanager
def _held(path: Path, wait_s: float) -> Iterator[None]:
    with _told("lock", str(path)):
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        _take(held, time.monotonic() + wait_s)
        yield
    finally:
        os.close(held)  # closing gives the lock back


def _take(held: int, deadline: float) -> None:
    while True:
        try:
            return fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise CouldNotRun(
                    "another command is writing in this repository",
                    why="it holds the write lock and did not give it back in time",
                    fix="Wait until it has ended, then run this again.",
                ) from None
            time.sleep(_PAUSE_S)


def _parts(path: str, allowed: tuple[str, ...]) -> list[str]:
    """The path taken apart. Raises CouldNotRun when it is not below an allowed one, or odd."""
    parts = path.split("/")
    if not all(p.isprintable() and p not in ("", ".", "..") and p.lower() != ".git" for p in parts):
        raise CouldNotRun(f"{path!r} is no path to write to", why="it leaves its folder or is odd", fix="Rename it.")
    if not any(path == a or path.startswith(f"{a}/") for a in allowed):
        raise CouldNotRun(
            f"{path} is not for this command to write",
            why=f"it may write only {', '.join(allowed) or 'nothing'}",
            fix="Give a path below one of these.",
        )
    return parts


def _enter(at: int, part: str, *, make: bool) -> int:
    if make:
        with suppress(FileExistsError):
            os.mkdir(part, dir_fd=at)
            os.fsync(at)
    return os.open(part, _FOLDER, dir_fd=at)


def _read(folder: int, name: str) -> bytes:
    opened = os.open(name, _READ, dir_fd=folder)
    with os.fdopen(opened, "rb") as file:
        if not stat.S_ISREG(os.fstat(opened).st_mode):
            raise OSError("it is no regular file")
        return file.read()


@contextmanager
def _temporary(folder: int, name: str, data: bytes, mode: int | None = None) -> Iterator[str]:
    """A finished file beside `name`, on disk before it is given; gone afterwards unless it was renamed.

    Its name is fixed, so that what a crash left is found again; the lock makes us its only writer.
    """
    temporary = _beside(name)
    with suppress(FileNotFoundError):
        os.unlink(temporary, dir_fd=folder)
    try:
        with os.fdopen(os.open(temporary, _FRESH, 0o666, dir_fd=folder), "wb") as file:
            file.write(data)
            file.flush()
            if mode is not None:
                os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        yield temporary
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary, dir_fd=folder)


def _beside(name: str) -> str:
    return f".{name}.inventory-tmp"


@contextmanager
def _told(verb: str, path: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CouldNotRun(
            f"cannot {verb} {path}",
            why=error.strerror or str(error),
            fix="Look at the path and its folders: links are not followed, and they must be yours to write.",
        ) from None


def _overtaken(path: str, why: str) -> Overtaken:
    return Overtaken(
        f"{path} changed meanwhile", why=why, fix="Look at it again (git status), then run the command once more."
    )
