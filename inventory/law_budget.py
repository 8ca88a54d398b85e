"""What evaluating a law may cost, in units, and how large a value may grow; pure: it counts and reads no clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from inventory.values import Stream, Structure, shown, type_name

UNITS = 400_000  # some tenths of a second at the very most
MAX_ITEMS = 50_000  # of one value, or characters of one text
MAX_BITS = 8192
STEP = 4
CALL = 400
_CHARS = 8  # characters that cost as much as one item


class Overspent(Exception):
    """A law asks for more than it may cost: the law is at fault, not what it is about."""


class Senseless(Exception):
    """An operation makes no sense on these values, such as the length of a number."""


class Budget:
    """Counts down; everything that a law does is paid for before it is done."""

    def __init__(self, units: int = UNITS) -> None:
        self.left = units

    def spend(self, units: int) -> None:
        """Raises Overspent where that is more than is left."""
        self.left -= units
        if self.left < 0:
            raise Overspent("the law takes too many steps on this sample")

    def room(self, count: int) -> None:
        """Pay for a value of so many items. Raises Overspent where it is too large at all."""
        if count > MAX_ITEMS:
            raise Overspent(f"the law makes a value of {count} items; it may have {MAX_ITEMS}")
        self.spend(count)

    def bits(self, count: float) -> None:
        """Raises Overspent for a whole number of so many bits."""
        if count > MAX_BITS:
            raise Overspent(f"the law makes a whole number of more than {MAX_BITS} bits")

    def weigh(self, *values: Any) -> None:
        """Pay for looking through values, all the way down; the same part met twice counts twice."""
        pending = list(values)
        while pending:
            value = pending.pop()
            if type(value) is str:
                self.spend(1 + len(value) // _CHARS)
            elif type(value) is int:
                self.bits(value.bit_length())
                self.spend(1 + value.bit_length() // 64)
            elif isinstance(value, dict):
                self.spend(1 + 2 * len(value))
                pending += [*value, *value.values()]
            elif isinstance(value, (list, tuple, set, frozenset)):
                self.spend(1 + len(value))
                pending += value
            else:
                self.spend(1)
                pending += [value.base, *(value.fields or {}).values()] if isinstance(value, Structure) else ()

    def distinct(self, values: Iterable[Any]) -> None:
        """Pay for making a set of values, or the keys of a mapping: different ones of one hash are all compared."""
        found: dict[int, list[Any]] = {}
        for value in values:
            self.spend(1)
            alike = found.setdefault(hash(value), [])
            if not any(value == known for known in self.paid(alike)):
                alike.append(value)

    def listed(self, items: Iterable[Any]) -> list[Any]:
        """The items as a list, paid one by one."""
        found = list(islice(self.paid(items), MAX_ITEMS + 1))
        if len(found) > MAX_ITEMS:
            raise Overspent(f"the law makes a list of more than {MAX_ITEMS} items")
        return found

    def paid(self, items: Iterable[Any]) -> Iterator[Any]:
        for item in items:
            self.spend(1)
            yield item


def content(value: Any) -> Any:
    """The plain collection in a value: of a drained generator a list, of an object derived from one its content."""
    if type(value) is Stream:
        return list(value)
    return value.base if isinstance(value, Structure) and isinstance(value.base, COLLECTIONS) else value


def items(value: Any) -> Any:
    """What can be gone through. Raises Senseless for what is no collection."""
    found = content(value)
    if not isinstance(found, (*COLLECTIONS, str)):
        raise Senseless(f"{shown(value, 80)} ({type_name(value)}) is no collection")
    return found


COLLECTIONS = (list, tuple, set, frozenset, dict)
NUMBERS = (int, float, bool)
