"""Hunks of one file's patch text, for sources that do not parse; no name is ever taken from the text."""

from __future__ import annotations

import re
from dataclasses import dataclass

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

_TOP_LEVEL_DEF = re.compile(r"def ([A-Za-z_][A-Za-z0-9_]*)\s*\(")


@dataclass(frozen=True)
class Hunk:
    """Changed lines at one place; `first` is its first line on the new side, counted from 1."""

    first: int
    removed: tuple[str, ...]
    added: tuple[str, ...]

    @property
    def text(self) -> str:
        """The lines as a patch shows them."""
        return "\n".join([*(f"-{line}" for line in self.removed), *(f"+{line}" for line in self.added)])

    @property
    def defined(self) -> tuple[str, ...]:
        """The functions of the module whose `def` line was added here."""
        return tuple(m.group(1) for line in self.added if (m := _TOP_LEVEL_DEF.match(line)))


def hunks_of(patch: str, counts: tuple[int, int]) -> tuple[Hunk, ...] | None:
    """The hunks of a patch of one file; None where they do not add up to git's own (added, removed) `counts`."""
    try:
        files = PatchSet(patch)
    except (UnidiffParseError, ValueError):
        return None
    found = tuple(
        Hunk(
            hunk.target_start,
            tuple(_text(line.value) for line in hunk if line.is_removed),
            tuple(_text(line.value) for line in hunk if line.is_added),
        )
        for file in files
        for hunk in file
    )
    added, removed = sum(len(h.added) for h in found), sum(len(h.removed) for h in found)
    return found if (added, removed) == counts else None


def _text(line: str) -> str:
    return line.rstrip("\r\n")
