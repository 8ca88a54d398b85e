"""Functions of Python sources by AST span, and which of them differ between two versions of a file; pure."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

_CONSTANT_LINES = 20
_SEPARATOR = "\n\n"
_BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")  # where a statement holds others, in their order

Definition = ast.FunctionDef | ast.AsyncFunctionDef


class Binding(StrEnum):
    """What a call of the function by its dotted name needs."""

    FUNCTION = "function"  # nothing: it lies in the module
    STATIC = "static"  # nothing: a static or class method
    INSTANCE = "instance"  # an instance, so a property cannot name it
    PROPERTY = "property"  # an instance, and it is not called at all
    NESTED = "nested"  # its enclosing function must run first


@dataclass(frozen=True)
class Parameter:
    """One parameter; `annotation` and `default` are source text.

    `kind` is positional, keyword, var_positional or var_keyword.
    """

    name: str
    kind: str
    annotation: str | None = None
    required: bool = True
    default: str | None = None


@dataclass(frozen=True)
class _Scope:
    """What lies around a definition: names for the qualified name, class nodes for the header."""

    names: tuple[str, ...] = ()
    classes: tuple[ast.ClassDef, ...] = ()
    in_function: bool = False


@dataclass(frozen=True)
class Function:
    """One function of a source, all definitions of its qualified name together (overloads, setters, branches).

    `source` is verbatim, decorators included; `first` and `last` are lines from 1. What is seldom asked for
    is worked out from the syntax tree when it is asked for: a patch may change a thousand functions.
    """

    qualname: str
    source: str
    first: int
    last: int
    binding: Binding
    _nodes: tuple[Definition, ...] = field(repr=False, compare=False)
    _scope: _Scope = field(repr=False, compare=False)
    _module: _Module = field(repr=False, compare=False)

    @property
    def _node(self) -> Definition:
        return self._nodes[-1]  # the last definition is the one that the name is bound to

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2]

    @property
    def is_public(self) -> bool:
        return not any(part.startswith("_") for part in self.qualname.split("."))

    @property
    def is_callable_by_name(self) -> bool:
        """Whether a property can name it: called without an instance, and not as a coroutine.

        The items of a generator are its answer.
        """
        return self.binding in (Binding.FUNCTION, Binding.STATIC) and not self.is_async

    @property
    def is_async(self) -> bool:
        return isinstance(self._node, ast.AsyncFunctionDef)

    @cached_property
    def signature(self) -> str:
        return _signature(self._node)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        return _parameters(self._node)

    @cached_property
    def returns(self) -> str | None:
        return _text_of(self._node.returns)

    @cached_property
    def decorators(self) -> tuple[str, ...]:
        return tuple(_written(d) for d in self._node.decorator_list)

    @cached_property
    def docstring(self) -> str | None:
        return ast.get_docstring(self._node)

    @cached_property
    def class_header(self) -> str | None:
        return _SEPARATOR.join(self._module.header(c) for c in self._scope.classes) or None

    @cached_property
    def constants(self) -> tuple[str, ...]:
        return self._module.constants_in(self._nodes)

    def means(self, other: Function) -> bool:
        """Whether both are the same syntax tree, however they are laid out or commented."""
        return self.source == other.source or _same(self._nodes, other._nodes)


@dataclass(frozen=True)
class ChangedFunction:
    """A function on both sides of a patch; None on the side where it does not exist, never on both."""

    old: Function | None
    new: Function | None

    @property
    def present(self) -> Function:
        """The new side, or the old one of a deleted function."""
        present = self.new or self.old
        if present is None:
            raise ValueError("a function that is on neither side did not change")
        return present

    @property
    def is_deleted(self) -> bool:
        return self.new is None

    @property
    def weight(self) -> int:
        """How many lines differ."""
        old = self.old.source.split("\n") if self.old else []
        new = self.new.source.split("\n") if self.new else []
        return len(set(old) ^ set(new))


def decode(source: bytes) -> str | None:
    """The text of a Python source by its own coding line, each newline a line feed; None where it cannot be read."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        return source.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")
    except (SyntaxError, ValueError, LookupError):  # the codec `undefined` raises a bare UnicodeError
        return None


def functions_of(source: bytes) -> tuple[Function, ...] | None:
    """Every function of a source in the order of its first line; None where the source does not parse."""
    text = decode(source)
    tree = None if text is None else _parse(text)
    if text is None or tree is None:
        return None
    module = _Module(text.split("\n"), tree)
    found: dict[str, list[tuple[Definition, _Scope]]] = {}
    try:
        for node, scope in _definitions(tree, _Scope()):
            found.setdefault(".".join((*scope.names, node.name)), []).append((node, scope))
    except RecursionError:
        return None
    return tuple(sorted((module.function(q, d) for q, d in found.items()), key=lambda f: (f.first, f.qualname)))


def changed_functions(old: bytes | None, new: bytes | None) -> tuple[ChangedFunction, ...] | None:
    """The functions that differ between two sources (None: no such file); None where one does not parse."""
    before, after = functions_of(old or b""), functions_of(new or b"")
    return None if before is None or after is None else changes_between(before, after)


def changes_between(old: Iterable[Function], new: Iterable[Function]) -> tuple[ChangedFunction, ...]:
    """The functions that differ between two versions of a source.

    A function whose syntax tree is the same did not change, however it is laid out or commented. A nested
    function belongs to the function around it. New sides come first, by line; deleted functions follow.
    """
    before, after = _outermost(old), _outermost(new)
    kept = tuple(
        ChangedFunction(before.get(name), function)
        for name, function in after.items()
        if name not in before or not function.means(before[name])
    )
    gone = tuple(ChangedFunction(function, None) for name, function in before.items() if name not in after)
    return kept + gone


def _outermost(functions: Iterable[Function]) -> dict[str, Function]:
    return {f.qualname: f for f in functions if f.binding is not Binding.NESTED}


def _same(old: object, new: object) -> bool:
    """Whether two syntax trees, or lists of them, are the same but for their places; however deep they are."""
    pending = [(old, new)]
    while pending:
        one, other = pending.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST):
            pending.extend((getattr(one, name, None), getattr(other, name, None)) for name in one._fields)
        elif isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
            if len(one) != len(other):
                return False
            pending.extend(zip(one, other, strict=True))
        elif one != other:
            return False
    return True


def _parse(text: str) -> ast.Module | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a source's own doubtful escapes are not our concern
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None


def _definitions(node: ast.AST, scope: _Scope) -> Iterator[tuple[Definition, _Scope]]:
    for child in (child for block in _BLOCKS for child in getattr(node, block, ())):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield child, scope
            yield from _definitions(
                child, _Scope((*scope.names, child.name, "<locals>"), scope.classes, in_function=True)
            )
        elif isinstance(child, ast.ClassDef):
            inner = _Scope((*scope.names, child.name), (*scope.classes, child), scope.in_function)
            yield from _definitions(child, inner)
        else:
            yield from _definitions(child, scope)


@dataclass(frozen=True)
class _Module:
    lines: list[str]
    tree: ast.Module

    def function(self, qualname: str, definitions: list[tuple[Definition, _Scope]]) -> Function:
        nodes, (node, scope) = tuple(d for d, _ in definitions), definitions[-1]
        source = _SEPARATOR.join(self.text(_first_line(d), _last_line(d)) for d in nodes)
        binding = _binding(node, scope)
        return Function(qualname, source, _first_line(nodes[0]), _last_line(node), binding, nodes, scope, self)

    def text(self, first: int, last: int) -> str:
        return "\n".join(self.lines[first - 1 : last])

    def header(self, node: ast.ClassDef) -> str:
        first = min(node.lineno, *(d.lineno for d in node.decorator_list), node.lineno)
        return self.text(first, max(node.lineno, node.body[0].lineno - 1)).rstrip()

    @cached_property
    def constants(self) -> dict[str, tuple[int, int]]:
        return _constants(self.tree)

    def constants_in(self, nodes: Iterable[Definition]) -> tuple[str, ...]:
        """The source of each constant of the module that the definitions name."""
        names = {n.id for d in nodes for n in ast.walk(d) if isinstance(n, ast.Name)}
        return tuple(self.text(*place) for name, place in self.constants.items() if name in names)


def _constants(tree: ast.Module) -> dict[str, tuple[int, int]]:
    """Module level names that are assigned once in a few lines: name -> first and last line."""
    found: dict[str, tuple[int, int]] = {}
    for node in tree.body:
        targets = _targets(node)
        for name in (t.id for t in targets if isinstance(t, ast.Name)):
            last = node.end_lineno or node.lineno
            if last - node.lineno < _CONSTANT_LINES:
                found[name] = (node.lineno, last)
    return found


def _targets(node: ast.stmt) -> list[ast.expr]:
    if isinstance(node, ast.Assign):
        return node.targets
    return [node.target] if isinstance(node, ast.AnnAssign) and node.value is not None else []


def _first_line(node: Definition) -> int:
    return min((d.lineno for d in node.decorator_list), default=node.lineno)


def _last_line(node: Definition) -> int:
    return node.end_lineno or node.lineno


def _signature(node: Definition) -> str:
    prefix = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {_written(node.returns)}" if node.returns else ""
    return f"{prefix} {node.name}({_written(node.args)}){returns}"


def _binding(node: Definition, scope: _Scope) -> Binding:
    if scope.in_function:
        return Binding.NESTED
    if not scope.classes:
        return Binding.FUNCTION
    names = {_written(d) for d in node.decorator_list}
    if names & {"staticmethod", "classmethod"}:
        return Binding.STATIC
    is_property = any(n.rpartition(".")[2] in ("property", "cached_property", "setter", "deleter") for n in names)
    return Binding.PROPERTY if is_property else Binding.INSTANCE


def _parameters(node: Definition) -> tuple[Parameter, ...]:
    args = node.args
    positional = (*args.posonlyargs, *args.args)
    needed = len(positional) - len(args.defaults)
    defaults = [None] * needed + [_written(default) for default in args.defaults]
    found = [
        Parameter(a.arg, "positional", _text_of(a.annotation), default is None, default)
        for a, default in zip(positional, defaults, strict=True)
    ]
    if any(_written(d) == "classmethod" for d in node.decorator_list):
        del found[:1]  # the class is bound already when it is called by name
    if args.vararg:
        found.append(Parameter(args.vararg.arg, "var_positional", _text_of(args.vararg.annotation), required=False))
    for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(Parameter(arg.arg, "keyword", _text_of(arg.annotation), default is None, _text_of(default)))
    if args.kwarg:
        found.append(Parameter(args.kwarg.arg, "var_keyword", _text_of(args.kwarg.annotation), required=False))
    return tuple(found)


def _text_of(node: ast.expr | None) -> str | None:
    return None if node is None else _written(node)


def _written(node: ast.AST) -> str:
    """A node as source text; one that is nested too deeply to be written out is cut."""
    try:
        return ast.unparse(node)
    except RecursionError:
        return "…"
