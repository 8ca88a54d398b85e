"""What an error of a chat completions server means: one kind of trouble; pure.

Servers agree on little beyond the status line, so the wording of an error is looked at before its number.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from inventory import strict_json
from propose.replies import Kind, Trouble

_SHOWN_CHARS = 300
_READ_CHARS = 10_000
_MARKUP = re.compile(r"<(?:script|style).*?</(?:script|style)>|<[^<>]{1,400}>", re.DOTALL)
_OVERFLOW = re.compile(
    r"context[_ ]length|context[_ ]size|context window|maximum context|n_keep|n_ctx|max_model_len|prompt is too long"
    r"|input is too long|too many (?:input )?tokens|exceeds? the (?:maximum|available) (?:number of )?(?:input )?tokens"
)
_CAP = re.compile(
    r"at most (\d{1,9}) (?:completion|output) tokens|max_tokens.{0,80}(?:equal to|<=|maximum of) (\d{1,9})"
)
_QUOTA = re.compile(r"quota|billing|credit|balance|payment")
_NO_MODEL = re.compile(
    r"model.{0,120}(?:not found|not exist|no such|not loaded|not available)|(?:unknown|invalid|no such) model"
    r"|model_not_found"
)
_WORDINGS = (
    (
        Kind.FILTERED,
        re.compile(r"content_filter|content management policy|content policy|responsibleai|moderation|flagged"),
        range(400, 500),
    ),
    (Kind.ANSWER_CAP, _CAP, range(400, 600)),
    (Kind.TOKEN_PARAMETER, re.compile(r"max_tokens|max_completion_tokens"), range(400, 600)),
    (
        Kind.FORMAT,
        re.compile(
            r"response_format|json.?schema|json_object|json mode|xgrammar|grammar|guided|structured[ _]output"
            r"|the word .?json"
        ),
        range(400, 600),
    ),
    (
        Kind.STREAM_ONLY,
        re.compile(r"stream.{0,60}(?:only|must|required?|enable|true)|(?:only|must|requires?).{0,60}stream|non-stream"),
        range(400, 500),
    ),
    (Kind.LOADING, re.compile(r"loading model|model is (?:currently )?loading|currently loading"), range(400, 600)),
    (Kind.NO_MODEL, _NO_MODEL, range(400, 500)),
)
_STATUSES = {
    401: Kind.KEY, 402: Kind.QUOTA, 403: Kind.FORBIDDEN, 404: Kind.NO_ROUTE, 405: Kind.NO_ROUTE, 408: Kind.FAILING,
    409: Kind.FAILING, 413: Kind.OVERFLOW, 425: Kind.FAILING, 429: Kind.BUSY, 501: Kind.REJECTED,
}  # fmt: skip
_BY_NUMBER = (401, 402, 403)
_NUMBER = re.compile(r"\d[\d,]{2,11}")
_LIMIT = re.compile(r"(?:context[ _](?:length|size|window)|n_ctx|max_model_len)\D{0,40}(\d[\d,]{2,11})")
_NEED = re.compile(r"(?:requested|you sent|your request has|n_keep|the first|resulted in)\D{0,40}(\d[\d,]{2,11})")
_HTTP_STATUSES = range(400, 600)


def trouble_of(status: int, body: bytes, retry_after: str = "") -> Trouble:
    """The trouble that a reply of this status tells of."""
    value, faults = strict_json.load(decoded(body) or "", "body")
    said = _message(None if faults else value) or (decoded(body) or "").strip()
    return _judged(status, None if faults else value, said, retry_after)


def error_inside(value: Mapping[str, Any]) -> Trouble | None:
    """An error that travels in a 200: it counts as the status that it names, else as a failing server."""
    error = value.get("error")
    if not error:
        return None
    code = str(error.get("code") if isinstance(error, Mapping) else "")
    named = int(code) if re.fullmatch(r"[45]\d\d", code) else 429 if "rate_limit" in code else 500
    return _judged(named, value, _message(value), "")


def short(text: str) -> str:
    """A server's text for a message: no markup, one line, not long; still foreign."""
    flat = " ".join(_MARKUP.sub(" ", text[: _SHOWN_CHARS * 20]).split())
    return flat if len(flat) <= _SHOWN_CHARS else flat[:_SHOWN_CHARS] + "…"


def decoded(body: bytes) -> str | None:
    """The text of a body; None where it is not UTF-8."""
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _judged(status: int, value: Any, said: str, retry_after: str) -> Trouble:
    words = f"{said[:_READ_CHARS]} {_codes(value)[:_READ_CHARS]}".lower()
    kind = _kind(status, words)
    limit, needed = _limits(value, words) if kind is Kind.OVERFLOW else (_cap(words), None)
    return Trouble(kind, short(said), status, limit, needed, _seconds(retry_after))


def _kind(status: int, words: str) -> Kind:
    if status in (402, 429) and _QUOTA.search(words):
        return Kind.QUOTA
    if status == 429 or status in _BY_NUMBER:
        return _STATUSES[status]
    if _OVERFLOW.search(words):
        return Kind.OVERFLOW
    told = (kind for kind, pattern, statuses in _WORDINGS if status in statuses and pattern.search(words))
    return next(told, None) or _STATUSES.get(status) or (Kind.FAILING if status >= 500 else Kind.REJECTED)


def _message(value: Any, depth: int = 4) -> str:
    """The text of an error in any of the forms that servers use."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and depth:
        return "; ".join(filter(None, (_message(item, depth - 1) for item in value[:3])))
    if not isinstance(value, Mapping) or not depth:
        return ""
    found = (_message(value.get(key), depth - 1) for key in ("error", "message", "detail", "msg", "error_msg"))
    return next(filter(None, found), "")


def _codes(value: Any) -> str:
    fields = _error_fields(value)
    return " ".join(str(fields.get(key, "")) for key in ("code", "type", "param"))


def _error_fields(value: Any) -> Mapping[str, Any]:
    inner = value.get("error") if isinstance(value, Mapping) else None
    return inner if isinstance(inner, Mapping) else value if isinstance(value, Mapping) else {}


def _limits(value: Any, words: str) -> tuple[int | None, int | None]:
    """The context and the need that an overflow error names, in tokens; by its words, else smallest and largest."""
    fields = _error_fields(value)
    if isinstance(fields.get("n_ctx"), int):
        needed = fields.get("n_prompt_tokens")
        return fields["n_ctx"], needed if isinstance(needed, int) else None
    numbers = sorted({_whole(n) for n in _NUMBER.findall(words)} - set(_HTTP_STATUSES))
    limit, need = _LIMIT.search(words), _NEED.search(words)
    smallest = numbers[0] if numbers else None
    largest = numbers[-1] if len(numbers) > 1 else None
    return _whole(limit.group(1)) if limit else smallest, _whole(need.group(1)) if need else largest


def _whole(digits: str) -> int:
    return int(digits.replace(",", ""))


def _cap(words: str) -> int | None:
    match = _CAP.search(words)
    return int(match.group(1) or match.group(2)) if match else None


def _seconds(retry_after: str) -> float | None:
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*", retry_after)
    return float(match.group(1)) if match else None
