"""The terminal door: talk, results, and one place where a stop becomes an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import TextIO

from inventory.errors import Exit, Stop
from inventory.escapes import visible

_QUOTED = 250  # characters kept at each end: an error may quote an argument of any length


def say(text: str = "") -> None:
    """A line of talk, on stderr; results go to stdout by `show`. Talk that nobody can take changes no answer."""
    with suppress(OSError):
        sys.stdout.flush()  # what was shown before stands before it, in a log of both as well
    with suppress(OSError):
        sys.stderr.write(f"{text}\n")


def show(text: str) -> None:
    """A line of the result, on stdout."""
    sys.stdout.write(f"{text}\n")


def describe(stop: Stop) -> str:
    """What, why and one next step, each on a line of its own, after every fault of the file."""
    faults = "".join(f"  {visible(str(fault))}\n" for fault in stop.faults)
    why = visible(stop.why, lines=True)
    what = stop.what if len(stop.what) <= 2 * _QUOTED else f"{stop.what[:_QUOTED]} … {stop.what[-_QUOTED:]}"
    return f"error: {visible(what)}\n{faults}why: {why}\nnext: {visible(stop.fix, lines=True)}"


def run(name: str, command: Callable[[], int]) -> int:
    """Run a whole command and return its exit code; nothing else ever reaches the user as a traceback."""
    try:
        return _ended(name, command)
    finally:
        _settle(sys.stdout)
        _settle(sys.stderr)


def _ended(name: str, command: Callable[[], int]) -> int:
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
    except BrokenPipeError:  # the reader went away (`gate checks | head`): nothing more can be told to it
        return Exit.COULD_NOT_RUN
    except OSError as error:  # a full disk, a closed door: no bug of ours
        if os.environ.get("INVENTORY_TRACEBACK"):
            raise
        say(f"{name}: error: the operating system refused something that was needed")
        say(f"why: {visible(str(error))}")
        say("next: mend that and start again; with INVENTORY_TRACEBACK=1 it says where it stopped")
        return Exit.COULD_NOT_RUN
    except Exception as error:  # the last fence: a bug of ours is exit 3, never a traceback
        if os.environ.get("INVENTORY_TRACEBACK"):
            raise
        say(f"{name}: error: internal fault: {visible(f'{type(error).__name__}: {error}')}")
        say("why: this is a bug in the tool, not in your repository")
        say("next: run it again with INVENTORY_TRACEBACK=1 and report what it prints")
        return Exit.COULD_NOT_RUN


def _settle(stream: TextIO) -> None:
    """Let go what can no longer be written, for Python would end with a code of its own (120) over it."""
    try:
        stream.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
