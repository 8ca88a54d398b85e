"""Endpoints that fail below HTTP, keys and proxies, and what is said of each."""

from __future__ import annotations

import gzip
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trustme
from werkzeug import Response

from tests.propose.conftest import KEY, Ask, Command, Script, answer, completion, draft
from tests.propose.wire import drips, hangs, listening, repeats, reply, sends
from tests.repo import FRONT_DOOR, Repo

GOOD = json.dumps(answer(draft())).encode()


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port


@pytest.fixture
def on_branch(command: Command, branch: Repo, monkeypatch: pytest.MonkeyPatch) -> Iterator[Command]:
    """`propose` on the clamp branch, without long waits; nothing may have been written at the end."""
    monkeypatch.setattr("propose.ladder.FIRST_WAIT_S", 0.01)
    before = branch.files()
    yield command
    assert branch.files() == before


def test_nothing_listens(on_branch: Command) -> None:
    done = on_branch("--endpoint", f"http://127.0.0.1:{free_port()}/v1", "--model", "m")
    assert done.code == 4
    assert "cannot be reached" in done.err
    assert "Connect call failed" in done.err


@pytest.mark.parametrize(("port", "hint"), [(11434, "ollama"), (1234, "LM Studio"), (8000, "vllm"), (8080, "llama")])
def test_a_known_port_is_named_with_its_server(on_branch: Command, port: int, hint: str) -> None:
    with socket.socket() as probe:
        if probe.connect_ex(("127.0.0.1", port)) == 0:
            pytest.skip("something listens there")
    assert hint in on_branch("--endpoint", f"http://127.0.0.1:{port}/v1", "--model", "m").err


@pytest.mark.parametrize(
    "start", [b"", b"HTTP/1.1 200 OK\r\nContent-Le", b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"]
)
def test_a_connection_that_closes_early_is_tried_once_more(on_branch: Command, start: bytes) -> None:
    with listening(sends(start)) as wire:
        done = on_branch("--endpoint", wire.url(), "--model", "m")
    assert (done.code, len(wire.requests)) == (4, 2), done.err
    assert "closed the connection" in done.err


@pytest.mark.parametrize(
    "behaviour",
    [
        hangs(),
        hangs(b"HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{"),
        drips(b"X-Pad: y\r\n"),
        drips(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n "),
    ],
    ids=["never answers", "stops in the body", "drips headers", "drips a body"],
)
def test_one_deadline_holds_over_everything(on_branch: Command, behaviour: object) -> None:
    with listening(behaviour) as wire:  # type: ignore[arg-type]
        started = time.monotonic()
        done = on_branch("--endpoint", wire.url(), "--model", "m", "--timeout", "1")
        took = time.monotonic() - started
    assert done.code == 4, done.err
    assert "no answer in 1 s" in done.err or "closed the connection" in done.err
    assert took < 30  # the endless ones would last for minutes


def test_an_endless_body_is_cut(on_branch: Command) -> None:
    chunk = b"x" * (1 << 20)
    with listening(sends(b"HTTP/1.1 200 OK\r\n\r\n", *[chunk] * 9)) as wire:
        done = on_branch("--endpoint", wire.url(), "--model", "m")
    assert (done.code, len(wire.requests)) == (5, 1)
    assert "larger than 4 MiB" in done.err


def test_a_packed_body_that_nobody_asked_for_is_not_unpacked(on_branch: Command) -> None:
    bomb = gzip.compress(b" " * (50 << 20))
    with listening(sends(reply(bomb, head=b"Content-Encoding: gzip\r\n"))) as wire:
        done = on_branch("--endpoint", wire.url(), "--model", "m")
    assert done.code == 5
    assert "not UTF-8" in done.err
    assert b"accept-encoding: identity" in wire.requests[0].lower()


def test_a_redirect_never_carries_the_prompt_on(on_branch: Command) -> None:
    with listening(sends(reply(GOOD))) as other:
        head = f"Location: {other.url()}/chat/completions\r\n".encode()
        with listening(sends(reply(b"", "307 Temporary Redirect", head))) as wire:
            done = on_branch("--endpoint", wire.url(), "--model", "m")
    assert done.code == 4
    assert f"redirected to http://127.0.0.1:{other.port}" in done.err
    assert other.requests == []
    assert len(wire.requests) == 1


HOSTILE = {
    "informational replies without end": repeats(b"HTTP/1.1 102 Processing\r\nX-A: b\r\n\r\n" * 100),
    "a head without end": repeats(b"X-Pad: yyyyyyyyyyyyyyyyyyyyyy\r\n" * 100, b"HTTP/1.1 200 OK\r\n"),
    "a trailer without end": repeats(
        b"X-A: bbbbbbbbbbbbbbbbbbbbbbbb\r\n" * 50,
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n",
    ),
    "one large header": sends(b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000 + b"\r\n\r\n"),
    "a long status line": sends(b"X" * 60_000 + b"\r\n\r\n"),
    "a chunk of no size": sends(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n"),
    "two lengths": sends(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
    "a negative length": sends(b"HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello"),
    "no HTTP at all": sends(GOOD),
    "another protocol": sends(b"HTTP/1.1 101 Switching\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n" + GOOD),
    "a status of no kind": sends(reply(b"hi", "999 X")),
    "a place that is no URL": sends(reply(b"", "307 T", b"Location: http://[::1/v1\r\n")),
    "a place with a folding host": sends(reply(b"", "302 T", "Location: http://a\u2100b/\r\n".encode())),
    "a place with an escape": sends(reply(b"", "307 T", b"Location: http://a\x1b[31m/\r\n")),
    "a long place": sends(reply(b"", "302 T", b"Location: http://" + b"a" * 60_000 + b"/\r\n")),
    "a file as a place": sends(reply(b"", "302 T", b"Location: file:///etc/passwd\r\n")),
    "a charset that is no text": sends(reply(b"hello", "500 T", b"Content-Type: text/html; charset=rot13\r\n")),
    "a charset that unpacks": sends(reply(b"hello", "400 T", b"Content-Type: text/html; charset=zlib\r\n")),
    "a day to come back": sends(reply(b"slow", "429 T", b"Retry-After: Wed, 21 Oct 2099 07:28:00 GMT\r\n")),
    "a plea to retry": sends(reply(b"no", "400 T", b"X-Should-Retry: true\r\n")),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_no_server_should_send_ends_in_a_short_complaint(on_branch: Command, name: str) -> None:
    started = time.monotonic()
    with listening(HOSTILE[name]) as wire:
        done = on_branch("--endpoint", wire.url(), "--model", "m", "--timeout", "2")
    assert done.code == 4, done.err[-2000:]
    assert 1 <= len(wire.requests) <= 3
    assert "next:" in done.err
    assert len(done.err) < 2000
    assert "\x1b" not in done.err
    assert time.monotonic() - started < 30


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


@pytest.mark.parametrize("host", ["127.0.0.1", "other.example"])
def test_a_certificate_that_cannot_be_trusted(on_branch: Command, authority: trustme.CA, host: str) -> None:
    with listening(sends(reply(GOOD)), _tls(authority, host)) as wire:
        done = on_branch("--endpoint", wire.url("https"), "--model", "m")
    assert done.code == 4
    assert "certificate verify failed" in done.err
    assert "SSL_CERT_FILE" in done.err
    assert wire.requests == []


def test_a_certificate_of_an_authority_that_is_named(
    command: Command, branch: Repo, authority: trustme.CA, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with listening(sends(reply(GOOD)), _tls(authority, "127.0.0.1")) as wire:
        done = command("--endpoint", wire.url("https"), "--model", "m")
    assert done.code == 0, done.err
    assert "invariants/proposed/clamp_stays_inside.yaml" in branch.files()


def test_a_missing_authority_file_is_no_traceback(on_branch: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")
    with listening(sends(reply(GOOD))) as wire:
        done = on_branch("--endpoint", wire.url("https"), "--model", "m")
    assert done.code in (3, 4)
    assert "SSL_CERT_FILE" in done.err


def test_https_spoken_to_an_http_port_and_back(on_branch: Command, authority: trustme.CA) -> None:
    with listening(sends(reply(GOOD))) as plain:
        done = on_branch("--endpoint", plain.url("https"), "--model", "m")
    assert done.code == 4
    assert "Check the scheme: does the server speak https?" in done.err
    with listening(sends(reply(GOOD)), _tls(authority, "127.0.0.1")) as packed:
        done = on_branch("--endpoint", packed.url("http"), "--model", "m")
    assert done.code == 4
    assert "https" in done.err


def test_a_dead_proxy_is_passed_by_for_loopback(ask: Ask, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{free_port()}")
    script.plays(answer(draft()))
    assert ask().code == 0


def test_a_dead_proxy_is_named_for_other_hosts(on_branch: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = f"http://me:hidden@127.0.0.1:{free_port()}"
    monkeypatch.setenv("http_proxy", proxy)
    done = on_branch("--endpoint", "http://models.example/v1", "--model", "m")
    assert done.code == 4
    assert f"through the proxy {proxy.replace('me:hidden@', '')}" in done.err
    assert "hidden" not in done.err
    assert "NO_PROXY" in done.err


def test_the_prompt_goes_through_a_living_proxy(
    command: Command, branch: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening(sends(reply(GOOD))) as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        done = command("--endpoint", "http://models.example/v1", "--model", "m")
    assert done.code == 0, done.err
    assert proxy.requests[0].startswith(b"POST http://models.example/v1/chat/completions")
    assert "invariants/proposed/clamp_stays_inside.yaml" in branch.files()


def test_no_key_is_needed_and_none_of_another_endpoint_is_sent(
    command: Command, branch: Repo, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-canary")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-canary")
    monkeypatch.setenv("OPENAI_ADMIN_KEY", "admin-canary")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Canary: custom-canary\nAuthorization: Bearer canary")
    script.plays(answer())
    done = command("--endpoint", script.url, "--model", "m")
    assert done.code == 0, done.err
    assert "--api-key-env" in done.err
    sent = json.dumps(script.headers) + json.dumps(script.bodies)
    assert "canary" not in sent
    assert KEY not in sent
    assert "Authorization" not in script.headers[0]
    assert branch.git("status", "--porcelain") == ""


def test_the_key_of_the_environment_goes_to_the_endpoint_of_the_environment(
    command: Command, branch: Repo, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY + "\n")
    monkeypatch.setenv("OPENAI_BASE_URL", script.url)
    monkeypatch.setenv("OPENAI_MODEL", "of-the-environment")
    script.plays(answer(draft()))
    assert command().code == 0
    assert script.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert script.bodies[0]["model"] == "of-the-environment"
    assert KEY not in branch.read("invariants/proposed/clamp_stays_inside.yaml")


@pytest.mark.parametrize("key", ["schlüssel-geheim-123", "two words-secret-123", "bell\x07-secret-123"])
def test_an_odd_key_is_refused_and_never_shown(on_branch: Command, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    monkeypatch.setenv("ODD_KEY", key)
    done = on_branch("--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--api-key-env", "ODD_KEY")
    assert done.code == 2
    assert "ODD_KEY" in done.err
    assert key not in done.err
    assert "123" not in done.err


@pytest.mark.parametrize(
    "url",
    [
        *(
            "ftp://h/v1",
            "h:80/v1",
            "http://",
            "http://u:pw@h/v1",
            "http://h/v1?key=1",
            "http://h/v1#x",
            "http://h:0/v1",
        ),
        *("http://h:99999/v1", "http://h /v1", "http://h/\x1bv1", "http://[::1/v1", "https://hö.example/v1"),
    ],
)
def test_an_odd_url_is_wrong_usage(on_branch: Command, url: str) -> None:
    done = on_branch("--endpoint", url, "--model", "m")
    assert done.code == 2, done.err
    assert "pw" not in done.err


@pytest.mark.parametrize(
    "args",
    [
        ("--rules", "--model", "m"),
        ("--endpoint", "http://127.0.0.1:9/v1"),
        ("--model", "m"),
        ("--check-endpoint",),
        ("--endpoint", "http://127.0.0.1:9/v1", "--model", "m\x1b"),
        ("--endpoint", "http://127.0.0.1:9/v1", "--model", "m", "--api-key-env", "NOT_SET"),
        ("--max-tokens", "8000"),
        ("--timeout", "0"),
        ("--timeout", "nan"),
    ],
)
def test_flags_that_do_not_fit_together_are_wrong_usage(on_branch: Command, args: tuple[str, ...]) -> None:
    assert on_branch(*args).code == 2


def test_an_unknown_model_is_answered_with_the_known_ones(ask: Ask, script: Script) -> None:
    body = json.dumps({"error": {"message": "model 'tiny' not found, try pulling it first"}})
    script.plays(lambda _: Response(body, status=404))
    script.server.expect_request("/v1/models").respond_with_json({"data": [{"id": "qwen"}, {"id": "llama\x1b"}, 7]})
    done = ask()
    assert (done.code, len(script.bodies)) == (4, 1)
    assert "does not know the model tiny" in done.err
    assert "It offers: qwen, llama\\x1b" in done.err


def test_a_server_that_repeats_the_key_gets_it_nowhere(ask: Ask, script: Script, branch: Repo) -> None:
    escaped = "".join(f"\\u{ord(c):04x}" for c in KEY)
    sample = f'{{"lo": 0, "hi": 1, "x": "{escaped}"}}'
    script.plays(
        answer(
            draft(id="in_the_statement", statement=f"The key is {KEY}."),
            draft(id=KEY, target=KEY),
            draft(id="in_a_sample", checks=[{"name": "lo_le_hi", "params": []}], samples=[sample]),
            draft(id="honest"),
        )
        | {"model": f"tiny {KEY}"}
    )
    for args in ((), ("--json",)):
        done = ask(*args)
        assert done.code == 0, done.err
        assert "repeats the key" in done.out
        assert KEY[:12] not in done.out + done.err
    assert [p for p in branch.files() if p.startswith("invariants/")] == ["invariants/proposed/honest.yaml"]
    assert KEY[:12] not in branch.read("invariants/proposed/honest.yaml")


def test_a_list_of_models_shows_no_key(ask: Ask, script: Script) -> None:
    script.plays(lambda _: Response("model not found", status=404))
    script.server.expect_request("/v1/models").respond_with_json({"data": [{"id": KEY}, {"id": "qwen"}]})
    done = ask()
    assert (done.code, len(script.bodies)) == (4, 1)
    assert "qwen" in done.err
    assert KEY[:12] not in done.err


def test_a_prompt_that_was_cut_in_silence_is_noticed(ask: Ask, script: Script, branch: Repo) -> None:
    before = branch.files()
    script.plays(answer(draft()) | {"usage": {"prompt_tokens": 400}})
    done = ask()
    assert (done.code, len(script.bodies)) == (5, 1)
    assert "num_ctx" in done.err
    assert branch.files() == before


def test_a_server_that_only_streams(ask: Ask, script: Script) -> None:
    text = json.dumps({"candidates": [draft()]})
    events: list[Any] = [
        {"choices": [{"delta": {"content": text[:40]}}]},
        {"choices": [{"delta": {"content": text[40:]}}]},
    ]
    events += [{"choices": [{"delta": {}, "finish_reason": "stop"}]}, {"choices": [], "usage": {"prompt_tokens": 9999}}]
    stream = "".join(f"data: {json.dumps(e)}\n\n" for e in events) + "data: [DONE]\n\n"
    refusal = json.dumps({"error": {"message": "This model only supports stream mode"}})
    script.plays(lambda b: Response(stream if b.get("stream") else refusal, status=200 if b.get("stream") else 400))
    done = ask()
    assert (done.code, len(script.bodies)) == (0, 2), done.err


def test_a_stream_without_an_end_counts_as_cut(ask: Ask, script: Script) -> None:
    event = {"choices": [{"delta": {"content": json.dumps({"candidates": []})}}]}
    script.plays(Response(f"data: {json.dumps(event)}\n\n", content_type="text/event-stream"))
    done = ask()
    assert (done.code, len(script.bodies)) == (5, 2)
    assert "cut" in done.err


def test_an_interrupt_while_waiting_leaves_nothing(branch: Repo) -> None:
    before = branch.files()
    with listening(hangs()) as wire:
        started = subprocess.Popen(
            [sys.executable, str(FRONT_DOOR), "propose", "--endpoint", wire.url(), "--model", "m"],
            cwd=branch.root,
            env={**os.environ, "HOME": str(branch.root.parent / "home")},
            stderr=subprocess.PIPE,
            text=True,
        )
        assert wire.asked.wait(30)
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=30)
    assert started.returncode == 130
    assert "interrupted" in err
    assert "Traceback" not in err
    assert branch.files() == before


def test_check_endpoint_reports_format_model_and_latency(ask: Ask, script: Script) -> None:
    script.plays(completion({"ready": True}))
    done = ask("--check-endpoint")
    assert (done.code, len(script.bodies)) == (0, 1), done.err
    assert "model answered: tiny" in done.out
    assert "format: json_schema" in done.out
    assert "latency: " in done.out
    assert len(script.prompts[0]) < 200
    data = json.loads(ask("--check-endpoint", "--json").out)
    assert data["schema_version"] == 1
    assert data["requests"] == 1


def test_check_endpoint_fails_as_a_run_would(on_branch: Command) -> None:
    with listening(sends(reply(b"Forbidden", "403 Forbidden"))) as wire:
        done = on_branch("--check-endpoint", "--endpoint", wire.url(), "--model", "m")
    assert done.code == 4
    assert "the model m" in done.err


def _tls(authority: trustme.CA, host: str) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(host).configure_cert(context)
    return context
