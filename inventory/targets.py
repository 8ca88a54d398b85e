"""Where a target lies in a tree: the file of its module, and whether that file binds its name; never imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from inventory.records import Policy, Target
from inventory.tree import Tree


def import_roots(tree: Tree, policy: Policy) -> tuple[str, ...]:
    """The folders that modules are imported from: the policy's, else src/ where there is one, and the root."""
    if policy.import_roots is not None:
        return policy.import_roots
    return ("src", ".") if tree.under("src") else (".",)


def module_path(tree: Tree, policy: Policy, module: str) -> str | None:
    """The path of the file that holds `module`, or None."""
    inner = module.replace(".", "/")
    for root in import_roots(tree, policy):
        prefix = "" if root == "." else f"{root}/"
        for path in (f"{prefix}{inner}/__init__.py", f"{prefix}{inner}.py"):
            if path in tree:
                return path
    return None


def has_target(tree: Tree, policy: Policy, target: Target) -> bool:
    """Whether `tree` holds the target's module and that module binds its name.

    Read from the source alone. A name that only running the module could bind (by `globals()`, or by
    a star import) counts as bound, for the lane will tell; a file that does not parse holds nothing.
    """
    path = module_path(tree, policy, target.module)
    source = tree.read(path) if path else None
    if source is None:
        return False
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return False
    return _binds(body, target.fn.split("."))


def _binds(body: Sequence[ast.stmt], names: list[str]) -> bool:
    found = False
    for statement in _flat(body):
        if isinstance(statement, ast.ImportFrom) and any(a.name == "*" for a in statement.names):
            return True
        if names[0] not in _names_of(statement):
            continue
        if len(names) == 1:
            return True
        if not isinstance(statement, ast.ClassDef):
            return True  # an assigned or imported name: what it holds only running it could tell
        found = found or bool(statement.bases) or _binds(statement.body, names[1:])
    return found


def _flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module or class, those under `if`, `try` and `with` included."""
    for statement in body:
        yield statement
        for part in ("body", "orelse", "finalbody"):
            if isinstance(statement, (ast.If, ast.Try, ast.With)):
                yield from _flat(getattr(statement, part, []))
        for handler in getattr(statement, "handlers", []):
            yield from _flat(handler.body)


def _names_of(statement: ast.stmt) -> set[str]:
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
    targets: list[ast.expr] = []
    if isinstance(statement, ast.Assign):
        targets = statement.targets
    elif isinstance(statement, (ast.AnnAssign, ast.AugAssign)):
        targets = [statement.target]
    return {node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)}
