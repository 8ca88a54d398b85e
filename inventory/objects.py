"""What git tells, as values: a file of a tree, a place in one, a path that differs between two, a revision; pure."""

from __future__ import annotations

from dataclasses import dataclass

LINK, SUBMODULE = "120000", "160000"  # modes, as git writes them


@dataclass(frozen=True)
class Entry:
    """One file of a tree. `mode` is git's octal text, `kind` is blob or commit (a submodule)."""

    path: str
    mode: str
    kind: str
    id: str

    @property
    def is_link(self) -> bool:
        return self.mode == LINK


@dataclass(frozen=True)
class Change:
    """One path that differs between two trees; a rename is a delete and an add.

    `old_id` and `new_id` are None on the side where the path does not exist.
    """

    path: str
    old_mode: str
    new_mode: str
    old_id: str | None
    new_id: str | None

    @property
    def is_added(self) -> bool:
        return self.old_id is None

    @property
    def is_deleted(self) -> bool:
        return self.new_id is None


@dataclass(frozen=True)
class Resolved:
    """A revision as asked for, the name under which git knows it, and its full commit id."""

    asked: str
    name: str
    id: str

    def __str__(self) -> str:
        return f"{self.name} ({self.id[:12]})"


@dataclass(frozen=True)
class Place:
    """A line of a file; `line` counts from 1."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"
