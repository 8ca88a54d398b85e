"""The production part of a patch: which files are in, why the others are out, and what changed in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inventory.digests import canonical_digest
from inventory.git import Change, Git
from inventory.patch import Patch, RoledChange
from inventory.records import Policy, Role
from inventory.roles import is_python
from inventory.tree import commit_tree
from propose.functions import ChangedFunction, Function, changed_functions, functions_of
from propose.hunks import Hunk, hunks_of
from propose.modules import import_roots, module_of

MAX_SOURCE_BYTES = 1 << 20
_REGULAR = ("100644", "100755", "000000")
_SUBMODULE = "160000"
_LINK = "120000"


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
    """Whether a changed file is in, and the reason in words."""

    path: str
    is_in: bool
    reason: str


@dataclass(frozen=True)
class ProductionDiff:
    """What may be asked about, and the account of every changed file."""

    base: str
    head: str
    files: tuple[FileChoice, ...]
    subjects: tuple[Subject, ...]
    digest: str
    left_out: tuple[Change, ...]

    @property
    def targets(self) -> dict[str, Subject]:
        """`module:fn` -> the subject that holds it."""
        return {target: subject for subject in self.subjects for target in subject.targets}


def read_production(git: Git, patch: Patch, policy: Policy) -> ProductionDiff:
    """The production part of `patch`; blobs are read from the object store, one file at a time."""
    reader = _Reader.open(git, patch, policy)
    read = [(roled, *reader.read(roled)) for roled in patch]
    files = tuple(choice for _, choice, _ in read)
    subjects = tuple(subject for _, _, found in read for subject in found)
    shown = [[c.path, c.old_id, c.new_id] for c in (r.change for r, choice, _ in read if choice.is_in)]
    digest = canonical_digest([[path.encode("utf-8", "replace").decode(), *ids] for path, *ids in shown])
    left_out = tuple(roled.change for roled, choice, _ in read if not choice.is_in)
    return ProductionDiff(patch.base, patch.head, files, subjects, digest, left_out)


@dataclass(frozen=True)
class _Reader:
    git: Git
    patch: Patch
    roots: tuple[str, ...]
    counts: dict[str, tuple[int, int] | None]
    moved: dict[str, str]  # a path of a rename -> why it is out

    @classmethod
    def open(cls, git: Git, patch: Patch, policy: Policy) -> _Reader:
        roles = {roled.path: roled.role for roled in patch}
        roots = import_roots(policy, commit_tree(git, patch.head).entries)
        moved = dict(_moved(git.renames(patch.base, patch.head), roles))
        return cls(git, patch, roots, git.numstat(patch.base, patch.head), moved)

    def read(self, roled: RoledChange) -> tuple[FileChoice, tuple[Subject, ...]]:
        out = self._reason_out(roled)
        if out:
            return FileChoice(roled.path, False, out), ()
        change, module = roled.change, module_of(roled.path, self.roots)
        if module is None:
            return FileChoice(roled.path, False, "no import statement can name it"), ()
        blobs = self.git.blobs(i for i in (change.old_id, change.new_id) if i)
        old, new = (blobs[i] if i else None for i in (change.old_id, change.new_id))
        if b"\0" in (old or b"") + (new or b""):
            return FileChoice(roled.path, False, "binary"), ()
        functions = changed_functions(old, new)
        if functions is None:
            return self._by_hunks(roled.path, module)
        after = functions_of(new or b"") or ()
        subjects = tuple(Subject(roled.path, module, function, functions=after) for function in functions)
        return FileChoice(roled.path, True, _counted(subjects)), subjects

    def _reason_out(self, roled: RoledChange) -> str | None:
        change = roled.change
        if roled.path in self.moved:
            return self.moved[roled.path]
        if roled.role is not Role.PRODUCTION:
            return f"its role is {roled.role}"
        if not is_python(roled.path):
            return "not Python"
        if change.old_mode not in _REGULAR or change.new_mode not in _REGULAR:
            return _odd_mode(change)
        if change.old_id == change.new_id:
            return "only its mode changed"
        if self.counts.get(roled.path) is None:
            return "binary, or marked so by an attribute"
        sizes = self.git.sizes(i for i in (change.old_id, change.new_id) if i)
        return f"larger than {MAX_SOURCE_BYTES >> 20} MB" if max(sizes.values()) > MAX_SOURCE_BYTES else None

    def _by_hunks(self, path: str, module: str) -> tuple[FileChoice, tuple[Subject, ...]]:
        counts = self.counts.get(path) or (0, 0)
        hunks = hunks_of(self.git.patch_text(self.patch.base, self.patch.head, path), counts)
        if hunks is None:
            return FileChoice(path, False, "it does not parse, and its hunks do not agree with git's count"), ()
        if not hunks:
            return FileChoice(path, True, "it does not parse, and no line changed"), ()
        return FileChoice(path, True, "it does not parse: hunks only"), (Subject(path, module, hunks=hunks),)


def _moved(renames: tuple[tuple[str, str], ...], roles: dict[str, Role]) -> Iterator[tuple[str, str]]:
    """Both paths of each rename that has a side which is no production."""
    for old, new in renames:
        if not roles.get(old) is roles.get(new) is Role.PRODUCTION:
            yield old, f"renamed to {new}, whose role is {roles.get(new)}"
            yield new, f"renamed from {old}, whose role is {roles.get(old)}"


def _odd_mode(change: Change) -> str:
    modes = (change.old_mode, change.new_mode)
    return "a submodule" if _SUBMODULE in modes else "a symbolic link" if _LINK in modes else "no regular file"


def _counted(subjects: tuple[Subject, ...]) -> str:
    nameable = sum(bool(s.targets) for s in subjects)
    if not subjects:
        return "no function changed"
    return f"{len(subjects)} changed function{'s'[: len(subjects) != 1]}, {nameable} that a property can name"
