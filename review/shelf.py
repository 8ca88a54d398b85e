"""Reads the files of `proposed/` and `rejected/`, none in the way of the others; what they claim is remembered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from inventory.codec import MAX_BYTES
from inventory.digests import sha256
from inventory.errors import Fault
from inventory.git import Git
from inventory.records import PROPOSED_DIR, REJECTED_DIR
from inventory.tree import Tree
from review.claims import Reading, format_digest, from_data, read_candidate, read_tombstone, to_data
from review.memory import Memory

_NO_ENTRIES = (".gitkeep", "README.md")
_DECIDED = (f"{PROPOSED_DIR}/", f"{REJECTED_DIR}/", "invariants/inventory.yaml", "invariants/fixture.lock.json")


class _Read(Protocol):
    """How one kind of file is read."""

    def __call__(self, path: str, data: bytes | Fault, *, skim: bool = False) -> Reading: ...


def proposed(tree: Tree) -> list[str]:
    """The paths of the queue."""
    return [path for path in tree.under(PROPOSED_DIR) if not path.endswith(_NO_ENTRIES)]


def rejected(tree: Tree) -> list[str]:
    """The paths of the tombstones."""
    return [path for path in tree.under(REJECTED_DIR) if not path.endswith(_NO_ENTRIES)]


def read(tree: Tree, paths: Iterable[str]) -> dict[str, Reading]:
    """Every file read from its bytes, whole."""
    return {path: _reader(path)(path, data) for path, data in _files(tree, paths).items()}


def recall(git: Git, tree: Tree, paths: Iterable[str]) -> dict[str, Reading]:
    """What every file claims. Only those are skimmed that were not before with the same bytes and name."""
    memory = Memory(git, "claims", format_digest())
    keys = {path: f"{tree.entries[path].mode} {tree.entries[path].id} {path}" for path in paths}
    known = {path: from_data(path, row) for path, key in keys.items() if (row := memory.recall(key))}
    files = _files(tree, [path for path in keys if path not in known])
    fresh = {path: to_data(_reader(path)(path, data, skim=True)) for path, data in files.items()}
    for path, row in fresh.items():
        memory.remember(keys[path], row)
    memory.save()
    return known | {path: from_data(path, row) for path, row in fresh.items()}


def code_id(tree: Tree) -> str:
    """The digest of everything in a tree that a rehearsal depends on: all but what a ruling itself changes."""
    rows = (f"{e.mode} {e.id} {p}" for p, e in sorted(tree.entries.items()) if not p.startswith(_DECIDED))
    return sha256("\n".join(rows).encode("utf-8", "surrogateescape"))


def _reader(path: str) -> _Read:
    return read_tombstone if path.startswith(f"{REJECTED_DIR}/") else read_candidate


def _files(tree: Tree, paths: Iterable[str]) -> dict[str, bytes | Fault]:
    """The bytes of each file, or why it is not read: a link, a submodule, too large."""
    entries = [tree.entries[path] for path in paths]
    sizes = tree.git.sizes(entry.id for entry in entries if entry.kind == "blob")
    found: dict[str, bytes | Fault] = {}
    for entry in entries:
        if entry.kind != "blob" or entry.is_link:
            found[entry.path] = Fault(entry.path, 0, "no regular file: links and submodules are not read")
        elif sizes[entry.id] > MAX_BYTES:
            found[entry.path] = Fault(entry.path, 0, f"{sizes[entry.id]} bytes: more than the {MAX_BYTES} allowed")
    return found | tree.read_many(entry.path for entry in entries if entry.path not in found)
