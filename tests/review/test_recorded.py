"""From what watchers wrote to a draft: hostile lines, call shapes, secrets, and the most different samples."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.records import Call
from inventory.redact import MARKER
from review.calls import Seen, read
from review.recorded import MAX_SAMPLES, Recorded, recorded
from review.varied import most_different

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
Given = tuple[str, str, str, Any]


def row(*arguments: Given, lines: tuple[int, ...] = (), end: str = "returned") -> bytes:
    return repr(("call", arguments, list(lines), end)).encode()


def one(value: Any, **more: Any) -> bytes:
    return row(("positional", "x", "given", value), **more)


def draft(*rows: bytes) -> Recorded:
    return recorded(read([b"\n".join(rows)]))


def test_one_argument_each_becomes_the_sample_itself() -> None:
    found = draft(one([1, 2]), one("a"), one([1, 2]))
    assert (found.call, found.distinct) == (Call.SAMPLE, 2)
    assert sorted(found.samples, key=repr) == ["a", [1, 2]]


@pytest.mark.parametrize(
    ("calls", "call", "samples"),
    [
        ([[("positional", "a", "given", 1), ("positional", "b", "default", 2)]], Call.SAMPLE, [1]),
        ([[("positional", "a", "given", 1), ("positional", "b", "given", 2)]], Call.ARGS, [[1, 2]]),
        (  # a default is spelled out where another call gives something else
            [
                [("positional", "a", "given", 1), ("positional", "b", "default", 2)],
                [("positional", "a", "given", 1), ("positional", "b", "given", 3)],
            ],
            Call.ARGS,
            [[1, 2], [1, 3]],
        ),
        (  # unless it is not plain data
            [
                [("positional", "a", "given", 1), ("positional", "b", "absent", None)],
                [("positional", "a", "given", 1), ("positional", "b", "given", 3)],
            ],
            Call.ARGS,
            [[1, 3], [1]],
        ),
        ([[("only", "a", "given", 1), ("var_positional", "more", "given", (2, 3))]], Call.ARGS, [[1, 2, 3]]),
        ([[("positional", "a", "given", 1), ("keyword", "k", "given", 2)]], Call.KWARGS, [{"a": 1, "k": 2}]),
        ([[("keyword", "k", "default", 2), ("var_keyword", "w", "given", {"z": 1})]], Call.KWARGS, [{"z": 1}]),
        ([[]], Call.ARGS, [[]]),
    ],
)
def test_the_shape_is_the_plainest_that_says_every_call(
    calls: list[list[Given]], call: Call, samples: list[Any]
) -> None:
    found = draft(*(row(*arguments) for arguments in calls))
    assert (found.call, sorted(found.samples, key=repr)) == (call, samples)
    assert found.unfit == 0


def test_what_fits_the_shape_of_the_others_not_is_counted() -> None:
    listed = [row(("positional", "a", "given", n), ("var_positional", "m", "given", (n,))) for n in (1, 2)]
    found = draft(*listed, row(("positional", "a", "given", 1), ("keyword", "k", "given", 2)))
    assert (found.call, found.distinct, found.unfit, len(found.samples)) == (Call.ARGS, 3, 1, 2)


def test_what_raised_is_left_out_unless_all_did() -> None:
    found = draft(one(1), one(2, end="raised"), one(3, end="raised"), one(3))
    assert (sorted(found.samples), found.raised, found.all_raised) == ([1, 3], 1, False)
    found = draft(one(1, end="raised"))
    assert (found.samples, found.all_raised) == ((1,), True)


def test_secrets_are_blanked_by_their_form_and_by_the_name_of_the_parameter() -> None:
    found = draft(
        row(("positional", "url", "given", "https://a:hunter2@b.org"), ("positional", "password", "given", "hunter2x"))
    )
    assert found.samples == ([f"https://{MARKER}@b.org", MARKER],)
    assert found.blanked == 2


def test_tuples_become_lists_and_are_told() -> None:
    found = draft(one((1, (2,))))
    assert (found.samples, found.tuples) == (([1, [2]],), 1)


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe",
        b"__import__('os').system('true')",
        b"(" * 5000,
        b"('call', 1, 2, 3)",
        b"('call', (('positional', 'x', 'given', {1, 2}),), [], 'returned')",
        b"('call', (('positional', 'x', 'given', b'raw'),), [], 'returned')",
        b"('call', (('positional', 'x', 'given', 1e999),), [], 'returned')",
        b"('call', (('positional', 'x', 'given', {1: 2}),), [], 'returned')",
        b"('call', (('var_positional', 'x', 'given', 3),), [], 'returned')",
        b"('call', (('positional', 'x', 'stolen', 1),), [], 'returned')",
        b"('seen', 'many', 0, '')",
        b"('call', (('positional', 'x', 'given', '" + b"a" * (1 << 18) + b"'),), [], 'returned')",
    ],
)
def test_a_line_that_is_none_of_ours_says_nothing(line: bytes) -> None:
    assert read([line]) == Seen()
    assert len(read([line + b"\n" + one(1) + b"\n" + line]).calls) == 1


def test_the_counts_of_all_processes_add_up() -> None:
    files = [
        b"('seen', 1, 0, '')\n('seen', 5, 2, '`x` is a Context')",
        b"('seen', 3, 0, '')",
        b"('elsewhere', '/a/b.py')",
    ]
    seen = read(files)
    assert (seen.total, seen.odd, seen.why, seen.elsewhere) == (8, 2, "`x` is a Context", "/a/b.py")


@given(st.lists(PLAIN, min_size=1, max_size=12), st.integers(0, 99))
def test_the_same_calls_give_the_same_draft(values: list[Any], seed: int) -> None:
    rows = [one(value, lines=(at % 3,)) for at, value in enumerate(values)]
    mixed = rows[:]
    random.Random(seed).shuffle(mixed)  # noqa: S311  # an order that comes back
    found = draft(*rows)
    assert found == draft(*mixed) == recorded(read([*reversed(mixed)]))
    assert {json.dumps(s, sort_keys=True) for s in found.samples} <= {json.dumps(v, sort_keys=True) for v in values}


def test_a_draft_is_bounded_and_the_most_different_come_first() -> None:
    found = draft(*(one(n) for n in range(1, 500)), one(-3), one([]), one("text"))
    assert len(found.samples) == MAX_SAMPLES
    assert {repr(s) for s in found.samples[:6]} >= {"-3", "[]", "'text'"}
    big = draft(*(one(str(n) * 20_000) for n in range(10, 40)))
    assert len(json.dumps(big.samples)) <= 256 << 10


def test_another_path_through_the_function_is_a_difference() -> None:
    same = [[n, n] for n in range(100, 150)]
    assert most_different(same, 2, 1000) == (0, 1)
    assert 30 in most_different(same, 2, 1000, {30: ["line 7"]})
