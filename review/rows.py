"""How text is laid out for a reviewer: a name and what belongs to it, foreign text made visible; pure."""

from __future__ import annotations

import textwrap

from inventory.escapes import visible

WIDTH = 100
_INDENT = 13


def row(name: str, text: str, width: int = WIDTH) -> str:
    """A name and its text, wrapped; line breaks of the text stay."""
    room = max(20, width - _INDENT)
    lines = [piece for line in text.split("\n") for piece in textwrap.wrap(visible(line), room) or [""]]
    first, *rest = lines
    return "\n".join([f"  {visible(name):<10} {first}".rstrip(), *(f"{'':{_INDENT}}{line}" for line in rest)]).rstrip()


def block(name: str, lines: list[str]) -> str:
    """A name and lines that are shown as they are, each behind a bar."""
    first, *rest = (visible(line) for line in lines)
    return "\n".join([f"  {name:<10} | {first}", *(f"{'':{_INDENT}}| {line}" for line in rest)])
