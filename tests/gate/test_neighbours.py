"""Neighbours of samples: of the same shape, never a sample, the same every time."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gate.neighbours import PER_KIND, Kind, neighbours_of

SCALARS = st.none() | st.booleans() | st.integers(-1000, 1000) | st.floats(-1e6, 1e6) | st.text("abcXYZ09-", max_size=8)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3)
)


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    return [shape(item) for item in value] if isinstance(value, list) else type(value)


@given(st.lists(VALUES, max_size=6), st.integers(0, 2**63 - 1))
def test_a_neighbour_has_the_shape_of_its_sample_and_is_none_itself(samples: list[Any], seed: int) -> None:
    found = neighbours_of(samples, seed)
    assert found == neighbours_of(samples, seed)
    known = {repr(sample) for sample in samples}
    for one in found:
        assert shape(one.sample) == shape(samples[one.origin])
        assert repr(one.sample) not in known
    assert len({repr(one.sample) for one in found}) == len(found)
    assert all(sum(one.kind is kind for one in found) <= PER_KIND for kind in Kind)


@given(st.lists(st.integers(1, 10**6), min_size=3, max_size=9, unique=True), st.integers(2, 100))
def test_mixed_numbers_keep_what_the_samples_have_in_common(numbers: list[int], factor: int) -> None:
    samples = [number * factor for number in numbers]
    for one in neighbours_of(samples, 7):
        if one.kind is Kind.MIXED:
            assert one.sample % factor == 0
            assert min(samples) <= one.sample <= max(samples)
        else:
            assert 1 <= abs(one.sample - samples[one.origin]) <= 2
            assert one.sample > 0
