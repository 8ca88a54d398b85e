"""The wire: every plain value comes back as it went, of its exact type, and nothing malformed gets through."""

from __future__ import annotations

import json
import math
import os
import uuid
from collections import OrderedDict
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any, NoReturn

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate import wire
from gate.session import parse
from inventory.values import Stream, same

_ATOMS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True)
    | st.text(st.characters())
    | st.binary()
    | st.binary().map(bytearray)
    | st.complex_numbers(allow_nan=False)
    | st.decimals(allow_nan=False, min_value=-(10**9), max_value=10**9)
    | st.fractions()
    | st.datetimes(timezones=st.none() | st.just(UTC) | st.just(timezone(timedelta(hours=5, minutes=30))))
    | st.dates()
    | st.times()
    | st.timedeltas()
    | st.uuids()
    | st.builds(range, st.integers(-50, 50), st.integers(-50, 50), st.integers(1, 9))
)
_KEYS = st.none() | st.booleans() | st.integers() | st.text() | st.tuples(st.integers(), st.text())
_VALUES = st.recursive(
    _ATOMS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(), inner, max_size=4)
        | st.dictionaries(_KEYS, inner, max_size=4)
        | st.sets(_KEYS, max_size=4)
        | st.frozensets(_KEYS, max_size=4)
    ),
    max_leaves=12,
)


def _refuse(value: object, *_: object) -> NoReturn:
    raise wire.WireFault(f"{type(value).__name__} is not plain")


def _there(value: Any) -> Any:
    return json.loads(json.dumps(wire.Encoder(_refuse).encode(value), allow_nan=False))


def _received(frame: bytes) -> tuple[bytes, bytes, bytes]:
    return wire.receive(-1, frame)


def _back(data: Any, **how: Any) -> Any:
    return wire.Decoder(_refuse, Stream, **how).decode(data)


@given(_VALUES)
def test_a_plain_value_comes_back_of_the_same_types(value: Any) -> None:
    assert same(_back(_there(value)), value)


@given(_VALUES)
def test_the_order_of_a_dict_survives(value: Any) -> None:
    back = _back(_there({"z": value, "a": value}))
    assert list(back) == ["z", "a"]


@given(_VALUES)
def test_judge_and_subject_say_the_same_in_their_two_forms(value: Any) -> None:
    data = wire.Encoder(_refuse).encode(value)
    call_id, asked, _ = _received(wire.request(b"0123456789abcdef", data))
    assert (call_id, wire.unpack(asked)) == (b"0123456789abcdef", data)
    _, told, _ = _received(wire.answer(b"0123456789abcdef", data))
    assert json.dumps(parse(told)) == json.dumps(wire.unpack(asked))


def test_what_is_no_json_is_refused_and_not_put_into_words() -> None:
    with pytest.raises(wire.WireFault, match="bytes is no JSON"):
        wire.answer(b"0123456789abcdef", {"v": b"1"})


def test_the_sign_of_zero_survives() -> None:
    assert math.copysign(1, _back(_there(-0.0))) == -1


def test_sets_are_written_in_one_order() -> None:
    assert json.dumps(_there({"b", "a", "c"})) == json.dumps(_there({"c", "b", "a"}))


class Lying(int):
    """Equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = int.__hash__


@pytest.mark.parametrize("value", [Lying(1), OrderedDict(), type("T", (str,), {})("x"), object(), len, Decimal])
def test_what_is_not_of_an_exact_plain_type_is_left_to_the_side_that_knows_it(value: object) -> None:
    with pytest.raises(wire.WireFault):
        _there([value])


def test_a_value_that_is_too_deep_too_large_or_in_a_circle_is_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    wide: list[Any] = [0]
    for _ in range(40):
        wide = [wide, wide]
    for value in (circle, wide, 1 << wire.MAX_INT_BITS):
        with pytest.raises(wire.WireFault):
            _there(value)


@pytest.mark.parametrize(
    "data",
    [
        {}, {"d": {}, "t": []}, {"?": 1}, {"d": 3}, {"t": 3}, {"m": [[1]]}, {"m": [[[], 1]]}, {"i": 12}, {"i": "0x"},
        {"n": "Infinity"}, {"b": 1}, {"D": "1e999999999"}, {"D": "x"}, {"F": ["0x1", "0x0"]}, {"T": "yesterday"},
        {"R": ["0x0", "0xffffffffffffffff", "0x1"]}, {"L": ["x"]}, {"U": "00"}, {"s": [[]]}, {"o": 1}, {"h": 0},
        {"c": ["x", "y"]},
    ],
)  # fmt: skip
def test_malformed_data_is_refused(data: Any) -> None:
    with pytest.raises(wire.WireFault):
        _back(data)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, complex(math.nan, 0), Decimal("NaN"), Decimal("Inf")])
def test_the_judge_takes_no_number_that_is_not_finite(value: Any) -> None:
    with pytest.raises(wire.WireFault, match="not a finite number"):
        _back(_there([value]), finite=True)


def test_a_deep_frame_is_refused_and_not_a_crash() -> None:
    with pytest.raises(wire.WireFault):
        _back(parse(b"[" * 900 + b"]" * 900))
    with pytest.raises(wire.WireFault):
        parse(b"[" * 1_000_000)
    with pytest.raises(wire.WireFault):
        parse(b"NaN")
    with pytest.raises(wire.WireFault):
        parse(b"\xff")
    with pytest.raises(wire.WireFault):
        parse(b"1" * 10_000)


def test_a_frame_comes_through_whole_with_its_id() -> None:
    there, here = os.pipe()
    wire.send(here, wire.answer(b"0123456789abcdef", {"v": [1, "ä"]}))
    call_id, body, ahead = wire.receive(there)
    assert (call_id, parse(body), ahead) == (b"0123456789abcdef", {"v": [1, "ä"]}, b"")
    os.close(here)
    with pytest.raises(EOFError):
        wire.receive(there)
    os.close(there)


@pytest.mark.parametrize("length", [0, 15, wire.MAX_FRAME + 17, 0xFFFFFFFF])
def test_a_frame_of_a_wrong_length_is_refused_before_it_is_read(length: int) -> None:
    there, here = os.pipe()
    os.write(here, length.to_bytes(4, "big"))
    with pytest.raises(wire.WireFault):
        wire.receive(there)
    os.close(here)
    os.close(there)


@given(st.lists(st.tuples(st.binary(min_size=16, max_size=16), _VALUES), max_size=4), st.data())
def test_frames_come_apart_as_they_went_however_they_arrive(messages: list[tuple[bytes, Any]], data: Any) -> None:
    sent = [(call_id, json.dumps(_there(value)).encode()) for call_id, value in messages]
    stream = b"".join(len(body + call_id).to_bytes(4, "big") + call_id + body for call_id, body in sent)
    first = data.draw(st.integers(0, len(stream)))
    there, here = os.pipe()
    os.write(here, stream[first:])
    os.close(here)
    ahead, found = stream[:first], []
    for _ in sent:
        call_id, body, ahead = wire.receive(there, ahead)
        found.append((call_id, body))
    assert found == sent
    with pytest.raises(EOFError):
        wire.receive(there, ahead)
    os.close(there)


def test_value_types_of_the_standard_library_are_known() -> None:
    values = [Decimal("1.10"), Fraction(1, 3), datetime(2026, 1, 2, tzinfo=UTC), date(2026, 1, 2), time(1, 2)]
    assert _back(_there(values)) == values
    assert str(_back(_there(Decimal("1.10")))) == "1.10"
    assert _back(_there(uuid.UUID(int=5))) == uuid.UUID(int=5)
