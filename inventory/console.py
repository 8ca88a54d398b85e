"""The terminal door: talk, results, and one place where a stop becomes an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from inventory.errors import Exit, Stop
from inventory.escapes import visible


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


def _write(stream: object, text: str) -> None:
    print(text, file=stream)  # type: ignore[call-overload]  # a text stream
