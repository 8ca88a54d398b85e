"""Trouble with an endpoint in words: what happened, why, and one next step; pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from inventory.errors import EndpointFailed, Stop, UnusableAnswer
from inventory.escapes import visible
from inventory.redact import redact
from propose.drafts import Rejected
from propose.endpoint import Endpoint
from propose.replies import Kind, Trouble

_SHOWN_CHARS = 600
_LOCAL = {11434: "ollama serve", 1234: "the server of LM Studio", 8000: "vllm serve", 8080: "llama-server"}
_RETRY = "Try again later, or use the embedded proposer: propose --rules"
_LARGER = "Give a larger answer: --max-tokens N (with --context N), or switch the model's reasoning off."

_ANSWER: Mapping[Kind, tuple[str, str]] = MappingProxyType(
    {
        Kind.EMPTY: ("the answer is empty", "Try another model, or see what was sent: --dry-run"),
        Kind.CUT: ("the answer was cut at the output limit, so nothing of it is used", _LARGER),
        Kind.REASONING: ("the reasoning used the whole output budget, and no answer came", _LARGER),
        Kind.NOT_A_COMPLETION: ("the reply is not a chat completion", ""),
        Kind.UNUSUAL_END: ("the answer ended in an unusual way", "Try another model."),
        Kind.TOO_LARGE: ("the reply is larger than 4 MiB and was cut off", "Look at what serves this address."),
        Kind.UNREADABLE: ("the answer cannot be read", "Try again, or another model."),
        Kind.GARBLED: ("the reply cannot be read", _RETRY),
    }
)
_ENDPOINT: Mapping[Kind, tuple[str, str]] = MappingProxyType(
    {
        Kind.REFUSED: ("the model refused", "Look at what was sent (--dry-run), or use another model."),
        Kind.FILTERED: ("the endpoint's content policy stopped the request", "Look at what was sent: --dry-run"),
        Kind.QUOTA: ("the quota of this key is used up", "Add credit, use another key, or: propose --rules"),
        Kind.BUSY: ("the endpoint has too many requests", _RETRY),
        Kind.LOADING: ("the server did not finish loading its model in time", "Wait until it is ready; --timeout N"),
        Kind.FAILING: ("the endpoint is failing", _RETRY),
        Kind.REJECTED: ("the endpoint rejected the request", "Look at the server's log, or use another model."),
        Kind.FORMAT: ("the endpoint takes no format of answer that we can ask for", "Use another server or model."),
        Kind.TOKEN_PARAMETER: ("the endpoint takes no limit for the answer", "Use another server or model."),
        Kind.STREAM_ONLY: ("the endpoint rejected the request, streamed or not", "Use another server or model."),
        Kind.ANSWER_CAP: ("the answer may not be so long", "Give a lower limit: --max-tokens N"),
    }
)


@dataclass(frozen=True)
class _Complained:
    """Trouble, and what is said about it."""

    trouble: Trouble
    endpoint: Endpoint
    said: str
    timeout_s: float
    models: tuple[str, ...]


def complaint(trouble: Trouble, endpoint: Endpoint, *, timeout_s: float, models: tuple[str, ...] = ()) -> Stop:
    """The stop for trouble that no retry and no change could mend; the key is in none of its words."""
    said = shown(trouble.said, endpoint)
    if trouble.kind in _ANSWER:
        what, fix = _ANSWER[trouble.kind]
        return UnusableAnswer(what, why=said or _asked(endpoint), fix=fix or _base_url(endpoint))
    if trouble.kind is Kind.PROMPT_CUT:
        return _prompt_cut(trouble)
    what, why, fix = _told(_Complained(trouble, endpoint, said, timeout_s, models))
    return EndpointFailed(what, why=why, fix=fix)


def nothing_usable(rejected: Sequence[Rejected]) -> UnusableAnswer:
    """The stop for an answer of which not one draft could be taken."""
    rows = "\n".join(f"  {one.label}: {'; '.join(one.reasons)}" for one in rejected[:10])
    more = f"\n  and {len(rejected) - 10} more" if len(rejected) > 10 else ""
    return UnusableAnswer(
        f"none of the {len(rejected)} proposals can be used",
        why=f"each was rejected:\n{rows}{more}",
        fix="Try again, or another model; or use the embedded proposer: propose --rules",
    )


def shown(foreign: str, endpoint: Endpoint) -> str:
    """A server's own words, made safe to show: no key, no secret, no control character, and not long."""
    text = visible(redact(endpoint.scrub(foreign)).text)
    return text if len(text) <= _SHOWN_CHARS else text[:_SHOWN_CHARS] + "…"


def _told(complained: _Complained) -> tuple[str, str, str]:
    """What, why and next step for trouble with the endpoint itself."""
    trouble, endpoint = complained.trouble, complained.endpoint
    status = f"status {trouble.status}" + (f": {complained.said}" if complained.said else "")
    why = (status if trouble.status else complained.said) or _asked(endpoint)
    if trouble.kind in _SPECIAL:
        return _SPECIAL[trouble.kind](complained, why)
    what, fix = _ENDPOINT[trouble.kind]
    return what, why, fix


def _no_key(complained: _Complained, why: str) -> tuple[str, str, str]:
    return "the endpoint does not accept the key", why, _key(complained.endpoint)


def _forbidden(complained: _Complained, why: str) -> tuple[str, str, str]:
    endpoint, what = complained.endpoint, "the endpoint forbids this request"
    if "ohmyagent" in why.lower() or (endpoint.key and endpoint.key.value.startswith("oma_")):
        return what, why, "This server wants signed keys, which are not supported; use an API key of another kind."
    model = visible(endpoint.model)
    return what, why, f"Check that the key may use the model {model}; some servers tie a key to one model."


def _no_route(complained: _Complained, why: str) -> tuple[str, str, str]:
    endpoint = complained.endpoint
    return f"there is no chat completions method below {endpoint.url}", why, _base_url(endpoint)


def _no_model(complained: _Complained, why: str) -> tuple[str, str, str]:
    offered = shown(", ".join(complained.models), complained.endpoint)
    what = f"the endpoint does not know the model {visible(complained.endpoint.model)}"
    return what, why, f"It offers: {offered}" if offered else "Give its name with --model."


def _overflow(complained: _Complained, why: str) -> tuple[str, str, str]:
    trouble = complained.trouble
    numbers = f"about {trouble.needed or '?'} tokens were sent, the context has {trouble.limit or '?'}"
    return "the prompt is longer than the model's context", f"{numbers}: {why}", "Give its size with --context N."


def _redirected(complained: _Complained, _why: str) -> tuple[str, str, str]:
    to = complained.said or "nowhere"
    why = f"status {complained.trouble.status}: a prompt is never sent on to another address"
    return f"redirected to {to}", why, f"If that is right, set it as the base URL: --endpoint {to}/…"


def _timeout(complained: _Complained, _why: str) -> tuple[str, str, str]:
    fix = "Allow more with --timeout N, or use a faster model."
    return f"no answer in {complained.timeout_s:g} s", _asked(complained.endpoint), fix


def _unreachable(complained: _Complained, why: str) -> tuple[str, str, str]:
    endpoint, words = complained.endpoint, why.lower()
    fix = "Check host and port, and that the server runs."
    if "certificate" in words:
        fix = "Name a file with the right authority: SSL_CERT_FILE=/path/ca.pem"
    elif "tls" in words or "ssl" in words:
        fix = f"Check the scheme: does the server speak {endpoint.scheme}?"
    elif "proxy" in words:
        fix = "Look at the proxy, or except this host with NO_PROXY."
    elif endpoint.is_loopback and endpoint.port in _LOCAL:
        fix = f"Start it: {_LOCAL[endpoint.port]}"
    return f"the endpoint {endpoint.origin} cannot be reached", why, fix


def _dropped(complained: _Complained, why: str) -> tuple[str, str, str]:
    endpoint = complained.endpoint
    fix = "Check the scheme: does the server speak https? If not: " if endpoint.scheme == "http" else ""
    return "the endpoint closed the connection before an answer", why, f"{fix}{_RETRY}"


_SPECIAL: Mapping[Kind, Callable[[_Complained, str], tuple[str, str, str]]] = MappingProxyType(
    {
        Kind.KEY: _no_key,
        Kind.FORBIDDEN: _forbidden,
        Kind.NO_ROUTE: _no_route,
        Kind.NO_MODEL: _no_model,
        Kind.OVERFLOW: _overflow,
        Kind.REDIRECT: _redirected,
        Kind.DROPPED: _dropped,
        Kind.TIMEOUT: _timeout,
        Kind.UNREACHABLE: _unreachable,
    }
)


def _prompt_cut(trouble: Trouble) -> UnusableAnswer:
    return UnusableAnswer(
        f"the prompt was cut: the server saw {trouble.limit} tokens of about {trouble.needed}",
        why="it dropped the rest without a word, so the answer is about half of the request",
        fix="Raise the server's context (Ollama: OLLAMA_CONTEXT_LENGTH or num_ctx; llama-server: -c), "
        "or give its size with --context N.",
    )


def _key(endpoint: Endpoint) -> str:
    if endpoint.key:
        return f"Look at the key in {endpoint.key.variable}."
    return "None was sent: name its variable with --api-key-env NAME, or set OPENAI_API_KEY with OPENAI_BASE_URL."


def _base_url(endpoint: Endpoint) -> str:
    if "/chat/completions" in endpoint.url:
        return "Give the base URL without /chat/completions."
    if not endpoint.url.endswith("/v1"):
        return f"Most servers want /v1 at the end: --endpoint {endpoint.url}/v1"
    return f"Check the base URL: {endpoint.url}"


def _asked(endpoint: Endpoint) -> str:
    return f"asked {endpoint.origin} for the model {visible(endpoint.model)}"
