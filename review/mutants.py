"""Mutants of one function: its source with one small fault put in, made from the syntax tree; pure."""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MAX_MUTANTS = 30
_MAX_TEXT = 60
Definition = ast.FunctionDef | ast.AsyncFunctionDef

_OPERATORS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip
_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Mutant:
    """A source with one fault in one function; `line` and `what` say where and which."""

    line: int
    what: str
    source: bytes


@dataclass(frozen=True)
class _Swap:
    """One node of a function and what takes its place; a list takes the place of the whole body."""

    node: ast.AST
    new: ast.AST | list[ast.stmt]
    what: str


_Fault = tuple[Definition, _Swap]


def mutants_of(source: bytes, name: str, answers: Sequence[object] = ()) -> tuple[Mutant, ...]:
    """Mutants of the function `name` (dotted in a class), the first one without a fault, as a control.

    Functions of the same module that it calls are part of it: a fault in them is a fault of the function.
    `answers` are values that the function gave: one that always gives the first of them is a mutant, too.
    () where the source does not parse or does not define the function. At most `MAX_MUTANTS`, spread evenly.
    """
    try:
        text = source.decode("utf-8")
        module = ast.parse(text)
        function = _find(module, name.split("."))
    except (SyntaxError, ValueError, RecursionError):
        return ()
    if function is None:
        return ()
    faults = [(function, swap) for swap in _returns(function, answers)]
    faults += [(part, swap) for part in _reached(module, function) for swap in _swaps(part)]
    control = Mutant(function.lineno, "no fault", _with_function(text, function, function))
    return (control, *_distinct(control, [_mutant(text, part, swap) for part, swap in _spread(faults)]))


def _mutant(text: str, function: Definition, swap: _Swap) -> Mutant:
    copies: dict[int, ast.AST] = {}
    fresh = copy.deepcopy(function, copies)  # the memo maps the id of a node to its copy
    if isinstance(swap.new, list):
        fresh.body = swap.new
    else:
        _Put(copies[id(swap.node)], swap.new).visit(fresh)
    return Mutant(getattr(swap.node, "lineno", function.lineno), swap.what, _with_function(text, function, fresh))


class _Put(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


# -- which faults there are --------------------------------------------------------------


def _swaps(function: Definition) -> Iterator[_Swap]:
    for node in _inner(function.body):
        yield from _conditions(node)
        yield from _values(node)
        yield from _operators(node)
        if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr, ast.Raise, ast.Break, ast.Continue)):
            yield _Swap(node, ast.Pass(), f"dropped: {_shown(node)}")


def _returns(function: Definition, answers: Sequence[object]) -> Iterator[_Swap]:
    """The function gives None, one of its arguments, nothing of its kind, or always the same."""
    names = [arg.arg for arg in (*function.args.posonlyargs, *function.args.args) if arg.arg not in ("self", "cls")]
    texts = ["None", *names[:3]]
    for answer in answers[:1]:
        texts += [repr(answer), repr(type(answer)())]
    for text in dict.fromkeys(texts):
        body = ast.parse(f"return {text}", mode="exec").body
        yield _Swap(function, body, f"always: return {text[:_MAX_TEXT]}")


def _conditions(node: ast.AST) -> Iterator[_Swap]:
    tests = [node.test] if isinstance(node, (ast.If, ast.While, ast.IfExp)) else []
    tests += node.ifs if isinstance(node, ast.comprehension) else []
    for test in tests:
        yield _Swap(test, ast.UnaryOp(ast.Not(), copy.deepcopy(test)), f"negated: {_shown(test)}")


def _values(node: ast.AST) -> Iterator[_Swap]:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield _Swap(node, ast.Constant(node.value + 1), f"off by one: {node.value} became {node.value + 1}")
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield _Swap(node, ast.Constant(not node.value), f"swapped: {node.value} became {not node.value}")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _TWINS:
        twin = _TWINS[node.func.id]
        yield _Swap(node.func, ast.Name(twin, ast.Load()), f"swapped: {node.func.id} became {twin}")


def _operators(node: ast.AST) -> Iterator[_Swap]:
    if isinstance(node, (ast.BinOp, ast.BoolOp, ast.AugAssign)) and type(node.op) in _OPERATORS:
        changed = _shallow(node, op=_OPERATORS[type(node.op)]())
        yield _Swap(node, changed, f"swapped: {_shown(node)} became {_shown(changed)}")
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        changed = _shallow(node, ops=[_COMPARISONS[type(node.ops[0])](), *node.ops[1:]])
        yield _Swap(node, changed, f"swapped: {_shown(node)} became {_shown(changed)}")


def _shallow(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.deepcopy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _inner(body: Sequence[ast.stmt]) -> Iterator[ast.AST]:
    """Every node of a body in the order of the text, docstrings aside."""
    for statement in body:
        if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
            yield from ast.walk(statement)


# -- from a tree to a source -------------------------------------------------------------


def _find(tree: ast.AST, names: list[str]) -> Definition | None:
    """The last definition of a name, as it is bound when the module has run."""
    found = None
    for node in ast.iter_child_nodes(tree):
        inside = isinstance(node, (ast.If, ast.Try, ast.With, ast.ExceptHandler))
        if isinstance(node, ast.ClassDef) and len(names) > 1 and node.name == names[0]:
            found = _find(node, names[1:]) or found
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and names == [node.name]:
            found = node
        elif inside:
            found = _find(node, names) or found
    return found


def _reached(module: ast.Module, function: Definition) -> list[Definition]:
    """The function and those of its module whose names it mentions, and so on from these."""
    known = {node.name: node for node in module.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    reached = [function]
    for part in reached:
        names = {node.id for node in ast.walk(part) if isinstance(node, ast.Name)}
        reached += [known[name] for name in known if name in names and known[name] not in reached]
    return reached


def _with_function(text: str, old: Definition, new: ast.AST) -> bytes:
    lines = text.split("\n")
    first = min([old.lineno, *(node.lineno for node in old.decorator_list)])
    indented = textwrap.indent(ast.unparse(ast.fix_missing_locations(new)), " " * old.col_offset)
    return "\n".join([*lines[: first - 1], indented, *lines[old.end_lineno :]]).encode()


def _spread(faults: Sequence[_Fault]) -> Sequence[_Fault]:
    if len(faults) <= MAX_MUTANTS:
        return faults
    return [faults[n * len(faults) // MAX_MUTANTS] for n in range(MAX_MUTANTS)]


def _distinct(control: Mutant, mutants: Sequence[Mutant]) -> tuple[Mutant, ...]:
    by_source = {mutant.source: mutant for mutant in reversed(mutants) if mutant.source != control.source}
    return tuple(mutant for mutant in mutants if by_source.get(mutant.source) is mutant)


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"
