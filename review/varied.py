"""The most different of many samples: by the shapes, lengths and signs of their values and by what they did; pure."""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

_LENGTHS = (0, 1, 2, 3, 6, 20)
_MAX_KEYS = 8
_MAX_ITEMS = 50
_DEEPEST = 4
_KINDS_OF_CHARACTER = (str.isupper, str.islower, str.isdigit, str.isspace)


def most_different(
    samples: Sequence[Any], limit: int, max_bytes: int, did: Mapping[int, Collection[str]] | None = None
) -> tuple[int, ...]:
    """The numbers of at most `limit` samples, together at most `max_bytes` of JSON, the most telling ones first.

    Each next one shows most of what none before it showed; once all is shown, it begins anew with the rest.
    `did` adds features to single samples. The order of the samples decides nothing.
    """
    texts = [json.dumps(sample, ensure_ascii=False, sort_keys=True) for sample in samples]
    shown = {at: frozenset((*features(sample), *(did or {}).get(at, ()))) for at, sample in enumerate(samples)}
    rest = sorted(shown, key=lambda at: (len(texts[at]), texts[at]))
    chosen: list[int] = []
    new: dict[int, set[str]] = {at: set(shown[at]) for at in rest}
    room = max_bytes
    while rest and len(chosen) < limit:
        best = max(rest, key=lambda at: len(new[at]))  # the first of equals, which is the shortest
        if not new[best]:
            if not any(shown[at] for at in rest):
                break
            new = {at: set(shown[at]) for at in rest}
            continue
        rest.remove(best)
        if (size := len(texts[best].encode()) + 4) > room:
            continue
        room -= size
        chosen.append(best)
        for at in rest:
            new[at] -= shown[best]
    return tuple(chosen)


def features(sample: Any) -> Iterator[str]:
    """What can be said about a sample, in short texts; two samples with the same ones look alike."""
    yield from _features(sample, "", 0)
    parts = list(sample.values()) if isinstance(sample, dict) else sample if isinstance(sample, list) else []
    for (i, one), (j, other) in combinations(enumerate(parts[:_MAX_KEYS]), 2):
        if type(one) is type(other) and isinstance(one, (int, float, str)):
            yield f"{i}{'<' if one < other else '>' if one > other else '='}{j}"


def _features(value: Any, at: str, depth: int) -> Iterator[str]:
    yield f"{at}:{type(value).__name__}"
    if isinstance(value, bool):
        yield f"{at}:{value}"
    elif isinstance(value, (int, float)):
        yield from (f"{at}:{said}" for said in _of_number(value))
    elif isinstance(value, str):
        yield from (f"{at}:{said}" for said in _of_text(value))
    elif isinstance(value, (list, dict)):
        yield f"{at}:{_size(len(value))} items"
        if depth < _DEEPEST:
            yield from _of_list(value, at, depth) if isinstance(value, list) else _of_mapping(value, at, depth)


def _of_number(value: float) -> Iterator[str]:
    yield "negative" if value < 0 else "positive" if value else "zero"
    yield f"10**{int(math.log10(abs(value))) if value else 0}"
    yield "whole" if isinstance(value, int) or value.is_integer() else "broken"
    if isinstance(value, int):
        yield "odd" if value % 2 else "even"


def _of_text(value: str) -> Iterator[str]:
    yield f"{_size(len(value))} characters"
    yield from (kind.__name__ for kind in _KINDS_OF_CHARACTER if any(map(kind, value)))
    yield "ascii" if value.isascii() else "beyond ascii"
    yield from sorted({c for c in value if c.isascii() and not c.isalnum()})
    if value != value.strip():
        yield "blank at an end"


def _of_list(value: list[Any], at: str, depth: int) -> Iterator[str]:
    some = value[:_MAX_ITEMS]
    for item in some:
        yield from _features(item, f"{at}[]", depth + 1)
    if some and len({type(item) for item in some}) == 1 and isinstance(some[0], (int, float, str)):
        ordered = sorted(some)
        yield f"{at}:{'sorted' if some == ordered else 'reversed' if some == ordered[::-1] else 'in disorder'}"
        yield f"{at}:{'all differ' if len(set(some)) == len(some) else 'some are equal'}"


def _of_mapping(value: dict[str, Any], at: str, depth: int) -> Iterator[str]:
    if len(value) <= _MAX_KEYS:
        yield f"{at}:{sorted(value)}"
    for key, item in list(value.items())[:_MAX_ITEMS]:
        yield from _features(item, f"{at}.{key if len(value) <= _MAX_KEYS else '*'}", depth + 1)


def _size(length: int) -> str:
    return f"{max(known for known in _LENGTHS if known <= length)}+"
