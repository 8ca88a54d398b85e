"""Trouble with an endpoint in words: what happened, why, and one next step; pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from inventory.console import visible
from inventory.errors import EndpointFailed, Stop, UnusableAnswer
from propose.endpoint import Endpoint
from propose.redact import redact
from propose.replies import Kind, Trouble

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
        Kind.FORBIDDEN: ("the endpoint forbids this request", ""),
        Kind.QUOTA: ("the quota of this key is used up", "Add credit, use another key, or: propose --rules"),
        Kind.BUSY: ("the endpoint has too many requests", _RETRY),
        Kind.LOADING: ("the server did not finish loading its model in time", "Wait until it is ready; --timeout N"),
        Kind.FAILING: ("the endpoint is failing", _RETRY),
        Kind.DROPPED: ("the endpoint closed the connection before an answer", _RETRY),
        Kind.REJECTED: ("the endpoint rejected the request", "Look at the server's log, or use another model."),
        Kind.FORMAT: ("the endpoint takes no format of answer that we can ask for", "Use another server or model."),
        Kind.TOKEN_PARAMETER: ("the endpoint takes no limit for the answer", "Use another server or model."),
        Kind.STREAM_ONLY: ("the endpoint rejected the request, streamed or not", "Use another server or model."),
        Kind.ANSWER_CAP: ("the answer may not be so long", "Give a lower limit: --max-tokens N"),
    }
)


def complaint(trouble: Trouble, endpoint: Endpoint, *, timeout_s: float, models: tuple[str, ...] = ()) -> Stop:
    """The stop for trouble that no retry and no change could mend; the key is in none of its words."""
    said = shown(trouble.said, endpoint)
    if trouble.kind in _ANSWER:
        what, fix = _ANSWER[trouble.kind]
        return UnusableAnswer(what, why=said or _asked(endpoint), fix=fix or _base_url(endpoint))
    if trouble.kind is Kind.PROMPT_CUT:
        return _prompt_cut(trouble)
    what, why, fix = _told(trouble, endpoint, said, timeout_s, models)
    return EndpointFailed(what, why=why, fix=fix)


def shown(foreign: str, endpoint: Endpoint) -> str:
    """A server's own words, made safe to show."""
    return visible(redact(endpoint.scrub(foreign)).text)


def _told(
    trouble: Trouble, endpoint: Endpoint, said: str, timeout_s: float, models: tuple[str, ...]
) -> tuple[str, str, str]:
    status = f"status {trouble.status}" + (f": {said}" if said else "") if trouble.status else said
    match trouble.kind:
        case Kind.KEY:
            return "the endpoint does not accept the key", status, _key(endpoint)
        case Kind.FORBIDDEN:
            return _ENDPOINT[Kind.FORBIDDEN][0], status, _forbidden(trouble, endpoint)
        case Kind.NO_ROUTE:
            return f"there is no chat completions method below {endpoint.url}", status, _base_url(endpoint)
        case Kind.NO_MODEL:
            fix = f"It offers: {visible(', '.join(models))}" if models else "Give its name with --model."
            return f"the endpoint does not know the model {visible(endpoint.model)}", status, fix
        case Kind.OVERFLOW:
            return _overflow(trouble, said)
        case Kind.REDIRECT:
            return f"redirected to {said or 'nowhere'}", f"status {trouble.status}: the prompt is never sent on", (
                f"If that is right, give it as the endpoint: --endpoint {said or 'URL'}"
            )
        case Kind.UNREACHABLE:
            return f"the endpoint {endpoint.origin} cannot be reached", said, _unreachable(endpoint, said)
        case Kind.TIMEOUT:
            return f"no answer in {timeout_s:g} s", _asked(endpoint), "Allow more with --timeout N, or a faster model."
        case _:
            what, fix = _ENDPOINT[trouble.kind]
            return what, status or _asked(endpoint), fix


def _prompt_cut(trouble: Trouble) -> UnusableAnswer:
    return UnusableAnswer(
        f"the prompt was cut: the server saw {trouble.limit} tokens of about {trouble.needed}",
        why="it dropped the rest without a word, so the answer is about half of the request",
        fix="Raise the server's context (Ollama: OLLAMA_CONTEXT_LENGTH or num_ctx; llama-server: -c), "
        "or give its size with --context N.",
    )


def _overflow(trouble: Trouble, said: str) -> tuple[str, str, str]:
    numbers = f"about {trouble.needed or '?'} tokens were sent, the context has {trouble.limit or '?'}"
    return "the prompt is longer than the model's context", f"{numbers}: {said}", "Give its size with --context N."


def _key(endpoint: Endpoint) -> str:
    if endpoint.key:
        return f"Look at the key in {endpoint.key.variable}."
    return "None was sent: name its variable with --api-key-env NAME, or set OPENAI_API_KEY with OPENAI_BASE_URL."


def _forbidden(trouble: Trouble, endpoint: Endpoint) -> str:
    if "ohmyagent" in trouble.said.lower() or (endpoint.key and endpoint.key.value.startswith("oma_")):
        return "This server wants signed keys, which are not supported here; use an API key of another kind."
    return f"Check that the key may use the model {visible(endpoint.model)}; some servers tie a key to one model."


def _base_url(endpoint: Endpoint) -> str:
    if "/chat/completions" in endpoint.url:
        return "Give the base URL without /chat/completions."
    if not urlsplit(endpoint.url).path.rstrip("/").endswith("/v1"):
        return f"Most servers want /v1 at the end: --endpoint {endpoint.url}/v1"
    return f"Check the base URL: {endpoint.url}"


def _unreachable(endpoint: Endpoint, said: str) -> str:
    words = said.lower()
    if "certificate" in words:
        return "Name a file with the right authority: SSL_CERT_FILE=/path/ca.pem"
    if "tls" in words or "ssl" in words:
        return f"Check the scheme: does the server speak {urlsplit(endpoint.url).scheme}?"
    if "proxy" in words:
        return "Look at the proxy, or except this host: NO_PROXY"
    start = _LOCAL.get(urlsplit(endpoint.url).port or 0)
    return f"Start it: {start}" if start and endpoint.is_loopback else "Check host and port, and that it runs."


def _asked(endpoint: Endpoint) -> str:
    return f"asked {endpoint.origin} for the model {visible(endpoint.model)}"
