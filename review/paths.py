"""Paths as a reviewer types them, made into paths from the root of the repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import overload


@overload
def from_root(root: Path, given: str) -> str: ...
@overload
def from_root(root: Path, given: None) -> None: ...
@overload
def from_root(root: Path, given: str | None) -> str | None: ...
def from_root(root: Path, given: str | None) -> str | None:
    """A path as typed in the current folder, or from the root where there is no such file, as one from the root."""
    if given is None:
        return None
    here = Path(os.path.normpath(Path.cwd() / given))
    known = here.is_relative_to(root) and (here.exists() or here.is_symlink())
    return here.relative_to(root).as_posix() if known else os.path.normpath(given)
