"""The name by which a source file is imported, from its path and the repository's import roots; pure."""

from __future__ import annotations

import keyword
from collections.abc import Container, Iterable, Sequence

from inventory.records import Policy

_SUFFIX = ".py"
_PACKAGE = "__init__"
_ASIDE = (".", "test", "doc", "example", "fixture", "vendor", "third_party")  # how parts begin that hold no product
PROJECT_FILES = frozenset(("pyproject.toml", "setup.py", "setup.cfg"))
"""What a folder holds that is installed by itself."""


def import_roots(policy: Policy, paths: Iterable[str]) -> tuple[str, ...]:
    """The folders that are on the import path, first ones first; "." is the repository's root.

    Where the policy names none: the root and every folder with a project of its own (one of `PROJECT_FILES`),
    each behind its `src` where there is one; none that is a package itself, or that speaks of tests or docs.
    """
    if policy.import_roots is not None:
        return policy.import_roots
    known = frozenset(paths)
    sources = {path.partition("/src/")[0] for path in known if "/src/" in path}
    if any(path.startswith("src/") for path in known):
        sources.add(".")
    roots = [r for home in (".", *_projects(known)) for r in ([_join(home, "src")] if home in sources else []) + [home]]
    return tuple(root for root in roots if f"{root}/{_PACKAGE}{_SUFFIX}" not in known)


def project_of(path: str, paths: Iterable[str]) -> str:
    """The folder of the innermost project that a file belongs to; "." where that is the whole repository."""
    return max((home for home in _projects(paths) if path.startswith(f"{home}/")), key=len, default=".")


def _projects(paths: Iterable[str]) -> list[str]:
    """The folders below the root in which a project lies, in order."""
    parted = (path.rpartition("/") for path in paths)
    homes = {folder for folder, _, name in parted if folder and name in PROJECT_FILES}
    return sorted(home for home in homes if not any(part.startswith(_ASIDE) for part in home.split("/")))


def _join(root: str, name: str) -> str:
    return name if root == "." else f"{root}/{name}"


def file_of(module: str, roots: Iterable[str], paths: Container[str]) -> str | None:
    """The file that importing `module` would run, or None."""
    inner = module.replace(".", "/")
    tried = (_join(root, f"{inner}{end}") for root in roots for end in (f"/{_PACKAGE}{_SUFFIX}", _SUFFIX))
    return next((path for path in tried if path in paths), None)


def module_of(path: str, roots: Sequence[str], paths: Container[str]) -> str | None:
    """The dotted module name of a Python file; None where no import statement could name it.

    The shortest one that does not lead to another of `paths`: two projects may each have an `app`.
    """
    inner = (_below(path, root) for root in sorted(roots, key=len, reverse=True))
    names = (name for found in inner if found is not None and (name := _name(found)))
    return next((name for name in names if file_of(name, roots, paths) in (path, None)), None)


def _name(inner: str) -> str | None:
    if not inner.endswith(_SUFFIX):
        return None
    parts = inner.removesuffix(_SUFFIX).split("/")
    if parts[-1] == _PACKAGE:
        parts = parts[:-1]
    is_name = all(p.isascii() and p.isidentifier() and not keyword.iskeyword(p) for p in parts)
    return ".".join(parts) if parts and is_name else None


def _below(path: str, root: str) -> str | None:
    if root == ".":
        return path
    return path.removeprefix(f"{root}/") if path.startswith(f"{root}/") else None
