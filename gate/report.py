"""How a judged patch reads: one renderer for people, one for programs; each only returns a value."""

from __future__ import annotations

from typing import Any

from gate.lane_text import in_lines
from gate.rows import Checked, Row, Vote
from inventory.counts import counted
from inventory.escapes import visible

SCHEMA_VERSION = 1
_VOTES = {Vote.ALLOW: "allows", Vote.BLOCK: "blocks", Vote.NONE: "no vote"}
_SHOWN_PATHS = 10


def as_text(checked: Checked) -> str:
    """The decision first, then every row with where, what and the next edit."""
    patch = checked.patch
    head = f"{checked.judgement.decision.upper()}  {checked.base} -> {checked.head.id[:12]}"
    counts = f"{counted(len(patch.changes), 'path')} changed, {len(patch.production)} of them production"
    lines = [visible(f"{head}: {counts}; the oracle of {checked.oracle_from} voted")]
    return "\n\n".join(["\n".join(lines), *map(row_text, checked.judgement.rows)])


def as_data(checked: Checked) -> dict[str, Any]:
    """The whole judgement as one JSON document."""
    return {
        "schema_version": SCHEMA_VERSION,
        "command": "check",
        "decision": checked.judgement.decision.value,
        "base": {"asked": checked.base.asked, "name": checked.base.name, "commit": checked.base.id},
        "merge_base": checked.patch.base,
        "head": checked.head.id,
        "oracle_from": checked.oracle_from,
        "rows": [row_data(row) for row in checked.judgement.rows],
        "paths": [{"path": change.path, "role": change.role.value} for change in checked.patch],
        "lane": checked.lane.model_dump(mode="json") if checked.lane else None,
    }


def row_text(row: Row) -> str:
    """One row: where, what, what backs it, and the next edit."""
    lines = [f"row {row.number:<3}{row.kind.value}: {_VOTES[row.vote]}"]
    lines += [f"  {visible(name)}" for name in (*row.ids, *_places(row))]
    if len(row.paths) > _SHOWN_PATHS:
        lines.append(f"  and {counted(len(row.paths) - _SHOWN_PATHS, 'path')} more (--json lists them)")
    lines += [f"  {line}" for line in visible(row.what, lines=True).splitlines()]
    lines += [f"  {name:<7} {visible(text)}" for name, text in row.facts]
    return "\n".join([*lines, f"  next: {in_lines(row.next_edit, 4)}"])


def _places(row: Row) -> list[str]:
    if row.line:
        return [f"{row.paths[0]}:{row.line}"]
    return list(row.paths[:_SHOWN_PATHS])


def row_data(row: Row) -> dict[str, Any]:
    """One row as plain data."""
    return {
        "row": row.number,
        "class": row.kind.value,
        "vote": row.vote.value,
        "ids": list(row.ids),
        "paths": list(row.paths),
        "line": row.line or None,
        "facts": dict(row.facts),
        "what": row.what,
        "next_edit": row.next_edit,
    }
