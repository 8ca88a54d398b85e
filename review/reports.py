"""Reads the lane report that a reviewer names: a file anywhere on the disk."""

from __future__ import annotations

from pathlib import Path

from gate.classify import parse_lane
from gate.verdicts import LaneReport
from inventory.errors import CouldNotRun

_MAX_BYTES = 256 << 20
_FIX = "Give a whole one: gate run --json > FILE"


def read_report(path: Path) -> LaneReport:
    """The lane report in a file. Raises CouldNotRun for anything else."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise CouldNotRun(f"{path} is too large", why=f"more than {_MAX_BYTES >> 20} MB", fix=_FIX)
        data = path.read_bytes()
    except OSError as error:
        raise CouldNotRun(f"{path} cannot be read", why=error.strerror or str(error), fix=_FIX) from None
    report = parse_lane(data, str(path)).report
    if report is None:
        raise CouldNotRun(f"{path} is no lane report", why="a list of classes does not tell the colours", fix=_FIX)
    return report
