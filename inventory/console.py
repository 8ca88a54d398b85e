"""The terminal door: foreign text made visible, and one place where a stop becomes an exit code."""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable

from inventory.errors import Exit, Stop

_SHOWN = frozenset("\n\t")


def visible(text: str, *, lines: bool = False) -> str:
    """`text` with control, format, surrogate and private characters written as escapes.

    Bidi controls are format characters (Unicode category Cf), so none of them survives.
    `lines` keeps newlines and tabs, for text that is meant to have several lines.
    """
    kept = _SHOWN if lines else frozenset()
    return "".join(c if c in kept or _is_plain(c) else _escape(c) for c in text)


def say(text: str = "") -> None:
    """A line of talk, on stderr; results go to stdout by `show`."""
    _write(sys.stderr, text)


def show(text: str) -> None:
    """A line of the result, on stdout."""
    _write(sys.stdout, text)


def describe(stop: Stop) -> str:
    """What, why and one next step, each on a line of its own, after every fault of the file."""
    faults = "".join(f"  {visible(str(fault))}\n" for fault in stop.faults)
    why = visible(stop.why, lines=True)
    return f"error: {visible(stop.what)}\n{faults}why: {why}\nnext: {visible(stop.fix, lines=True)}"


def run(name: str, command: Callable[[], int]) -> int:
    """Run a whole command and return its exit code; nothing else ever reaches the user as a traceback."""
    try:
        code = command()
        sys.stdout.flush()
        return code
    except Stop as stop:
        say(f"{name}: {describe(stop)}")
        return stop.exit_code
    except KeyboardInterrupt:
        say(f"{name}: interrupted")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`gate checks | head`): nothing more can be told to it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.COULD_NOT_RUN
    except Exception as error:  # the last fence: a bug of ours is exit 3, never a traceback
        if os.environ.get("INVENTORY_TRACEBACK"):
            raise
        say(f"{name}: error: internal fault: {visible(f'{type(error).__name__}: {error}')}")
        say("why: this is a bug in the tool, not in your repository")
        say("next: run it again with INVENTORY_TRACEBACK=1 and report what it prints")
        return Exit.COULD_NOT_RUN


def _is_plain(char: str) -> bool:
    return char == " " or unicodedata.category(char)[0] not in "CZ"


def _escape(char: str) -> str:
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _write(stream: object, text: str) -> None:
    print(text, file=stream)  # type: ignore[call-overload]  # a text stream
