"""What earlier commands read and found, kept in this user's cache and never in the repository; it may be lost."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from inventory.digests import sha256
from inventory.errors import Stop
from inventory.files import aside
from inventory.git import Git

_MAX_ROWS = 100_000


class Memory:
    """Rows of JSON data by key, of one kind and one repository. Nothing here is ever needed to decide.

    `format_` tells how rows are to be read: what was written in another one is forgotten.
    """

    def __init__(self, git: Git, kind: str, format_: str) -> None:
        self._name = f"{kind}-{sha256(str(git.root).encode())[:16]}.json"
        self._format = format_
        self._rows: dict[str, Any] | None = None
        self._new: dict[str, Any] = {}

    def recall(self, key: str) -> Any | None:
        """The row of a key; None where nothing is remembered."""
        if self._rows is None:
            self._rows = self._load()
        return self._rows.get(key)

    def remember(self, key: str, row: Any) -> None:
        """Keep a row, once `save` is called."""
        self._new[key] = row

    def save(self) -> None:
        """Write what is new, together with what others wrote meanwhile."""
        if not self._new:
            return
        with suppress(Stop, OSError, RuntimeError), aside(self._name) as writer:
            old = writer.read(self._name)
            rows = {**self._rows_of(old), **self._new}
            kept = dict(list(rows.items())[-_MAX_ROWS:])
            data = json.dumps({"format": self._format, "rows": kept}, separators=(",", ":")).encode()
            if old is None:
                writer.create_new(self._name, data)
            else:
                writer.replace(self._name, data, expected=old)

    def _load(self) -> dict[str, Any]:
        with suppress(Stop, OSError, RuntimeError), aside(self._name) as writer:
            return self._rows_of(writer.read(self._name))
        return {}

    def _rows_of(self, data: bytes | None) -> dict[str, Any]:
        try:
            value = json.loads(data or b"{}")
        except ValueError:
            return {}
        rows = value.get("rows") if isinstance(value, Mapping) and value.get("format") == self._format else None
        return rows if isinstance(rows, dict) else {}
