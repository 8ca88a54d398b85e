"""Which endpoint is asked, with which model and key: from flags and environment only, never from the repository."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, urlsplit

from inventory.errors import WrongUsage

OPENAI_URL = "https://api.openai.com/v1"
_MIN_SCRUBBED = 6
_MIN_SECRET = 12
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Key:
    """A secret and the name of the variable it came from; it shows itself nowhere."""

    variable: str
    value: str = field(repr=False)

    def scrub(self, text: str) -> str:
        """`text` without the key, nor any beginning or end of it that a server may have echoed."""
        for size in range(len(self.value), _MIN_SCRUBBED - 1, -1):
            text = text.replace(self.value[:size], "[key]").replace(self.value[-size:], "[key]")
        return text

    def stands_in(self, texts: Iterable[str]) -> bool:
        """Whether one of these texts repeats the key. A short one, such as `ollama`, is a word and no secret."""
        return len(self.value) >= _MIN_SECRET and any(self.value in text for text in texts)


@dataclass(frozen=True)
class Endpoint:
    """A chat completions server: base URL without the path of the method, model, and key if one may be sent."""

    url: str
    model: str
    key: Key | None
    notices: tuple[str, ...] = ()

    @property
    def origin(self) -> str:
        """Scheme, host and port: all of the URL that is ever written down."""
        return origin_of(self.url)

    @property
    def scheme(self) -> str:
        return urlsplit(self.url).scheme

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or _PORTS[self.scheme]

    @property
    def is_openai(self) -> bool:
        return self.origin == origin_of(OPENAI_URL)

    @property
    def is_loopback(self) -> bool:
        host = urlsplit(self.url).hostname or ""
        try:
            return ipaddress.ip_address(host).is_loopback
        except ValueError:
            return host == "localhost" or host.endswith(".localhost")

    def scrub(self, text: str) -> str:
        """`text` without a trace of the key."""
        return self.key.scrub(text) if self.key else text


@dataclass(frozen=True)
class Flags:
    """What the command line says about the endpoint; None is what was not said."""

    url: str | None = None
    model: str | None = None
    key_variable: str | None = None
    rules: bool = False

    @property
    def said(self) -> tuple[str, ...]:
        """What was said, an empty text too: it comes from a variable that is not set."""
        return tuple(text for text in (self.url, self.model, self.key_variable) if text is not None)


def choose_endpoint(flags: Flags, environment: Mapping[str, str]) -> Endpoint | None:
    """The endpoint to ask; None means the embedded proposer.

    `OPENAI_API_KEY` goes to `OPENAI_BASE_URL` of the same environment, or to OpenAI's own host where no
    endpoint is named, and nowhere else. Raises WrongUsage for flags or values that cannot be used.
    """
    if "" in flags.said:
        raise _wrong("a flag about the endpoint is empty", "a variable that is not set gives an empty text")
    if flags.rules:
        if flags.said:
            raise _wrong("--rules asks no endpoint", "it was given together with --endpoint, --model or --api-key-env")
        return None
    url = flags.url or environment.get("OPENAI_BASE_URL", "").strip()
    model = flags.model or environment.get("OPENAI_MODEL", "").strip()
    if not url and not (model and (environment.get("OPENAI_API_KEY") or flags.key_variable)):
        if flags.model or flags.key_variable:
            raise _wrong("no endpoint to ask", "a model or key is named, but neither --endpoint nor OPENAI_BASE_URL is")
        return None
    if not model:
        raise _wrong("no model named", "an endpoint is, and it needs one", "Add --model NAME, or set OPENAI_MODEL.")
    url = _checked_url(url or OPENAI_URL)
    key = _key(flags, environment)
    return Endpoint(url, _checked_model(model), key, tuple(_notices(url, key, flags)))


def origin_of(url: str) -> str:
    """Scheme, host and port of a URL, without anything else; empty where the text is no URL."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname or ""
    return f"{parts.scheme}://{host}" + ("" if port in (None, _PORTS.get(parts.scheme)) else f":{port}")


def _key(flags: Flags, environment: Mapping[str, str]) -> Key | None:
    variable = flags.key_variable or ("" if flags.url else "OPENAI_API_KEY")
    value = environment.get(variable, "").strip() if variable else ""
    if flags.key_variable and not value:
        raise _wrong(f"no key in {variable}", "--api-key-env names a variable that is not set", f"Set {variable}.")
    if not (value.isascii() and value.isprintable()) or " " in value:
        raise _wrong(
            f"the key in {variable} is odd", "it holds spaces, control or non-ASCII characters", "Set it anew."
        )
    return Key(variable, value) if value else None


def _notices(url: str, key: Key | None, flags: Flags) -> list[str]:
    found = []
    if flags.url and key is None:
        found.append("no key is sent: with --endpoint, name its variable with --api-key-env NAME")
    if key and key.value.startswith("oma_"):
        found.append("keys that begin with oma_ need a signature, which this tool does not make: expect a refusal")
    if key and url.startswith("http:") and not Endpoint(url, "", None).is_loopback:
        found.append("the key travels unencrypted: the endpoint is http")
    return found


def _checked_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        fault = _url_fault(url, parts)
    except ValueError as error:
        fault = str(error)
    if fault:
        raise _wrong("this endpoint cannot be used", fault, "Give a URL such as http://127.0.0.1:8080/v1")
    return url.rstrip("/")


def _url_fault(url: str, parts: SplitResult) -> str:
    if not (url.isascii() and url.isprintable()) or " " in url:
        return "its URL holds spaces, control or non-ASCII characters"
    if parts.scheme not in _PORTS or not parts.hostname:
        return "its URL must begin with http:// or https:// and a host"
    if "@" in parts.netloc:
        return "its URL holds a user name or password, which would be sent in place of the key"
    if parts.query or parts.fragment:
        return "its URL holds a query or a fragment"
    return "" if parts.port is None or parts.port else "its port is 0"


def _checked_model(model: str) -> str:
    if not model.isprintable() or len(model) > 200:
        raise _wrong("this model name cannot be used", "it is too long or holds control characters")
    return model


def _wrong(what: str, why: str, fix: str = "Look at: propose --help") -> WrongUsage:
    return WrongUsage(what, why=why, fix=fix)
