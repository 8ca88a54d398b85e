"""Values: exact comparison, records that run no foreign code, and short texts of anything."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.values import NotPlain, Stream, Structure, difference, same, shown

_PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=10,
)


@given(_PLAIN)
def test_a_value_is_the_same_as_itself(value: Any) -> None:
    assert same(value, value)


@given(_PLAIN, _PLAIN)
def test_sameness_goes_both_ways_and_implies_equality(left: Any, right: Any) -> None:
    assert same(left, right) == same(right, left)
    assert not same(left, right) or type(left) is type(right)


@pytest.mark.parametrize(
    ("left", "right"),
    [(1, True), (1, 1.0), ([1], (1,)), ({"a": 1}, {"a": True}), ({1: 0}, {True: 0}), ({1}, {True}), ("a", b"a"),
     ([1], Stream([1])), ([1, 2], [2, 1]), ({"a": None}, {}), (b"", bytearray()), (set(), frozenset())],
)  # fmt: skip
def test_different_types_or_contents_are_not_the_same(left: Any, right: Any) -> None:
    assert not same(left, right)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (0.0, -0.0),
        (math.nan, math.nan),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ([math.nan], [math.nan]),
        (complex(math.nan, -math.inf), complex(math.nan, -math.inf)),
        (Decimal("NaN"), Decimal("NaN")),
        (Decimal("1.0"), Decimal("1.00")),
    ],
)
def test_zero_nan_and_the_order_of_keys_are_the_same(left: Any, right: Any) -> None:
    assert same(left, right)


def test_a_difference_tells_where() -> None:
    assert difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": True}]}) == "at ['a'][1]['b']: 2 (int) is not True (bool)"


def test_a_record_reads_as_its_data() -> None:
    point = Structure("app.Point", {"x": 1, "y": 2}, (1, 2))
    assert (point.x, point[1], list(point), len(point)) == (1, 2, [1, 2], 2)
    counts = Structure("collections.Counter", {}, {"a": 2})
    assert "a" in counts
    assert dict(counts.items()) == {"a": 2}
    assert repr(point) == "<app.Point (1, 2), x=1, y=2>"


def test_records_are_the_same_by_type_and_data_alone() -> None:
    money = Structure("app.Money", {"amount": 1}, handle=1)
    assert money == Structure("app.Money", {"amount": 1}, handle=2)
    assert money != Structure("app.Money", {"amount": 1.0})
    assert money != Structure("app.Coin", {"amount": 1})
    assert money != {"amount": 1}
    assert len({money, Structure("app.Money", {"amount": 1})}) == 1


def test_objects_whose_data_cannot_be_told_cannot_be_compared() -> None:
    handle = Structure("app.Lock", None, handle=1)
    assert handle == Structure("app.Lock", None, handle=1)
    with pytest.raises(NotPlain, match="cannot be compared"):
        _ = handle == Structure("app.Lock", None, handle=2)


@pytest.mark.parametrize(
    "use", [lambda s: s + 1, lambda s: 1 - s, lambda s: s < 1, lambda s: -s, abs, int, float, operator.index, round,
            lambda s: s(), len, list, lambda s: s[0], lambda s: 1 in s],
)  # fmt: skip
def test_a_record_does_nothing_of_what_its_class_may_claim(use: Callable[[Any], Any]) -> None:
    with pytest.raises(NotPlain):
        use(Structure("app.Liar", {"amount": 1}))


def test_a_field_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no field total"):
        _ = Structure("app.Money", {"amount": 1}).total


@given(_PLAIN)
def test_a_shown_value_is_short(value: Any) -> None:
    assert len(shown(value, 50)) <= 50


def test_a_value_that_cannot_be_written_is_shown_by_its_type() -> None:
    assert "int" in shown(10**5000) or "…" in shown(10**5000)
    deep: list[Any] = []
    for _ in range(5000):
        deep = [deep]
    assert shown(deep).startswith("[[")
