"""The wire between judge and subject: frames, and plain data of exact types as tagged JSON.

Both sides use this file, so it keeps to Python 3.9 and the standard library. A frame is the length of
what follows (4 bytes, big-endian), the id of the call (16 bytes) and the message: from the subject JSON in
ASCII, from the judge the same data as marshal packs it, which takes a quarter of the time. The judge unpacks
nothing: marshal trusts what it reads. In the JSON, null, booleans, numbers, texts and arrays stand for
themselves; everything else is an object with one key, its tag: d dict with text keys, m other dict, t tuple,
s set, z frozenset, g items of an iterator, b bytes, y bytearray, i large int, n non-finite float, c complex,
D Decimal, F Fraction, T datetime, A date, C time, L timedelta, U UUID, R range, and what only one side may
send: o object of the subject (type name, fields, base, handle), h handle of such an object. Types are exact:
what is of a derived class is an object, whatever it claims to equal.
"""

from __future__ import annotations

import math
import os
import sys
from binascii import a2b_base64, b2a_base64
from marshal import dumps, loads  # bound here, for production may patch them in the module

TYPE_CHECKING = False  # importing typing costs the subject more than the rest of this file
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable
    from typing import Any

MAX_FRAME = 16 << 20
MAX_DEPTH = 100
MAX_NODES = 1_000_000
MAX_INT_BITS = 1 << 20
MAX_EXPONENT = 10_000
ID_BYTES = 16
_BIG = 1 << 62
READY = b"+"  # the subject says so before the first frame, when nothing of production has run yet
_HEAD = 4
_PORTABLE = 2  # the version of marshal that every Python reads, whichever one writes it
_CHUNK = 1 << 14


class WireFault(Exception):
    """What came or should go over the wire is not of the agreed form; the text says what."""


class Encoder:
    """Turns one message's values into JSON. `foreign` writes what is not plain, or raises WireFault."""

    def __init__(self, foreign: Callable[[Any, Encoder, int], Any]) -> None:
        self._foreign = foreign
        self._left = MAX_NODES

    def encode(self, value: Any, depth: int = 0) -> Any:  # noqa: PLR0911  # one branch for each type
        """The JSON of a value. Raises WireFault when it is too deep or too large."""
        kind = type(value)
        self._left -= 1
        if self._left < 0:
            raise WireFault(f"more than {MAX_NODES} values in one message")
        if value is None or kind is str or kind is bool:
            return value
        if kind is int:
            return value if -_BIG < value < _BIG else {"i": _hex(value)}
        if kind is float:
            return value if math.isfinite(value) else {"n": repr(value)}
        if depth >= MAX_DEPTH:
            raise WireFault(f"nested deeper than {MAX_DEPTH} levels")
        if kind is list:
            return self._items(value, depth + 1)
        if kind is dict:
            return self._dict(value, depth + 1)
        tag = _SEQUENCES.get(kind)
        if tag:
            items = self._items(value, depth + 1)
            return {tag: sorted(items, key=_to_json) if tag in "sz" else items}
        return _scalar(value, kind) or self._foreign(value, self, depth + 1)

    def _items(self, items: Collection[Any], depth: int) -> list[Any]:
        if not _are_themselves(items):
            return [self.encode(item, depth) for item in items]
        self._left -= len(items)
        if self._left < 0:
            raise WireFault(f"more than {MAX_NODES} values in one message")
        return list(items)

    def _dict(self, value: dict[Any, Any], depth: int) -> dict[str, Any]:
        if all(type(key) is str for key in value):
            return {"d": {key: self.encode(item, depth) for key, item in value.items()}}
        return {"m": [[self.encode(key, depth), self.encode(item, depth)] for key, item in value.items()]}


class Decoder:
    """Turns JSON into values. `foreign` reads the tags o and h; `stream` is the type that g becomes.

    `finite` refuses NaN and infinity, which few comparisons are made for: a property must ask for them.
    """

    def __init__(
        self,
        foreign: Callable[[str, Any, Decoder, int], Any],
        stream: Callable[[Iterable[Any]], Any],
        *,
        finite: bool = False,
    ) -> None:
        self._foreign = foreign
        self._stream = stream
        self._finite = finite

    def decode(self, data: Any, depth: int = 0) -> Any:
        """The value of the JSON. Raises WireFault for anything that `Encoder` would not have written."""
        kind = type(data)
        if data is None or kind is str or kind is bool or kind is int:
            return data
        if kind is float:
            return _finite(data)
        if depth > 2 * MAX_DEPTH:
            raise WireFault("nested too deeply")
        if kind is list:
            return self._items(data, depth + 1)
        if kind is not dict or len(data) != 1:
            raise WireFault("an object without exactly one tag")
        [(tag, body)] = data.items()
        try:
            return self._tagged(tag, body, depth + 1)
        except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError) as error:
            raise WireFault(f"a malformed {tag[:10]}: {type(error).__name__}") from None

    def _items(self, items: list[Any], depth: int) -> list[Any]:
        if _PLAIN.issuperset(map(type, items)):
            return list(items)
        return [self.decode(item, depth) for item in items]

    def _tagged(self, tag: str, body: Any, depth: int) -> Any:
        if tag == "d":
            return {key: self.decode(item, depth) for key, item in body.items()}
        if tag == "m":
            return {self.decode(key, depth): self.decode(item, depth) for key, item in body}
        if tag in _MAKERS:
            return _MAKERS[tag](self._items(body, depth))
        if tag == "g":
            return self._stream(self.decode(item, depth) for item in body)
        if tag in _READERS:
            value = _READERS[tag](body)
            if self._finite and tag in "ncD" and not _is_finite(value):
                raise WireFault(f"{value} is not a finite number, and the property does not say nonfinite: true")
            return value
        return self._foreign(tag, body, self, depth)


def request(call_id: bytes, message: Any) -> bytes:
    """The frame of a message to the subject. Raises WireFault when it is too large."""
    return _frame(call_id, dumps(message, _PORTABLE))


def answer(call_id: bytes, message: Any) -> bytes:
    """The frame of a message to the judge. Raises WireFault when it is too large."""
    return _frame(call_id, _to_json(message).encode("ascii"))


def send(fd: int, data: bytes) -> None:
    """Write all of it. Raises OSError when nobody listens."""
    sent = os.write(fd, data)
    while sent < len(data):
        sent += os.write(fd, data[sent:])


def receive(fd: int, data: bytes = b"") -> tuple[bytes, bytes, bytes]:
    """The next call id, the bytes of its message, and what came after it; `data` is what came before.

    Raises EOFError at the end, WireFault for a wrong length.
    """
    data = _filled(fd, data, _HEAD)
    length = int.from_bytes(data[:_HEAD], "big")
    if not ID_BYTES <= length <= MAX_FRAME + ID_BYTES:
        raise WireFault(f"a frame of {length} bytes, at most {MAX_FRAME}")
    end = _HEAD + length
    data = _filled(fd, data, end)
    return data[_HEAD : _HEAD + ID_BYTES], data[_HEAD + ID_BYTES : end], data[end:]


def unpack(body: bytes) -> Any:
    """The message of a request, which is trusted."""
    return loads(body)  # noqa: S302  # from the judge


def _frame(call_id: bytes, body: bytes) -> bytes:
    if len(body) > MAX_FRAME:
        raise WireFault(f"{len(body)} bytes in one message, at most {MAX_FRAME}")
    return (len(body) + ID_BYTES).to_bytes(_HEAD, "big") + call_id + body


def _filled(fd: int, data: bytes, count: int) -> bytes:
    """The data with what comes, until it is `count` bytes or more: a small frame is there after one read."""
    while len(data) < count:
        more = os.read(fd, max(count - len(data), _CHUNK))
        if not more:
            raise EOFError
        data += more
    return data


def _no_json(value: Any) -> None:
    raise WireFault(f"{type(value).__name__} is no JSON")


def _json_writer() -> Callable[[Any], str]:
    """The part in C of the package `json`, which as a whole is a third of what the start of a subject costs."""
    try:
        from _json import encode_basestring_ascii, make_encoder  # noqa: PLC0415  # not every Python has them

        write = make_encoder(
            markers=None, default=_no_json, encoder=encode_basestring_ascii, indent=None, key_separator=":",
            item_separator=",", sort_keys=False, skipkeys=False, allow_nan=False,
        )  # fmt: skip
    except (ImportError, TypeError):
        from json import JSONEncoder  # noqa: PLC0415  # as above

        return JSONEncoder(default=_no_json, allow_nan=False, separators=(",", ":")).encode
    return lambda message: "".join(write(message, 0))


_to_json = _json_writer()


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise WireFault("a float beyond the range of floats")
    return value


def _is_finite(value: Any) -> bool:
    if type(value) is complex:
        return math.isfinite(value.real) and math.isfinite(value.imag)
    return math.isfinite(value) if type(value) is float else bool(value.is_finite())


_PLAIN = frozenset({type(None), bool, str, int})


def _are_themselves(items: Collection[Any]) -> bool:
    """Whether each item stands for itself in JSON, told without a step of Python for each."""
    kinds = set(map(type, items))
    if int not in kinds:
        return kinds <= _PLAIN
    return len(kinds) == 1 and min(items) > -_BIG and max(items) < _BIG


_SEQUENCES: dict[type, str] = {tuple: "t", set: "s", frozenset: "z"}
_MAKERS: dict[str, Callable[[Iterable[Any]], Any]] = {"t": tuple, "s": set, "z": frozenset}


def _scalar(value: Any, kind: type) -> dict[str, Any] | None:
    """The tagged form of a value type of Python itself; None for anything else."""
    if kind is bytes:
        return {"b": b2a_base64(value, newline=False).decode("ascii")}
    if kind is bytearray:
        return {"y": b2a_base64(value, newline=False).decode("ascii")}
    if kind is complex:
        return {"c": [repr(value.real), repr(value.imag)]}
    if kind is range:
        return {"R": [_hex(value.start), _hex(value.stop), _hex(value.step)]}
    writer = _WRITERS.get((kind.__module__, kind.__name__))
    if writer and kind is getattr(sys.modules.get(kind.__module__), kind.__name__, None):
        return writer(value)
    return None


_WRITERS: dict[tuple[str, str], Callable[[Any], dict[str, Any]]] = {
    ("decimal", "Decimal"): lambda value: {"D": str(value)},
    ("fractions", "Fraction"): lambda value: {"F": [_hex(value.numerator), _hex(value.denominator)]},
    ("datetime", "datetime"): lambda value: {"T": value.isoformat()},
    ("datetime", "date"): lambda value: {"A": value.isoformat()},
    ("datetime", "time"): lambda value: {"C": value.isoformat()},
    ("datetime", "timedelta"): lambda value: {"L": [value.days, value.seconds, value.microseconds]},
    ("uuid", "UUID"): lambda value: {"U": value.hex},
}


def _hex(value: int) -> str:
    if value.bit_length() > MAX_INT_BITS:
        raise WireFault(f"an int of more than {MAX_INT_BITS} bits")
    return hex(value)


def _int(text: str) -> int:
    if len(text) > MAX_INT_BITS // 4 + 3:
        raise ValueError
    return int(text, 16)


def _range(start: int, stop: int, step: int) -> range:
    made = range(start, stop, step)
    if len(made) > MAX_NODES:
        raise ValueError
    return made


def _decimal(text: str) -> Any:
    made = _of("decimal", "Decimal")(text)
    if made.is_snan() or (made.is_finite() and abs(made.adjusted()) > MAX_EXPONENT):  # the first defies comparison
        raise ValueError
    return made


def _of(module: str, name: str) -> Any:
    """A type of the standard library, imported when a value of it first comes."""
    return getattr(__import__(module), name)


_READERS: dict[str, Callable[[Any], Any]] = {
    "i": _int,
    "n": lambda body: {"nan": math.nan, "inf": math.inf, "-inf": -math.inf}[body],
    "b": a2b_base64,
    "y": lambda body: bytearray(a2b_base64(body)),
    "c": lambda body: complex(float(body[0]), float(body[1])),
    "R": lambda body: _range(*map(_int, body)),
    "D": _decimal,
    "F": lambda body: _of("fractions", "Fraction")(*map(_int, body)),
    "T": lambda body: _of("datetime", "datetime").fromisoformat(body),
    "A": lambda body: _of("datetime", "date").fromisoformat(body),
    "C": lambda body: _of("datetime", "time").fromisoformat(body),
    "L": lambda body: _of("datetime", "timedelta")(*body),
    "U": lambda body: _of("uuid", "UUID")(hex=body),
}
