"""A candidate's function as it stands in its file: its signature, and its evidence among the lines around it; pure."""

from __future__ import annotations

from dataclasses import dataclass

from inventory.functions import Function, decode, functions_of

_AROUND = 2


@dataclass(frozen=True)
class Line:
    """One line of a file; `number` counts from 1, `quoted` where the evidence holds it."""

    number: int
    text: str
    quoted: bool


def function_of(source: bytes, name: str) -> Function | None:
    """The function of a dotted name; None where the source does not define it itself."""
    return next((function for function in functions_of(source) or () if function.qualname == name), None)


def context_of(source: bytes, evidence: str) -> tuple[Line, ...]:
    """The lines that hold the evidence, with a few around them; () where the source does not hold it (any more)."""
    text = decode(source) or ""
    at = text.find(evidence) if evidence.strip() else -1
    if at < 0:
        return ()
    first = text.count("\n", 0, at)
    last = first + evidence.rstrip("\n").count("\n")
    lines = text.split("\n")
    shown = range(max(0, first - _AROUND), min(len(lines), last + _AROUND + 1))
    return tuple(Line(number + 1, lines[number], first <= number <= last) for number in shown)
