"""Reads the oracle from a tree, with every fault of every file told together."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Mapping
from typing import TypeVar

from inventory import codec
from inventory.digests import canonical_digest, fixture_digest, sha256
from inventory.errors import CouldNotRun, Fault
from inventory.objects import Entry
from inventory.oracle import ORACLE_FILES, Fixture, Oracle
from inventory.owners import Owners, parse_owners, places_in
from inventory.records import CHECKS_PATH, INVENTORY_PATH, LOCK_PATH, POLICY_PATH, Inventory, Lock, Policy
from inventory.tree import Tree

_R = TypeVar("_R")


def read_oracle(tree: Tree) -> Oracle:
    """The oracle of a tree; absent files are empty ones. Raises CouldNotRun with every fault of every file."""
    raw = tree.read_many(ORACLE_FILES)
    faults: list[Fault] = [fault for path in ORACLE_FILES if (fault := _odd_entry(tree, path))]
    inventory = _read(raw, INVENTORY_PATH, codec.parse_inventory, Inventory(), faults)
    lock = _read(raw, LOCK_PATH, codec.parse_lock, Lock(), faults)
    policy = _read(raw, POLICY_PATH, codec.parse_policy, Policy(), faults)
    faults += _checks_faults(raw.get(CHECKS_PATH, b""))
    if faults:
        raise CouldNotRun(
            f"the oracle of {tree.label} cannot be read",
            why="these files must have one meaning only",
            fix="Mend them at the lines named, then start again.",
            faults=faults,
        )
    paths = sorted({entry.fixture for entry in inventory.properties})
    fixtures = read_fixtures(tree, {path: lock.entries.get(path) for path in paths}, policy)
    sums = {path: sha256(data) for path, data in raw.items()} | {p: f.actual for p, f in fixtures.items()}
    return Oracle(
        inventory,
        lock,
        policy,
        raw.get(CHECKS_PATH, b""),
        fixtures,
        tuple(_lock_faults(set(paths), set(lock.entries))),
        canonical_digest(sums),
        canonical_digest(lock.entries),
        INVENTORY_PATH in raw,
    )


def read_policy(tree: Tree) -> Policy:
    """The policy of a tree alone. Raises CouldNotRun with every fault."""
    data = tree.read(POLICY_PATH)
    return Policy() if data is None else codec.parse_policy(data, POLICY_PATH)


def read_owners(tree: Tree) -> list[Owners]:
    """The CODEOWNERS file of a tree, as each forge that finds one reads it."""
    return [parse_owners(forge, place, tree.read(place) or b"") for forge, place in places_in(tree)]


def read_fixture(tree: Tree, path: str, locked: str | None, policy: Policy) -> Fixture:
    """What lies at a fixture's path in a tree; a fault of it is kept in the value, never raised."""
    return read_fixtures(tree, {path: locked}, policy)[path]


def read_fixtures(tree: Tree, locked: Mapping[str, str | None], policy: Policy) -> dict[str, Fixture]:
    """Like `read_fixture` for every path, with its locked digest, in two calls of git."""
    entries = {path: tree.entries.get(path) for path in locked}
    faults = {path: fault for path, entry in entries.items() if (fault := _fault_of_place(entry))}
    sizes = tree.git.sizes(entry.id for path, entry in entries.items() if entry and path not in faults)
    limit = policy.fixture_max_mb << 20
    for path, entry in entries.items():
        if path not in faults and entry and sizes[entry.id] > limit:
            faults[path] = f"is larger than {policy.fixture_max_mb} MB"
    blobs = tree.git.blobs(entry.id for path, entry in entries.items() if entry and path not in faults)
    return {
        path: Fixture(path, entry, None, None, locked[path], f"{path} {faults[path]}")
        if entry is None or path in faults
        else _parsed(path, entry, blobs[entry.id], locked[path], limit)
        for path, entry in entries.items()
    }


def _fault_of_place(entry: Entry | None) -> str | None:
    return "is not there" if entry is None else _odd_entry_of(entry)


def _parsed(path: str, entry: Entry, data: bytes, locked: str | None, limit: int) -> Fixture:
    try:
        samples = codec.parse_fixture(data, path, limit)
        return Fixture(path, entry, samples, fixture_digest(data, samples, like=locked), locked)
    except CouldNotRun as stop:
        reason = "; ".join(str(f) for f in stop.faults) or f"{stop.what}: {stop.why}"
        return Fixture(path, entry, None, sha256(data), locked, reason)


def _read(raw: dict[str, bytes], path: str, parse: Callable[[bytes, str], _R], absent: _R, faults: list[Fault]) -> _R:
    if path not in raw:
        return absent
    try:
        return parse(raw[path], path)
    except CouldNotRun as stop:
        faults.extend(stop.faults)
        return absent


def _checks_faults(source: bytes) -> list[Fault]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line, why = getattr(error, "lineno", None) or 0, getattr(error, "msg", None) or str(error)
        return [Fault(CHECKS_PATH, line, f"is not Python: {why}")]
    return []


def _odd_entry(tree: Tree, path: str) -> Fault | None:
    entry = tree.entries.get(path)
    odd = _odd_entry_of(entry) if entry else None
    return Fault(path, 0, odd) if odd else None


def _odd_entry_of(entry: Entry) -> str | None:
    if entry.is_link:
        return "is a symbolic link: the oracle is read from regular files only"
    return "is a submodule, not a file" if entry.kind != "blob" else None


def _lock_faults(fixtures: set[str], locked: set[str]) -> list[Fault]:
    missing = [Fault(LOCK_PATH, 0, f"no entry for the fixture {path}") for path in sorted(fixtures - locked)]
    unused = [Fault(LOCK_PATH, 0, f"an entry for {path}, which no property uses") for path in sorted(locked - fixtures)]
    return missing + unused
