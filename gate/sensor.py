"""Sees code under test read a clock, draw entropy or reach for a network, and names file and line.

It runs in the subject, beside production, so it keeps to Python 3.9 and the standard library and is never
trusted: what it says can turn green into red and nothing else. It has four layers, each for what the others
miss: the functions themselves are replaced (`clocks.py`), an audit hook hears of sockets and devices, the
global generators are compared before and after a property, and, in one of its repeats, a profile hook watches the
calls of C functions (`sys.setprofile`), which slows production down and therefore ends after EVENTS.
"""

from __future__ import annotations

import os
import random
import sys
from binascii import crc32

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

EVENTS = 300_000  # of the profile hook for one property: about a tenth of a second
MOST = 20
CLOCK, ENTROPY, NETWORK = "clock", "entropy", "network"

# These parts of the standard library, and these packages, read clocks and draw names for themselves.
QUIET = (
    "asyncio", "concurrent", "importlib", "logging", "multiprocessing", "queue.py", "sched.py", "selectors.py",
    "subprocess.py", "tempfile.py", "threading.py",
)  # fmt: skip
QUIET_PACKAGES = ("loguru", "structlog")

_SOCKETS = {f"socket.{name}" for name in ("bind", "connect", "getaddrinfo", "sendmsg", "sendto")} | {
    f"socket.gethostby{name}" for name in ("name", "addr")
}
_DEVICES = {
    "/dev/random": ENTROPY, "/dev/urandom": ENTROPY, "/dev/hwrng": ENTROPY,
    "/proc/sys/kernel/random/uuid": ENTROPY, "/proc/uptime": CLOCK, "/dev/rtc": CLOCK, "/dev/rtc0": CLOCK,
}  # fmt: skip
# C functions by module and name; those that are replaced as well are here in case production holds an original.
_CALLS = {
    **{("time", name): CLOCK for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")},
    **{("time", f"{name}_ns"): CLOCK for name in ("time", "monotonic", "perf_counter", "process_time", "thread_time")},
    ("time", "clock_gettime"): CLOCK, ("time", "clock_gettime_ns"): CLOCK, ("posix", "times"): CLOCK,
    ("posix", "urandom"): ENTROPY, ("posix", "getrandom"): ENTROPY,
    ("_ssl", "RAND_bytes"): ENTROPY, ("_uuid", "generate_time_safe"): ENTROPY,
}  # fmt: skip


class Sensor:
    """What production was seen to do, as rows of kind, source and place."""

    def __init__(self, tree: str, own: frozenset[str]) -> None:
        self._tree = tree + os.sep
        self._own = own  # our files: their frames are nobody's
        self._seen: dict[tuple[str, str, str], None] = {}
        self._told = 0
        self._left = 0
        self._drawn_at = ""
        library = os.path.dirname(os.__file__)  # noqa: PTH120  # pathlib costs the subject more than it is worth
        parts = tuple(f"{folder}{os.sep}{name}" for folder in {library, os.path.realpath(library)} for name in QUIET)
        self._quiet = ("<frozen importlib", *parts)
        self._packages = tuple(f"{os.sep}{name}{os.sep}" for name in QUIET_PACKAGES)

    # -- what was seen -------------------------------------------------------------------

    def see(self, kind: str, source: str, frame: Any) -> None:
        """Keep a read for the next answer, if production is to be blamed for it."""
        place, through = self.blame(frame)
        if place and len(self._seen) < MOST:
            self._seen.setdefault((kind, f"{source} through {through}" if through else source, place))

    def news(self) -> list[list[str]]:
        """What has been seen since the last call."""
        rows = [list(row) for row in list(self._seen)[self._told :]]
        self._told += len(rows)
        return rows

    def blame(self, frame: Any) -> tuple[str, str]:
        """The line of production on whose behalf a frame runs ("" for none), and the library's function between."""
        through = ""
        while frame is not None:
            path = frame.f_code.co_filename
            if path.startswith(self._tree):
                return f"{path[len(self._tree) :]}:{frame.f_lineno}", through
            if path.startswith(self._quiet) or any(name in path for name in self._packages):
                return "", ""
            if path not in self._own:
                module = frame.f_globals.get("__name__")
                through = f"{module}.{frame.f_code.co_name}" if type(module) is str else ""
            frame = frame.f_back
        return "", ""

    # -- sockets and devices -------------------------------------------------------------

    def listen(self) -> None:
        """Hear of sockets that are used and of devices that are opened, from now on and for ever."""

        def hook(event: str, args: Any) -> None:
            if event in _SOCKETS:
                self.see(NETWORK, event, sys._getframe(1))  # noqa: SLF001  # inspect would cost too much
            elif event == "open" and type(args[0]) is str and args[0] in _DEVICES:
                self.see(_DEVICES[args[0]], args[0], sys._getframe(1))  # noqa: SLF001  # as above

        sys.addaudithook(hook)

    # -- calls of C functions ------------------------------------------------------------

    def arm(self) -> None:
        """Let the profile hook see the next EVENTS of what is `watched`."""
        self._left = EVENTS

    def watched(self, function: Any, /, *args: Any, **kwargs: Any) -> Any:
        """What a function returns, while the hook sees the calls of this thread and of those that it starts."""
        if self._left <= 0:
            return function(*args, **kwargs)
        threading = sys.modules.get("threading")
        if threading:
            threading.setprofile(self._profile)
        sys.setprofile(self._profile)
        try:
            return function(*args, **kwargs)
        finally:
            sys.setprofile(None)

    def _profile(self, frame: Any, event: str, arg: Any) -> None:
        self._left -= 1
        if self._left <= 0:
            sys.setprofile(None)
        elif event == "c_call":
            self._called(frame, arg)
        elif event == "call" and frame.f_code.co_name == "seed":
            self._seeded(frame)

    def _called(self, frame: Any, function: Any) -> None:
        owner = getattr(function, "__self__", None)
        if type(owner).__module__ == "random":
            if owner is getattr(random, "_inst", None):
                self._drawn_at = self._drawn_at or self.blame(frame)[0]
            return
        name = (function.__module__, function.__name__)
        if name in _CALLS and frame.f_code.co_filename not in self._own:
            self.see(_CALLS[name], ".".join(name), frame)

    def _seeded(self, frame: Any) -> None:
        if frame.f_globals.get("__name__") == "random" and frame.f_locals.get("a", 0) is None:
            library = frame.f_code.co_filename
            while frame is not None and frame.f_code.co_filename == library:
                frame = frame.f_back
            self.see(ENTROPY, "random without a seed", frame)

    # -- generators ----------------------------------------------------------------------

    def generators(self) -> dict[str, int]:
        """Digests of the states of the global generators that are there; they move with each draw."""
        found = {}
        try:
            found["random"] = hash(random.getstate()[1])
            if "numpy" in sys.modules:
                state = __import__("numpy.random").random.get_state()
                found["numpy"] = crc32(state[1].tobytes() + repr(state[2]).encode())
        except Exception:  # noqa: BLE001  # production may have put anything in their place
            found.clear()
        return found

    def drawn(self, before: dict[str, int]) -> list[Any] | None:
        """States and place of the draws from global generators since their digests were `before`; None for none."""
        after = self.generators()
        moved = [[name, after.get(name)] for name in before if before[name] != after.get(name)]
        return [moved, self._drawn_at] if moved else None
