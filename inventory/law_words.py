"""A law in words: its reading where it has one of the known shapes, and the meaning of each name in it; pure."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from inventory.functions import Function
from inventory.law_functions import FUNCTIONS
from inventory.law_lint import asks, parts_of
from inventory.law_methods import METHODS
from inventory.law_names import Scope
from inventory.law_syntax import Law

_WRAPS = ("list", "tuple", "set", "dict")


def reading(law: Law, scope: Scope) -> str | None:
    """A law in one sentence of plain words; None where it has no known shape."""
    parts = [_part(part, scope) for part in parts_of(law.tree)]
    return "; and ".join(part for part in parts if part) + "." if all(parts) else None


def names_of(law: Law, scope: Scope, function: Function | None = None) -> tuple[tuple[str, str], ...]:
    """Each name that a law uses, in the order of reading, with what it stands for."""
    nodes = sorted((n for n in ast.walk(law.tree) if hasattr(n, "col_offset")), key=lambda n: n.col_offset)
    found = [pair for node in nodes for pair in _meanings(node, scope, function)]
    return tuple(dict.fromkeys(found))


def _meanings(node: ast.AST, scope: Scope, function: Function | None) -> Iterator[tuple[str, str]]:
    if isinstance(node, ast.Call):
        named = scope.function(node.func)
        if named:
            yield named, "the function under test" if named == scope.target else "another function of the module"
        elif word := scope.word(node.func):
            yield word, FUNCTIONS[word].meaning
        elif isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
            yield f".{node.func.attr}", METHODS[node.func.attr].meaning
    elif isinstance(node, ast.Name) and node.id in scope.parameters:
        yield node.id, _parameter(node.id, function)
    for loop in getattr(node, "generators", ()):
        yield ast.unparse(loop.target), f"each item of {ast.unparse(loop.iter)}"


def _parameter(name: str, function: Function | None) -> str:
    known = next((p for p in function.parameters if p.name == name), None) if function else None
    return f"a parameter, {known.annotation}" if known and known.annotation else "a parameter"


# -- shapes ----------------------------------------------------------------------------------


def _part(node: ast.expr, scope: Scope) -> str | None:
    """One part of a law, with the condition or the quantifier around it."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or) and len(node.values) == 2:
        condition, claim = node.values
        if not asks(condition, scope):
            inner = _part(claim, scope)
            return f"{_unless(condition)}, {inner}" if inner else None
    if isinstance(node, ast.IfExp):
        there, otherwise = _part(node.body, scope), _part(node.orelse, scope)
        return f"where {ast.unparse(node.test)}, {there}; elsewhere {otherwise}" if there and otherwise else None
    return next((told for shape in _SHAPES if (told := shape(node, scope))), None)


def _unless(condition: ast.expr) -> str:
    if isinstance(condition, ast.UnaryOp) and isinstance(condition.op, ast.Not):
        return f"where {ast.unparse(condition.operand)}"
    return f"unless {ast.unparse(condition)}"


def _every(node: ast.expr, scope: Scope) -> str | None:
    inner = (
        node.args[0] if isinstance(node, ast.Call) and scope.word(node.func) in ("all", "any") and node.args else None
    )
    if not isinstance(inner, ast.GeneratorExp) or not isinstance(node, ast.Call):
        return None
    loops = " and ".join(f"{ast.unparse(loop.target)} of {ast.unparse(loop.iter)}" for loop in inner.generators)
    limits = [ast.unparse(condition) for loop in inner.generators for condition in loop.ifs]
    such = f" with {' and '.join(limits)}" if limits else ""
    how = "every" if scope.word(node.func) == "all" else "some"
    return f"for {how} {loops}{such}, {_part(inner.elt, scope) or ast.unparse(inner.elt)}"


def _error(node: ast.expr, scope: Scope) -> str | None:
    wanted = True
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], (ast.Eq, ast.Is)):
        told, condition = node.left, node.comparators[0]
        refusal = _refusal(told, scope)
        return f"{refusal} exactly where {ast.unparse(condition)}" if refusal else None
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node, wanted = node.operand, False
    refusal = _refusal(node, scope)
    return refusal if wanted or not refusal else refusal.replace(" raises ", " never raises ", 1)


def _refusal(node: ast.expr, scope: Scope) -> str | None:
    if not isinstance(node, ast.Call) or scope.word(node.func) != "raises":
        return None
    named, call = node.args
    return f"{ast.unparse(call)} raises {getattr(named, 'value', '')}"


def _equal(node: ast.expr, scope: Scope) -> str | None:
    sides = _sides(node, ast.Eq)
    if sides is None and isinstance(node, ast.Call) and scope.word(node.func) == "close":
        sides = (node.args[0], node.args[1])
    if sides is None:
        return None
    for left, right in (sides, sides[::-1]):
        told = next((told for shape in _EQUALITIES if (told := shape(left, right, scope))), None)
        if told:
            return told
    return None


def _sides(node: ast.expr, kind: type[ast.cmpop]) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], kind):
        return node.left, node.comparators[0]
    return None


def _bare(node: ast.expr, scope: Scope) -> ast.expr:
    """What a node speaks about, without a conversion around it."""
    while isinstance(node, ast.Call) and scope.word(node.func) in _WRAPS and len(node.args) == 1:
        node = node.args[0]
    return node


def _inner(node: ast.expr, scope: Scope, name: str | None = None) -> ast.Call | None:
    """The call that a node is: of the target, or of a built-in function `name`."""
    found = _bare(node, scope) if name is None else node
    if not isinstance(found, ast.Call):
        return None
    named = scope.function(found.func) == scope.target if name is None else scope.word(found.func) == name
    return found if named and found.args else None


def _repeated(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    outer = _inner(left, scope)
    once = _inner(outer.args[0], scope) if outer else None
    if once is None:
        return None
    if ast.unparse(_bare(right, scope)) == ast.unparse(once):
        return f"{scope.target} changes nothing in what it gave itself (idempotent)"
    if ast.unparse(right) == ast.unparse(once.args[0]):
        return f"{scope.target} applied twice gives {ast.unparse(right)} back (involution)"
    return None


def _round_trip(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    outer = _bare(left, scope)
    if not isinstance(outer, ast.Call) or not outer.args:
        return None
    back, there = scope.function(outer.func), _bare(outer.args[0], scope)
    first = scope.function(there.func) if isinstance(there, ast.Call) and there.args else None
    if not back or not first or back == first or not isinstance(there, ast.Call):
        return None
    if ast.unparse(there.args[0]) == ast.unparse(right):
        return f"{back} gives back the {ast.unparse(right)} that {first} was given (round trip)"
    return None


def _swapped(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    one, other = _inner(left, scope), _inner(right, scope)
    if one is None or other is None or ast.unparse(one) == ast.unparse(other):
        return None
    given, turned = ([ast.unparse(arg) for arg in call.args] for call in (one, other))
    if sorted(given) == sorted(turned):
        return f"the order of {' and '.join(given)} does not matter to {scope.target} (symmetry)"
    return None


def _permutation(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    one, other = _inner(left, scope, "sorted"), _inner(right, scope, "sorted")
    ask = _inner(one.args[0], scope) if one else None
    if ask and other:
        return f"{ast.unparse(ask)} holds exactly the items of {ast.unparse(other.args[0])} (permutation)"
    return None


def _ordered(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    ask, other = _inner(left, scope), _inner(right, scope, "sorted")
    if ask is None or other is None:
        return None
    if ast.unparse(_bare(other.args[0], scope)) == ast.unparse(ask):
        return f"{ast.unparse(ask)} is in order"
    return f"{ast.unparse(ask)} is {ast.unparse(other.args[0])} in order"


def _length(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    one = _inner(left, scope, "len")
    ask = _inner(one.args[0], scope) if one else None
    return f"{ast.unparse(ask)} has {ast.unparse(right)} items" if ask and not asks(right, scope) else None


def _growth(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    """How the answer to a larger input follows from the answers to its parts."""
    ask = _inner(left, scope)
    grown = ask is not None and any(isinstance(arg, ast.BinOp) for arg in ask.args)
    if ask is None or not grown or not asks(right, scope):
        return None
    return f"{ast.unparse(ask)} follows from smaller inputs: it is {ast.unparse(right)} (growth)"


def _between_calls(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    if not asks(left, scope) or not asks(right, scope):
        return None
    return f"{ast.unparse(left)} and {ast.unparse(right)} are the same (two calls)"


def _output(left: ast.expr, right: ast.expr, scope: Scope) -> str | None:
    if not asks(left, scope) or asks(right, scope):
        return None
    return f"{ast.unparse(left)} is {ast.unparse(right)} (output against input)"


def _bounded(node: ast.expr, scope: Scope) -> str | None:
    order = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    if not isinstance(node, ast.Compare) or not all(isinstance(op, order) for op in node.ops):
        return None
    if len(node.ops) == 2:
        first, middle, last = (ast.unparse(side) for side in (node.left, *node.comparators))
        return f"{middle} lies between {first} and {last} (bounds)"
    sides = (node.left, node.comparators[0])
    low, high = sides if isinstance(node.ops[0], (ast.Lt, ast.LtE)) else sides[::-1]
    how = "less than" if isinstance(node.ops[0], (ast.Lt, ast.Gt)) else "at most"
    kind = "two calls" if asks(low, scope) and asks(high, scope) else "bound"
    return f"{ast.unparse(low)} is {how} {ast.unparse(high)} ({kind})"


def _member(node: ast.expr, _scope: Scope) -> str | None:
    sides = _sides(node, ast.In)
    return f"{ast.unparse(sides[0])} is in {ast.unparse(sides[1])}" if sides else None


_EQUALITIES: tuple[Callable[[ast.expr, ast.expr, Scope], str | None], ...] = (
    *(_repeated, _round_trip, _swapped, _permutation, _ordered, _length, _growth, _output, _between_calls),
)
_SHAPES: tuple[Callable[[ast.expr, Scope], str | None], ...] = (_error, _every, _equal, _bounded, _member)
