"""The built-in checks: each gets the function under test and one sample, and raises AssertionError on a miss.

An exception that production raises is left to pass through as Raised, which is red; a sample of the
wrong form is BadSample. `inventory.catalogue` says for each check its law, parameters and call shape.
"""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from inventory import strict_json
from inventory.law_check import law
from inventory.target import BadSample, Function, Raised
from inventory.values import Structure, difference, exact, same, shown, type_name

Check = Callable[..., None]
Texts = str | Sequence[str]


def expect(condition: object, message: str, *values: object) -> None:
    """Raise AssertionError with `message`, each {} in it replaced by one of the values, unless the condition holds."""
    if not condition:
        raise AssertionError(message.format(*map(shown, values)) if values else message)


def expect_same(got: object, wanted: object) -> None:
    """Raise AssertionError unless both are of the same types and contents; says where they differ."""
    found = difference(got, wanted)
    expect(found is None, found or "")


def roundtrip(fn: Function, sample: Any, inverse: str | None = None) -> None:
    """Encoding a value and decoding it again gives the value back."""
    if inverse is None:
        expect_same(fn(fn(sample, reverse=True), reverse=False), sample)
        return
    back = fn.named(inverse)(fn.on(sample))
    wanted = fn.first(sample)
    if isinstance(back, tuple) and isinstance(sample, list) and len(sample) == len(back) > 1:
        wanted = tuple(sample)
    expect_same(back, wanted)


def no_extra_keys(fn: Function, sample: Any, allowed: Texts = ("ok", "err")) -> None:
    """The output has no key that the input does not have."""
    out = _mapping(fn.on(sample))
    given = fn.first(sample)
    if not isinstance(given, dict):
        raise BadSample(f"no_extra_keys needs a mapping as input, not {type_name(given)}")
    extra = [key for key in out if key not in given and key not in _texts(allowed)]
    expect(not extra, "keys that the input does not have: {}", extra)


def lo_le_hi(fn: Function, sample: Any) -> None:
    """The bounds are in order and the output lies between them."""
    lo, hi, x = _window(sample)
    y = _number(fn(lo, hi, x))
    expect(lo <= hi, "lo {} is above hi {}", lo, hi)
    expect(lo <= y <= hi, "{} is not between lo {} and hi {}", y, lo, hi)


def output_in_range(fn: Function, sample: Any) -> None:
    """The output lies between the two bounds, whichever is lower."""
    lo, hi, x = _window(sample)
    y = _number(fn(lo, hi, x))
    expect(min(lo, hi) <= y <= max(lo, hi), "{} is not between {} and {}", y, min(lo, hi), max(lo, hi))


def never_raises(fn: Function, sample: Any, allowed: Texts = ()) -> None:
    """The function raises nothing, apart from what is allowed."""
    try:
        fn.on(sample)
    except Raised as raised:
        expect(any(map(raised.is_a, _texts(allowed))), f"raised {raised}")


def raises(fn: Function, sample: Any, allowed: Texts) -> None:
    """The function refuses every sample with one of these exceptions."""
    try:
        value = fn.on(sample)
    except Raised as raised:
        expect(any(map(raised.is_a, _texts(allowed))), f"raised {raised}")
    else:
        raise AssertionError(f"returned {shown(value)} and raised nothing")


def deterministic(fn: Function, sample: Any) -> None:
    """The same sample gives the same output when asked twice."""
    expect_same(fn.on(sample), fn.on(sample))


def idempotent(fn: Function, sample: Any) -> None:
    """Applying the function to its own output changes nothing."""
    once = fn.on(sample)
    expect_same(fn.again(once, sample), once)


def involution(fn: Function, sample: Any) -> None:
    """Applying the function twice gives the input back."""
    expect_same(fn.again(fn.on(sample), sample), fn.first(sample))


def does_not_mutate(fn: Function, sample: Any) -> None:
    """The arguments are the same after the call as before."""
    found = difference(fn.after(sample), sample)
    expect(found is None, f"the argument changed: {found}")


def is_sorted(fn: Function, sample: Any, *, reverse: bool = False, key: str | int | None = None) -> None:
    """The output is in order."""
    items = _items(fn.on(sample))
    keys = items if key is None else [_field(item, key) for item in items]
    for a, b in itertools.pairwise(keys):
        low, high = (b, a) if reverse else (a, b)
        expect(_at_most(low, high), "{} comes before {}", a, b)


def is_permutation(fn: Function, sample: Any) -> None:
    """The output holds exactly the items of the input, in any order."""
    given, out = _items(fn.first(sample)), _items(fn.on(sample))
    lost, gained = _without(given, out), _without(out, given)
    expect(not lost and not gained, "lost {}, gained {}", lost, gained)


def same_length(fn: Function, sample: Any) -> None:
    """The output is as long as the input."""
    given, out = _length(fn.first(sample)), _length(fn.on(sample))
    expect(given == out, f"{out} long, the input is {given} long")


def length_at_most(fn: Function, sample: Any, limit: int) -> None:
    """The output is not longer than the limit."""
    length = _length(fn.on(sample))
    expect(length <= limit, f"{length} long, the limit is {limit}")


def subset_of_input(fn: Function, sample: Any) -> None:
    """Every item of the output is an item of the input."""
    given = set(map(exact, _items(fn.first(sample))))
    foreign = [item for item in _items(fn.on(sample)) if exact(item) not in given]
    expect(not foreign, "items that the input does not have: {}", foreign)


def no_duplicates(fn: Function, sample: Any) -> None:
    """No item of the output occurs twice."""
    items = _items(fn.on(sample))
    counts = Counter(map(exact, items))
    twice = [item for item in items if counts[exact(item)] > 1]
    expect(not twice, "more than once: {}", twice)


def returns_type(fn: Function, sample: Any, type: Texts) -> None:  # noqa: A002  # as files name it
    """The output is of exactly this type."""
    wanted = _texts(type)
    value = fn.on(sample)
    name = type_name(value)
    names = {name, name.rpartition(".")[2]} | ({"None"} if value is None else set())
    if not names & set(wanted):
        raise AssertionError(f"{shown(value)} is a {name}, not a {' or '.join(wanted)}")


def matches(fn: Function, sample: Any, pattern: str) -> None:
    """The output is a text that the pattern matches from start to end."""
    value = fn.on(sample)
    expect(type(value) is str, "{} is not a str", value)
    if not re.fullmatch(pattern, value):
        raise AssertionError(f"{shown(value)} does not match {pattern}")


def in_range(fn: Function, sample: Any, min: float | None = None, max: float | None = None) -> None:  # noqa: A002  # as files name it
    """The output is a number within the bounds, which belong to the range."""
    value = _number(fn.on(sample))
    expect(min is None or value >= min, f"{{}} is below {min}", value)
    expect(max is None or value <= max, f"{{}} is above {max}", value)


def non_negative(fn: Function, sample: Any) -> None:
    """The output is a number that is zero or more."""
    value = _number(fn.on(sample))
    expect(value >= 0, "{} is negative", value)


def one_of(fn: Function, sample: Any, values: Sequence[Any]) -> None:
    """The output is one of these values."""
    value = fn.on(sample)
    expect(any(same(value, allowed) for allowed in values), "{} is none of {}", value, list(values))


def commutative(fn: Function, sample: Any) -> None:
    """Swapping the two arguments does not change the output."""
    a, b = _several(sample, 2)
    expect_same(fn(a, b), fn(b, a))


def associative(fn: Function, sample: Any) -> None:
    """Grouping to the left or to the right gives the same output."""
    a, b, c = _several(sample, 3)
    expect_same(fn(fn(a, b), c), fn(a, fn(b, c)))


def non_decreasing(fn: Function, sample: Any) -> None:
    """A larger input never gives a smaller output."""
    a, b = _several(sample, 2)
    low, high = (a, b) if _at_most(a, b) else (b, a)
    small, large = fn(low), fn(high)
    expect(_at_most(small, large), "{} gives {}, but {} gives {}", low, small, high, large)


def has_keys(fn: Function, sample: Any, keys: Texts) -> None:
    """The output has all of these keys."""
    out = _mapping(fn.on(sample))
    lacking = [key for key in _texts(keys) if key not in out]
    expect(not lacking, "keys that are missing: {}", lacking)


def equals_reference(fn: Function, sample: Any, reference: str) -> None:
    """The output, or the exception, is that of the reference function."""
    got, wanted = _outcome(fn, sample), _outcome(fn.named(reference), sample)
    found = difference(got, wanted)
    expect(found is None, f"differs from {reference}: {found}")


def json_serializable(fn: Function, sample: Any) -> None:
    """The output can be written as strict JSON."""
    foreign = _first_not_json(fn.on(sample), "")
    expect(foreign is None, foreign or "")


def json_text(fn: Function, sample: Any) -> None:
    """The output is one JSON document (RFC 8259) as text: no key twice, no number out of range, at most 100 levels."""
    out = fn.on(sample)
    expect(type(out) is str, "{} is not a str", out)
    _, faults = strict_json.load(out, "")
    if faults:
        raise AssertionError(f"{shown(out)} in line {faults[0].line}: {faults[0].what}")


BUILTIN: dict[str, Check] = {
    check.__name__: check
    for check in (
        *(roundtrip, no_extra_keys, lo_le_hi, output_in_range, never_raises, raises, deterministic, idempotent),
        *(involution, does_not_mutate, is_sorted, is_permutation, same_length, length_at_most, subset_of_input),
        *(no_duplicates, returns_type, matches, in_range, non_negative, one_of, commutative, associative),
        *(non_decreasing, has_keys, equals_reference, json_serializable, json_text, law),
    )
}


def _texts(value: Texts) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _outcome(fn: Function, sample: Any) -> tuple[Any, ...]:
    try:
        return ("returned", fn.on(sample))
    except Raised as raised:
        return ("raised", raised.names[:1])


def _window(sample: Any) -> tuple[Any, Any, Any]:
    if not isinstance(sample, dict) or not {"lo", "hi", "x"} <= sample.keys():
        raise BadSample("this check needs a mapping with lo, hi and x as sample")
    return sample["lo"], sample["hi"], sample["x"]


def _several(sample: Any, count: int) -> list[Any]:
    if not isinstance(sample, list) or len(sample) != count:
        raise BadSample(f"this check needs a list of {count} as sample")
    return sample


def _number(value: Any) -> Any:
    if type(value) not in (int, float):
        raise AssertionError(f"{shown(value)} ({type_name(value)}) is not a number")
    return value


def _mapping(value: Any) -> Any:
    if isinstance(value, Structure):
        return value.base if type(value.base) is dict else value.fields or {}
    if type(value) is not dict:
        raise AssertionError(f"{shown(value)} ({type_name(value)}) is not a mapping")
    return value


def _items(value: Any) -> list[Any]:
    content = value.base if isinstance(value, Structure) else value
    countable = isinstance(content, (list, tuple, set, frozenset, str, bytes, dict))
    if not countable:
        raise AssertionError(f"{shown(value)} ({type_name(value)}) is not a collection")
    return list(content)


def _length(value: Any) -> int:
    return len(_items(value))


def _field(item: Any, key: str | int) -> Any:
    if isinstance(item, Structure) and isinstance(key, str) and key in (item.fields or {}):
        return (item.fields or {})[key]
    try:
        return item[key]
    except (LookupError, TypeError):
        raise AssertionError(f"{shown(item)} has no {key}") from None


def _at_most(low: Any, high: Any) -> bool:
    try:
        return bool(low <= high)
    except TypeError:
        raise AssertionError(f"{shown(low)} and {shown(high)} have no order") from None


def _without(items: Iterable[Any], other: Iterable[Any]) -> list[Any]:
    counts = Counter(map(exact, other))
    left = []
    for item in items:
        key = exact(item)
        if counts[key]:
            counts[key] -= 1
        else:
            left.append(item)
    return left


def _first_not_json(value: Any, at: str) -> str | None:
    place = f"at {at}: " if at else ""
    if value is None or type(value) in (bool, int, str):
        return None
    if type(value) is float:
        return None if math.isfinite(value) else f"{place}{value} is no JSON number"
    if type(value) is dict:
        odd = next((key for key in value if type(key) is not str), None)
        if odd is not None:
            return f"{place}the key {shown(odd)} is not a str"
        pairs: Iterable[tuple[Any, Any]] = value.items()
    elif type(value) in (list, tuple):
        pairs = enumerate(value)
    else:
        return f"{place}{shown(value)} ({type_name(value)}) is not JSON"
    return next((found for key, item in pairs if (found := _first_not_json(item, f"{at}[{key!r}]"))), None)
