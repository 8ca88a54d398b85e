"""Strict reading of what a model wrote: exactly one JSON object of ours, or every fault found; pure."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from inventory import strict_json

TOP_KEY = "candidates"
MAX_CANDIDATES = 64
_MAX_STARTS = 256
_MAX_READ_CHARS = 32 << 20  # in all: text that opens many objects and ends none would be read once for each
_TAGS = "think|thinking|thought|thoughts|reasoning|reason|analysis"
_OPEN = re.compile(rf"\s*<({_TAGS})>", re.IGNORECASE)
_CLOSE = re.compile(rf"</({_TAGS})>", re.IGNORECASE)
_OURS = re.compile(rf'\{{\s*"{TOP_KEY}"\s*:')
_FIND = json.JSONDecoder(parse_int=len, parse_float=len, parse_constant=len)


@dataclass(frozen=True)
class Answer:
    """The drafts of an answer, each still to be judged."""

    drafts: tuple[Any, ...]


@dataclass(frozen=True)
class Unreadable:
    """An answer that cannot be used, in our own words; `is_reasoning` when it never got past the reasoning."""

    faults: tuple[str, ...]
    is_reasoning: bool = False


def read_answer(text: str) -> Answer | Unreadable:
    """The answer in a model's text: the text itself, else what follows its reasoning, else the one object in it.

    JSON is never repaired, and of a text that was cut nothing is taken.
    """
    text = text.removeprefix("\ufeff").strip()
    strict = read_strictly(text)
    if isinstance(strict, Answer) or (text[:1] == "{" and _ends(text) == len(text)):
        return strict
    closes = list(_CLOSE.finditer(text))
    if not closes:
        unclosed = Unreadable(("the reasoning does not end, so there is no answer",), is_reasoning=True)
        return unclosed if _OPEN.match(text) else _only_object(text)
    after = _only_object(text[closes[-1].end() :])
    return after if isinstance(after, Answer) or _OPEN.match(text) else _only_object(text, otherwise=after)


def read_strictly(text: str) -> Answer | Unreadable:
    """The answer where the text is one JSON object of ours and nothing else."""
    value, faults = strict_json.load(text, "answer")
    if faults:
        return Unreadable(tuple(str(fault) for fault in faults[:5]))
    if not isinstance(value, dict) or not isinstance(value.get(TOP_KEY), list):
        return Unreadable((f'the answer must be one JSON object with a list under "{TOP_KEY}"',))
    if len(value[TOP_KEY]) > MAX_CANDIDATES:
        return Unreadable((f"more than {MAX_CANDIDATES} candidates",))
    return Answer(tuple(value[TOP_KEY]))


def _only_object(text: str, otherwise: Unreadable | Answer | None = None) -> Answer | Unreadable:
    """The one object of ours in a text; the same one written twice counts once."""
    found = _objects(text)
    if found is None:
        return Unreadable(("the JSON object is invalid or does not end",))
    answers = {json.dumps(a.drafts, sort_keys=True): a for a in found if isinstance(a, Answer)}
    if len(answers) == 1 and all(isinstance(a, Answer) for a in found):
        return next(iter(answers.values()))
    if len(found) > 1:
        return Unreadable((f"{len(found)} different JSON objects: it is not clear which one is the answer",))
    return found[0] if found else otherwise or Unreadable((f'no JSON object with "{TOP_KEY}" in the answer',))


def _objects(text: str) -> list[Answer | Unreadable] | None:
    """Every outermost object that has our top key, read strictly; None when one is broken or there is no end."""
    found: list[Answer | Unreadable] = []
    at, left = text.find("{"), _MAX_READ_CHARS
    for _ in range(_MAX_STARTS):
        if at < 0 or left < 0:
            return found if at < 0 else None
        end = _ends(text, at)
        if end is None and _OURS.match(text, at):
            return None
        if end is not None and _OURS.search(text, at, end):
            found.append(read_strictly(text[at:end]))
        left -= len(text) - at if end is None else end - at
        at = text.find("{", at + 1 if end is None else end)
    return None


def _ends(text: str, start: int = 0) -> int | None:
    """Where the JSON value that starts here ends; None where it does not."""
    try:
        return _FIND.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None
