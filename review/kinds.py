"""The kinds of values that a function was given and gave, as far as mining tells them apart; pure."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_KINDS: Mapping[type, str] = {
    bool: "flag",
    int: "number",
    float: "number",
    str: "text",
    list: "list",
    tuple: "list",
    dict: "mapping",
}
OTHER = "other"


@dataclass(frozen=True)
class Signature:
    """A call as laws write it: `given` are the parameters that samples fill, each with the kind of its values.

    `by_name` are those that can only be given by name; `answer` is the kind of the answers, which laws take through
    `list` where they are no lists themselves but come as one (`listed`), and which are None at times (`optional`).
    `keys` are those of every mapping answered, `sizes` laws of the answers' size with the numbers that were seen.
    """

    name: str
    given: Mapping[str, str]
    by_name: frozenset[str]
    answer: str
    listed: bool
    keys: tuple[str, ...] = ()
    optional: bool = False
    sizes: tuple[str, ...] = ()
    is_json: bool = False


def kind_of(values: Iterable[Any]) -> str:
    """The kind of all these values, or `other`."""
    kinds = {_KINDS.get(type(value), OTHER) for value in values}
    return kinds.pop() if len(kinds) == 1 else OTHER


def answers_of(values: Sequence[str], types: Sequence[str]) -> tuple[str, bool, tuple[str, ...]]:
    """Kind, whether laws take it through `list`, and common keys of answers, from how the lane shows them."""
    known = [value for text in values if (value := literal(text)) is not NOTHING]
    kind = kind_of(known) if known else kind_of(value() for name in set(types) if (value := _TYPES.get(name)))
    listed = kind == "list" and any(name != "list" for name in types)
    keys = [set(map(str, value)) for value in known if isinstance(value, dict)]
    common = tuple(sorted(set.intersection(*keys))) if keys and len(keys) == len(values) else ()
    return kind, listed, common


def sizes_of(values: Sequence[str]) -> tuple[str, ...]:
    """Relations between the answers and a number, where enough of the different answers come to that number.

    One that few reach is where the samples end and not where the function does; Daikon asks the same of its bounds.
    """
    known = {text: value for text in values if (value := literal(text)) is not NOTHING}
    sized = all(isinstance(value, str | list | tuple) for value in known.values())
    if not sized or len(known) < len(set(values)):
        return ()
    lengths = [len(value) for value in known.values()]
    if len(set(lengths)) == 1 and len(lengths) >= _ENOUGH:
        return (f"len(F(x)) == {lengths[0]}",)
    return (f"len(F(x)) <= {max(lengths)}",) if lengths and lengths.count(max(lengths)) >= _ENOUGH else ()


def looks_like_json(values: Sequence[str]) -> bool:
    """Whether answers are texts that begin as JSON objects or arrays do."""
    known = [value for text in values if isinstance(value := literal(text), str)]
    return bool(known) and any(value.lstrip()[:1] in ("{", "[") for value in known)


NOTHING = object()
_ENOUGH = 3
_TYPES: Mapping[str, type] = {kind.__name__: kind for kind in _KINDS}


def literal(text: str) -> Any:
    """The value that a text shows; NOTHING where it shows none, or not all of it."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return NOTHING
