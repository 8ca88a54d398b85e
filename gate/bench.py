"""The bench: one judge process as the lane sees it; what it does not rule on is ruled here, never green."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import count
from pathlib import Path
from typing import Any, Self

from gate.patience import MOST
from gate.ruling import LOST, Case
from gate.session import Launch, processors
from inventory.errors import CouldNotRun

_HOME = str(Path(__file__).resolve().parent.parent)
_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from gate.judge import main; main()"
_GRACE_S = 10
_SEATS = count()


def setup_of(cases: Sequence[Case], checks: bytes, limit_s: float) -> bytes:
    """What a judge is told first, as one line: samples are plain JSON already, so they go as they are."""
    listed = [vars(case) for case in cases]
    return json.dumps({"checks": b64encode(checks).decode(), "cases": listed, "limit_s": limit_s}).encode()


class Bench:
    """A judge that is started at once, and anew when it was lost."""

    def __init__(self, cases: Sequence[Case], setup: bytes, limit_s: float) -> None:
        self._setup = setup
        self._seat = os.getpid() + next(_SEATS)
        self._cases = {case.id: case for case in cases}
        self._limit_s = limit_s
        self._process: subprocess.Popen[bytes] | None = None
        self._subject: int | None = None
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115  # closed in __exit__
        self._buffer = b""
        self._knows_cases = False
        self._abandoned = False

    def __enter__(self) -> Self:
        self._start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()
        self._errors.close()

    def abandon(self) -> None:
        """End the judge for good, from any thread: the one that waits for its rulings gets CouldNotRun."""
        self._abandoned = True
        if process := self._process:
            self._kill(process)

    def judge(self, launch: Launch, ids: Sequence[str]) -> Iterator[dict[str, Any]]:
        """The ruling on each property, as `gate.ruling.Ruling` has it, in the order of their modules."""
        left = sorted(ids, key=lambda name: self._cases[name].place())
        while left:
            for ruling in self._job(launch, left):
                left.remove(ruling["id"])
                yield ruling
            if self._abandoned:
                raise CouldNotRun("the lane has no verdict", why="it was cut short", fix="Start it again.")
            if left:
                yield self._unruled(left.pop(0))

    def _job(self, launch: Launch, ids: list[str]) -> Iterator[dict[str, Any]]:
        """What the judge rules, until it is done or lost."""
        if not self._tell({"launch": asdict(launch), "ids": ids}):
            return
        while line := self._line():
            if "done" in line:
                return
            if "subject" in line:
                self._subject = line["subject"]
            elif line["ruling"]["id"] in ids:
                yield line["ruling"]

    def _unruled(self, name: str) -> dict[str, Any]:
        """The ruling on the property during which the judge was lost: it has no verdict, so it is not green."""
        code = self._stop()
        size = len(self._cases[name].samples)
        told: dict[str, Any] = {"id": name, "red": None, "fault": None, "seconds": 0.0, "output": ""}
        told |= {"seen": [], "drawn": None, "drawn_at": "", "colours": ["r"] * size, "digests": [LOST] * size}
        told |= {"values": [""] * size, "types": [""] * size}
        how = self._last_words()
        if code is not None and code < 0:
            how = f"it was ended by {signal.Signals(-code).name}"
        return told | {"fault": f"the judge gave no verdict on {name}, and no verdict is red: {how}"}

    # -- the process ---------------------------------------------------------------------

    def _tell(self, message: dict[str, Any]) -> bool:
        """Whether the judge took it: it may be lost, be it while it gets its setup."""
        process = self._process or self._start()
        lines = [json.dumps(message).encode()]
        if not self._knows_cases:
            lines.insert(0, self._setup)
        try:
            for line in lines:
                self._write(process, line)
        except OSError:
            return False
        self._knows_cases = True
        return True

    def _start(self) -> subprocess.Popen[bytes]:
        self._process = process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-B", "-c", _BOOT, _HOME],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            process_group=0,
        )
        self._sit_down(process.pid)
        self._buffer = b""
        self._knows_cases = False
        if self._abandoned:  # before this process was there to be ended
            self._kill(process)
        return process

    def _sit_down(self, judge: int) -> None:
        """Keep a judge on one processor, to which its subjects come back, where the system lets us.

        The two take turns: on two processors each would wake the other one up for every call. Judges that are
        made one after the other sit apart, be they of one lane or of two.
        """
        if free := processors():
            with contextlib.suppress(OSError):  # it may have ended, or the system forbid it
                os.sched_setaffinity(judge, {free[self._seat % len(free)]})

    def _write(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        if process.stdin:
            process.stdin.write(line + b"\n")
            process.stdin.flush()

    def _line(self) -> dict[str, Any] | None:
        """The next line of the judge; None when it is lost or takes longer than any property may."""
        until = time.monotonic() + (MOST + 2) * self._limit_s + _GRACE_S
        while b"\n" not in self._buffer:
            stream = self._process.stdout if self._process else None
            if stream is None or not select.select([stream], [], [], max(until - time.monotonic(), 0))[0]:
                return None
            data = os.read(stream.fileno(), 1 << 16)
            if not data:
                return None
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def _stop(self) -> int | None:
        """End the judge and what it started; how it ended by itself, if it did."""
        process, self._process = self._process, None
        if process is None:
            return None
        if process.stdin:
            with contextlib.suppress(OSError):
                process.stdin.close()
        try:
            code: int | None = process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            code = None
        self._kill(process)
        process.wait()
        if process.stdout:
            process.stdout.close()
        return code

    def _kill(self, process: subprocess.Popen[bytes]) -> None:
        for group in (process.pid, self._subject):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if group:
                    os.killpg(group, signal.SIGKILL)

    def _last_words(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:500] if lines else "it did not end in time"
