"""Foreign text made harmless: no control, bidi or private character, and no order to a CI runner; pure."""

from __future__ import annotations

import json
import re
import unicodedata

_SHOWN = frozenset("\n\t")
_RUNNER_ORDER = re.compile(r"^(\s*):(?=:)|#(?=#\[)", re.MULTILINE)


def visible(text: str, *, lines: bool = False) -> str:
    """`text` with control, format, surrogate and private characters written as escapes.

    Bidi controls are format characters (Unicode category Cf), so none of them survives.
    `lines` keeps newlines and tabs, for text that is meant to have several lines. What GitHub's runner
    would obey in a log (a line that begins with `::`, or `##[`) loses its first character to an escape.
    """
    kept = _SHOWN if lines else frozenset()
    plain = "".join(c if c in kept or _is_plain(c) else _escape(c) for c in text)
    return _RUNNER_ORDER.sub(lambda order: (order[1] or "") + _escape(order[0][-1]), plain)


def json_visible(text: str) -> str:
    """JSON text with the same characters written as JSON's own escapes, newlines aside: it means the same."""
    return "".join(c if c == "\n" or _is_plain(c) else json.dumps(c)[1:-1] for c in text)


def _is_plain(char: str) -> bool:
    return char == " " or unicodedata.category(char)[0] not in "CZ"


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
