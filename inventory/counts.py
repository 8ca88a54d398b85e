"""A number and what it counts, as people write it; pure."""

from __future__ import annotations


def counted(number: int, what: str) -> str:
    """`1 sample`, `2 samples`, `0 properties`; `what` is one of them, in English."""
    if number == 1:
        return f"{number} {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("ty") else f"{number} {what}s"
