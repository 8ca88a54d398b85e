"""The catalogue of the built-in checks: for each its law, its parameters and how it calls the function."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from inventory.checks import BUILTIN
from inventory.law_functions import FUNCTIONS

if TYPE_CHECKING:
    from inventory.records import CheckUse

Kind = Literal["function", "text", "texts", "integer", "number", "flag", "pattern", "values", "key", "law"]
Shape = Literal["call", "reverse", "window", "pair", "pair of inputs", "triple"]

SHAPES: Mapping[Shape, str] = MappingProxyType(
    {
        "call": "follows the property's call: fn(sample), fn(*sample) or fn(**sample)",
        "reverse": "fn(fn(sample, reverse=True), reverse=False); with inverse it follows the property's call",
        "window": "the sample is a mapping with lo, hi and x: fn(lo, hi, x)",
        "pair": "the sample is a list [a, b]: fn(a, b)",
        "pair of inputs": "the sample is a list [a, b]: fn(a) and fn(b)",
        "triple": "the sample is a list [a, b, c]: fn(fn(a, b), c)",
    }
)


@dataclass(frozen=True)
class Param:
    """One parameter of a check."""

    name: str
    kind: Kind
    meaning: str
    required: bool = False


@dataclass(frozen=True)
class CheckSpec:
    """One built-in check: its parameters and its call shape."""

    name: str
    params: tuple[Param, ...] = ()
    shape: Shape = "call"

    @property
    def law(self) -> str:
        """What the check tests, in one sentence."""
        return (BUILTIN[self.name].__doc__ or "").partition("\n")[0]


_TYPES = "name of a type, or several: int, str, None, app.money.Money"
_NAMES = "names of exceptions: ValueError, or app.codec.ParseError"

GRAMMAR = (
    "one expression that is true: the function by its name, its parameters by theirs, literals, arithmetic, comparison,"
    " and, or, not, if else, indexing, slices, comprehensions, methods of text, lists and mappings, and "
    + ", ".join(FUNCTIONS)
)

_SPECS = (
    CheckSpec(
        "roundtrip",
        (Param("inverse", "function", "function of the same module that leads back"),),
        "reverse",
    ),
    CheckSpec(
        "no_extra_keys",
        (Param("allowed", "texts", "keys that may appear nevertheless; ok and err if not given"),),
    ),
    CheckSpec("lo_le_hi", (), "window"),
    CheckSpec("output_in_range", (), "window"),
    CheckSpec(
        "never_raises",
        (Param("allowed", "texts", _NAMES),),
    ),
    CheckSpec(
        "raises",
        (Param("allowed", "texts", _NAMES, required=True),),
    ),
    CheckSpec("deterministic"),
    CheckSpec("idempotent"),
    CheckSpec("involution"),
    CheckSpec("does_not_mutate"),
    CheckSpec(
        "is_sorted",
        (
            Param("reverse", "flag", "true: from high to low"),
            Param("key", "key", "key, field or index of the items that is in order"),
        ),
    ),
    CheckSpec("is_permutation"),
    CheckSpec("same_length"),
    CheckSpec(
        "length_at_most",
        (Param("limit", "integer", "number of items or characters", required=True),),
    ),
    CheckSpec("subset_of_input"),
    CheckSpec("no_duplicates"),
    CheckSpec("returns_type", (Param("type", "texts", _TYPES, required=True),)),
    CheckSpec(
        "matches",
        (Param("pattern", "pattern", "a regular expression of Python", required=True),),
    ),
    CheckSpec(
        "in_range",
        (Param("min", "number", "lowest value"), Param("max", "number", "highest value")),
    ),
    CheckSpec("non_negative"),
    CheckSpec("one_of", (Param("values", "values", "the values that may come", required=True),)),
    CheckSpec("commutative", (), "pair"),
    CheckSpec("associative", (), "triple"),
    CheckSpec("non_decreasing", (), "pair of inputs"),
    CheckSpec("has_keys", (Param("keys", "texts", "keys that must be there", required=True),)),
    CheckSpec(
        "equals_reference",
        (Param("reference", "function", "function of the same module to compare with", required=True),),
    ),
    CheckSpec("json_serializable"),
    CheckSpec("json_text"),
    CheckSpec("law", (Param("law", "law", GRAMMAR, required=True),)),
)

CATALOGUE: Mapping[str, CheckSpec] = MappingProxyType({spec.name: spec for spec in _SPECS})


def is_builtin(name: str) -> bool:
    """Whether a check of this name comes with the tool."""
    return name in CATALOGUE


def faults_of(use: CheckUse) -> tuple[str, ...]:
    """Everything that is wrong with the parameters of a check's use; () for a check that is not built in."""
    spec = CATALOGUE.get(use.name)
    if spec is None:
        return ()
    known = {param.name: param for param in spec.params}
    faults = [_unknown(use.name, name, known) for name in use.params if name not in known]
    for param in spec.params:
        if param.name not in use.params:
            if param.required:
                faults.append(f"{use.name} needs the parameter {param.name}: {param.meaning}")
        elif not _IS[param.kind](use.params[param.name]):
            faults.append(f"{use.name}: {param.name} must be {_WANTED[param.kind]} ({param.meaning})")
    return tuple(faults) or _bounds(use)


def _unknown(check: str, name: str, known: Mapping[str, Param]) -> str:
    takes = f"it takes {', '.join(known)}" if known else "it takes none"
    return f"{check} has no parameter {name}; {takes}"


def _bounds(use: CheckUse) -> tuple[str, ...]:
    if use.name != "in_range":
        return ()
    if not use.params:
        return ("in_range needs min, max or both",)
    low, high = use.params.get("min", -math.inf), use.params.get("max", math.inf)
    return (f"in_range: min {low} is above max {high}",) if low > high else ()


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value)


def _is_texts(value: object) -> bool:
    return _is_text(value) or (isinstance(value, (list, tuple)) and bool(value) and all(map(_is_text, value)))


def _is_function(value: object) -> bool:
    return isinstance(value, str) and all(part.isidentifier() for part in value.split("."))


def _is_integer(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_number(value: object) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _is_pattern(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(re.compile(value))
    except (re.error, OverflowError, RecursionError):
        return False


_IS: Mapping[Kind, Callable[[object], bool]] = {
    "function": _is_function,
    "text": _is_text,
    "texts": _is_texts,
    "integer": _is_integer,
    "number": _is_number,
    "flag": lambda value: isinstance(value, bool),
    "pattern": _is_pattern,
    "values": lambda value: isinstance(value, (list, tuple)) and bool(value),
    "key": lambda value: _is_text(value) or type(value) is int,
    "law": _is_text,
}

_WANTED: Mapping[Kind, str] = {
    "function": "the name of a function",
    "text": "a text",
    "texts": "a text or a list of texts",
    "integer": "a whole number that is not negative",
    "number": "a number",
    "flag": "true or false",
    "pattern": "a regular expression that compiles",
    "values": "a list of values",
    "key": "a text or a whole number",
    "law": "one expression, as text",
}
