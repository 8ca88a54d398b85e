"""The methods of plain data that a law may call, each with its meaning and its bounded way of working; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from inventory.law_budget import Budget, Senseless, content, items
from inventory.law_functions import Word, number_of, text_of
from inventory.law_operators import holds
from inventory.values import exact, same, shown, type_name


def _on_text(name: str, *, grows: int = 1) -> Callable[..., Any]:
    """A method of text whose arguments are texts or whole numbers; `grows`: how many times longer it may get."""

    def work(budget: Budget, value: Any, *args: Any) -> Any:
        own = text_of(value)
        budget.weigh(*args)
        for arg in args:
            if type(arg) not in (str, int) and not (type(arg) is tuple and {type(item) for item in arg} <= {str}):
                raise Senseless(f"{shown(arg, 80)} ({type_name(arg)}) is nothing for the {name} of a text")
        budget.spend(sum(len(arg) for arg in (own, *args) if type(arg) is str) * grows)
        return getattr(str, name)(own, *args)  # a name of the table below

    return work


def _padded(name: str) -> Callable[..., Any]:
    work = _on_text(name)

    def bounded(budget: Budget, value: Any, width: Any, *fill: Any) -> Any:
        budget.room(max(number_of(width, whole=True), 0))
        return work(budget, value, width, *fill)

    return bounded


def _replace(budget: Budget, value: Any, old: Any, new: Any) -> str:
    found = text_of(value).count(text_of(old))
    budget.room(len(value) + found * max(len(text_of(new)) - len(old), 0))
    return str(value).replace(old, new)


def _join(budget: Budget, value: Any, parts: Any) -> str:
    found = [text_of(part) for part in budget.listed(items(parts))]
    budget.room(sum(map(len, found)) + len(text_of(value)) * len(found))
    return str(value).join(found)


def _count(budget: Budget, value: Any, item: Any) -> int:
    found = content(value)
    if type(found) is str:
        budget.spend(len(found))
        return found.count(text_of(item))
    return sum(same(known, item) for known in _sequence(budget, found, item))


def _index(budget: Budget, value: Any, item: Any) -> int:
    found = content(value)
    if type(found) is str:
        budget.spend(len(found))
        return found.index(text_of(item))
    places = (at for at, known in enumerate(_sequence(budget, found, item)) if same(known, item))
    place = next(places, None)
    if place is None:
        raise Senseless(f"{shown(item, 80)} is not in {shown(found, 80)}")
    return place


def _sequence(budget: Budget, value: Any, item: Any) -> Any:
    if type(value) not in (list, tuple):
        raise Senseless(f"{shown(value, 80)} ({type_name(value)}) is no sequence")
    budget.weigh(value, value, item)
    return value


def _mapping(value: Any) -> dict[Any, Any]:
    found = content(value)
    if type(found) is not dict:
        raise Senseless(f"{shown(value, 80)} ({type_name(value)}) is no mapping")
    return found


def _of_mapping(take: Callable[[dict[Any, Any]], Any]) -> Callable[..., Any]:
    return lambda budget, value: budget.listed(take(_mapping(value)))


def _get(budget: Budget, value: Any, key: Any, default: Any = None) -> Any:
    found = _mapping(value)
    return found[key] if holds(found, key, budget) else default


def _copy(budget: Budget, value: Any) -> Any:
    found = items(value)
    budget.room(len(found))
    return found if type(found) is str else type(found)(found)


def _of_sets(name: str) -> Callable[..., Any]:
    def work(budget: Budget, value: Any, other: Any) -> Any:
        left, right = content(value), content(other)
        if type(left) not in (set, frozenset):
            raise Senseless(f"{shown(value, 80)} ({type_name(value)}) is no set")
        others = budget.listed(items(right))
        budget.weigh(left, others)
        budget.distinct([*left, *others])
        return getattr(set, name)({exact(item) for item in left}, {exact(item) for item in others})

    return work


_TEXT = {
    "capitalize": "with a capital first and the rest small",
    "casefold": "without upper and lower case",
    "isalnum": "whether it is letters and digits only",
    "isalpha": "whether it is letters only",
    "isascii": "whether it is ASCII only",
    "isdecimal": "whether it is decimal digits only",
    "isdigit": "whether it is digits only",
    "isidentifier": "whether it is a name of Python",
    "islower": "whether its letters are small",
    "isprintable": "whether it has no control characters",
    "isspace": "whether it is white space only",
    "istitle": "whether its words have a capital first",
    "isupper": "whether its letters are capital",
    "lower": "in small letters",
    "swapcase": "with small and capital letters swapped",
    "title": "with a capital first in each word",
    "upper": "in capital letters",
}
METHODS: Mapping[str, Word] = MappingProxyType(
    {
        **{name: Word(0, 0, meaning, _on_text(name, grows=3)) for name, meaning in _TEXT.items()},
        "center": Word(1, 2, "padded on both sides", _padded("center")),
        "copy": Word(0, 0, "the same once more", _copy),
        "count": Word(1, 1, "how often an item occurs", _count),
        "endswith": Word(1, 1, "whether a text ends so", _on_text("endswith")),
        "find": Word(1, 2, "where a text is first found, or -1", _on_text("find")),
        "get": Word(1, 2, "the value of a key, else the other one", _get),
        "index": Word(1, 1, "where an item is first found", _index),
        "isdisjoint": Word(1, 1, "whether two sets share nothing", _of_sets("isdisjoint")),
        "issubset": Word(1, 1, "whether the other set has all its items", _of_sets("issubset")),
        "issuperset": Word(1, 1, "whether it has all items of the other set", _of_sets("issuperset")),
        "items": Word(0, 0, "the pairs of a mapping", _of_mapping(dict.items)),
        "join": Word(1, 1, "some texts with this one in between", _join),
        "keys": Word(0, 0, "the keys of a mapping", _of_mapping(dict.keys)),
        "ljust": Word(1, 2, "padded on the right", _padded("ljust")),
        "lstrip": Word(0, 1, "without white space in front", _on_text("lstrip")),
        "partition": Word(1, 1, "what is before, the separator, what is after", _on_text("partition")),
        "removeprefix": Word(1, 1, "without this in front", _on_text("removeprefix")),
        "removesuffix": Word(1, 1, "without this at the end", _on_text("removesuffix")),
        "replace": Word(2, 2, "with one text for another", _replace),
        "rfind": Word(1, 2, "where a text is last found, or -1", _on_text("rfind")),
        "rjust": Word(1, 2, "padded on the left", _padded("rjust")),
        "rpartition": Word(1, 1, "what is before, the last separator, what is after", _on_text("rpartition")),
        "rsplit": Word(0, 2, "the parts between separators, from the right", _on_text("rsplit")),
        "rstrip": Word(0, 1, "without white space at the end", _on_text("rstrip")),
        "split": Word(0, 2, "the parts between separators", _on_text("split")),
        "splitlines": Word(0, 0, "the lines", _on_text("splitlines")),
        "startswith": Word(1, 1, "whether a text begins so", _on_text("startswith")),
        "strip": Word(0, 1, "without white space around", _on_text("strip")),
        "values": Word(0, 0, "the values of a mapping", _of_mapping(dict.values)),
        "zfill": Word(1, 1, "padded with zeros on the left", _padded("zfill")),
    }
)
