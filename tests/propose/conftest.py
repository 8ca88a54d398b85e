"""The `propose` command inside the test's own process, and a scripted server for it to ask."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from propose import cli
from tests.repo import Repo, Result

KEY = "sk-test-0123456789abcdefghij"
WINDOW = '''def clamp(lo: int, hi: int, x: int) -> int:
    """Keep x between lo and hi."""
    if x < lo:
        return lo
    return hi if x > hi else x
'''


class Command:
    """Runs `propose` in the folder of a repository."""

    def __init__(self, repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.repo, self.monkeypatch, self.capsys = repo, monkeypatch, capsys
        monkeypatch.setenv("HOME", str(repo.root.parent / "home"))
        monkeypatch.setenv("INVENTORY_TRACEBACK", "1")

    def __call__(self, *args: str, cwd: str = ".") -> Result:
        self.monkeypatch.chdir(self.repo.root / cwd)
        self.monkeypatch.setattr(sys, "argv", ["propose", *args])
        self.capsys.readouterr()
        code = cli.main()
        said = self.capsys.readouterr()
        return Result(int(code), said.out, said.err)

    def json(self, *args: str) -> Any:
        """The JSON document of a run that ended well."""
        done = self(*args, "--json")
        assert done.code == 0, done
        return json.loads(done.out)


@dataclass
class Script:
    """A chat completions server that plays its replies one after the other, the last one for ever."""

    server: HTTPServer
    replies: list[Any] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)

    @property
    def url(self) -> str:
        return self.server.url_for("/v1")

    @property
    def prompts(self) -> list[str]:
        """Everything that each request said."""
        return ["\n".join(m["content"] for m in body["messages"]) for body in self.bodies]

    def plays(self, *replies: Any) -> Script:
        self.replies = list(replies)
        return self

    def handle(self, request: Request) -> Response:
        self.bodies.append(json.loads(request.get_data()))
        self.headers.append(dict(request.headers))
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if callable(reply) and not isinstance(reply, Response):
            reply = reply(self.bodies[-1])
        if isinstance(reply, Response):
            return reply
        return Response(json.dumps(reply), content_type="application/json")


def completion(content: Any, **more: Any) -> dict[str, Any]:
    """A chat completion with one choice; `message`, `finish_reason` and the like may be overridden."""
    text = content if isinstance(content, str) or content is None else json.dumps(content)
    message = {"role": "assistant", "content": text} | more.pop("message", {})
    choice = {"index": 0, "finish_reason": more.pop("finish_reason", "stop"), "message": message}
    return {"id": "x", "object": "chat.completion", "model": "tiny", "choices": [choice]} | more


def draft(**more: Any) -> dict[str, Any]:
    """A draft for the clamp function that can be taken."""
    return {
        "id": "clamp_stays_inside",
        "target": "app.window:clamp",
        "checks": [{"name": "output_in_range", "params": []}],
        "statement": "The result lies between the bounds.",
        "evidence": "return hi if x > hi else x",
        "breaks_if": "the comparison is turned around",
        "samples": ['{"lo": 0, "hi": 3, "x": 7}'],
        "new_checks": [],
    } | more


def answer(*drafts: dict[str, Any]) -> dict[str, Any]:
    """A completion whose content is an answer with these drafts."""
    return completion({"candidates": list(drafts)})


@pytest.fixture
def command(repo: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """`propose` in the repository of the test."""
    return Command(repo, monkeypatch, capsys)


@pytest.fixture
def branch(repo: Repo) -> Repo:
    """A repository whose branch adds a clamp function and a test for it."""
    repo.commit("Start", {"app/__init__.py": "", "README.md": "A project.\n"})
    repo.branch("feature")
    repo.commit(
        "Clamp",
        {"app/window.py": WINDOW, "tests/test_window.py": "def test_clamp():\n    assert clamp(0, 3, 7) == 3\n"},
    )
    return repo


@pytest.fixture
def script() -> Iterator[Script]:
    """A server that plays what the test tells it to, several requests at once if they come so."""
    with HTTPServer(threaded=True) as server:
        found = Script(server)
        server.expect_request("/v1/chat/completions", method="POST").respond_with_handler(found.handle)
        yield found


Ask = Callable[..., Result]


@pytest.fixture
def ask(command: Command, branch: Repo, script: Script, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Runs `propose` on the clamp branch against the scripted server, with a key, and without long waits."""
    monkeypatch.setenv("MY_KEY", KEY)
    monkeypatch.setattr("propose.ladder.FIRST_WAIT_S", 0.01)
    monkeypatch.setattr("propose.ladder.LOADING_WAIT_S", 0.01)

    def run(*args: str) -> Result:
        assert command.repo is branch
        return command("--endpoint", script.url, "--model", "tiny", "--api-key-env", "MY_KEY", *args)

    return run
