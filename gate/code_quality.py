"""A judged patch as GitLab's code-quality list, which merge requests show beside the changed line."""

from __future__ import annotations

from typing import Any

from gate.rows import Checked, Row, Vote
from gate.sarif import fingerprint
from inventory.escapes import visible
from inventory.records import INVENTORY_PATH

_SEVERITIES = {Vote.BLOCK: "blocker", Vote.NONE: "info"}


def as_code_quality(checked: Checked) -> list[dict[str, Any]]:
    """One entry for each row that does not allow."""
    return [_entry(row) for row in checked.judgement.rows if row.vote in _SEVERITIES]


def _entry(row: Row) -> dict[str, Any]:
    path = row.paths[0] if row.paths else INVENTORY_PATH
    return {
        "description": visible(f"{' '.join(row.ids)} {row.what}; next: ".lstrip()) + visible(row.next_edit, lines=True),
        "check_name": row.kind.value,
        "fingerprint": fingerprint(row),
        "severity": _SEVERITIES[row.vote],
        "location": {"path": visible(path), "lines": {"begin": row.line or 1}},
    }
