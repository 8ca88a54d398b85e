"""A judged patch as Markdown, for the summary page of a CI job; foreign text can form no markup in it."""

from __future__ import annotations

import re

from gate.rows import Checked, Decision, Row, Vote
from inventory.counts import counted
from inventory.escapes import visible

_HEADS = {
    Decision.ALLOW: "the inventory allows this patch",
    Decision.BLOCK: "the inventory blocks this patch",
    Decision.COULD_NOT_RUN: "the inventory could not judge this patch",
}
_VOTES = {Vote.ALLOW: "allows", Vote.BLOCK: "**blocks**", Vote.NONE: "no vote"}
_MARKUP = re.compile(r"([\\`*_{}\[\]()#+!|<>~&@:-])")
_MOST_PATHS = 10


def as_markdown(checked: Checked) -> str:
    """The decision, one table of rows, then what backs each row that blocks."""
    head = f"## Gate: {_HEADS[checked.judgement.decision]}"
    ends = (
        f"{_text(str(checked.base))} → `{checked.head.id[:12]}`, {counted(len(checked.patch.changes), 'path')} changed"
    )
    table = ["| row | class | vote | where | next edit |", "|---|---|---|---|---|", *map(_line, checked.judgement.rows)]
    details = [_details(row) for row in checked.judgement.rows if row.vote is Vote.BLOCK]
    return "\n\n".join((head, ends, "\n".join(table), *details)) + "\n"


def _line(row: Row) -> str:
    where = "<br>".join(map(_text, (*row.ids, *_places(row))))
    edit = "<br>".join(map(_text, row.next_edit.splitlines()))
    return f"| {row.number} | {_text(row.kind.value)} | {_VOTES[row.vote]} | {where} | {edit} |"


def _details(row: Row) -> str:
    facts = "\n".join(f"- {_text(name)}: {_text(text)}" for name, text in row.facts)
    return f"**{_text(' '.join((row.kind.value, *row.ids)))}** {_text(row.what)}\n\n{facts}".rstrip()


def _places(row: Row) -> list[str]:
    if row.line:
        return [f"{row.paths[0]}:{row.line}"]
    more = len(row.paths) - _MOST_PATHS
    return [*row.paths[:_MOST_PATHS], *([f"and {more} more"] if more > 0 else [])]


def _text(text: str) -> str:
    return _MARKUP.sub(r"\\\1", visible(text))
