"""Neighbours of a fixture's samples: inputs of the same shape that nobody wrote down.

A near one differs from its sample in one leaf, by the least step: a number by 1 or 2 without a change of
sign, a text by one character of the same sort. A mixed one takes one leaf from what other samples hold
at that place, or a number from the lattice that those span (v + a - b, within their range): what the
samples have in common (whole amounts, known words, valid codes) it has, too.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

PER_KIND = 32
_TRIES = 20 * PER_KIND
_MAX_LEAVES = 1000
_SORTS = ("0123456789", "abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")

Path = tuple[Any, ...]
_T = TypeVar("_T")


class Kind(StrEnum):
    """How a neighbour was made."""

    NEAR = "near"
    MIXED = "mixed"


@dataclass(frozen=True)
class Neighbour:
    """An input beside the sample at place `origin` of the fixture."""

    origin: int
    kind: Kind
    sample: Any


def neighbours_of(samples: Sequence[Any], seed: int) -> tuple[Neighbour, ...]:
    """At most PER_KIND neighbours of each kind, the same for the same samples and seed; none is a sample itself."""
    dice = _Dice(seed)
    leaves = [(index, path, value) for index, sample in enumerate(samples) for path, value in _leaves(sample)]
    held = defaultdict(list)
    for _, path, value in leaves:
        held[path].append(value)
    known = {repr(sample) for sample in samples}
    found: list[Neighbour] = []
    for kind in Kind:
        made = 0
        for _ in range(_TRIES if leaves else 0):
            index, path, value = dice.pick(leaves)
            other = _near(value, dice) if kind is Kind.NEAR else _mixed(value, held[path], dice)
            changed = _replaced(samples[index], path, other)
            if repr(changed) not in known:
                known.add(repr(changed))
                found.append(Neighbour(index, kind, changed))
                made += 1
            if made == PER_KIND:
                break
    return tuple(found)


class _Dice:
    """Choices that follow from a seed, everywhere and for good."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._thrown = 0

    def below(self, limit: int) -> int:
        self._thrown += 1
        data = hashlib.blake2b(f"{self._seed}:{self._thrown}".encode(), digest_size=8).digest()
        return int.from_bytes(data, "big") % limit

    def pick(self, choices: Sequence[_T]) -> _T:
        return choices[self.below(len(choices))]


def _leaves(sample: Any) -> Iterator[tuple[Path, Any]]:
    """The first leaves of a sample with their places: everything that is no container."""
    waiting: list[tuple[Path, Any]] = [((), sample)]
    count = 0
    while waiting and count < _MAX_LEAVES:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*path, key), item) for key, item in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, place), item) for place, item in enumerate(value)]
        elif value is not None:
            count += 1
            yield path, value


def _near(value: Any, dice: _Dice) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        step = dice.pick((1, -1, 2, -2))
        return value + step if (value + step) * value > 0 or value == 0 < step else value - step
    return _one_character_on(value, dice) if isinstance(value, str) and value else value


def _one_character_on(text: str, dice: _Dice) -> str:
    at = dice.below(len(text))
    sort = next((sort for sort in _SORTS if text[at] in sort), "")
    if not sort:
        return text
    return text[:at] + sort[(sort.index(text[at]) + dice.pick((1, -1))) % len(sort)] + text[at + 1 :]


def _mixed(value: Any, held: Sequence[Any], dice: _Dice) -> Any:
    alike = [other for other in held if type(other) is type(value)]
    if type(value) in (int, float) and dice.below(2):
        number = value + dice.pick(alike) - dice.pick(alike)
        return number if min(alike) <= number <= max(alike) else value
    return dice.pick(alike)


def _replaced(sample: Any, path: Path, value: Any) -> Any:
    if not path:
        return value
    copy = dict(sample) if isinstance(sample, dict) else list(sample)
    copy[path[0]] = _replaced(copy[path[0]], path[1:], value)
    return copy
