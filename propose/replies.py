"""What came back from a chat completions server, as values: a reply, a completion, or one kind of trouble; pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

MAX_BODY_BYTES = 4 << 20


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
    tokens: int = 0  # of prompt and answer together, as far as the server counts them


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
