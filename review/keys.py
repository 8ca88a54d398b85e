"""From the bytes that a terminal sends to keys, and from keys to a line of text; pure."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_PASTE_START, _PASTE_END = b"\x1b[200~", b"\x1b[201~"
_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[A-Za-z])")
_CUT_SHORT = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*|O)?$")
_NAMED = {"\r": "enter", "\n": "enter", "\x7f": "backspace", "\x08": "backspace", "\x04": "end", "\x15": "clear"}


@dataclass(frozen=True)
class Key:
    """One key: its character, or enter, esc, backspace, clear, end (of input), paste, other; `text` is typed."""

    name: str
    text: str = ""


@dataclass
class Decoder:
    """Takes bytes as they come, in pieces of any size; what is pasted is one key, never commands."""

    _left: bytes = b""
    _pasted: bytes | None = None
    _utf8: codecs.IncrementalDecoder = field(default_factory=lambda: codecs.getincrementaldecoder("utf-8")("replace"))

    @property
    def waits(self) -> bool:
        """Whether the last bytes may be the start of a longer key."""
        return bool(self._left) and self._pasted is None

    def feed(self, data: bytes, *, last: bool = False) -> Iterator[Key]:
        """The keys of these bytes. `last` says that no more will follow soon: a lone escape is a key of its own."""
        self._left += data
        while self._left:
            if self._pasted is not None:
                if not self._paste():
                    return
                yield Key("paste", (self._pasted or b"").decode("utf-8", "replace"))
                self._pasted = None
            elif self._left[:1] == b"\x1b":
                match = _SEQUENCE.match(self._left)
                if match is None and _CUT_SHORT.match(self._left) and not last:
                    return
                taken = match.group() if match else self._left[:1]
                self._left = self._left[len(taken) :]
                if taken == _PASTE_START:
                    self._pasted = b""
                else:
                    yield Key("other" if match else "esc")
            else:
                char = self._utf8.decode(self._left[:1])
                self._left = self._left[1:]
                yield from (_key(c) for c in char)

    def _paste(self) -> bool:
        """Move what is pasted from what is left; whether its end is there."""
        held = (self._pasted or b"") + self._left
        end = held.find(_PASTE_END)
        self._pasted = held if end < 0 else held[:end]
        self._left = b"" if end < 0 else held[end + len(_PASTE_END) :]
        return end >= 0


@dataclass(frozen=True)
class LineEdit:
    """A line of text as it is typed. `done` is True once it is entered; `cancelled` once it is given up."""

    text: str = ""
    done: bool = False
    cancelled: bool = False

    def press(self, key: Key) -> LineEdit:
        """The line after one more key."""
        if key.name == "enter":
            return LineEdit(self.text, done=True)
        if key.name == "esc" or (key.name == "end" and not self.text):
            return LineEdit(self.text, done=True, cancelled=True)
        if key.name == "backspace":
            return LineEdit(self.text[:-1])
        if key.name == "clear":
            return LineEdit()
        return LineEdit(self.text + "".join(c for c in key.text.split("\n")[0] if c.isprintable()))


def _key(char: str) -> Key:
    if char in _NAMED:
        return Key(_NAMED[char])
    return Key(char, char) if char.isprintable() else Key("other")
