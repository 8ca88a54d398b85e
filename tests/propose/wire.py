"""A server below HTTP: it reads one request of a connection and then does whatever the test wants."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

Behaviour = Callable[[socket.socket, threading.Event], None]


@dataclass
class Wire:
    """A listening port; `requests` are the bytes of each connection's request."""

    port: int
    requests: list[bytes] = field(default_factory=list)
    closed: threading.Event = field(default_factory=threading.Event)
    asked: threading.Event = field(default_factory=threading.Event)

    def url(self, scheme: str = "http", host: str = "127.0.0.1") -> str:
        return f"{scheme}://{host}:{self.port}/v1"


@contextmanager
def listening(behaviour: Behaviour, tls: ssl.SSLContext | None = None) -> Iterator[Wire]:
    """Serve every connection with `behaviour` until the end of the `with`."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        wire = Wire(listener.getsockname()[1])
        thread = threading.Thread(target=_accept, args=(listener, wire, behaviour, tls), daemon=True)
        thread.start()
        try:
            yield wire
        finally:
            wire.closed.set()
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
    thread.join(timeout=5)


def _accept(listener: socket.socket, wire: Wire, behaviour: Behaviour, tls: ssl.SSLContext | None) -> None:
    while not wire.closed.is_set():
        with suppress(OSError):
            connection, _ = listener.accept()
            threading.Thread(target=_serve, args=(connection, wire, behaviour, tls), daemon=True).start()


def _serve(connection: socket.socket, wire: Wire, behaviour: Behaviour, tls: ssl.SSLContext | None) -> None:
    with suppress(OSError), tls.wrap_socket(connection, server_side=True) if tls else connection as talk:
        wire.requests.append(_request(talk))
        wire.asked.set()
        behaviour(talk, wire.closed)


def _request(talk: socket.socket) -> bytes:
    """The head and the body of a request; what is not HTTP comes as its first bytes."""
    data = talk.recv(65536)
    while b"\r\n\r\n" not in data and data[:4] in (b"POST", b"GET "):
        data += talk.recv(65536)
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(h.split(b":")[1]) for h in head.lower().split(b"\r\n") if h.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += talk.recv(65536)
    return head + b"\r\n\r\n" + body


def sends(*parts: bytes) -> Behaviour:
    """Sends these bytes and closes."""

    def behave(talk: socket.socket, _closed: threading.Event) -> None:
        for part in parts:
            talk.sendall(part)

    return behave


def hangs(start: bytes = b"") -> Behaviour:
    """Sends the start of a reply and then nothing, for as long as the test runs."""

    def behave(talk: socket.socket, closed: threading.Event) -> None:
        talk.sendall(start)
        closed.wait(60)

    return behave


def repeats(part: bytes, start: bytes = b"") -> Behaviour:
    """Sends the start of a reply, then the same bytes as fast as they are taken."""

    def behave(talk: socket.socket, closed: threading.Event) -> None:
        talk.sendall(start)
        while not closed.is_set():
            talk.sendall(part)

    return behave


def drips(part: bytes, pause_s: float = 0.02) -> Behaviour:
    """Sends the same few bytes again and again, so that no single read ever times out."""

    def behave(talk: socket.socket, closed: threading.Event) -> None:
        while not closed.wait(pause_s):
            talk.sendall(part)

    return behave


def reply(body: bytes, status: str = "200 OK", head: bytes = b"") -> bytes:
    """A whole HTTP reply."""
    length = f"Content-Length: {len(body)}\r\n".encode()
    return f"HTTP/1.1 {status}\r\n".encode() + length + head + b"Connection: close\r\n\r\n" + body
