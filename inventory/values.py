"""What a result is to a check: plain data, and records of what is not; compared exactly, shown briefly.

Two values are the same when their types and contents are. `1`, `True` and `1.0` differ, and so do a
list and a tuple. `0.0` and `-0.0` are the same, and NaN is the same as NaN, so that a function may
answer with either and still be compared. The order of a dict's keys does not count.
"""

from __future__ import annotations

import math
import reprlib
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

_SHOWN_CHARS = 300
_SHOWN_ITEMS = 40
_SMALL = 1 << 62


class NotPlain(Exception):
    """A check used a structural record as if it were plain data: production answered with the wrong type."""


class Structure:
    """An object of a class of the code under test: the name of its type and its data, without its methods.

    `fields` read as attributes; None stands for an object whose data cannot be told. `base` is the plain
    content of a class derived from a built-in one (a named tuple, an OrderedDict, an IntEnum member), and
    a container among these reads like one. Everything else that a check may try (operators, order, calls)
    raises NotPlain: none of the class's own code ever runs on this side. `handle` is what the subject knows
    the object by, when it is handed back as an argument.
    """

    __slots__ = ("base", "fields", "handle", "type_name")

    def __init__(
        self, type_name: str, fields: Mapping[str, Any] | None, base: Any = None, handle: int | None = None
    ) -> None:
        self.type_name = type_name
        self.fields = None if fields is None else dict(fields)
        self.base = base
        self.handle = handle

    def __getattr__(self, name: str) -> Any:
        if self.fields is not None and name in self.fields:
            return self.fields[name]
        if name in _CONTAINER_METHODS and isinstance(self.base, _CONTAINERS):
            return getattr(self.base, name)
        raise AttributeError(f"a {self.type_name} has no field {name} on this side")

    def __getitem__(self, key: Any) -> Any:
        return self.content()[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.content())

    def __len__(self) -> int:
        return len(self.content())

    def __contains__(self, item: object) -> bool:
        return item in self.content()

    def __bool__(self) -> bool:
        return True

    def __eq__(self, other: object) -> bool:
        return same(self, other)

    def __hash__(self) -> int:
        plain = [v for v in (self.base, *(self.fields or {}).values()) if isinstance(v, (str, int))]
        return hash((self.type_name, *plain))

    def __repr__(self) -> str:
        parts = [] if self.base is None else [repr(self.base)]
        parts += [f"{name}={value!r}" for name, value in (self.fields or {}).items()]
        return f"<{' '.join((self.type_name, ', '.join(parts))).rstrip()}>"

    def content(self) -> Any:
        """The items of a container. Raises NotPlain for what is none."""
        if not isinstance(self.base, _CONTAINERS):
            raise NotPlain(f"a {self.type_name} is not a collection on this side")
        return self.base


_CONTAINERS = (dict, list, tuple, set, frozenset)
_CONTAINER_METHODS = frozenset({"keys", "values", "items", "get", "index", "count"})


def _refuse(operator: str) -> Any:
    def refuse(self: Structure, *_others: object) -> NoReturn:
        raise NotPlain(f"a {self.type_name} is not plain data, so it has no {operator} on this side")

    return refuse


for _name in (
    *("lt", "le", "gt", "ge", "add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "floordiv"),
    *("rfloordiv", "mod", "rmod", "pow", "rpow", "and", "rand", "or", "ror", "xor", "rxor", "neg", "pos", "abs"),
    *("int", "float", "index", "complex", "round", "call", "enter", "exit"),
):
    setattr(Structure, f"__{_name}__", _refuse(_name))


class Stream(list[Any]):
    """The items of a generator or iterator that the function returned, drained in order."""


def same(left: object, right: object) -> bool:
    """Whether two values are of the same types and contents, all the way down."""
    return difference(left, right) is None


def difference(left: object, right: object, at: str = "") -> str | None:
    """Where two values first differ and how, for a person to read; None when they are the same."""
    if type(left) is not type(right):
        return f"{_place(at)}{shown(left)} ({type_name(left)}) is not {shown(right)} ({type_name(right)})"
    if isinstance(left, dict):
        return _dict_difference(left, right, at)  # type: ignore[arg-type]  # the same type
    if isinstance(left, (list, tuple)):
        return _sequence_difference(left, right, at)  # type: ignore[arg-type]
    if isinstance(left, (set, frozenset)):
        return _set_difference(left, right, at)  # type: ignore[arg-type]
    if isinstance(left, Structure):
        return _structure_difference(left, right, at)  # type: ignore[arg-type]
    return None if _equal(left, right) else f"{_place(at)}{shown(left)} is not {shown(right)}"


def exact(value: Any) -> Any:
    """A hashable stand-in for a value: equal exactly where `same` says so."""
    if isinstance(value, Structure):
        return ("record", value.type_name, exact(value.base), exact(value.fields))
    if isinstance(value, dict):
        return ("dict", frozenset((exact(k), exact(v)) for k, v in value.items()))
    if isinstance(value, (set, frozenset)):
        return (type(value).__name__, frozenset(map(exact, value)))
    if isinstance(value, (list, tuple)):
        return (type(value).__name__, tuple(map(exact, value)))
    is_nan = isinstance(value, float) and math.isnan(value)
    return (type(value).__name__, "nan" if is_nan else bytes(value) if isinstance(value, bytearray) else value)


def type_name(value: object) -> str:
    """How the type of a value is called: `int`, `list`, or for a record the name that its class has."""
    if isinstance(value, Structure):
        return value.type_name
    return "generator" if isinstance(value, Stream) else type(value).__name__


def shown(value: object, limit: int = _SHOWN_CHARS) -> str:
    """A value as source text, cut to `limit` characters."""
    try:
        text = repr(value) if _is_small(value) else _BRIEF.repr(value)
    except (ValueError, RecursionError):  # an int of more digits than Python converts, or a very deep value
        text = f"<a large {type_name(value)}>"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _is_small(value: object) -> bool:
    """Whether `repr` alone says the same, which is many times faster."""
    if type(value) is list or type(value) is tuple:
        return len(value) <= _SHOWN_ITEMS and all(map(_is_small_scalar, value))
    return _is_small_scalar(value)


def _is_small_scalar(value: object) -> bool:
    if type(value) is int:
        return -_SMALL < value < _SMALL
    return (type(value) is str and len(value) < _SHOWN_ITEMS) or type(value) in (float, bool) or value is None


def _brief() -> reprlib.Repr:
    brief = reprlib.Repr()
    brief.maxlevel = 8
    brief.maxdict = brief.maxlist = brief.maxtuple = brief.maxset = brief.maxfrozenset = _SHOWN_ITEMS
    brief.maxstring = brief.maxlong = brief.maxother = _SHOWN_CHARS
    return brief


_BRIEF = _brief()


def _dict_difference(left: dict[Any, Any], right: dict[Any, Any], at: str) -> str | None:
    exact_left, exact_right = ({(type(k), k): v for k, v in d.items()} for d in (left, right))
    for key in exact_left.keys() ^ exact_right.keys():
        lacking = "right" if key in exact_left else "left"
        return f"{_place(at)}key {shown(key[1])} is missing on the {lacking}"
    for key, value in exact_left.items():
        found = difference(value, exact_right[key], f"{at}[{shown(key[1], 40)}]")
        if found:
            return found
    return None


def _sequence_difference(left: list[Any], right: list[Any], at: str) -> str | None:
    if len(left) != len(right):
        return f"{_place(at)}{shown(left)} has {len(left)} items, {shown(right)} has {len(right)}"
    for index, (a, b) in enumerate(zip(left, right, strict=True)):
        found = difference(a, b, f"{at}[{index}]")
        if found:
            return found
    return None


def _set_difference(left: set[Any], right: set[Any], at: str) -> str | None:
    exact_left, exact_right = ({(type(item), item) for item in items} for items in (left, right))
    if exact_left == exact_right:
        return None
    return f"{_place(at)}{shown(left)} is not {shown(right)}"


def _structure_difference(left: Structure, right: Structure, at: str) -> str | None:
    if left.type_name != right.type_name:
        return f"{_place(at)}a {left.type_name} is not a {right.type_name}"
    if left.handle is not None and left.handle == right.handle:
        return None
    if left.fields is None or right.fields is None:
        raise NotPlain(f"{_place(at)}two objects of {left.type_name} cannot be compared: their data cannot be told")
    return difference(left.base, right.base, at) or _dict_difference(left.fields, right.fields, at)


def _equal(left: object, right: object) -> bool:
    if isinstance(left, complex) and isinstance(right, complex):
        return _equal(left.real, right.real) and _equal(left.imag, right.imag)
    if left != left:  # noqa: PLR0124  # a float or a Decimal that is no number
        return bool(right != right)  # noqa: PLR0124
    return left == right


def _place(at: str) -> str:
    return f"at {at}: " if at else ""
