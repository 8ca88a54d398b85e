"""Foreign text made visible: no control, bidi or private character reaches a terminal or a file; pure."""

from __future__ import annotations

import unicodedata

_SHOWN = frozenset("\n\t")


def visible(text: str, *, lines: bool = False) -> str:
    """`text` with control, format, surrogate and private characters written as escapes.

    Bidi controls are format characters (Unicode category Cf), so none of them survives.
    `lines` keeps newlines and tabs, for text that is meant to have several lines.
    """
    kept = _SHOWN if lines else frozenset()
    return "".join(c if c in kept or _is_plain(c) else _escape(c) for c in text)


def _is_plain(char: str) -> bool:
    return char == " " or unicodedata.category(char)[0] not in "CZ"


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
