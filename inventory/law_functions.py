"""The functions that a law may call, each with its meaning and its bounded way of working; pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from inventory.law_budget import MAX_ITEMS, NUMBERS, Budget, Overspent, Senseless, content, items
from inventory.law_operators import truth
from inventory.values import same, shown, type_name

Key = Callable[[Any], Any]
_ROUND = 400
_TOLERANCE = 1e-9
TYPES: Mapping[str, tuple[type, ...]] = MappingProxyType(
    {
        "int": (int, bool),
        "float": (float,),
        "str": (str,),
        "bool": (bool,),
        "list": (list,),
        "tuple": (tuple,),
        "dict": (dict,),
        "set": (set,),
        "frozenset": (frozenset,),
    }
)


@dataclass(frozen=True)
class Word:
    """One function or method: how many arguments it takes, its keywords, what it means, how it works.

    `work` gets the budget and the arguments, of a method its value first; None where the evaluator itself knows.
    """

    least: int
    most: int
    meaning: str
    work: Callable[..., Any] | None = None
    keywords: tuple[str, ...] = ()


# -- functions -------------------------------------------------------------------------------


def number_of(value: Any, *, whole: bool = False) -> Any:
    """The value, which is a number. Raises Senseless for anything else."""
    if type(value) not in NUMBERS or (whole and type(value) is float):
        raise Senseless(f"{shown(value, 80)} ({type_name(value)}) is no {'whole ' if whole else ''}number")
    return value


def _all(budget: Budget, values: Any) -> bool:
    return all(map(truth, budget.paid(items(values))))


def _any(budget: Budget, values: Any) -> bool:
    return any(map(truth, budget.paid(items(values))))


def _sorted(budget: Budget, values: Any, key: Key | None = None, reverse: Any = False) -> list[Any]:  # noqa: FBT002  # as Python names it
    found = budget.listed(items(values))
    keys = [key(item) for item in found] if key else found
    budget.weigh(keys, keys, keys)
    return [found[at] for at in sorted(range(len(found)), key=keys.__getitem__, reverse=truth(reverse))]


def _outermost(pick: Callable[..., Any]) -> Callable[..., Any]:
    def work(budget: Budget, *args: Any, key: Key | None = None, **more: Any) -> Any:
        found = budget.listed(items(args[0]) if len(args) == 1 else args)
        if not found and "default" in more:
            return more["default"]
        if not found:
            raise Senseless("no items, so none that is first or last in order")
        keys = [key(item) for item in found] if key else found
        budget.weigh(keys, keys)
        return found[pick(range(len(found)), key=keys.__getitem__)]

    return work


def _sum(budget: Budget, values: Any) -> Any:
    found = [number_of(item) for item in budget.listed(items(values))]
    budget.weigh(found)
    return sum(found)


def _range(budget: Budget, *bounds: Any) -> list[int]:
    counted = range(*(number_of(bound, whole=True) for bound in bounds))
    try:
        budget.room(len(counted))
    except OverflowError:
        raise Overspent("the law counts too far") from None
    return list(counted)


def _str(budget: Budget, value: Any = "") -> str:
    before = budget.left
    budget.weigh(value)
    if before - budget.left > MAX_ITEMS:
        raise Overspent("the law makes too long a text")
    return str(content(value))


def _int(budget: Budget, value: Any = 0, base: Any = None) -> int:
    budget.weigh(value)
    if type(value) is str:
        found = int(value) if base is None else int(value, number_of(base, whole=True))
    elif base is None:
        found = int(number_of(value))
    else:
        raise Senseless(f"{shown(value, 80)} is no text, so it has no base")
    budget.bits(found.bit_length())
    return found


def _float(budget: Budget, value: Any = 0) -> float:
    budget.weigh(value)
    return float(value if type(value) is str else number_of(value))


def _round(_budget: Budget, value: Any, digits: Any = None) -> Any:
    if digits is not None and abs(number_of(digits, whole=True)) > _ROUND:
        raise Overspent(f"the law rounds to more than {_ROUND} digits")
    return round(number_of(value)) if digits is None else round(number_of(value), digits)


def _close(budget: Budget, left: Any, right: Any) -> bool:
    left, right = content(left), content(right)
    budget.weigh(left, right)
    if type(left) in NUMBERS and type(right) in NUMBERS:
        return math.isclose(left, right, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE) or same(left, right)
    if type(left) is not type(right) or type(left) not in (list, tuple):
        raise Senseless(f"{shown(left, 80)} and {shown(right, 80)} are neither numbers nor lists of them")
    return len(left) == len(right) and all(_close(budget, a, b) for a, b in zip(left, right, strict=True))


def _hashed(kind: Callable[[list[Any]], Any]) -> Callable[..., Any]:
    def work(budget: Budget, values: Any = ()) -> Any:
        found = budget.listed(items(values))
        budget.weigh(found)
        budget.distinct(found)
        return kind(found)

    return work


def _dict(budget: Budget, pairs: Any = ()) -> dict[Any, Any]:
    found = items(pairs)
    budget.weigh(found)
    if not isinstance(found, dict):
        budget.distinct(key for key, _ in found)
    return dict(found)


def _listed(kind: Callable[[list[Any]], Any]) -> Callable[..., Any]:
    return lambda budget, values=(): kind(budget.listed(items(values)))


def _enumerate(budget: Budget, values: Any, start: Any = 0) -> list[Any]:
    return list(enumerate(budget.listed(items(values)), number_of(start, whole=True)))


def _zip(budget: Budget, *several: Any) -> list[Any]:
    return list(zip(*(budget.listed(items(values)) for values in several), strict=False))


def _reversed(budget: Budget, values: Any) -> list[Any]:
    return budget.listed(items(values))[::-1]


def _of_number(function: Callable[[Any], Any], *, whole: bool = False) -> Callable[..., Any]:
    return lambda budget, value: function(_weighed(budget, number_of(value, whole=whole)))


def _weighed(budget: Budget, value: Any) -> Any:
    budget.weigh(value)
    return value


def _divmod(budget: Budget, left: Any, right: Any) -> Any:
    budget.weigh(left, right)
    return divmod(number_of(left), number_of(right))


def _ord(_budget: Budget, value: Any) -> int:
    return ord(text_of(value))


def text_of(value: Any) -> str:
    """The value, which is a text. Raises Senseless for anything else."""
    if type(value) is not str:
        raise Senseless(f"{shown(value, 80)} ({type_name(value)}) is no text")
    return value


FUNCTIONS: Mapping[str, Word] = MappingProxyType(
    {
        "abs": Word(1, 1, "the size of a number, without its sign", _of_number(abs)),
        "all": Word(1, 1, "whether every item is true", _all),
        "any": Word(1, 1, "whether some item is true", _any),
        "bin": Word(1, 1, "a whole number in binary, as text", _of_number(bin, whole=True)),
        "bool": Word(1, 1, "whether a value counts as true", lambda _budget, value: truth(value)),
        "chr": Word(1, 1, "the character of a code", _of_number(chr, whole=True)),
        "close": Word(2, 2, "whether two numbers, or lists of them, are the same up to rounding", _close),
        "dict": Word(0, 1, "the mapping of some pairs", _dict),
        "divmod": Word(2, 2, "quotient and remainder", _divmod),
        "enumerate": Word(1, 2, "the items with their numbers", _enumerate, ("start",)),
        "float": Word(0, 1, "as a number with a fraction", _float),
        "frozenset": Word(0, 1, "the different items, as a set", _hashed(frozenset)),
        "hex": Word(1, 1, "a whole number in hexadecimal, as text", _of_number(hex, whole=True)),
        "int": Word(0, 2, "as a whole number; of a text in a base, where one is given", _int, ("base",)),
        "isinstance": Word(2, 2, "whether a value is of a type"),
        "len": Word(1, 1, "how many items, or characters", lambda _budget, value: len(items(value))),
        "list": Word(0, 1, "the items, as a list", _listed(list)),
        "max": Word(1, 20, "the largest", _outermost(max), ("key", "default")),
        "min": Word(1, 20, "the smallest", _outermost(min), ("key", "default")),
        "oct": Word(1, 1, "a whole number in octal, as text", _of_number(oct, whole=True)),
        "ord": Word(1, 1, "the code of a character", _ord),
        "raises": Word(2, 2, "whether the call raises this exception; any other one is a miss"),
        "range": Word(1, 3, "the whole numbers from a start up to, not including, an end", _range),
        "reversed": Word(1, 1, "the items from last to first", _reversed),
        "round": Word(1, 2, "the nearest number of so many digits", _round),
        "set": Word(0, 1, "the different items, as a set", _hashed(set)),
        "sorted": Word(1, 1, "the items in order, as a list", _sorted, ("key", "reverse")),
        "str": Word(0, 1, "as text", _str),
        "sum": Word(1, 1, "the sum of some numbers", _sum),
        "tuple": Word(0, 1, "the items, as a tuple", _listed(tuple)),
        "zip": Word(1, 20, "the first items together, the second ones, and so on", _zip),
    }
)
