"""Secrets in plain data: blanked by their form or by the name that they stand under, and nothing else changed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.redact import MARKER, blanked

KEY = "ghp_" + "a1B2c3D4e" * 4
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.sampled_from(["", "a", "two words"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["lo", "hi", "text"]), inner),
)


@pytest.mark.parametrize(
    ("value", "name", "expected"),
    [
        (KEY, "", MARKER),
        (f"see {KEY} there", "", f"see {MARKER} there"),
        ([1, {"deep": [KEY]}], "", [1, {"deep": [MARKER]}]),
        ({KEY: 1}, "", {MARKER: 1}),
        ("hunter2-and-more", "password", MARKER),
        ({"password": "hunter2-and-more"}, "", {"password": MARKER}),
        ({"api-key": ["hunter2-and-more"]}, "", {"api-key": [MARKER]}),
        ("hunter2-very-secret", "password", MARKER),
        ("https://ada:hunter2@example.org/", "url", f"https://{MARKER}@example.org/"),
    ],
)
def test_a_secret_is_blanked_wherever_it_stands(value: Any, name: str, expected: Any) -> None:
    assert blanked(value, name) == (expected, 1)


@pytest.mark.parametrize("name", ["x", "text", "key", "tokens_seen"])
def test_ordinary_texts_stay_under_ordinary_names(name: str) -> None:
    assert blanked(["hello world", "C3PO", "a=b"], name) == (["hello world", "C3PO", "a=b"], 0)


@given(PLAIN)
def test_data_without_secrets_is_not_touched(value: Any) -> None:
    assert blanked(value) == (value, 0)
