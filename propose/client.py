"""The one door to the openai package: one request out, one reply in, whatever the server does.

The package sends and we read: no retry, no redirect, no parsing and no header of its own choosing.
Every reply comes back as bytes up to a cap, and every failure as one kind of trouble.
"""

from __future__ import annotations

import os
import ssl
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
import openai

from inventory.errors import CouldNotRun
from propose.endpoint import Endpoint, origin_of
from propose.replies import MAX_BODY_BYTES, Kind, Reply, Trouble

_PLACEHOLDER = "none"
_HEADERS = {"host", "accept", "content-type", "content-length", "connection", "user-agent", "transfer-encoding"}
_OPENAI_HEADERS = {"openai-organization", "openai-project"}
_ANSWERED = ("retry-after", "location")  # all that is read of a reply's head; the rest could steer the package


@dataclass(frozen=True)
class Client:
    """An open connection to one endpoint; made by `connect`, valid inside its `async with`."""

    endpoint: Endpoint
    sdk: openai.AsyncOpenAI
    proxy: str

    async def complete(self, payload: dict[str, Any]) -> Reply | Trouble:
        """One chat completions request. Never raises for anything that a server or a network does."""
        reply = await self._answered(self.sdk.chat.completions.with_streaming_response.create(**payload))
        return replace(reply, is_stream=bool(payload.get("stream"))) if isinstance(reply, Reply) else reply

    async def models(self) -> Reply | Trouble:
        """The list of models, for a better error message only."""
        return await self._answered(self.sdk.models.with_streaming_response.list())

    async def _answered(self, request: AbstractAsyncContextManager[Any]) -> Reply | Trouble:
        try:
            async with request as response:
                body = b"".join([part async for part in response.iter_bytes()])
                return _reply(response.status_code, response.headers, body)
        except openai.APIStatusError as error:
            return _reply(error.response.status_code, error.response.headers, error.response.content)
        except (openai.OpenAIError, httpx2.HTTPError, httpx2.StreamError, OSError, EOFError, ValueError) as error:
            return self._unanswered(error)

    def _unanswered(self, error: BaseException) -> Trouble:
        kind, cause = _cause(error)
        through = f" through the proxy {self.proxy}" if self.proxy else ""
        return Trouble(kind, f"{cause}{through}")


@asynccontextmanager
async def connect(endpoint: Endpoint) -> AsyncIterator[Client]:
    """Open a client for an endpoint. Raises CouldNotRun where the environment's TLS or proxy settings are unusable."""
    proxy = "" if endpoint.is_loopback else _proxy_for(endpoint.url)
    try:
        inner = httpx2.AsyncHTTPTransport(verify=_trusted(), proxy=proxy or None)
    except (OSError, ImportError, ValueError, ssl.SSLError) as error:
        raise CouldNotRun(
            "no connection can be made",
            why=f"the TLS or proxy settings of the environment cannot be used: {type(error).__name__}",
            fix="Look at SSL_CERT_FILE, SSL_CERT_DIR and the proxy variables.",
        ) from None
    async with httpx2.AsyncClient(
        transport=_Fenced(inner, endpoint), follow_redirects=False, trust_env=False, timeout=None
    ) as http:
        key = endpoint.key.value if endpoint.key else _PLACEHOLDER
        sdk = openai.AsyncOpenAI(
            api_key=key, base_url=endpoint.url, max_retries=0, timeout=None, http_client=http, admin_api_key=""
        )
        yield Client(endpoint, sdk, origin_of(proxy) if proxy else "")


@dataclass
class _Fenced(httpx2.AsyncBaseTransport):
    """Lets out only the headers that a request needs and the key we chose; lets in two headers and so many bytes."""

    inner: httpx2.AsyncBaseTransport
    endpoint: Endpoint

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        allowed = _HEADERS | (_OPENAI_HEADERS if self.endpoint.is_openai else set())
        kept = [(name, value) for name, value in request.headers.items() if name.lower() in allowed]
        if self.endpoint.key:
            kept.append(("authorization", f"Bearer {self.endpoint.key.value}"))
        kept.append(("accept-encoding", "identity"))
        fenced = httpx2.Request(
            request.method, request.url, headers=kept, stream=request.stream, extensions=request.extensions
        )
        response = await self.inner.handle_async_request(fenced)
        response.headers = httpx2.Headers([row for row in response.headers.multi_items() if row[0] in _ANSWERED])
        response.stream = _Capped(response.stream)
        return response

    async def aclose(self) -> None:
        await self.inner.aclose()


@dataclass
class _Capped(httpx2.AsyncByteStream):
    """A body that ends one byte past the cap, which is how a reader knows that it was cut."""

    inner: Any

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_BODY_BYTES + 1
        async for part in self.inner:
            yield part[:left]
            left -= len(part)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self.inner.aclose()


def _trusted() -> ssl.SSLContext:
    """The authorities that the environment names, or those of the system; a file that is missing is an error."""
    named = os.environ.get("SSL_CERT_FILE")
    return ssl.create_default_context(cafile=named or None)


def _reply(status: int, headers: Any, body: bytes) -> Reply:
    location = str(headers.get("location", ""))
    return Reply(status, body, str(headers.get("retry-after", "")), origin_of(location) if location else "")


def _proxy_for(url: str) -> str:
    parts = urlsplit(url)
    found = getproxies()
    proxy = found.get(parts.scheme) or found.get("all") or ""
    return "" if not proxy or proxy_bypass(parts.netloc) else proxy


def _cause(error: BaseException) -> tuple[Kind, str]:
    """The kind of a failure below HTTP, and its cause in a few words."""
    chain = list(_chain(error))
    for link in chain:
        if isinstance(link, ssl.SSLCertVerificationError):
            return Kind.UNREACHABLE, f"certificate verify failed: {link.verify_message}"
        if isinstance(link, ssl.SSLError):
            return Kind.UNREACHABLE, f"TLS failed: {link.reason or link}"
    if any(isinstance(link, httpx2.RemoteProtocolError | httpx2.ReadError | httpx2.WriteError) for link in chain):
        return Kind.DROPPED, str(chain[-1]) or type(chain[-1]).__name__
    if any(isinstance(link, openai.APITimeoutError) for link in chain):
        return Kind.TIMEOUT, "no answer"
    root = chain[-1]
    return Kind.UNREACHABLE, str(root) or type(root).__name__


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__
