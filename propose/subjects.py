"""The production part of a patch as values: what may be asked about, and the account of every changed file."""

from __future__ import annotations

from dataclasses import dataclass

from inventory.functions import ChangedFunction, Function
from propose.hunks import Hunk


@dataclass(frozen=True)
class Subject:
    """One thing to ask about: a changed function, or the hunks of a file that does not parse."""

    path: str
    module: str
    function: ChangedFunction | None = None
    hunks: tuple[Hunk, ...] = ()
    functions: tuple[Function, ...] = ()  # all of the module after the change

    @property
    def siblings(self) -> tuple[str, ...]:
        """The functions of the module that can be called by name."""
        return tuple(f.qualname for f in self.functions if f.is_callable_by_name)

    @property
    def targets(self) -> tuple[str, ...]:
        """What a property could name here, as `module:fn`."""
        if self.function is None:
            return tuple(dict.fromkeys(f"{self.module}:{name}" for hunk in self.hunks for name in hunk.defined))
        present = self.function.present
        names_it = present.is_callable_by_name and present.qualname.isascii() and not self.function.is_deleted
        return (f"{self.module}:{present.qualname}",) if names_it else ()

    @property
    def call(self) -> str:
        """The target called with each of its parameters by name; empty where its signature is not known."""
        present = self.function.present if self.function else None
        names = [p.name for p in present.parameters if p.kind == "positional"] if present else []
        return f"{present.qualname}({', '.join(names)})" if present and "".join(names).isascii() else ""

    @property
    def label(self) -> str:
        """How messages call it."""
        return f"{self.module}:{self.function.present.qualname}" if self.function else f"{self.module} (hunks)"

    @property
    def first(self) -> int:
        """Its first line, counted from 1."""
        return self.function.present.first if self.function else self.hunks[0].first

    @property
    def weight(self) -> int:
        """How many lines changed."""
        return self.function.weight if self.function else sum(len(h.added) + len(h.removed) for h in self.hunks)


@dataclass(frozen=True)
class FileChoice:
    """Whether a changed file is in, the reason in words, and the ids of its blobs, old and new."""

    path: str
    is_in: bool
    reason: str
    blobs: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProductionDiff:
    """What may be asked about, and the account of every changed file."""

    base: str
    head: str
    files: tuple[FileChoice, ...]
    subjects: tuple[Subject, ...]
    digest: str

    @property
    def targets(self) -> dict[str, Subject]:
        """`module:fn` -> the subject that holds it."""
        return {target: subject for subject in self.subjects for target in subject.targets}
