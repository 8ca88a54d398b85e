"""Strict YAML: the small part of the language that every reader takes the same way, with line numbers.

Built on the events of PyYAML's pure-Python parser, so that a file means the same on every machine.
What YAML 1.1 and 1.2 read differently (`no`, `010`, `1_000`, `2026-01-01`, `1e3`) is a fault: quote it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from inventory.errors import Fault

MAX_DEPTH = 40
_MAX_DIGITS = 400
_RESOLVER = yaml.resolver.Resolver()
_STRING = "tag:yaml.org,2002:str"
_INTEGER = re.compile(r"-?(0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?")
_NUMBER_IN_1_2 = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+")
_WORDS = {"": None, "null": None, "~": None, "true": True, "false": False}

Place = tuple[str | int, ...]


@dataclass
class Document:
    """What a text says, the line of every value by its place in it, and every fault found on the way."""

    path: str
    value: Any = None
    lines: dict[Place, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def line_of(self, place: Place) -> int:
        """The line of the value at `place`, or of the nearest value around it."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 1)

    def blame(self, line: int, what: str) -> None:
        self.faults.append(Fault(self.path, line, what))


def load(text: str, path: str) -> Document:
    """Read one YAML document; its `value` may be trusted only where `faults` is empty."""
    document = Document(path)
    try:
        _Reader(document, yaml.parse(text, Loader=yaml.SafeLoader)).read()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        document.blame(mark.line + 1 if mark else 0, f"not YAML: {error.problem or error.context}")
    except yaml.YAMLError as error:
        document.blame(0, f"not YAML: {error}")
    except _TooDeep as error:
        document.blame(error.line, f"nested deeper than {MAX_DEPTH} levels")
    return document


class _TooDeep(Exception):
    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class _Reader:
    """Turns parser events into plain data, keeping the line of each value."""

    def __init__(self, document: Document, events: Iterator[yaml.Event]) -> None:
        self.document = document
        self.events = events

    def read(self) -> None:
        documents = 0
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.document.blame(_line(event), "a second document: a file holds one")
                    return
                if event.tags or event.version:
                    self.document.blame(_line(event), "a YAML directive: remove it")
                self.document.value = self._value(next(self.events), ())

    def _value(self, event: yaml.Event, place: Place) -> Any:
        self.document.lines.setdefault(place, _line(event))
        if len(place) > MAX_DEPTH:
            raise _TooDeep(_line(event))
        if isinstance(event, yaml.AliasEvent):
            self.document.blame(_line(event), f"an alias (*{event.anchor}): write the value out")
            return None
        if not isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)):
            raise TypeError(f"the parser gave {event!r} where a value begins")
        self._refuse_decoration(event)
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        return self._mapping(place) if isinstance(event, yaml.MappingStartEvent) else self._sequence(place)

    def _refuse_decoration(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.anchor is not None:
            self.document.blame(_line(event), f"an anchor (&{event.anchor}): remove it")
        if event.tag is not None:
            self.document.blame(_line(event), f"a tag ({event.tag}): remove it")

    def _sequence(self, place: Place) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._value(event, (*place, len(items))))
        return items

    def _mapping(self, place: Place) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            key = self._key(event, place)
            if key in found:
                self.document.blame(_line(event), f"the key {key!r} stands twice in one mapping")
            self.document.lines[(*place, key)] = _line(event)
            found[key] = self._value(next(self.events), (*place, key))
        return found

    def _key(self, event: yaml.Event, place: Place) -> str:
        value = self._value(event, (*place, "")) if not _is_merge(event) else "<<"
        if value == "<<":
            self.document.blame(_line(event), "a merge key (<<): write the values out")
        elif not isinstance(value, str):
            self.document.blame(_line(event), f"the key {value!r} is not text: quote it")
        self.document.lines.pop((*place, ""), None)
        return value if isinstance(value, str) else repr(value)

    def _scalar(self, event: yaml.ScalarEvent) -> Any:
        if event.style is not None:
            return event.value
        try:
            return _plain(event.value)
        except ValueError as error:
            self.document.blame(_line(event), str(error))
            return event.value


def _plain(text: str) -> Any:
    """The value of an unquoted scalar. Raises ValueError where readers of YAML do not agree on it."""
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        if len(text) > _MAX_DIGITS:
            raise ValueError(f"an integer of more than {_MAX_DIGITS} digits")
        return int(text)
    if _FLOAT.fullmatch(text):
        if not math.isfinite(float(text)):
            raise ValueError(f"{text[:40]} is too large for a number")
        return float(text)
    tag: str = _RESOLVER.resolve(yaml.ScalarNode, text, (True, False))  # type: ignore[no-untyped-call]
    if tag != _STRING or _NUMBER_IN_1_2.fullmatch(text):
        kind = tag.rpartition(":")[2] if tag != _STRING else "number"
        raise ValueError(f"{text[:40]!r} is read as a {kind} by some and as text by others: quote it")
    return text


def _is_merge(event: yaml.Event) -> bool:
    return isinstance(event, yaml.ScalarEvent) and event.style is None and event.value == "<<"


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 0
