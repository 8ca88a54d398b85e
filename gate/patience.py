"""How long a property may take: its limit, in time that its processes had; a few times as much on a busy machine."""

from __future__ import annotations

import contextlib
import os
import time
from dataclasses import dataclass, field
from pathlib import Path

MOST = 4  # limits on the wall clock, however little of them its processes were given
_HAD_IT = 0.8  # of the limit: what the machine does for itself is never given back
_WANTS_TO_RUN = "RD"


@dataclass(frozen=True)
class Patience:
    """The time of one property, whose subject and all it starts are the process group `group`."""

    group: int
    limit_s: float
    started: float = field(default_factory=time.monotonic)
    own_s: float = field(default_factory=time.process_time)

    def is_over(self, *, waiting: bool) -> bool:
        """Whether to end it, once its limit has passed; `waiting` is whether the judge waits for the subject.

        A subject that sleeps is over. One that wants to run, and was not given its limit of processor time,
        because others use the machine, is not: it would be red here and green on another day.
        """
        if time.monotonic() - self.started >= MOST * self.limit_s:
            return True
        used_s, wants_to_run = _usage(self.group)
        had = used_s + time.process_time() - self.own_s
        return had >= _HAD_IT * self.limit_s or (waiting and not wants_to_run)


def _usage(group: int) -> tuple[float, bool]:
    """The processor time of the processes of a group, and whether one of them wants to run; none where unknown."""
    used, wants = 0, False
    with contextlib.suppress(OSError):
        for folder in Path("/proc").iterdir():
            if folder.name.isdigit():
                with contextlib.suppress(OSError):
                    state, _, pgrp, *rest = (folder / "stat").read_bytes().rpartition(b")")[2].decode().split()
                    if int(pgrp) == group:
                        used += int(rest[8]) + int(rest[9])  # utime, stime: fields 14 and 15 of proc(5)
                        wants = wants or state in _WANTS_TO_RUN
    return used / os.sysconf("SC_CLK_TCK"), wants
