"""Where a target lies in a tree: the file of its module, and whether that file binds its name; never imported."""

from __future__ import annotations

import ast
import difflib
import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from inventory.functions import Function, functions_of
from inventory.modules import file_of, import_roots
from inventory.objects import Place
from inventory.records import Policy, Target
from inventory.tree import Tree


@dataclass(frozen=True)
class Modules:
    """The modules of one tree as the policy imports them; each is read and parsed once."""

    tree: Tree
    policy: Policy
    _parsed: dict[str, Sequence[ast.stmt]] = field(default_factory=dict)
    _sources: dict[str, bytes] = field(default_factory=dict)
    _functions: dict[str, tuple[Function, ...]] = field(default_factory=dict)

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        return import_roots(self.policy, self.tree.entries)

    def path(self, module: str) -> str | None:
        """The path of the file that holds `module`, or None."""
        return file_of(module, self._roots, self.tree)

    def load(self, modules: Iterable[str]) -> None:
        """Read several modules in one go."""
        paths = {path for module in set(modules) if (path := self.path(module))} - self._parsed.keys()
        for path, source in self.tree.read_many(sorted(paths)).items():
            self._parsed[path], self._sources[path] = _body(source), source

    def locate(self, target: Target) -> Place | None:
        """Where the target's module binds its name.

        Read from the source alone. A name that only running the module could bind (by a star import, or
        in a base class) counts as bound there, for the lane will tell; a file that does not parse holds nothing.
        """
        self.load([target.module])
        path = self.path(target.module)
        line = _line_of(self._parsed.get(path, ()), target.fn.split(".")) if path else None
        return Place(path, line) if path and line else None

    def function(self, target: Target) -> Function | None:
        """The target's function as its module defines it; None where the module binds its name in another way."""
        return next((function for function in self.functions(target.module) if function.qualname == target.fn), None)

    def functions(self, module: str) -> tuple[Function, ...]:
        """Every function that a module defines; () where it is not there or does not parse."""
        self.load([module])
        path = self.path(module)
        if path is None:
            return ()
        if path not in self._functions:
            self._functions[path] = functions_of(self._sources.get(path, b"")) or ()
        return self._functions[path]

    def way_to(self, missing: Target) -> str:
        """A step for somebody who named a function that its module does not define."""
        if self.path(missing.module) is None:
            return "Name the module as an import statement does, a colon, and the function: app.window:clamp"
        known = [function.qualname for function in self.functions(missing.module)]
        near = difflib.get_close_matches(missing.fn, known, n=1)
        return f"Did you mean {missing.module}:{near[0]}?" if near else "Name the module that defines it itself."


def module_path(tree: Tree, policy: Policy, module: str) -> str | None:
    """The path of the file that holds `module`, or None."""
    return Modules(tree, policy).path(module)


def has_target(tree: Tree, policy: Policy, target: Target) -> bool:
    """Whether `tree` holds the target's module and that module binds its name; see `Modules.locate`."""
    return locate(tree, policy, target) is not None


def locate(tree: Tree, policy: Policy, target: Target) -> Place | None:
    """Where the target's module binds its name; see `Modules.locate`."""
    return Modules(tree, policy).locate(target)


def _body(source: bytes) -> Sequence[ast.stmt]:
    try:
        return ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return ()


def _line_of(body: Sequence[ast.stmt], names: list[str]) -> int | None:
    """The line of the last statement that binds the dotted name, as running the module would have it."""
    found = None
    for statement in _flat(body):
        if isinstance(statement, ast.ImportFrom) and any(alias.name == "*" for alias in statement.names):
            found = found or statement.lineno
        elif names[0] in _names_of(statement):
            found = _line_within(statement, names[1:]) or found
    return found


def _line_within(statement: ast.stmt, names: list[str]) -> int | None:
    if not names or not isinstance(statement, ast.ClassDef):
        return statement.lineno  # what an assigned or imported name holds only running it could tell
    return _line_of(statement.body, names) or (statement.lineno if statement.bases else None)


def _flat(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module or class in their order, those under `if`, `try` and `with` included."""
    pending = [iter(body)]
    while pending:
        statement = next(pending[-1], None)
        if statement is None:
            pending.pop()
            continue
        yield statement
        if isinstance(statement, (ast.If, ast.Try, ast.With)):
            inner = [getattr(statement, part, []) for part in ("body", "orelse", "finalbody")]
            handlers = [handler.body for handler in getattr(statement, "handlers", [])]
            pending.append(itertools.chain(*inner, *handlers))


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
