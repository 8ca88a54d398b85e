"""The tree that production code runs in: files of git objects without anything that could tell an answer."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from inventory.modules import import_roots
from inventory.objects import Entry
from inventory.oracle import Oracle
from inventory.roles import is_seen, role_of
from inventory.tree import Tree

_COMPILED = (".pyc", ".pyo")
_BATCH_BYTES = 64 << 20


@dataclass(frozen=True)
class Codebase:
    """Where the code lies (`root`), from where it imports (`roots`), and room for what it writes (`scratch`)."""

    root: Path
    roots: tuple[str, ...]
    scratch: Path
    _marks: dict[str, tuple[int, ...]]  # of every file and folder, as it was laid out

    def touched(self) -> list[str]:
        """The files and folders that are no longer as they were laid out. A time of change cannot be set back."""
        now = _marks(self.root)
        return sorted(path for path in now.keys() | self._marks.keys() if now.get(path) != self._marks.get(path))


@contextmanager
def laid_out(code: Tree, oracle: Oracle) -> Iterator[Codebase]:
    """The code of a tree on disk, read-only and without the oracle; gone when the block ends.

    Left out are tests, fixtures, `invariants/`, documentation, files of forge and git, links, submodules and
    compiled files.
    """
    folder = Path(tempfile.mkdtemp(prefix="gate-"))
    folder.chmod(0o711)  # another user may pass through, and find what it is told of
    try:
        root, scratch = folder / "tree", folder / "scratch"
        root.mkdir()
        scratch.mkdir(0o711)
        kept = [entry for entry in code.entries.values() if belongs(entry, oracle)]
        _write(code, kept, root)
        roots = tuple(str((root / name).resolve()) for name in import_roots(oracle.policy, code.entries))
        yield Codebase(root, roots, scratch, _marks(root))
    finally:
        _remove(folder)


def belongs(entry: Entry, oracle: Oracle) -> bool:
    """Whether the code under test may see this file."""
    parts = entry.path.split("/")
    if entry.kind != "blob" or entry.is_link or entry.path.endswith(_COMPILED):
        return False
    if {"", ".", "..", ".git", "__pycache__"} & set(parts) or "\0" in entry.path:
        return False
    return entry.path not in oracle.fixtures and is_seen(entry.path, role_of(entry.path, oracle.policy))


def _write(code: Tree, kept: list[Entry], root: Path) -> None:
    for folder in {os.path.dirname(entry.path) for entry in kept}:  # noqa: PTH120  # a path of git, not of the disk
        (root / folder).mkdir(parents=True, exist_ok=True)
    for batch in _batches(code, kept):
        blobs = code.git.blobs(entry.id for entry in batch)
        for entry in batch:
            target = root / entry.path
            target.write_bytes(blobs[entry.id])
            target.chmod(0o555 if entry.mode == "100755" else 0o444)
    for folder, _, _ in os.walk(root, topdown=False):
        Path(folder).chmod(0o555)


def _batches(code: Tree, kept: list[Entry]) -> Iterator[list[Entry]]:
    """The entries in portions that fit into memory."""
    sizes = code.git.sizes(entry.id for entry in kept)
    batch: list[Entry] = []
    total = 0
    for entry in kept:
        batch.append(entry)
        total += sizes[entry.id]
        if total > _BATCH_BYTES:
            yield batch
            batch, total = [], 0
    yield batch


def _marks(root: Path) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for folder, _, names in os.walk(root):
        for path in (folder, *(f"{folder}/{name}" for name in names)):
            seen = os.lstat(path)
            found[os.path.relpath(path, root)] = (seen.st_ino, seen.st_mode, seen.st_size, seen.st_ctime_ns)
    return found


def _remove(folder: Path) -> None:
    for path, _, _ in os.walk(folder):
        Path(path).chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
