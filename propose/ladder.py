"""How a request may be changed after trouble, and how often it may be sent again; pure."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from propose.replies import Kind, Trouble

MAX_CHANGES = 4
MAX_RETRIES = 2
MAX_WAIT_S = 30.0
FIRST_WAIT_S = 0.5
LOADING_WAIT_S = 2.0


class Rung(StrEnum):
    """What is asked of the answer's format, strictest first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    PLAIN = "none"


_NEXT = {Rung.SCHEMA: Rung.OBJECT, Rung.OBJECT: Rung.PLAIN}
_ONCE_MORE = (Kind.DROPPED, Kind.GARBLED)


@dataclass(frozen=True)
class Shape:
    """Everything about a request that is not its messages."""

    answer_tokens: int
    rung: Rung = Rung.SCHEMA
    token_parameter: str = "max_tokens"  # noqa: S105  # the name of a request field
    stream: bool = False

    def payload(self, model: str, messages: list[dict[str, str]], schema: dict[str, Any]) -> dict[str, Any]:
        """The body of the request."""
        body: dict[str, Any] = {"model": model, "messages": messages, self.token_parameter: self.answer_tokens}
        if self.rung is Rung.SCHEMA:
            named = {"name": "candidates", "strict": True, "schema": schema}
            body["response_format"] = {"type": "json_schema", "json_schema": named}
        elif self.rung is Rung.OBJECT:
            body["response_format"] = {"type": "json_object"}
        return body | ({"stream": True} if self.stream else {})


@dataclass(frozen=True)
class Attempt:
    """A request about to be sent: its shape, what was tried before, and how long to wait first (seconds)."""

    shape: Shape
    wait_s: float = 0.0
    retries: int = 0
    changes: tuple[str, ...] = ()
    extra: frozenset[str] = field(default_factory=frozenset)

    def after(self, trouble: Trouble) -> Attempt | None:
        """The next attempt, or None when there is nothing left to try."""
        if trouble.kind is Kind.LOADING:
            return replace(self, wait_s=max(trouble.wait_s or 0, LOADING_WAIT_S))
        if trouble.kind in (Kind.BUSY, Kind.FAILING, *_ONCE_MORE):
            return self._again(trouble, 1 if trouble.kind in _ONCE_MORE else MAX_RETRIES)
        changed = self._changed(trouble)
        if changed is None or len(self.changes) == MAX_CHANGES:
            return None
        shape, name = changed
        return replace(self, shape=shape, wait_s=0.0, changes=(*self.changes, f"{trouble.kind}: {name}"))

    def _again(self, trouble: Trouble, most: int) -> Attempt | None:
        if self.retries >= most:
            return None
        wait = FIRST_WAIT_S * 2**self.retries if trouble.wait_s is None else trouble.wait_s
        return replace(self, wait_s=max(wait, FIRST_WAIT_S), retries=self.retries + 1)

    def _changed(self, trouble: Trouble) -> tuple[Shape, str] | None:
        """One change that may help, each kind of change made once."""
        shape, kind = self.shape, trouble.kind
        if kind is Kind.FORMAT and shape.rung in _NEXT:
            rung = _NEXT[shape.rung]
            return replace(shape, rung=rung), f"response_format {rung}"
        if kind is Kind.EMPTY and shape.rung is not Rung.PLAIN:
            return replace(shape, rung=Rung.PLAIN), "response_format none"
        if kind is Kind.TOKEN_PARAMETER and shape.token_parameter == "max_tokens":  # noqa: S105
            return replace(shape, token_parameter="max_completion_tokens"), "max_completion_tokens"  # noqa: S106
        if kind is Kind.STREAM_ONLY and not shape.stream:
            return replace(shape, stream=True), "stream"
        if kind is Kind.ANSWER_CAP and trouble.limit and trouble.limit < shape.answer_tokens:
            return replace(shape, answer_tokens=trouble.limit), f"answer of {trouble.limit} tokens"
        is_cut = kind in (Kind.CUT, Kind.REASONING) and not any("larger answer" in change for change in self.changes)
        return (replace(shape, answer_tokens=shape.answer_tokens * 2), "larger answer") if is_cut else None
