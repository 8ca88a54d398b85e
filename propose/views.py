"""A function as the rules look at it: its words, its parameters, and questions about its syntax tree; pure."""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass, field
from functools import cached_property

from inventory.functions import Function, Parameter

_CONTAINERS = (
    "list",
    "dict",
    "set",
    "Sequence",
    "Mapping",
    "MutableMapping",
    "MutableSequence",
    "Iterable",
    "List",
    "Dict",
)
_MUTATORS = (
    *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "sort", "reverse", "update", "setdefault"),
    *("add", "discard", "appendleft", "popleft"),
)
_IMPURE = re.compile(
    r"\b(?:open|print|input|exec|eval|random|secrets|time|datetime|date|os|sys|subprocess|socket|requests|urllib|httpx"
    r"|shutil|threading|asyncio|logging|logger|log|uuid|uuid4|urandom|global|nonlocal|session|cursor|conn|request"
    r"|Path|tempfile|environ|click|typer|console)\b(?=\s*[.(\[]|\s+\w)"
)
_PLAIN = frozenset(
    {
        *("str", "int", "float", "bool", "bytes", "None", "object", "Any", "Literal", "Optional", "Union"),
        *("list", "dict", "tuple", "set", "frozenset", "List", "Dict", "Tuple", "Set", "FrozenSet"),
        *("Sequence", "Mapping", "MutableMapping", "MutableSequence", "Iterable", "Collection"),
        *("typing", "collections", "abc", "t", "T"),
    }
)
_PLAIN_ATTRIBUTES = frozenset(
    name for kind in (str, bytes, list, dict, set, tuple, int, float) for name in dir(kind) if not name.startswith("__")
)
_PURE_DECORATORS = (
    "staticmethod",
    "classmethod",
    "cache",
    "lru_cache",
    "functools.cache",
    "functools.lru_cache",
    "overload",
)


@dataclass(frozen=True)
class View:
    """A function as the rules look at it."""

    function: Function
    siblings: tuple[Function, ...] = field(default=())

    @property
    def words(self) -> list[str]:
        return self.function.name.strip("_").lower().split("_")

    @property
    def positional(self) -> list[Parameter]:
        return [p for p in self.function.parameters if p.kind == "positional"]

    @property
    def required(self) -> list[Parameter]:
        return [p for p in self.function.parameters if p.required]

    @cached_property
    def lines(self) -> list[str]:
        return self.function.source.split("\n")

    @cached_property
    def node(self) -> ast.FunctionDef | None:
        try:
            body = ast.parse(textwrap.dedent(self.function.source)).body
        except (SyntaxError, ValueError, RecursionError):
            return None
        return next((n for n in reversed(body) if isinstance(n, ast.FunctionDef)), None)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.node)) if self.node else []

    @property
    def statements(self) -> list[ast.stmt]:
        body = self.node.body if self.node else []
        return body[1:] if self.function.docstring is not None else body

    @property
    def is_opaque(self) -> bool:
        """Nothing that a check could see: no result, no input, an unknown decorator, the outside world."""
        returns = [n for n in self.nodes if isinstance(n, ast.Return) and n.value is not None]
        decorated = any(d.partition("(")[0] not in _PURE_DECORATORS for d in self.function.decorators)
        is_stub = not self.statements or all(isinstance(s, ast.Raise | ast.Pass) for s in self.statements)
        body = "\n".join(ast.unparse(s) for s in self.statements)
        takes_data = returns and self.positional and all(self.is_plain(p) for p in self.function.parameters)
        return not takes_data or decorated or is_stub or bool(_IMPURE.search(body))

    def is_plain(self, parameter: Parameter) -> bool:
        """Whether plain data can stand for a parameter, by its annotation, else by the attributes that are used."""
        if not parameter.required:
            return True
        if parameter.annotation is not None:
            return set(re.findall(r"[A-Za-z_]\w*", parameter.annotation)) <= _PLAIN
        used = [n for n in self.nodes if isinstance(n, ast.Attribute) and is_name(n.value, parameter.name)]
        return all(n.attr in _PLAIN_ATTRIBUTES for n in used)

    @property
    def def_line(self) -> str:
        """The `def` line, verbatim."""
        return next(line.strip() for line in reversed(self.lines) if re.match(r"\s*def\s", line))

    def line_of(self, node: ast.AST) -> str:
        """The first line of a node, verbatim."""
        return self.lines[getattr(node, "lineno", 1) - 1].strip()


def mutates(node: ast.AST, name: str) -> bool:
    """Whether a node changes the value that a name stands for."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS:
        return is_name(node.func.value, name)
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        return is_name(node.value, name)
    return isinstance(node, ast.AugAssign) and is_name(node.target, name)


def copies(node: ast.AST, name: str) -> bool:
    """Whether a node makes a copy of the value that a name stands for."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and is_name(node.args[0], name):
        return ast.unparse(node.func) in ("dict", "list", "set", "copy.copy", "copy.deepcopy", "deepcopy", "copy")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
        return is_name(node.func.value, name)
    if isinstance(node, ast.Dict):
        return any(k is None and is_name(v, name) for k, v in zip(node.keys, node.values, strict=True))
    return isinstance(node, ast.List) and any(isinstance(e, ast.Starred) and is_name(e.value, name) for e in node.elts)


def is_container(annotation: str | None) -> bool:
    """Whether an annotation names a collection."""
    return annotation is not None and annotation.partition("[")[0].rpartition(".")[2] in _CONTAINERS


def is_name(node: ast.AST, name: str) -> bool:
    """Whether a node is this name and nothing else."""
    return isinstance(node, ast.Name) and node.id == name


def catches_all(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes every exception and lets none go on."""
    is_wide = handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")
    return is_wide and not any(isinstance(n, ast.Raise) for n in ast.walk(handler))


def sorted_call(view: View, value: ast.expr | None) -> ast.Call | None:
    """The call that put the returned value in order: `sorted(…)` itself, or `.sort(…)` on the returned name."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "sorted" and value.args:
        return value
    if not isinstance(value, ast.Name):
        return None
    calls = [n for n in view.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    sorts = [c for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr == "sort"]
    return next((c for c in sorts if isinstance(c.func, ast.Attribute) and is_name(c.func.value, value.id)), None)


def sort_key(value: ast.expr) -> str | int | None:
    """The field or index that a key function takes: `lambda x: x["k"]`, `lambda x: x.k`, `itemgetter(0)`."""
    if isinstance(value, ast.Lambda):
        body = value.body
        if isinstance(body, ast.Attribute) and isinstance(body.value, ast.Name):
            return body.attr
        return _constant(body.slice) if isinstance(body, ast.Subscript) and isinstance(body.value, ast.Name) else None
    if isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in ("itemgetter", "attrgetter"):
        return _constant(value.args[0]) if len(value.args) == 1 else None
    return None


def _constant(value: ast.expr) -> str | int | None:
    found = value.value if isinstance(value, ast.Constant) else None
    return found if isinstance(found, str) or type(found) is int else None
