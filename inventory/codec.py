"""Bytes to records and back: the strict reading of every file of an inventory, and its canonical writing."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from pydantic import ValidationError

from inventory import plain_yaml, strict_json, strict_yaml, strict_yaml_dump
from inventory.counts import counted
from inventory.errors import CouldNotRun, Fault
from inventory.records import Candidate, Inventory, Lock, Policy, Record, Tombstone

MAX_BYTES = 1 << 20
_R = TypeVar("_R", bound=Record)
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7}|\|{7})( |$)")
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\r(?!\n)")
_LFS = b"version https://git-lfs"


def parse_inventory(data: bytes, path: str) -> Inventory:
    """`inventory.yaml`. Raises CouldNotRun with every fault; ids are unique."""
    return _parse_yaml(data, path, Inventory, _faults_of_inventory)


def parse_candidate(data: bytes, path: str) -> Candidate:
    """A file of `proposed/`. Raises CouldNotRun with every fault, among them keys that only a reviewer may write."""
    return _parse_yaml(data, path, Candidate)


def parse_tombstone(data: bytes, path: str) -> Tombstone:
    """A file of `rejected/`. Raises CouldNotRun with every fault."""
    return _parse_yaml(data, path, Tombstone)


def skim_candidate(data: bytes, path: str) -> Candidate:
    """Like `parse_candidate`, and fast for files as `dump_candidate` writes them: to list, never to decide."""
    return _quickly(data, Candidate) or parse_candidate(data, path)


def skim_tombstone(data: bytes, path: str) -> Tombstone:
    """Like `parse_tombstone`, and fast for files as `dump_tombstone` writes them: to list and compare."""
    return _quickly(data, Tombstone) or parse_tombstone(data, path)


def parse_policy(data: bytes, path: str) -> Policy:
    """`policy.yaml`; an empty file is the default policy. Raises CouldNotRun with every fault."""
    return _parse_yaml(data, path, Policy)


def parse_lock(data: bytes, path: str) -> Lock:
    """`fixture.lock.json`. Raises CouldNotRun with every fault."""
    text = _text(data, path, MAX_BYTES)
    value, faults = strict_json.load(text, path)
    if not faults and not isinstance(value, dict):
        faults = [Fault(path, 1, "the lock is one flat object of path and digest")]
    _stop(path, faults)
    return _validated(Lock, {"entries": value}, path, lambda place: _line_of_key(text, place))


def parse_fixture(data: bytes, path: str, max_bytes: int) -> tuple[Any, ...]:
    """The samples of a fixture: a JSON list, or JSON Lines where the name ends in .jsonl or .ndjson.

    Raises CouldNotRun with every fault; a fixture without samples proves nothing and is one.
    """
    text = _text(data, path, max_bytes)
    lines = path.endswith((".jsonl", ".ndjson"))
    samples, faults = _json_lines(text, path) if lines else strict_json.load(text, path)
    if not faults and not isinstance(samples, list):
        faults = [Fault(path, 1, "a fixture is a JSON list of samples")]
    if not faults and not samples:
        faults = [Fault(path, 1, "a fixture without samples proves nothing")]
    _stop(path, faults)
    return tuple(samples)


def dump_candidate(candidate: Candidate) -> bytes:
    """The file of a candidate; the same candidate always gives the same bytes."""
    return _dump(candidate)


def dump_tombstone(tombstone: Tombstone) -> bytes:
    """The file of a tombstone; the same tombstone always gives the same bytes."""
    return _dump(tombstone)


def dump_lock(lock: Lock) -> bytes:
    """The lock file: one flat object, sorted by path."""
    return (json.dumps(lock.entries, indent=2, sort_keys=True) + "\n").encode()


def _dump(record: Record) -> bytes:
    return strict_yaml_dump.dump(record.model_dump(mode="json", exclude_none=True, exclude_defaults=True)).encode(
        "ascii"
    )


# -- reading ---------------------------------------------------------------------------


def _quickly(data: bytes, record: type[_R]) -> _R | None:
    """The record of a file in the plain form of our own; None leaves it, and every fault, to the strict reader."""
    value = plain_yaml.load(data) if len(data) <= MAX_BYTES else None
    try:
        return None if value is None else record.model_validate(value)
    except ValidationError:
        return None


def _parse_yaml(
    data: bytes,
    path: str,
    record: type[_R],
    more: Callable[[_R], Iterator[tuple[strict_yaml.Place, str]]] | None = None,
) -> _R:
    document = strict_yaml.load(_text(data, path, MAX_BYTES), path)
    value = {} if document.value is None else document.value
    try:
        result = _validated(record, value, path, document.line_of)
    except CouldNotRun as stop:
        known = {fault.line for fault in document.faults}
        _stop(path, document.faults + [fault for fault in stop.faults if fault.line not in known])
        raise
    _stop(path, document.faults)
    if more:
        _stop(path, [Fault(path, document.line_of(place), what) for place, what in more(result)])
    return result


def _text(data: bytes, path: str, max_bytes: int) -> str:
    """The text of a file, or a stop that names every byte sequence that has no business in it."""
    if len(data) > max_bytes:
        _stop(path, [Fault(path, 0, f"{len(data)} bytes: more than the {max_bytes} allowed")])
    if data.startswith(_LFS):
        _stop(path, [Fault(path, 1, "a Git LFS pointer, not the content: keep this file in git itself")])
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _stop_of(path, [Fault(path, line, f"not UTF-8: byte 0x{data[error.start]:02x}")]) from None
    _stop(path, [Fault(path, line, what) for line, what in _odd_lines(text)])
    return text


def _odd_lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), start=1):
        body = line.removesuffix("\r")
        if _CONFLICT.match(body):
            yield number, f"a merge conflict marker: {body[:20]}"
        for match in _HIDDEN.finditer(body):
            yield number, f"the hidden character U+{ord(match.group()):04X}"


def _validated(record: type[_R], value: object, path: str, line_of: Callable[[strict_yaml.Place], int]) -> _R:
    try:
        return record.model_validate(value)
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        faults = [
            Fault(path, line_of(tuple(d["loc"])), _in_words(tuple(d["loc"]), d["type"], d["msg"])) for d in details
        ]
    raise _stop_of(path, faults)


def _in_words(place: strict_yaml.Place, kind: str, message: str) -> str:
    name = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in place).lstrip(".") or "the file"
    if kind == "extra_forbidden":
        return f"{name}: unknown key"
    if kind in ("model_type", "dict_type"):
        return f"{name}: must be a mapping"
    if kind == "tuple_type":
        return f"{name}: must be a list"
    if kind == "missing":
        return f"{name}: missing"
    return f"{name}: {message.removeprefix('Value error, ')}"


def _faults_of_inventory(inventory: Inventory) -> Iterator[tuple[strict_yaml.Place, str]]:
    seen: set[str] = set()
    for index, entry in enumerate(inventory.properties):
        if entry.id in seen:
            yield ("properties", index, "id"), f"the id {entry.id} stands twice"
        seen.add(entry.id)


def _json_lines(text: str, path: str) -> tuple[list[Any], list[Fault]]:
    samples: list[Any] = []
    faults: list[Fault] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            value, found = strict_json.load(line, path, number)
            samples.append(value)
            faults += found
    return samples, faults


def _line_of_key(text: str, place: strict_yaml.Place) -> int:
    """The line of a key of the lock; a JSON parser tells none."""
    key = json.dumps(place[1], ensure_ascii=False) if len(place) > 1 else ""
    return text.count("\n", 0, max(text.find(key), 0)) + 1


def _stop(path: str, faults: list[Fault]) -> None:
    if faults:
        raise _stop_of(path, faults)


def _stop_of(path: str, faults: list[Fault]) -> CouldNotRun:
    return CouldNotRun(
        f"{path} cannot be read",
        why=f"{counted(len(faults), 'fault')} in a file that must have one meaning only",
        fix=f"Mend {path} at the lines named, then start again.",
        faults=sorted(faults),
    )
