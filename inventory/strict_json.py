"""Strict JSON: one meaning or a fault with its line; duplicate keys, NaN, overflow and depth are faults."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from typing import Any

from inventory.errors import Fault

MAX_DEPTH = 100
_MAX_DIGITS = 1000
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|[{}\[\]:,]', re.DOTALL)

_COLON = re.compile(r"\s*:")
_INSIDE: dict[type, Callable[[Any], Iterable[Any]]] = {list: iter, dict: dict.values}


class _Hazard(ValueError):
    """Something that `json` accepts and we do not; `faults_in` says what and where."""


def load(text: str, path: str, first_line: int = 1) -> tuple[Any, list[Fault]]:
    """The value of a JSON text, or None and every fault found; `first_line` is where the text begins."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_unique,
            parse_constant=_hazard,
            parse_float=_finite,
            parse_int=_short,
        )
    except json.JSONDecodeError as error:
        return None, [Fault(path, first_line + error.lineno - 1, f"not JSON: {error.msg}")]
    except (_Hazard, RecursionError):
        return None, _faults_in(text, path, first_line)
    faults = _faults_in(text, path, first_line) if _is_deep(value) else []
    return (None, faults) if faults else (value, [])


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise _Hazard
    return found


def _hazard(_text: str) -> Any:
    raise _Hazard


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise _Hazard
    return value


def _short(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise _Hazard
    return int(text)


def _is_deep(value: Any) -> bool:
    level, depth = [value], 0
    while level := [one for one in level if type(one) in _INSIDE]:
        level = [item for one in level for item in _INSIDE[type(one)](one)]
        depth += 1
    return depth > MAX_DEPTH


def _faults_in(text: str, path: str, first_line: int) -> list[Fault]:
    """Walk the words of a text that `json` has accepted and name each hazard with its line."""
    faults: list[Fault] = []
    keys: list[set[str]] = []
    line, at = first_line, 0
    for match in _TOKEN.finditer(text):
        line, at = line + text.count("\n", at, match.start()), match.start()
        word = match.group()
        if word in "{[":
            keys.append(set())
            if len(keys) == MAX_DEPTH + 1:
                return [*faults, Fault(path, line, f"nested deeper than {MAX_DEPTH} levels")]
        elif word in "}]" and keys:
            keys.pop()
        elif word[0] == '"' and keys and _COLON.match(text, match.end()):
            if word in keys[-1]:
                faults.append(Fault(path, line, f"the key {word[:60]} stands twice in one object"))
            keys[-1].add(word)
        elif fault := _number_fault(word):
            faults.append(Fault(path, line, fault))
    return faults


def _number_fault(token: str) -> str | None:
    if token in ("NaN", "Infinity", "-Infinity"):
        return f"{token} is not a JSON number"
    if token[0] not in "-0123456789":
        return None
    if token.lstrip("-").isdigit():
        return f"an integer of more than {_MAX_DIGITS} digits" if len(token) > _MAX_DIGITS else None
    return None if math.isfinite(float(token)) else f"{token[:40]} is too large for a number"
