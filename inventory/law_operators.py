"""The operators of a law on plain data: exact in types where they compare, bounded where they build; pure."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from inventory.law_budget import COLLECTIONS, NUMBERS, Budget, Senseless, content, items
from inventory.values import exact, same, shown, type_name

_SEQUENCES = (str, list, tuple)
_SETS = (set, frozenset)


def binary(op: ast.operator, left: Any, right: Any, budget: Budget) -> Any:
    """`left op right`. Raises Senseless where Python itself would refuse, or the types do not fit."""
    left, right = content(left), content(right)
    budget.weigh(left, right)
    if type(left) in NUMBERS and type(right) in NUMBERS:
        return _numbers(op, left, right, budget)
    if _are_sets(left, right) and type(op) in _ON_SETS:
        return _sets(op, left, right)
    if isinstance(op, ast.Add) and type(left) is type(right) and type(left) in _SEQUENCES:
        budget.room(len(left) + len(right))
        return left + right
    if isinstance(op, ast.Mult) and {type(left), type(right)} & {*_SEQUENCES} and int in (type(left), type(right)):
        times, value = (left, right) if type(left) is int else (right, left)
        budget.room(len(value) * max(times, 0))
        return value * times
    if isinstance(op, ast.BitOr) and type(left) is dict and type(right) is dict:
        return left | right
    raise _unfit(_SIGNS[type(op)], left, right)


def unary(op: ast.unaryop, value: Any, budget: Budget) -> Any:
    """`-value`, `+value`, `~value`, `not value`."""
    if isinstance(op, ast.Not):
        return not truth(value)
    budget.weigh(value)
    if type(value) not in NUMBERS or (isinstance(op, ast.Invert) and type(value) is not int):
        raise Senseless(f"{shown(value, 80)} ({type_name(value)}) has no {_UNARY[type(op)][0]}")
    return _UNARY[type(op)][1](value)


def compare(op: ast.cmpop, left: Any, right: Any, budget: Budget) -> bool:
    """`left op right`: equal is what has the same types and contents, all the way down."""
    budget.weigh(left, right)
    budget.weigh(left, right)  # comparing takes longer than looking
    if isinstance(op, (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)):
        return same(left, right) is isinstance(op, (ast.Eq, ast.Is))
    if isinstance(op, (ast.In, ast.NotIn)):
        return holds(right, left, budget) is isinstance(op, ast.In)
    left, right = content(left), content(right)
    in_order = type(left) in NUMBERS and type(right) in NUMBERS
    if not (in_order or (type(left) is type(right) and type(left) in _SEQUENCES) or _are_sets(left, right)):
        raise _unfit(_ORDER[type(op)][0], left, right)
    if _are_sets(left, right):
        left, right = {exact(item) for item in left}, {exact(item) for item in right}
    return bool(_ORDER[type(op)][1](left, right))


def holds(collection: Any, value: Any, budget: Budget) -> bool:
    """Whether a collection holds a value of exactly this type and content; of a text, whether it is a part."""
    found = items(collection)
    if type(found) is str:
        if type(value) is not str:
            raise _unfit("in", value, found)
        return value in found
    budget.spend(2 * len(found))
    return any(type(item) is type(value) and same(item, value) for item in found)


def truth(value: Any) -> bool:
    """Whether a value counts as true. Raises Senseless for an object, which has its own say."""
    plain = content(value)
    if plain is None or type(plain) in (*NUMBERS, str) or isinstance(plain, COLLECTIONS):
        return bool(plain)
    raise Senseless(f"{shown(value, 80)} ({type_name(value)}) is neither true nor false")


def part(value: Any, key: Any, budget: Budget) -> Any:
    """`value[key]` of a list, tuple, text or mapping; the key of a mapping counts with its type."""
    found = content(value)
    if type(found) is dict:
        budget.weigh(key)
        if key in found and (type(key) is str or any(same(known, key) for known in budget.paid(found))):
            return found[key]
        raise Senseless(f"{shown(value, 80)} has no key {shown(key, 40)}")
    if type(found) not in _SEQUENCES or type(key) is not int:
        raise Senseless(f"{shown(value, 80)} ({type_name(value)}) has no part {shown(key, 40)}")
    if not -len(found) <= key < len(found):
        raise Senseless(f"{shown(value, 80)} has {len(found)} items, so none at {key}")
    return found[key]


def cut(value: Any, bounds: list[Any], budget: Budget) -> Any:
    """`value[a:b:c]`."""
    found = content(value)
    whole = all(bound is None or type(bound) is int for bound in bounds)
    if type(found) not in _SEQUENCES or not whole or bounds[2] == 0:
        raise Senseless(f"{shown(value, 80)} ({type_name(value)}) cannot be cut so")
    budget.room(len(found))
    return found[slice(*bounds)]


# -- numbers and sets ----------------------------------------------------------------------


def _numbers(op: ast.operator, left: Any, right: Any, budget: Budget) -> Any:
    kinds = {type(left), type(right)}
    if type(op) in _ON_INTS and float in kinds:
        raise _unfit(_SIGNS[type(op)], left, right)
    if float not in kinds:
        budget.bits(_bits(op, int(left), int(right)))
    elif isinstance(op, ast.Pow) and left < 0 and right != int(right):
        raise Senseless(f"{shown(left)} ** {shown(right)} is no real number")
    return _ARITHMETIC[type(op)](left, right)


def _bits(op: ast.operator, left: int, right: int) -> int:
    """How many bits the result may have, from above."""
    if isinstance(op, ast.Pow):
        return max(left.bit_length(), 1) * right if abs(left) > 1 else 1
    if isinstance(op, ast.LShift):
        return left.bit_length() + right if left else 1
    if isinstance(op, ast.Mult):
        return left.bit_length() + right.bit_length()
    return max(left.bit_length(), right.bit_length()) + 1


def _sets(op: ast.operator, left: Any, right: Any) -> Any:
    """Set operators on what items are, so that 1 and True stay apart as far as a set lets them."""
    known = {exact(item) for item in right}
    kind = type(left)
    if isinstance(op, ast.BitAnd):
        return kind(item for item in left if exact(item) in known)
    rest = [item for item in left if exact(item) not in known]
    if isinstance(op, ast.Sub):
        return kind(rest)
    if isinstance(op, ast.BitOr):
        return kind([*left, *right])
    mine = {exact(item) for item in left}
    return kind([*rest, *(item for item in right if exact(item) not in mine)])


def _are_sets(left: Any, right: Any) -> bool:
    return type(left) in _SETS and type(right) in _SETS


def _unfit(sign: str, left: Any, right: Any) -> Senseless:
    names = f"{type_name(left)} {sign} {type_name(right)}"
    return Senseless(f"{shown(left, 80)} {sign} {shown(right, 80)} makes no sense ({names})")


_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
}
_ON_SETS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Sub)
_ON_INTS = (ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor)
_UNARY: dict[type[ast.unaryop], tuple[str, Callable[[Any], Any]]] = {
    ast.USub: ("-", operator.neg),
    ast.UAdd: ("+", operator.pos),
    ast.Invert: ("~", operator.invert),
}
_ORDER: dict[type[ast.cmpop], tuple[str, Callable[[Any, Any], Any]]] = {
    ast.Lt: ("<", operator.lt),
    ast.LtE: ("<=", operator.le),
    ast.Gt: (">", operator.gt),
    ast.GtE: (">=", operator.ge),
}
SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.In: "in",
    ast.NotIn: "not in",
    **{kind: sign for kind, (sign, _) in _ORDER.items()},
}
