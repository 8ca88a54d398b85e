"""Reads the production part of a patch: which files are in, why the others are out, what changed in them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, replace

from inventory.attributes import marked_binary
from inventory.counts import counted
from inventory.digests import canonical_digest
from inventory.escapes import visible
from inventory.functions import changes_between, functions_of
from inventory.git import Git
from inventory.modules import import_roots, module_of
from inventory.objects import LINK, SUBMODULE, Change
from inventory.patch import Patch, RoledChange
from inventory.records import Policy, Role
from inventory.roles import declared_role, is_python
from inventory.tree import commit_tree
from propose.hunks import hunks_of
from propose.subjects import FileChoice, ProductionDiff, Subject

MAX_SOURCE_BYTES = 1 << 20
_REGULAR = {"100644", "100755", "000000"}
_WORD = re.compile(r"[a-z0-9]+")
_TEST_WORDS = frozenset(
    ("test", "tests", "testing", "unittest", "unittests", "testsuite", "testdata", "conftest", "e2e", "fixtures")
)
"""What a gate may have to count as production, for it may be shipped, is still not sent away."""


def read_production(git: Git, patch: Patch, policy: Policy) -> ProductionDiff:
    """The production part of `patch`; blobs are read from the object store, one file at a time."""
    reader = _Reader.open(git, patch, policy)
    read = [reader.read(roled) for roled in patch]
    files = tuple(replace(choice, blobs=_blobs(roled.change)) for roled, (choice, _) in zip(patch, read, strict=True))
    subjects = tuple(subject for _, found in read for subject in found)
    shown = [[visible(f.path), *f.blobs] for f in files if f.is_in]
    return ProductionDiff(patch.base, patch.head, files, subjects, canonical_digest(shown))


def _blobs(change: Change) -> tuple[str, ...]:
    sides = ((change.old_mode, change.old_id), (change.new_mode, change.new_id))
    return tuple(i for mode, i in sides if i and mode != SUBMODULE)


@dataclass(frozen=True)
class _Reader:
    git: Git
    patch: Patch
    policy: Policy
    roots: tuple[str, ...]
    paths: Container[str]
    counts: dict[str, tuple[int, int] | None]
    moved: dict[str, str]  # a path of a rename -> why it is out
    marked: frozenset[str]  # binary by an attribute, before or after

    @classmethod
    def open(cls, git: Git, patch: Patch, policy: Policy) -> _Reader:
        roles = {roled.path: roled.role for roled in patch}
        paths = commit_tree(git, patch.head).entries
        roots = import_roots(policy, paths)
        moved = dict(_moved(git.renames(patch.base, patch.head), roles))
        marked = marked_binary(git, patch.base, roles) | marked_binary(git, patch.head, roles)
        return cls(git, patch, policy, roots, paths, git.numstat(patch.base, patch.head), moved, marked)

    def read(self, roled: RoledChange) -> tuple[FileChoice, tuple[Subject, ...]]:
        out = self._reason_out(roled)
        if out:
            return _out(roled.path, out), ()
        change, module = roled.change, module_of(roled.path, self.roots, self.paths)
        if module is None:
            return _out(roled.path, f"no import statement can name it{_below(self.roots)}"), ()
        blobs = self.git.blobs(i for i in (change.old_id, change.new_id) if i)
        old, new = (blobs[i] if i else None for i in (change.old_id, change.new_id))
        if b"\0" in (old or b"") + (new or b""):
            return _out(roled.path, "binary"), ()
        before, after = functions_of(old or b""), functions_of(new or b"")
        if before is None or after is None:
            return self._by_hunks(roled.path, module)
        changes = changes_between(before, after)
        subjects = tuple(Subject(roled.path, module, function, functions=after) for function in changes)
        return _in(roled.path, _counted(subjects)), subjects

    def _reason_out(self, roled: RoledChange) -> str | None:
        change = roled.change
        if roled.path in self.moved:
            return self.moved[roled.path]
        if roled.role is not Role.PRODUCTION:
            return f"its role is {roled.role}"
        if not is_python(roled.path):
            return "not Python"
        if declared_role(roled.path, self.policy) is None and _TEST_WORDS & set(_WORD.findall(roled.path.lower())):
            return "its path speaks of tests, and the policy does not say that it is production"
        return _odd_mode(change) or self._odd_content(change)

    def _odd_content(self, change: Change) -> str | None:
        if change.old_id == change.new_id:
            return "only its mode changed"
        if change.path in self.marked:
            return "marked by an attribute as not to be shown"
        if self.counts.get(change.path) is None:
            return "binary"
        sizes = self.git.sizes(i for i in (change.old_id, change.new_id) if i)
        return f"larger than {MAX_SOURCE_BYTES >> 20} MB" if max(sizes.values()) > MAX_SOURCE_BYTES else None

    def _by_hunks(self, path: str, module: str) -> tuple[FileChoice, tuple[Subject, ...]]:
        counts = self.counts.get(path) or (0, 0)
        hunks = hunks_of(self.git.patch_text(self.patch.base, self.patch.head, path), counts)
        if hunks is None:
            return _out(path, "it does not parse, and its hunks do not agree with git's count"), ()
        if not hunks:
            return _in(path, "it does not parse, and no line changed"), ()
        return _in(path, "it does not parse: hunks only"), (Subject(path, module, hunks=hunks),)


def _below(roots: tuple[str, ...]) -> str:
    """Where names were looked for, as far as that is short."""
    if len(roots) > 3:
        return ""
    return f" below {', '.join(roots)}; where one can, name its root in `import_roots` of policy.yaml"


def _in(path: str, reason: str) -> FileChoice:
    return FileChoice(path, is_in=True, reason=reason)


def _out(path: str, reason: str) -> FileChoice:
    return FileChoice(path, is_in=False, reason=reason)


def _moved(renames: tuple[tuple[str, str], ...], roles: dict[str, Role]) -> Iterator[tuple[str, str]]:
    """Both paths of each rename that has a side which is no production."""
    for old, new in renames:
        if not roles.get(old) is roles.get(new) is Role.PRODUCTION:
            yield old, f"renamed to {new}, whose role is {roles.get(new)}"
            yield new, f"renamed from {old}, whose role is {roles.get(old)}"


def _odd_mode(change: Change) -> str | None:
    modes = {change.old_mode, change.new_mode}
    if modes <= _REGULAR:
        return None
    return "a submodule" if SUBMODULE in modes else "a symbolic link" if LINK in modes else "no regular file"


def _counted(subjects: tuple[Subject, ...]) -> str:
    nameable = sum(bool(s.targets) for s in subjects)
    if not subjects:
        return "no function changed"
    return f"{counted(len(subjects), 'changed function')}, {nameable} that a property can name"
