"""Writes the files that a caller of `gate` asks for, and only where told: whole or not at all, or at a file's end."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from inventory.errors import CouldNotRun


def write_report(path: Path, data: bytes) -> None:
    """Put `data` at `path`, replacing what is there. Raises CouldNotRun where that cannot be done."""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
            Path(temporary).chmod(0o644)
            Path(temporary).replace(path)
        except BaseException:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise CouldNotRun(
            f"the report cannot be written to {path}", why=error.strerror or str(error), fix="Name another place."
        ) from None


def append_report(path: Path, data: bytes) -> None:
    """Put `data` at the end of the file that a CI system gathers its summary in."""
    try:
        with path.open("ab") as file:
            file.write(data)
    except OSError as error:
        raise CouldNotRun(
            f"the summary cannot be written to {path}", why=error.strerror or str(error), fix="Unset the variable."
        ) from None
