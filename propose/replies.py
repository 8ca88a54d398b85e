"""What a reply of a chat completions server means: a completion, or one kind of trouble; pure.

Servers agree on little beyond the status line, so a reply is judged by its content first: the wording
of an error tells more than its number, and a 200 may carry an error of any other status.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from inventory import strict_json

MAX_BODY_BYTES = 4 << 20
_SHOWN_CHARS = 300


class Kind(StrEnum):
    """The kinds of trouble; what is done about each stands in `ladder` and `complaints`."""

    # something about the request can be changed
    FORMAT = "format"
    TOKEN_PARAMETER = "token_parameter"  # noqa: S105  # the name of a request field
    STREAM_ONLY = "stream_only"
    ANSWER_CAP = "answer_cap"
    OVERFLOW = "overflow"
    # it may pass
    BUSY = "busy"
    LOADING = "loading"
    FAILING = "failing"
    DROPPED = "dropped"
    GARBLED = "garbled"
    # it will not pass
    REFUSED = "refused"
    FILTERED = "filtered"
    KEY = "key"
    FORBIDDEN = "forbidden"
    NO_ROUTE = "no_route"
    NO_MODEL = "no_model"
    QUOTA = "quota"
    REDIRECT = "redirect"
    REJECTED = "rejected"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    # an answer that cannot be used
    EMPTY = "empty"
    CUT = "cut"
    REASONING = "reasoning"
    NOT_A_COMPLETION = "not_a_completion"
    UNUSUAL_END = "unusual_end"
    TOO_LARGE = "too_large"
    PROMPT_CUT = "prompt_cut"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class Reply:
    """What came over the wire: status, the headers that matter, and at most `MAX_BODY_BYTES` + 1 of the body."""

    status: int
    body: bytes
    retry_after: str = ""
    location: str = ""
    is_stream: bool = False


@dataclass(frozen=True)
class Completion:
    """One finished completion, before its text is read."""

    text: str
    model: str | None = None
    prompt_tokens: int | None = None
    from_reasoning: bool = False


@dataclass(frozen=True)
class Trouble:
    """Why there is no completion; `said` is the server's own text (foreign), `limit` a number it named."""

    kind: Kind
    said: str = ""
    status: int = 0
    limit: int | None = None
    needed: int | None = None
    wait_s: float | None = None
    faults: tuple[str, ...] = ()


def judge(reply: Reply) -> Completion | Trouble:
    """The completion in a reply, or the trouble with it."""
    if len(reply.body) > MAX_BODY_BYTES:
        return Trouble(Kind.TOO_LARGE, status=reply.status)
    if 300 <= reply.status < 400:
        return Trouble(Kind.REDIRECT, reply.location, reply.status)
    if reply.status >= 400:
        return _error(reply.status, _parsed(reply.body), reply.body, reply.retry_after)
    if reply.status != 200:
        return Trouble(Kind.NOT_A_COMPLETION, f"status {reply.status} without a completion", reply.status)
    text = _decoded(reply.body)
    if text is None or not text.strip():
        return Trouble(Kind.GARBLED, "an empty body" if text is not None else "a body that is not UTF-8", 200)
    if reply.is_stream or text.startswith(("data:", ":", "event:")):
        return _streamed(text)
    value, faults = strict_json.load(text, "body")
    if faults:
        is_short = any("not JSON" in fault.what for fault in faults)
        return Trouble(Kind.GARBLED if is_short else Kind.UNREADABLE, _short(str(faults[0])), 200)
    return _completion(value)


# -- errors ----------------------------------------------------------------------------

_OVERFLOW = re.compile(
    r"context[_ ]length|context[_ ]size|context window|maximum context|n_keep|n_ctx|max_model_len|prompt is too long"
    r"|input is too long|too many (?:input )?tokens|exceeds? the (?:maximum|available) (?:number of )?(?:input )?tokens"
)
_NO_FORMAT = re.compile(
    r"response_format|json_schema|json_object|json mode|xgrammar|grammar|guided|structured[ _]output|the word .?json"
)
_STREAM = re.compile(r"stream")
_ONLY = re.compile(r"only|must|requires?d?|enable|non-stream")
_CAP = re.compile(r"at most (\d+) (?:completion|output) tokens|max_tokens.{0,80}(?:less than or equal to|<=|maximum of) (\d+)")
_MODEL = re.compile(r"model")
_MISSING = re.compile(r"not found|does not exist|no such|unknown|not supported|not available|invalid model|not loaded|pull")
_QUOTA = re.compile(r"insufficient_quota|quota|billing|credit|balance|payment")
_FILTER = re.compile(r"content_filter|content management policy|content policy|responsibleai|safety|moderation")
_NUMBER = re.compile(r"\d[\d,]{2,}")


def _error(status: int, value: Any, body: bytes, retry_after: str = "") -> Trouble:
    said = _message(value) or (_decoded(body) or "").strip()
    words = (said + " " + _codes(value)).lower()
    kind = _worded(status, words) or _numbered(status, words)
    limit, needed = _limits(value, words) if kind is Kind.OVERFLOW else (_cap(words), None)
    return Trouble(kind, _short(said), status, limit, needed, _seconds(retry_after))


def _worded(status: int, words: str) -> Kind | None:
    """The kind that an error's wording gives away; None where it says nothing that matters."""
    if status in (401, 403, 402, 404, 429) and not _OVERFLOW.search(words):
        return Kind.QUOTA if status in (402, 429) and _QUOTA.search(words) else None
    if status == 413 or _OVERFLOW.search(words):
        return Kind.OVERFLOW
    if _FILTER.search(words) and status < 500:
        return Kind.FILTERED
    if _CAP.search(words):
        return Kind.ANSWER_CAP
    if "max_tokens" in words or "max_completion_tokens" in words:
        return Kind.TOKEN_PARAMETER
    if _NO_FORMAT.search(words):
        return Kind.FORMAT
    if _STREAM.search(words) and _ONLY.search(words) and status < 500:
        return Kind.STREAM_ONLY
    if "loading model" in words or "model is loading" in words or "currently loading" in words:
        return Kind.LOADING
    return None


def _numbered(status: int, words: str) -> Kind:
    if status == 401:
        return Kind.KEY
    if status == 402:
        return Kind.QUOTA
    if status == 403:
        return Kind.FORBIDDEN
    if status in (404, 405):
        return Kind.NO_MODEL if _MODEL.search(words) and _MISSING.search(words) else Kind.NO_ROUTE
    if status == 429:
        return Kind.BUSY
    if status in (408, 409, 425) or status >= 500 and status != 501:
        return Kind.FAILING
    return Kind.NO_MODEL if _MODEL.search(words) and _MISSING.search(words) else Kind.REJECTED


def _message(value: Any) -> str:
    """The text of an error in any of the forms that servers use."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(filter(None, map(_message, value[:3])))
    if not isinstance(value, Mapping):
        return ""
    for key in ("error", "message", "detail", "msg", "error_msg"):
        if found := _message(value.get(key)):
            return found
    return ""


def _codes(value: Any) -> str:
    inner = value.get("error") if isinstance(value, Mapping) else None
    fields = inner if isinstance(inner, Mapping) else value if isinstance(value, Mapping) else {}
    return " ".join(str(fields.get(key, "")) for key in ("code", "type", "param"))


def _limits(value: Any, words: str) -> tuple[int | None, int | None]:
    """The context and the need that an overflow error names, in tokens."""
    inner = value.get("error") if isinstance(value, Mapping) else None
    if isinstance(inner, Mapping) and isinstance(inner.get("n_ctx"), int):
        needed = inner.get("n_prompt_tokens")
        return inner["n_ctx"], needed if isinstance(needed, int) else None
    numbers = sorted({int(n.replace(",", "")) for n in _NUMBER.findall(words) if len(n) < 12})
    named = [n for n in numbers if n not in range(400, 600)]
    return (named[0] if named else None), (named[-1] if len(named) > 1 else None)


def _cap(words: str) -> int | None:
    match = _CAP.search(words)
    return int(match.group(1) or match.group(2)) if match and len(match.group()) < 120 else None


def _seconds(retry_after: str) -> float | None:
    match = re.fullmatch(r"\s*(\d{1,6}(?:\.\d{1,6})?)\s*", retry_after)
    return float(match.group(1)) if match else None


# -- completions -----------------------------------------------------------------------

_ENDS_BY_CONTENT = ("stop", "", "eos", "end_turn", "stop_sequence", "eos_token")
_ENDS_CUT = ("length", "max_tokens", "model_length", "max_output_tokens")
_ENDS_FILTERED = ("content_filter", "safety", "recitation", "prohibited_content")
_REFUSAL = re.compile(r"(?i)\s*(?:i['’]?m (?:very )?sorry|sorry|i apologi[sz]e|i can(?:no|['’]?)t|i am (?:sorry|unable)|i['’]?m unable)\b")


def _completion(value: Any) -> Completion | Trouble:
    if not isinstance(value, Mapping):
        return Trouble(Kind.NOT_A_COMPLETION, f"a JSON {_json_type(value)}", 200)
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices:
        return _error_inside(value) or Trouble(Kind.NOT_A_COMPLETION, f"an object with {_keys(value)}", 200)
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        return Trouble(Kind.NOT_A_COMPLETION, "a choice without a message", 200)
    trouble = _error_inside(choice) or _unusable_end(choice, message)
    if trouble:
        return trouble
    content, reasoning = _text(message.get("content")), _reasoning(message)
    text = content if content.strip() else reasoning
    if not text.strip():
        return Trouble(Kind.EMPTY, "", 200)
    model = value.get("model")
    return Completion(text, model if isinstance(model, str) else None, _prompt_tokens(value), not content.strip())


def _unusable_end(choice: Mapping[str, Any], message: Mapping[str, Any]) -> Trouble | None:
    refusal, content = message.get("refusal"), _text(message.get("content"))
    if isinstance(refusal, str) and refusal.strip():
        return Trouble(Kind.REFUSED, _short(refusal), 200)
    reason = choice.get("finish_reason")
    end = reason.lower() if isinstance(reason, str) else "" if reason is None else repr(reason)
    if end in _ENDS_FILTERED:
        return Trouble(Kind.FILTERED, _short(content), 200)
    if end in _ENDS_CUT:
        return Trouble(Kind.CUT if content.strip() and not _is_reasoning_only(content) else Kind.REASONING, "", 200)
    if end == "error":
        return Trouble(Kind.FAILING, _short(content), 200)
    if end not in _ENDS_BY_CONTENT:
        return Trouble(Kind.UNUSUAL_END, _short(end), 200)
    is_refusal = "{" not in content and _REFUSAL.match(content)
    return Trouble(Kind.REFUSED, _short(content), 200) if is_refusal else None


def _is_reasoning_only(content: str) -> bool:
    return content.lstrip().startswith("<think") and "</think" not in content


def _error_inside(value: Mapping[str, Any]) -> Trouble | None:
    """An error that travels in a 200: it counts as the status that it names, else as a failing server."""
    error = value.get("error")
    if not error:
        return None
    code = error.get("code") if isinstance(error, Mapping) else None
    status = int(code) if str(code).isdecimal() and 400 <= int(code) < 600 else 0
    if not status:
        status = 429 if "rate_limit" in str(code) else 500
    return _error(status, value, b"")


def _text(content: object) -> str:
    """The text of a message, which some servers give in parts."""
    if isinstance(content, list):
        return "".join(p["text"] for p in content if isinstance(p, Mapping) and isinstance(p.get("text"), str))
    return content if isinstance(content, str) else ""


def _reasoning(message: Mapping[str, Any]) -> str:
    found = (message.get(key) for key in ("reasoning_content", "reasoning"))
    return next((text for text in found if isinstance(text, str) and text.strip()), "")


def _prompt_tokens(value: Mapping[str, Any]) -> int | None:
    usage = value.get("usage")
    count = usage.get("prompt_tokens") if isinstance(usage, Mapping) else None
    return count if type(count) is int and count > 0 else None


# -- streams ---------------------------------------------------------------------------


def _streamed(text: str) -> Completion | Trouble:
    """Put a stream of events together; without an end it counts as cut."""
    content: list[str] = []
    reasoning: list[str] = []
    end: object = None
    last: Mapping[str, Any] = {}
    for line in text.splitlines():
        data = line.removeprefix("data:").strip() if line.startswith("data:") else ""
        if not data or data == "[DONE]":
            end = "stop" if data and end is None else end
            continue
        value, faults = strict_json.load(data, "event")
        if faults or not isinstance(value, Mapping):
            return Trouble(Kind.GARBLED, "an event that is not JSON", 200)
        if trouble := _error_inside(value):
            return trouble
        choice = (value.get("choices") or [{}])[0]
        delta = choice.get("delta") or {}
        content.append(_text(delta.get("content")))
        reasoning.append(_reasoning(delta))
        end = choice.get("finish_reason") or end
        last = {**last, **{k: v for k, v in value.items() if v}}
    if end is None:
        return Trouble(Kind.CUT, "the stream ended early", 200)
    message = {"content": "".join(content), "reasoning": "".join(reasoning)}
    return _completion({**last, "choices": [{"message": message, "finish_reason": end}]})


# -- texts -----------------------------------------------------------------------------


def _parsed(body: bytes) -> Any:
    value, faults = strict_json.load(_decoded(body) or "", "body")
    return None if faults else value


def _decoded(body: bytes) -> str | None:
    try:
        return body.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _short(text: str) -> str:
    plain = re.sub(r"<(?:script|style).*?</(?:script|style)>|<[^<>]{1,400}>", " ", text[: _SHOWN_CHARS * 20], flags=re.DOTALL)
    flat = " ".join(plain.split())
    return flat if len(flat) <= _SHOWN_CHARS else flat[:_SHOWN_CHARS] + "…"


def _keys(value: Mapping[str, Any]) -> str:
    return _short("the keys " + ", ".join(sorted(map(str, value))[:8]) if value else "no keys")


def _json_type(value: object) -> str:
    return {list: "list", str: "text", bool: "boolean", type(None): "null"}.get(type(value), "number")
