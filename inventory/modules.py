"""The name by which a source file is imported, from its path and the repository's import roots; pure."""

from __future__ import annotations

import keyword
from collections.abc import Iterable

from inventory.records import Policy

_SUFFIX = ".py"
_PACKAGE = "__init__"


def import_roots(policy: Policy, paths: Iterable[str]) -> tuple[str, ...]:
    """The folders that are on the import path, first ones first; "." is the repository's root.

    Where the policy names none: the root, and `src` where there is one that is no package itself.
    """
    if policy.import_roots is not None:
        return policy.import_roots
    known = frozenset(paths)
    has_src = any(path.startswith("src/") for path in known) and f"src/{_PACKAGE}{_SUFFIX}" not in known
    return ("src", ".") if has_src else (".",)


def module_of(path: str, roots: Iterable[str]) -> str | None:
    """The dotted module name of a Python file; None where no import statement could name it."""
    innermost_first = sorted(roots, key=len, reverse=True)
    inner = next((found for root in innermost_first if (found := _below(path, root)) is not None), None)
    if inner is None or not inner.endswith(_SUFFIX):
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
