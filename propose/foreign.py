"""Values that a model wrote: walked, checked, and shown in messages; pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from inventory.escapes import visible

MAX_TEXT = 2000
_SHOWN_CHARS = 60


class DraftFault(ValueError):
    """One reason against a draft."""


def texts_in(value: Any) -> Iterator[str]:
    """Every text in a value, keys included."""
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            pending += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            pending += item


def listed(value: Any, most: int) -> list[Any]:
    """A list that is not too long. Raises DraftFault for anything else."""
    if not isinstance(value, list) or len(value) > most:
        raise DraftFault(f"it must be a list of at most {most}")
    return value


def plain_text(value: Any, *, newline: bool = True) -> str:
    """A text that says something, is not long and hides nothing. Raises DraftFault for anything else."""
    if not isinstance(value, str) or not value.strip():
        raise DraftFault("it must be a text")
    if len(value) > MAX_TEXT:
        raise DraftFault(f"{shown(value)} is longer than {MAX_TEXT} characters")
    if is_odd(value.replace("\n", "").replace("\t", "") if newline else value):
        raise DraftFault(f"{shown(value)} holds control or invisible characters")
    return value


def is_odd(text: str) -> bool:
    """Whether a text holds control, format, surrogate or private characters, or other ends of line."""
    return any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for c in text)


def shown(value: Any) -> str:
    """A value for a message: short, on one line, escapes visible."""
    text = repr(value) if not isinstance(value, str) else value
    return "'" + visible(text[:_SHOWN_CHARS]) + "'" + ("…" if len(text) > _SHOWN_CHARS else "")
