"""The calls that watchers saw, read from what they wrote: hostile text until it has been judged here; pure."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

_KINDS = ("only", "positional", "keyword", "var_positional", "var_keyword")
_STATES = ("given", "default", "absent")
_ENDS = ("returned", "raised", "unknown")
_MAX_ROW = 1 << 18  # a text of the most characters that a watcher takes, in UTF-8, with all around it


@dataclass(frozen=True)
class Argument:
    """One parameter of one call. `state` is given, default, or absent: a default that is not plain data."""

    kind: str
    name: str
    state: str
    value: Any


@dataclass(frozen=True)
class SeenCall:
    """One call: its arguments in the order of the signature, the lines of the function it ran, and how it ended."""

    arguments: tuple[Argument, ...]
    lines: frozenset[int]
    end: str


@dataclass(frozen=True)
class Seen:
    """What all watchers of one command saw. `odd` calls had other than plain data, `why` says of one which.

    `elsewhere` is a copy of the module that was called in place of the one watched; "" where there was none.
    """

    calls: tuple[SeenCall, ...] = ()
    total: int = 0
    odd: int = 0
    why: str = ""
    elsewhere: str = ""


def read(files: Iterable[bytes]) -> Seen:
    """The calls of all processes, whatever the order of `files`; a line that is none of ours is left out."""
    calls: list[SeenCall] = []
    counts: list[tuple[int, int, str]] = []
    elsewhere = ""
    for rows in map(_rows, sorted(files)):
        count = (0, 0, "")
        for row in rows:
            if row[0] == "call" and (call := _call(row)):
                calls.append(call)
            elif row[0] == "seen" and _is(row, str, int, int, str):
                count = row[1:]
            elif row[0] == "elsewhere" and _is(row, str, str):
                elsewhere = elsewhere or row[1]
        counts.append(count)
    why = next((why for _, _, why in counts if why), "")
    return Seen(tuple(calls), sum(c[0] for c in counts), sum(c[1] for c in counts), why, elsewhere)


def plain(value: Any) -> Any:
    """A literal as JSON data, tuples as lists. Raises ValueError for what JSON cannot show."""
    if value is None or type(value) in (bool, int, str):
        return value
    if type(value) is float and math.isfinite(value):
        return value
    if type(value) in (list, tuple):
        return [plain(item) for item in value]
    if type(value) is dict and all(type(key) is str for key in value):
        return {key: plain(item) for key, item in value.items()}
    raise ValueError("no JSON data")


def _rows(data: bytes) -> Iterator[tuple[Any, ...]]:
    for line in data.split(b"\n"):
        try:
            row = ast.literal_eval(line.decode("utf-8")) if 0 < len(line) <= _MAX_ROW else None
        except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
            continue
        if type(row) is tuple and row and type(row[0]) is str:
            yield row


def _is(row: tuple[Any, ...], *kinds: type) -> bool:
    return tuple(map(type, row)) == kinds


def _call(row: tuple[Any, ...]) -> SeenCall | None:
    if not _is(row, str, tuple, list, str) or row[3] not in _ENDS or not all(type(line) is int for line in row[2]):
        return None
    arguments = tuple(map(_argument, row[1]))
    known = tuple(argument for argument in arguments if argument)
    return SeenCall(known, frozenset(row[2]), row[3]) if len(known) == len(arguments) else None


def _argument(found: Any) -> Argument | None:
    if type(found) is not tuple or len(found) != 4 or found[0] not in _KINDS or found[2] not in _STATES:
        return None
    kind, name, state, value = found
    fits = {"var_positional": tuple, "var_keyword": dict}.get(kind, type(value))
    return (
        Argument(kind, name, state, value) if type(name) is str and type(value) is fits and _is_plain(value) else None
    )


def _is_plain(value: Any) -> bool:
    try:
        plain(value)
    except ValueError:
        return False
    return True
