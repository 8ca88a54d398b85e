"""The whole path with an endpoint: a real branch in, a real request, candidates out."""

from __future__ import annotations

import json
import os
import sys

import pexpect  # type: ignore[import-untyped]

from inventory.codec import parse_candidate
from tests.propose.conftest import KEY, Ask, Script, answer, draft
from tests.repo import FRONT_DOOR, Repo


def test_a_valid_answer_becomes_a_candidate_file(ask: Ask, branch: Repo, script: Script) -> None:
    script.plays(answer(draft()))
    done = ask()
    assert done.code == 0, done
    path = "invariants/proposed/clamp_stays_inside.yaml"
    candidate = parse_candidate(branch.read(path).encode(), path)
    assert str(candidate.target) == "app.window:clamp"
    assert [use.name for use in candidate.checks] == ["output_in_range"]
    assert candidate.samples == ({"lo": 0, "hi": 3, "x": 7},)
    assert candidate.provenance is not None
    assert candidate.provenance.model_answered == "tiny"
    assert candidate.provenance.response_format == "json_schema"
    assert candidate.provenance.head == branch.git("rev-parse", "HEAD")
    assert KEY not in branch.read(path) + done.out + done.err


def test_the_request_is_a_chat_completion_with_a_schema(ask: Ask, script: Script) -> None:
    script.plays(answer())
    assert ask().code == 0
    [body] = script.bodies
    assert body["response_format"]["type"] == "json_schema"
    assert body["response_format"]["json_schema"]["strict"] is True
    items = body["response_format"]["json_schema"]["schema"]["properties"]["candidates"]["items"]
    assert items["properties"]["target"]["enum"] == ["app.window:clamp"]
    assert "temperature" not in body
    assert script.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert "return hi if x > hi else x" in script.prompts[0]
    assert "test_clamp" not in script.prompts[0]


def test_what_the_server_counts_is_told(ask: Ask, script: Script) -> None:
    usage = {"prompt_tokens": 2000, "completion_tokens": 300, "total_tokens": 2300}
    script.plays(answer(draft()) | {"usage": usage})
    done = json.loads(ask("--json").out)
    assert done["asked"]["tokens"] == 2300 * done["asked"]["requests"]
    script.plays(answer(draft(id="worded_anew")))
    assert json.loads(ask("--json").out)["asked"]["tokens"] == 0


def test_a_second_run_changes_no_byte(ask: Ask, branch: Repo, script: Script) -> None:
    script.plays(answer(draft()))
    ask()
    before = branch.tree_hash()
    script.plays(answer(draft(id="worded_anew")))
    done = ask()
    assert done.code == 0
    assert "duplicate: worded_anew" in done.out
    assert branch.tree_hash() == before


def test_a_dry_run_prints_the_exact_messages_and_sends_none(ask: Ask, branch: Repo, script: Script) -> None:
    script.plays(answer(draft()))
    before = branch.tree_hash()
    shown = json.loads(ask("--dry-run", "--json").out)
    assert script.bodies == []
    assert branch.tree_hash() == before
    ask()
    assert shown["requests"][0]["messages"] == script.bodies[0]["messages"]
    assert {f["path"]: f["in"] for f in shown["files"]} == {"app/window.py": True, "tests/test_window.py": False}


def test_a_terminal_sees_progress_and_a_pipe_does_not(branch: Repo, script: Script) -> None:
    script.plays(answer(draft()))
    args = ["--endpoint", script.url, "--model", "tiny"]
    environment = {**os.environ, "HOME": str(branch.root.parent / "home"), "TERM": "xterm", "COLUMNS": "80"}
    child = pexpect.spawn(
        sys.executable, [str(FRONT_DOOR), "propose", *args], cwd=str(branch.root), env=environment, timeout=60
    )
    seen = child.read().decode()
    child.close()
    assert child.exitstatus == 0
    assert "asking" in seen
    assert "1/1" in seen
    assert "asking" not in branch.run("propose", *args).err
