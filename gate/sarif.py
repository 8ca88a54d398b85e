"""A judged patch as SARIF 2.1.0, for code scanning pages; the rows of the table are its rules."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from gate.rows import Checked, Row, RowClass, Vote
from inventory.digests import canonical_digest
from inventory.escapes import visible
from inventory.records import INVENTORY_PATH

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Vote.ALLOW: "none", Vote.BLOCK: "error", Vote.NONE: "note"}


def as_sarif(checked: Checked) -> dict[str, Any]:
    """One run with a result for each row that does not allow."""
    rows = [row for row in checked.judgement.rows if row.vote is not Vote.ALLOW]
    rules = [{"id": kind.value, "name": kind.value} for kind in RowClass]
    driver = {"name": "invariant-inventory", "rules": rules}
    return {
        "$schema": _SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(row) for row in rows]}],
    }


def _result(row: Row) -> dict[str, Any]:
    return {
        "ruleId": row.kind.value,
        "level": _LEVELS[row.vote],
        "message": {"text": visible(f"{' '.join(row.ids)} {row.what}\nnext: {row.next_edit}".strip(), lines=True)},
        "locations": [_location(path, row.line) for path in row.paths[:1] or (INVENTORY_PATH,)],
        "partialFingerprints": {"row/v1": fingerprint(row)},
    }


def _location(path: str, line: int) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": {"uri": quote(path, errors="surrogateescape")}}
    if line:
        place["region"] = {"startLine": line}
    return {"physicalLocation": place}


def fingerprint(row: Row) -> str:
    """What stays the same while a row is about the same thing, whatever its wording."""
    paths = [path.encode("utf-8", "surrogateescape").hex() for path in row.paths[:1]]
    return canonical_digest([row.number, row.kind.value, list(row.ids), paths])
