"""Reading what a model wrote: whatever it is, the result is an answer or a list of faults."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from propose.answer import Answer, Unreadable, read_answer, read_strictly
from propose.completions import judge
from propose.replies import Completion, Reply, Trouble

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**60), 2**60)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
PIECES = st.sampled_from(
    [
        '{"candidates": []}',
        '{"candidates": [1]}',
        "```json",
        "```",
        "<think>",
        "</think>",
        "{",
        "}",
        "[",
        '"',
        "\\",
        "x ",
    ]
)


@given(st.text())
@example('{"candidates": ' + "[" * 200_000)
@example("{" * 100_000)
@example('{"a":' * 50_000)
def test_arbitrary_text_gives_an_answer_or_faults(text: str) -> None:
    found = read_answer(text)
    assert isinstance(found, Answer) or found.faults


def test_an_answer_that_opens_much_and_ends_nothing_is_given_up_soon() -> None:
    started = time.process_time()
    found = read_answer("x " + '{"a": [' * 90 + "1," * (1 << 20))
    assert isinstance(found, Unreadable)
    assert time.process_time() - started < 5
    rambling = "{ it goes on " * 200 + json.dumps({"candidates": [1]})
    assert read_answer(rambling) == Answer((1,))


def test_a_long_error_is_read_in_part_and_soon() -> None:
    started = time.process_time()
    body = b"stream model max_tokens " * (4 << 20 >> 5)
    found = judge(Reply(400, body))
    assert isinstance(found, Trouble)
    assert len(found.said) < 400
    assert time.process_time() - started < 1


@given(st.lists(PIECES, max_size=12).map("".join))
def test_pieces_of_answers_give_an_answer_or_faults(text: str) -> None:
    found = read_answer(text)
    assert isinstance(found, Answer) or found.faults


@given(
    st.lists(JSON, max_size=4),
    st.sampled_from(["{}", "```json\n{}\n```", "Here:\n```\n{}\n```\nDone.", "<think>a</think>{}"]),
)
def test_one_object_is_found_however_it_is_wrapped(drafts: list[Any], wrapping: str) -> None:
    text = json.dumps({"candidates": drafts})
    assert read_answer(wrapping.replace("{}", text)) == Answer(tuple(drafts))


@given(st.lists(JSON, min_size=1, max_size=3), st.integers(1, 5))
def test_nothing_of_a_cut_answer_is_taken(drafts: list[Any], cut: int) -> None:
    text = json.dumps({"candidates": [{"candidates": drafts}, drafts]})
    assert isinstance(read_answer(text[:-cut]), Unreadable)
    assert isinstance(read_answer("Sure: " + text[:-cut]), Unreadable)


@pytest.mark.parametrize(
    "text",
    [
        '{"candidates": [], "candidates": []}',
        '{"candidates": [NaN]}',
        '{"candidates": [1e999]}',
        '{"candidates": {}}',
        "[]",
    ],
)
def test_what_has_two_meanings_is_no_answer(text: str) -> None:
    assert isinstance(read_strictly(text), Unreadable)
    assert isinstance(read_answer(text), Unreadable)
    assert isinstance(read_answer(f"```json\n{text}\n```"), Unreadable)


@given(st.integers(100, 599), st.binary(max_size=300), st.booleans())
def test_arbitrary_bytes_of_a_server_are_a_completion_or_trouble(status: int, body: bytes, is_stream: bool) -> None:  # noqa: FBT001
    assert isinstance(judge(Reply(status, body, is_stream=is_stream)), Completion | Trouble)


@given(st.integers(200, 599), JSON)
def test_arbitrary_json_of_a_server_is_a_completion_or_trouble(status: int, value: Any) -> None:
    assert isinstance(judge(Reply(status, json.dumps(value).encode())), Completion | Trouble)


KEYS = st.sampled_from(
    ["choices", "message", "content", "finish_reason", "error", "code", "usage", "refusal", "delta", "model"]
)
SHAPED = st.recursive(
    st.none() | st.integers(0, 600) | st.sampled_from(["stop", "length", "", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@given(SHAPED, st.booleans())
def test_almost_completions_are_judged_without_an_error(value: Any, is_stream: bool) -> None:  # noqa: FBT001
    body = json.dumps(value)
    text = f"data: {body}\n\ndata: [DONE]\n\n" if is_stream else body
    assert isinstance(judge(Reply(200, text.encode(), is_stream=is_stream)), Completion | Trouble)
