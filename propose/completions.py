"""Judges a reply of a chat completions server: the completion in it, or the trouble with it; pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from inventory import strict_json
from propose.replies import MAX_BODY_BYTES, Completion, Kind, Reply, Trouble
from propose.server_errors import decoded, error_inside, short, trouble_of

_ENDS_BY_CONTENT = ("stop", "", "eos", "end_turn", "stop_sequence", "eos_token")
_ENDS_CUT = ("length", "max_tokens", "model_length", "max_output_tokens")
_ENDS_FILTERED = ("content_filter", "safety", "recitation", "prohibited_content")
_REFUSAL = re.compile(
    r"(?i)\s*(?:i\W?m (?:very )?sorry|sorry|i apologi[sz]e|i can(?:no|\W?)t|i am (?:sorry|unable)|i\W?m unable)\b"
)
_STREAM_STARTS = ("data:", ":", "event:")
_JSON_TYPES = {list: "list", str: "text", bool: "boolean", type(None): "null"}


def judge(reply: Reply) -> Completion | Trouble:
    """The completion in a reply, or the trouble with it."""
    trouble = next(filter(None, (find(reply) for find in _OUTER)), None)
    if trouble:
        return trouble
    text = decoded(reply.body) or ""
    if reply.is_stream or text.startswith(_STREAM_STARTS):
        return _streamed(text)
    value, faults = strict_json.load(text, "body")
    if faults:
        is_short = any("not JSON" in fault.what for fault in faults)
        return Trouble(Kind.GARBLED if is_short else Kind.UNREADABLE, short(str(faults[0])), 200)
    return _completion(value)


def offered_models(reply: Reply) -> tuple[str, ...]:
    """The models that a server lists, at most twenty; () where it tells none."""
    value, faults = strict_json.load(decoded(reply.body) or "", "body")
    rows = value.get("data") if reply.status == 200 and not faults and isinstance(value, Mapping) else None
    found = [row.get("id") for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
    return tuple(short(name) for name in found if isinstance(name, str))[:20]


# -- before the content ----------------------------------------------------------------


def _too_large(reply: Reply) -> Trouble | None:
    return Trouble(Kind.TOO_LARGE, status=reply.status) if len(reply.body) > MAX_BODY_BYTES else None


def _redirected(reply: Reply) -> Trouble | None:
    return Trouble(Kind.REDIRECT, reply.location, reply.status) if 300 <= reply.status < 400 else None


def _failed(reply: Reply) -> Trouble | None:
    return trouble_of(reply.status, reply.body, reply.retry_after) if reply.status >= 400 else None


def _not_ok(reply: Reply) -> Trouble | None:
    said = f"status {reply.status} without a completion"
    return Trouble(Kind.NOT_A_COMPLETION, said, reply.status) if reply.status != 200 else None


def _no_text(reply: Reply) -> Trouble | None:
    text = decoded(reply.body)
    if text is None:
        return Trouble(Kind.GARBLED, "a body that is not UTF-8", reply.status)
    return None if text.strip() else Trouble(Kind.GARBLED, "an empty body", reply.status)


_OUTER: tuple[Callable[[Reply], Trouble | None], ...] = (_too_large, _redirected, _failed, _not_ok, _no_text)


# -- one completion --------------------------------------------------------------------


def _completion(value: Any) -> Completion | Trouble:
    if not isinstance(value, Mapping):
        return Trouble(Kind.NOT_A_COMPLETION, f"a JSON {_JSON_TYPES.get(type(value), 'number')}", 200)
    choices = value.get("choices")
    if not isinstance(choices, list) or not choices:
        return error_inside(value) or Trouble(Kind.NOT_A_COMPLETION, f"an object with {_keys(value)}", 200)
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, Mapping) else None
    if not isinstance(message, Mapping):
        return Trouble(Kind.NOT_A_COMPLETION, "a choice without a message", 200)
    trouble = error_inside(choice) or _refused(choice, message) or _unusable_end(choice, message)
    return trouble or _with_text(value, message)


def _with_text(value: Mapping[str, Any], message: Mapping[str, Any]) -> Completion | Trouble:
    content, reasoning = _text(message.get("content")), _reasoning(message)
    text = content if content.strip() else reasoning
    if not text.strip():
        return error_inside(value) or Trouble(Kind.EMPTY, status=200)
    model = value.get("model")
    tokens = sum(_counted(value, what) or 0 for what in ("prompt_tokens", "completion_tokens"))
    named = model if isinstance(model, str) else None
    return Completion(text, named, _counted(value, "prompt_tokens"), not content.strip(), tokens)


def _refused(choice: Mapping[str, Any], message: Mapping[str, Any]) -> Trouble | None:
    """A refusal in its own field, or in plain words in place of an answer."""
    refusal, content = message.get("refusal"), _text(message.get("content"))
    if isinstance(refusal, str) and refusal.strip():
        return Trouble(Kind.REFUSED, short(refusal), 200)
    is_refusal = _end_of(choice) in _ENDS_BY_CONTENT and "{" not in content and _REFUSAL.match(content)
    return Trouble(Kind.REFUSED, short(content), 200) if is_refusal else None


def _unusable_end(choice: Mapping[str, Any], message: Mapping[str, Any]) -> Trouble | None:
    content, end = _text(message.get("content")), _end_of(choice)
    if end in _ENDS_BY_CONTENT:
        return None
    if end in _ENDS_CUT:
        return Trouble(Kind.CUT if content.strip() and not _is_reasoning_only(content) else Kind.REASONING, status=200)
    kind = Kind.FILTERED if end in _ENDS_FILTERED else Kind.FAILING if end == "error" else Kind.UNUSUAL_END
    return Trouble(kind, short(content if content.strip() else f"finish_reason {end}"), 200)


def _end_of(choice: Mapping[str, Any]) -> str:
    reason = choice.get("finish_reason")
    return reason.lower() if isinstance(reason, str) else "" if reason is None else repr(reason)


def _is_reasoning_only(content: str) -> bool:
    return content.lstrip().startswith("<think") and "</think" not in content


def _text(content: object) -> str:
    """The text of a message, which some servers give in parts."""
    if isinstance(content, list):
        return "".join(p["text"] for p in content if isinstance(p, Mapping) and isinstance(p.get("text"), str))
    return content if isinstance(content, str) else ""


def _reasoning(message: Mapping[str, Any]) -> str:
    found = (message.get(key) for key in ("reasoning_content", "reasoning"))
    return next((text for text in found if isinstance(text, str) and text), "")


def _counted(value: Mapping[str, Any], what: str) -> int | None:
    usage = value.get("usage")
    count = usage.get(what) if isinstance(usage, Mapping) else None
    return count if type(count) is int and count > 0 else None


def _keys(value: Mapping[str, Any]) -> str:
    return short("the keys " + ", ".join(sorted(value)[:8])) if value else "no keys"


# -- streams ---------------------------------------------------------------------------


def _streamed(text: str) -> Completion | Trouble:
    """Put a stream of events together; without an end it counts as cut."""
    content, reasoning, end, last = "", "", None, dict[str, Any]()
    for data in (line[5:].strip() for line in text.split("\n") if line.startswith("data:")):
        if data == "[DONE]":
            end = end or "stop"
            continue
        value, faults = strict_json.load(data, "event")
        if faults or not isinstance(value, Mapping):
            return Trouble(Kind.GARBLED, "an event that is not JSON", 200)
        if trouble := error_inside(value):
            return trouble
        choice, delta = _delta(value)
        content, reasoning = content + _text(delta.get("content")), reasoning + _reasoning(delta)
        end = choice.get("finish_reason") or end
        last |= {key: item for key, item in value.items() if item}
    if end is None:
        return Trouble(Kind.CUT, "the stream ended early", 200)
    message = {"content": content, "reasoning": reasoning}
    return _completion({**last, "choices": [{"message": message, "finish_reason": end}]})


def _delta(value: Mapping[str, Any]) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """The first choice of an event and what it adds; empty ones where the event has none."""
    choices = value.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], Mapping) else {}
    delta = choice.get("delta")
    return choice, delta if isinstance(delta, Mapping) else {}
