"""The stand-in: `fn` as checks in the judge see it, whose calls travel to the subject and back as data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from gate import wire
from gate.session import Session, SubjectLost
from inventory.target import Answer, Around, Function, Raised
from inventory.values import NotPlain, Stream, Structure, type_name

RAISED = "!"  # opens the types of an exception, and alone is an answer that was refused

KINDS = ("clock", "entropy", "network")
MAX_SEEN = 20
_BROKEN = "it broke the wire: what its sensor says is malformed"


class StandIn:
    """Sends the calls of one property; `last` is the latest answer, `types` are those of all for the sample."""

    def __init__(self, session: Session, *, finite: bool = True) -> None:
        self._session = session
        self._decoder = wire.Decoder(_structure, Stream, finite=finite)
        self._fresh = True
        self.refused = ""
        self.last: Any = None
        self.types: list[str] = []
        self.at: str | None = None
        self.answered = 0
        self.lost: SubjectLost | None = None
        self.seen: list[dict[str, str | bool]] = []

    def function(self, name: str, call: str, around: Around) -> Function:
        """What a check gets as `fn`."""
        return Function(self._send, name, call, around)

    def next_sample(self) -> None:
        """Forget the objects that were handed over for the sample before."""
        self._fresh = True
        self.last = self.at = None
        self.refused = ""
        self.types = []
        self._session.digest = hashlib.blake2b(digest_size=8)

    def digest(self) -> str:
        """Of every answer since the sample began."""
        return self._session.digest.hexdigest()

    def _send(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], *, after: bool = False) -> Answer:
        if self.lost:
            raise self.lost
        encoder = wire.Encoder(_handle)
        message = {
            "f": name,
            "a": [encoder.encode(item) for item in args],
            "k": {key: encoder.encode(item) for key, item in kwargs.items()},
            "m": after,
            "n": self._fresh,
        }
        self._fresh = False
        try:
            return self._answer(self._session.ask(message), after=after)
        except SubjectLost as lost:
            self.lost = lost
            raise

    def _answer(self, message: dict[str, Any], *, after: bool) -> Answer:
        self.answered += 1
        if "s" in message:
            self.take_sightings(message)
        if "r" in message:
            raise self._refusal(_text(message["r"]))
        if "x" in message:
            raise self._raised(message)
        try:
            self.last = self._decoder.decode(message["v"])
            args = tuple(map(self._decoder.decode, message["a"])) if after else ()
            kwargs = {str(k): self._decoder.decode(v) for k, v in message["k"].items()} if after else {}
        except (wire.WireFault, LookupError, TypeError, AttributeError, RecursionError) as fault:
            raise self._refusal(str(fault)) from None
        self.types.append(_type_of(self.last))
        return Answer(self.last, args, kwargs)

    def take_sightings(self, message: Mapping[str, Any], *, importing: bool = False) -> None:
        """Keep what the subject's sensor saw, if need be while the module was imported. Raises SubjectLost."""
        for row in _rows(message["s"]) if "s" in message else ():
            kind, source, at = map(_text, row)
            seen: dict[str, str | bool] = {"kind": kind, "source": source, "at": at, "importing": importing}
            if seen not in self.seen and len(self.seen) < MAX_SEEN:
                self.seen.append(seen)

    def _refusal(self, why: str) -> NotPlain:
        """The answer is no data; a check that goes on nevertheless does not make the sample green."""
        self.refused = f"the answer cannot be taken: {why}"
        self.types.append(RAISED)
        return NotPlain(self.refused)

    def _raised(self, message: dict[str, Any]) -> Raised:
        raised = raised_of(message)
        self.last, self.at = raised, raised.at
        self.types.append(RAISED + ">".join(raised.names))
        return raised


def raised_of(message: Mapping[str, Any]) -> Raised:
    """The exception that an answer tells of."""
    names = message["x"] if isinstance(message["x"], list) else []
    at = message.get("at")
    return Raised.of(tuple(map(_text, names)), _text(message.get("t", "")), None if at is None else _text(at))


def _type_of(value: Any) -> str:
    """`int`; for an object of a derived class `app.Point < tuple`."""
    based = isinstance(value, Structure) and value.base is not None
    return f"{type_name(value)} < {type_name(value.base)}" if based else type_name(value)


def drawn_of(message: Mapping[str, Any]) -> tuple[str, str]:
    """State of the global generators at the end ("" where nothing was drawn), and where it was drawn from them."""
    drawn = message.get("drawn")
    if drawn is None:
        return "", ""
    if not isinstance(drawn, list) or len(drawn) != 2:
        raise SubjectLost(_BROKEN)
    return _text(str(drawn[0])), _text(drawn[1])


def _rows(rows: Any) -> list[list[Any]]:
    if not isinstance(rows, list) or any(
        not isinstance(row, list) or len(row) != 3 or row[0] not in KINDS for row in rows
    ):
        raise SubjectLost(_BROKEN)
    return rows


def _text(value: object) -> str:
    return value[:1000] if isinstance(value, str) else "?"


def _handle(value: Any, _encoder: wire.Encoder, _depth: int) -> Any:
    if isinstance(value, Structure) and value.handle is not None:
        return {"h": value.handle}
    if isinstance(value, Stream):
        return {"g": [_encoder.encode(item, _depth) for item in value]}
    raise wire.WireFault(f"a check passed on a {type(value).__name__}, which is not plain data")


def _structure(tag: str, body: Any, decoder: wire.Decoder, depth: int) -> Structure:
    if tag != "o":
        raise wire.WireFault(f"the unknown tag {tag[:10]}")
    name, fields, base, handle = body
    if type(name) is not str or type(handle) is not int:
        raise wire.WireFault("a malformed object")
    told = None if fields is None else {str(k): decoder.decode(v, depth) for k, v in fields.items()}
    return Structure(_text(name), told, decoder.decode(base, depth), handle)
