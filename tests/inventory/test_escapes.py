"""Foreign text is shown harmless: to a terminal, and to a CI runner that obeys its own log."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.escapes import visible


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("caf\u00e9 \u6392 \U0001f600", "caf\u00e9 \u6392 \U0001f600"),
        ("a\x1b[31mb", "a\\x1b[31mb"),
        ("a\u202eb", "a\\u202eb"),
        ("a\ud800b", "a\\ud800b"),
        ("a\nb", "a\\x0ab"),
        ("::error::x", "\\x3a:error::x"),
        ("  ::add-mask::x", "  \\x3a:add-mask::x"),
        ("a ::b:: c", "a ::b:: c"),
        ("##[error]x ##[y", "\\x23#[error]x \\x23#[y"),
        ("std::vector", "std::vector"),
    ],
)
def test_what_is_not_plain_is_written_as_an_escape(text: str, shown: str) -> None:
    assert visible(text) == shown


def test_several_lines_stay_lines_and_none_of_them_orders_anything() -> None:
    assert visible("a\n\t::b\n::c", lines=True) == "a\n\t\\x3a:b\n\\x3a:c"


@given(st.text(st.characters(), max_size=50))
def test_nothing_that_a_terminal_or_runner_obeys_survives(text: str) -> None:
    shown = visible(text)
    assert all(c == " " or unicodedata.category(c)[0] not in "CZ" for c in shown)
    assert not re.match(r"\s*::", shown)
    assert "##[" not in shown
