"""A judged patch as GitHub workflow commands, so that each blocking row shows beside the changed line."""

from __future__ import annotations

from gate.rows import Checked, Row, Vote
from inventory.escapes import visible

_MOST = 10  # GitHub shows at most ten annotations of a kind for one step
_LEVELS = {Vote.BLOCK: "error", Vote.NONE: "notice"}


def as_annotations(checked: Checked) -> str:
    """One workflow command a row, blocking ones first; rows that allow need none."""
    rows = [row for row in checked.judgement.rows if row.vote in _LEVELS]
    rows.sort(key=lambda row: row.vote is not Vote.BLOCK)
    return "\n".join(_command(row) for row in rows[:_MOST])


def _command(row: Row) -> str:
    place = [("file", row.paths[0])] if row.paths else []
    place += [("line", str(row.line))] if row.line else []
    title = " ".join((f"row {row.number} {row.kind.value}", *row.ids))
    options = ",".join(f"{name}={_option(text)}" for name, text in (*place, ("title", title)))
    text = _message(f"{row.what}\nnext: {row.next_edit}")
    return f"::{_LEVELS[row.vote]} {options}::{text}"


def _message(text: str) -> str:
    """Escaped as the runner's toolkit escapes the data of a command."""
    return visible(text, lines=True).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _option(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
