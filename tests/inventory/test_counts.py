"""Numbers with what they count."""

from __future__ import annotations

import pytest

from inventory.counts import counted


@pytest.mark.parametrize(
    ("number", "what", "told"),
    [
        (0, "sample", "0 samples"),
        (1, "sample", "1 sample"),
        (2, "sample", "2 samples"),
        (1, "voting property", "1 voting property"),
        (3, "voting property", "3 voting properties"),
        (2, "day", "2 days"),
    ],
)
def test_what_is_counted_agrees_with_its_number(number: int, what: str, told: str) -> None:
    assert counted(number, what) == told
