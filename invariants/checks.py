"""Checks of this project's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Call = Callable[[Any], Any]


def only_printable(fn: Call, sample: str) -> None:
    """No control, format or other invisible character survives."""
    output = fn(sample)
    assert output.isprintable(), f"{output!a} holds a character that is not printable"


def ignores_key_order(fn: Call, sample: Any) -> None:
    """The same value with the keys of its mappings in another order gives the same output."""
    expected, reordered = fn(sample), fn(_reversed(sample))
    assert expected == reordered, f"{expected} became {reordered}"


def no_canary_survives(fn: Call, sample: str) -> None:
    """The samples write their secrets with a marker, and it does not come out."""
    assert "C4n4ry" not in fn(sample).text


def second_pass_finds_nothing(fn: Call, sample: str) -> None:
    """What was blanked once holds no secret any more."""
    once = fn(sample)
    again = fn(once.text)
    assert (again.text, again.count) == (once.text, 0)


def ignores_the_order(fn: Call, sample: Any) -> None:
    """The same items in another order give the same output."""
    expected, reordered = fn(sample), fn(sample[::-1])
    assert expected == reordered, f"{expected} became {reordered}"


def _reversed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _reversed(value[key]) for key in reversed(list(value))}
    return [_reversed(item) for item in value] if isinstance(value, list) else value
