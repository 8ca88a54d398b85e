"""Writes the one file that a caller of `gate` may ask for, whole or not at all, and only where told."""

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
