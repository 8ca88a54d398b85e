"""A fast reader for the plainest YAML, the form that our own files have: blocks and one-line scalars; pure.

It reads a small part of the language or nothing: where it gives a value, `strict_yaml` reads the same
value without a fault. Anything else is None, and left to `strict_yaml`, which can also say what is wrong.

Why there is a second reader: PyYAML's scanner takes 1.5 ms for one candidate, so the first look at 10,000 of
them took 16 seconds. What holds it to the strict one: `tests/inventory/test_plain_yaml.py` generates texts, ours
and broken ones, and compares both. And nothing is decided by it: it serves `codec.skim_candidate` and
`codec.skim_tombstone`, for lists and duplicates; what is shown, tried, promoted or rejected was read strictly.
"""

from __future__ import annotations

import json
import re
from typing import Any

MAX_DEPTH = 20
_PLAIN = re.compile(rb"[\x20-\x7e\n]*\n")
_WORD = r"[A-Za-z_][A-Za-z0-9_./-]*"
_LINE = re.compile(
    rf"(?P<key>{_WORD}):(?: (?P<of>\S.*))?|- (?P<item>\S.*)"  # a key with or without a value, or an item of a list
)
_SCALAR = re.compile(
    rf"(?P<word>{_WORD})|(?P<int>-?(?:0|[1-9][0-9]{{0,15}}))|(?P<float>-?(?:0|[1-9][0-9]{{0,15}})\.[0-9]{{1,15}})"
    r'|(?P<text>"(?:[^"\\]|\\["\\nt])*")'
)
_WORDS = {"true": True, "false": False, "null": None}
_DOUBTFUL = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


class _NotPlain(Exception):
    """The text is not of the form that is read here."""


def load(data: bytes) -> dict[str, Any] | None:
    """The mapping that the bytes hold, or None where they are not of the plain form."""
    if not _PLAIN.fullmatch(data):
        return None
    lines = [(len(line) - len(line.lstrip(" ")), line.lstrip(" ")) for line in data.decode("ascii").split("\n")[:-1]]
    reader = _Reader(lines)
    try:
        value = reader.node(0, 0)
    except _NotPlain:
        return None
    return value if reader.at == len(lines) and isinstance(value, dict) else None


class _Reader:
    """Reads lines, each given as its indentation and its text."""

    def __init__(self, lines: list[tuple[int, str]]) -> None:
        self.lines = lines
        self.at = 0

    def node(self, indent: int, depth: int) -> Any:
        """The mapping or list whose lines stand at `indent`."""
        if depth > MAX_DEPTH or self.at >= len(self.lines) or self.lines[self.at][0] != indent:
            raise _NotPlain
        return self.sequence(indent, depth) if self.lines[self.at][1].startswith("- ") else self.mapping(indent, depth)

    def mapping(self, indent: int, depth: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while self.at < len(self.lines) and self.lines[self.at][0] == indent:
            match = _LINE.fullmatch(self.lines[self.at][1])
            key = match["key"] if match else None
            if match is None or key is None or key in found or key.lower() in _DOUBTFUL:
                raise _NotPlain
            self.at += 1
            text = match["of"]
            if text is None:
                found[key] = self.node(indent + 2, depth + 1)
            else:
                found[key] = self.block(indent + 2) if text == "|-" else _scalar(text)
        self.end(indent)
        return found

    def sequence(self, indent: int, depth: int) -> list[Any]:
        items: list[Any] = []
        while self.at < len(self.lines) and self.lines[self.at][0] == indent:
            text = self.lines[self.at][1]
            if not text.startswith("- ") or text[2] == " ":
                raise _NotPlain
            if _LINE.fullmatch(text[2:]):
                self.lines[self.at] = (indent + 2, text[2:])
                items.append(self.node(indent + 2, depth + 1))
            else:
                self.at += 1
                items.append(_scalar(text[2:]))
        self.end(indent)
        return items

    def end(self, indent: int) -> None:
        """What follows stands further left."""
        if self.at < len(self.lines) and self.lines[self.at][0] > indent:
            raise _NotPlain

    def block(self, indent: int) -> str:
        """The lines of a literal text, none of them further left than the first."""
        start = self.at
        while self.at < len(self.lines) and (self.lines[self.at][0] >= indent or not self.lines[self.at][1]):
            self.at += 1
        taken = self.lines[start : self.at]
        if not taken or taken[0][0] != indent or not taken[0][1] or not taken[-1][1]:
            raise _NotPlain
        if any(not text and spaces for spaces, text in taken):
            raise _NotPlain
        return "\n".join(" " * (spaces - indent) + text if text else "" for spaces, text in taken)


def _scalar(text: str) -> Any:
    if text in ("[]", "{}"):
        return [] if text == "[]" else {}
    match = _SCALAR.fullmatch(text)
    if match is None:
        raise _NotPlain
    kind = match.lastgroup
    if kind == "word":
        if text in _WORDS:
            return _WORDS[text]
        if text.lower() in _DOUBTFUL:
            raise _NotPlain
        return text
    return json.loads(text)
