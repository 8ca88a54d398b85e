"""A first fixture for a human to edit: suggested samples, and values of the types that a signature names; pure."""

from __future__ import annotations

import ast
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from inventory.catalogue import CATALOGUE
from inventory.digests import canonical
from inventory.errors import CouldNotRun
from inventory.escapes import json_visible
from inventory.functions import Function, Parameter
from inventory.records import Call, CheckUse

Pick = Callable[[int], int]  # a number from 0 up to, not including, the one given
_WANTED = 12
_TRIES = 60
_DEEPEST = 3
_NUMBERS = (0, 1, -1, 2, 10, -7, 100)
_WORDS = ("", "a", "A b", "zebra", "0", " x ", "naïve", "a\nb")
_LISTS = {"list", "List", "Sequence", "Iterable", "Collection", "set", "frozenset", "Set", "tuple", "Tuple"}
_SCALARS = {"str", "int", "float", "bool", "bytes"}
_INT, _STR = ast.Name("int"), ast.Name("str")
_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping"}


@dataclass(frozen=True)
class Draft:
    """Samples, how many of them the candidate suggested, and how a sample becomes a call."""

    samples: tuple[Any, ...]
    suggested: int
    call: Call


def drafted(function: Function | None, checks: Sequence[CheckUse], suggested: Sequence[Any], pick: Pick) -> Draft:
    """The suggested samples, then made ones in the shape that the checks ask for.

    None are made where a type is missing or unknown, or where they would look unlike the suggested ones.
    """
    shape = next((CATALOGUE[use.name].shape for use in checks if use.name in CATALOGUE), "call")
    parameters = [p for p in function.parameters if p.required] if function else []
    call = _call(shape, parameters)
    like = {_form(sample) for sample in suggested}
    made = (sample for sample in _made(shape, call, parameters, pick) if not like or _form(sample) in like)
    samples = _distinct([*suggested, *made])
    return Draft(samples[: max(_WANTED, len(suggested))], len(suggested), call)


def to_text(samples: Sequence[Any]) -> str:
    """The fixture, one sample a line."""
    lines = ",\n".join(f"  {json_visible(json.dumps(sample, ensure_ascii=False))}" for sample in samples)
    return f"[\n{lines}\n]\n"


def call_for(function: Function | None, samples: Sequence[Any]) -> Call:
    """How these samples can be meant for a function: several arguments come as a list or by name.

    Lists for a function that takes one argument are that argument, unless its type says that it is none.
    """
    known = function.parameters if function else ()
    needed, ordered = [p for p in known if p.required], [p for p in known if p.kind == "positional"]
    if not samples or not (len(needed) > 1 or (ordered and ordered[0].annotation in _SCALARS)):
        return Call.SAMPLE
    if all(isinstance(sample, list) and len(needed) <= len(sample) <= len(ordered) for sample in samples):
        return Call.ARGS
    named = {p.name for p in known}
    fit = (isinstance(sample, dict) and {p.name for p in needed} <= sample.keys() <= named for sample in samples)
    return Call.KWARGS if all(fit) else Call.SAMPLE


def _call(shape: str, parameters: Sequence[Parameter]) -> Call:
    if shape != "call" or len(parameters) < 2:
        return Call.SAMPLE
    return Call.ARGS if all(p.kind == "positional" for p in parameters) else Call.KWARGS


def _form(sample: Any) -> object:
    return frozenset(sample) if isinstance(sample, dict) else type(sample) in (int, float) or type(sample)


def _made(shape: str, call: Call, parameters: Sequence[Parameter], pick: Pick) -> Iterator[Any]:
    for _ in range(_TRIES if parameters else 0):
        try:
            values = {p.name: _value(_parsed(p.annotation), pick, 0) for p in parameters}
            pair = [_value(_parsed(parameters[0].annotation), pick, 0) for _ in range(3)]
        except _UnknownType:
            return
        if shape == "window":
            yield {"lo": min(pair[:2]), "hi": max(pair[:2]), "x": pair[2]}
        elif shape in ("pair", "pair of inputs", "triple"):
            yield pair if shape == "triple" else pair[:2]
        else:
            first = next(iter(values.values()))
            yield {Call.SAMPLE: first, Call.ARGS: list(values.values()), Call.KWARGS: values}[call]


def _distinct(samples: Iterable[Any]) -> tuple[Any, ...]:
    seen: dict[bytes, Any] = {}
    for sample in samples:
        try:
            seen.setdefault(canonical(sample), sample)
        except CouldNotRun:
            seen.setdefault(repr(sample).encode(), sample)
    return tuple(seen.values())


# -- values of a type --------------------------------------------------------------------


class _UnknownType(Exception):
    """A type that JSON data cannot show, or none at all."""


def _parsed(annotation: str | None) -> ast.expr:
    try:
        node = ast.parse(annotation or "", mode="eval").body
    except (SyntaxError, ValueError, RecursionError):
        raise _UnknownType from None
    return _parsed(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else node


def _value(kind: ast.expr, pick: Pick, depth: int) -> Any:
    """A value of a type by its annotation. Raises _UnknownType."""
    if isinstance(kind, ast.BinOp) and isinstance(kind.op, ast.BitOr):
        return _value((kind.left, kind.right)[pick(2)], pick, depth)
    if isinstance(kind, ast.Subscript):
        parts = kind.slice.elts if isinstance(kind.slice, ast.Tuple) else [kind.slice]
        return _generic(_name(kind.value), parts, pick, depth)
    name = _name(kind)
    if name in _LISTS | _MAPPINGS:  # of anything, so of numbers
        return _generic(*(("list", [_INT]) if name in _LISTS else ("dict", [_STR, _INT])), pick, depth)
    return _plain(name, pick)


def _plain(name: str, pick: Pick) -> Any:
    if name == "int":
        return (*_NUMBERS, pick(1000), -pick(1000))[pick(len(_NUMBERS) + 2)]
    if name == "float":
        return (*_NUMBERS, 0.5, -2.25)[pick(len(_NUMBERS) + 2)]
    if name == "str":
        return _WORDS[pick(len(_WORDS))]
    if name == "bool":
        return pick(2) == 1
    if name == "None":
        return None
    raise _UnknownType


def _generic(name: str, parts: Sequence[ast.expr], pick: Pick, depth: int) -> Any:
    if depth > _DEEPEST:
        raise _UnknownType
    if name == "Literal":
        chosen = parts[pick(len(parts))]
        return chosen.value if isinstance(chosen, ast.Constant) else _plain("", pick)
    if name in ("Union", "Optional"):
        choices = [*parts, ast.Constant(None)] if name == "Optional" else parts
        return _value(choices[pick(len(choices))], pick, depth + 1)
    if name in ("tuple", "Tuple") and not (isinstance(parts[-1], ast.Constant) and parts[-1].value is ...):
        return [_value(part, pick, depth + 1) for part in parts]
    size = pick(5)
    if name in _LISTS:
        return [_value(parts[0], pick, depth + 1) for _ in range(size)]
    if name in _MAPPINGS and _name(parts[0]) == "str":
        return {_WORDS[pick(len(_WORDS))]: _value(parts[-1], pick, depth + 1) for _ in range(size)}
    raise _UnknownType


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return "None" if node.value is None else ""
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
