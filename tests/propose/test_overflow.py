"""Prompts that are longer than a server's context: packed anew once, smaller, then told with both numbers."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from werkzeug import Response

from propose.budget import Budget, tokens
from propose.replies import Kind, Reply, Trouble
from propose.server_errors import trouble_of
from tests.propose.conftest import Command, Script, answer
from tests.repo import Repo

OPENAI = {
    "error": {"code": "context_length_exceeded", "message": "maximum context length is 4096 tokens, you sent 9000"}
}
VLLM = {
    "message": "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens",
    "code": 400,
}
LLAMA = {"error": {"type": "exceed_context_size_error", "message": "too big", "n_prompt_tokens": 9000, "n_ctx": 4096}}
LM_STUDIO = {"error": "Trying to keep the first 9000 tokens when context the overflows. n_keep: 9000 >= n_ctx: 4096"}
DEEPSEEK = {"error": {"code": "invalid_request_error", "message": "maximum context length is 4096 tokens, got 9000"}}
WORDINGS = {"OpenAI": (400, OPENAI), "vLLM": (400, VLLM), "llama.cpp": (400, LLAMA), "LM Studio": (500, LM_STUDIO)}
WORDINGS |= {"DeepSeek": (400, DEEPSEEK), "a proxy": (413, {"detail": "4096 of 9000"})}


@pytest.fixture
def wide(repo: Repo) -> Repo:
    """A branch with twelve functions that fill one prompt."""
    repo.commit("Start", {"app/__init__.py": ""})
    repo.branch("feature")
    body = "\n".join(f"    total += items[{n}]" for n in range(12))
    source = "\n\n".join(f"def count_{i}(items):\n    total = 0\n{body}\n    return total\n" for i in range(8))
    repo.commit("Wide", {"app/wide.py": source})
    return repo


@pytest.mark.parametrize("name", WORDINGS)
def test_every_wording_of_an_overflow_is_known_with_its_numbers(name: str) -> None:
    status, body = WORDINGS[name]
    trouble = trouble_of(status, json.dumps(body).encode())
    assert trouble.kind is Kind.OVERFLOW
    assert (trouble.limit, trouble.needed) == (4096, 9000)


def limited(limit: int) -> Any:
    """A server whose context holds so many tokens, by our own estimate."""

    def reply(body: dict[str, Any]) -> Any:
        cost = sum(tokens(message["content"]) for message in body["messages"])
        if cost + body["max_tokens"] <= limit:
            return answer()
        wanted = f"{cost + body['max_tokens']} tokens ({cost} in the messages, {body['max_tokens']} in the completion)"
        error = {"message": f"maximum context length is {limit} tokens. However, you requested {wanted}"}
        return Response(json.dumps({"error": error}), status=400)

    return reply


def test_an_overflow_is_packed_again_once_and_smaller(wide: Repo, command: Command, script: Script) -> None:
    script.plays(limited(6200))
    done = command("--endpoint", script.url, "--model", "m")
    assert done.code == 0, done.err
    assert re.search(r"packing again for 43(39|40) tokens", done.err), done.err  # 70 % of what fits, rounded
    assert len(script.bodies) > 2
    asked = [t for body in script.bodies[1:] for t in _targets(body)]
    assert sorted(asked) == [f"app.wide:count_{i}" for i in range(8)]
    assert wide.git("status", "--porcelain") == ""


def test_a_second_overflow_is_told_with_both_numbers(wide: Repo, command: Command, script: Script) -> None:
    script.plays(Response(json.dumps(OPENAI), status=400))
    done = command("--endpoint", script.url, "--model", "m")
    assert done.code == 4
    assert "about 9000 tokens were sent, the context has 4096" in done.err
    assert len(script.bodies) <= 3
    assert wide.git("status", "--porcelain") == ""


def test_a_context_that_cannot_hold_one_function_is_told(wide: Repo, command: Command, script: Script) -> None:
    tiny = {"error": {"message": "maximum context length is 2048 tokens, you sent 4000"}}
    script.plays(Response(json.dumps(tiny), status=400))
    done = command("--endpoint", script.url, "--model", "m")
    assert (done.code, len(script.bodies)) == (4, 1)
    assert "the context has 2048" in done.err
    assert wide.git("status", "--porcelain") == ""


def test_a_smaller_budget_never_grows() -> None:
    assert Budget(8192, 2048).smaller(4096) == Budget(2867, 716)
    assert Budget(8192, 2048).smaller(None).context == 5734
    assert Budget(8192, 2048).smaller(10**9).context == 5734


@pytest.mark.parametrize(("text", "estimate"), [("", 0), ("abc", 2), ("a" * 300, 111), ("é" * 30, 22), ("\ud800", 2)])
def test_tokens_are_estimated_from_above(text: str, estimate: int) -> None:
    assert tokens(text) == estimate


def test_a_date_in_retry_after_is_no_number() -> None:
    reply = Reply(429, b"", "Wed, 21 Oct 2026 07:28:00 GMT")
    assert trouble_of(reply.status, reply.body, reply.retry_after) == Trouble(Kind.BUSY, status=429)


def _targets(body: dict[str, Any]) -> list[str]:
    schema = body["response_format"]["json_schema"]["schema"]
    found: list[str] = schema["properties"]["candidates"]["items"]["properties"]["target"]["enum"]
    return found
