"""The journal: the changes of a ruling, written down before the first of them is made, and how far they got; pure."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence

from review.ruling import Change

NAME = "inventory.journal"
_VERSION = 1


def dump(changes: Sequence[Change]) -> bytes:
    """The file of a journal."""
    rows = [{"path": c.path, "old": _text(c.old), "new": _text(c.new)} for c in changes]
    return json.dumps({"version": _VERSION, "changes": rows}, indent=1).encode()


def parse(data: bytes) -> tuple[Change, ...] | None:
    """The changes that a journal holds; None for what is no journal of this version."""
    try:
        value = json.loads(data)
        rows = value["changes"] if value["version"] == _VERSION else None
        return tuple(Change(str(r["path"]), _bytes(r["old"]), _bytes(r["new"])) for r in rows) if rows else None
    except (ValueError, KeyError, TypeError):
        return None


def progress(changes: Sequence[Change], read: Callable[[str], bytes | None]) -> int | None:
    """How many of the changes are made, first to last; None where the files are in no state in between.

    One file may change more than once.
    """
    state = {change.path: read(change.path) for change in changes}
    expected: dict[str, bytes | None] = {}
    for change in changes:
        expected.setdefault(change.path, change.old)
    for done, change in enumerate(changes):
        if state == expected:
            return done
        expected[change.path] = change.new
    return len(changes) if state == expected else None


def _text(data: bytes | None) -> str | None:
    return None if data is None else b64encode(data).decode()


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else b64decode(text, validate=True)
