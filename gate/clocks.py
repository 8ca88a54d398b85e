"""Replaces the functions that read a clock or draw entropy: each read is told to the sensor or answered pinned.

It runs in the subject before production is imported, so it keeps to Python 3.9 and the standard library.
A pinned clock stands still; what measures spans (monotonic, perf_counter and their kin) advances by TICK_NS
with each read, so that a loop that waits for time to pass comes to its end.
"""

from __future__ import annotations

import gc
import os
import random
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

TICK_NS = 1_000_000
_SECOND = 1_000_000_000
_SPANS = ("monotonic", "perf_counter", "process_time", "thread_time")
_DATED = {"localtime": 0, "gmtime": 0, "ctime": 0, "asctime": 0, "strftime": 1}  # the argument without which it reads
_NONE = ((), (None,))


class Watched:
    """Stands for a function that reads something; an object, so that a class which holds it does not bind it."""

    def __init__(self, original: Any, call: Callable[..., Any]) -> None:
        self.__name__ = self.__qualname__ = original.__name__
        self.__module__ = getattr(original, "__module__", None) or "datetime"
        self.__doc__ = original.__doc__
        self._call = call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._call(sys._getframe(1), args, kwargs)  # noqa: SLF001  # inspect would cost too much

    def __reduce__(self) -> str:
        return str(self.__name__)


class Clocks:
    """The replacements, with the sensor that they tell; `pinned_ns` is None where real clocks are read."""

    def __init__(self, sensor: Any, pinned_ns: int | None) -> None:
        self._sensor = sensor
        self._pinned_ns = pinned_ns
        self._ticks = 0

    def replace(self) -> None:
        """Put a watched function in the place of each that reads a clock or entropy."""
        local = time.localtime
        for name in ("time", *_SPANS):
            self._replace(time, name, "clock", lambda n=name: self._now(n) / _SECOND)
            self._replace(time, f"{name}_ns", "clock", lambda n=name: self._now(n))
        for name in _DATED:
            self._replace(time, name, "clock", self._dated(getattr(time, name), local))
        self._replace(time, "clock_gettime", "clock", lambda which: self._of(which) / _SECOND)
        self._replace(time, "clock_gettime_ns", "clock", self._of)
        for module in (os, sys.modules.get(os.name)):
            self._replace(module, "urandom", "entropy")
            self._replace(module, "getrandom", "entropy")
            self._replace(module, "times", "clock")
        random._urandom = os.urandom  # type: ignore[attr-defined]  # noqa: SLF001  # bound there before it was replaced
        self._replace_dates()

    # -- one function --------------------------------------------------------------------

    def _replace(self, module: Any, name: str, kind: str, pinned: Callable[..., Any] | None = None) -> None:
        original = getattr(module, name, None)
        if original is None:
            return
        source = f"{'time' if module is time else 'os'}.{name}"
        dated = _DATED.get(name)

        def call(frame: Any, args: Any, kwargs: Any) -> Any:
            if frame.f_code.co_filename == __file__ or (dated is not None and args[dated : dated + 1] not in _NONE):
                return original(*args, **kwargs)
            if pinned and self._is_pinned(frame):
                return pinned(*args, **kwargs)
            self._sensor.see(kind, source, frame)
            return original(*args, **kwargs)

        setattr(module, name, Watched(original, call))

    def _is_pinned(self, frame: Any) -> bool:
        """Whether this read is answered with the pinned clock: what the standard library waits for is not."""
        return self._pinned_ns is not None and self._sensor.blame(frame)[0] != ""

    # -- the pinned clock ----------------------------------------------------------------

    def _now(self, name: str) -> int:
        if name == "time":
            return self._pinned_ns or 0
        self._ticks += 1
        return self._ticks * TICK_NS

    def _of(self, which: int) -> int:
        return self._now("time" if which == time.CLOCK_REALTIME else "monotonic")

    def _dated(self, original: Any, local: Any) -> Callable[..., Any]:
        def pinned(*args: Any) -> Any:
            seconds = self._now("time") / _SECOND
            if original.__name__ in ("asctime", "strftime"):
                return original(*args[: _DATED[original.__name__]], local(seconds))
            return original(seconds)

        return pinned

    # -- dates ---------------------------------------------------------------------------

    def _replace_dates(self) -> None:
        """Watch `now`, `utcnow` and `today` in the types themselves, so that type, subclasses and aliases stay.

        The namespace of a type of C is not for writing; the garbage collector hands it out.
        """
        try:
            c: Any = __import__("_datetime")  # an interpreter may do without it
        except ImportError:
            return
        for kind, names in ((c.datetime, ("now", "utcnow")), (c.date, ("today",))):
            for name in names:
                self._replace_date(kind, name, c.timezone.utc)
        getattr(sys, "_clear_type_cache", int)()

    def _replace_date(self, kind: Any, name: str, utc: Any) -> None:
        namespace = gc.get_referents(kind.__dict__)[0]
        original = namespace[name]

        def call(frame: Any, args: Any, kwargs: Any) -> Any:
            own, args = args[0], args[1:]
            if not self._is_pinned(frame):
                self._sensor.see("clock", f"datetime.{kind.__name__}.{name}", frame)
                return original.__get__(None, own)(*args, **kwargs)
            seconds = self._now("time") / _SECOND
            if name == "utcnow":
                return own.fromtimestamp(seconds, utc).replace(tzinfo=None)
            return own.fromtimestamp(seconds, *args, **kwargs)

        namespace[name] = classmethod(Watched(original, call))
