"""`gate doctor`: whether the oracle is really gated, and what to change where it is not."""

from __future__ import annotations

import json

import pytest

from gate.workflows import PLACEHOLDER, runs_gate, weaknesses
from review import setup
from tests import article
from tests.fence import ROOT
from tests.repo import Repo

WORKFLOW = """\
on:
  pull_request:
    types: [opened, synchronize, reopened, edited]
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
      - run: gate check --base origin/main
"""
PIPELINE = """\
gate:
  variables:
    GIT_DEPTH: "0"
  script:
    - gate check --base "origin/$CI_MERGE_REQUEST_TARGET_BRANCH_NAME"
"""
PATH = ".github/workflows/gate.yml"


def test_a_sound_workflow_has_no_weakness() -> None:
    assert weaknesses(PATH, WORKFLOW) == ()
    assert weaknesses(".gitlab-ci.yml", PIPELINE) == ()


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("pull_request:", "push:", "does not run on pull_request"),
        (", edited]", "]", "does not start it when one is edited"),
        ("    types: [opened, synchronize, reopened, edited]\n", "", "does not start it when one is edited"),
        ("[opened, synchronize, reopened, edited]", "5", "opened or synchronize or reopened or edited"),
        ("[opened, synchronize, reopened, edited]", "labeled", "opened or synchronize or reopened or edited"),
        ("pull_request:", "pull_request:\n    paths: [src/**]", "filtered by paths"),
        ("pull_request:", "pull_request:\n    paths-ignore: [docs/**]", "filtered by paths-ignore"),
        ("pull_request:", "pull_request:\n  pull_request_target:", "secrets"),
        ("          fetch-depth: 0\n", "          fetch-depth: 1\n", "whole history"),
        ("        with:\n          fetch-depth: 0\n", "", "whole history"),
        ("    runs-on", "    continue-on-error: true\n    runs-on", "continue-on-error"),
        ("    runs-on", "    if: github.actor != 'bot'\n    runs-on", "only if a condition holds"),
        ("origin/main\n", "origin/main || true\n", "thrown away"),
        ("on:", "on: [", "cannot be read"),
    ],
)
def test_each_way_past_a_github_workflow_is_named(old: str, new: str, words: str) -> None:
    found = weaknesses(PATH, WORKFLOW.replace(old, new))
    assert any(words in weakness.what for weakness in found), found
    assert all(weakness.fix for weakness in found)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"0"', '"20"', "whole history"),
        ("  script", "  allow_failure: true\n  script", "allow_failure"),
        ("  script", "  when: manual\n  script", "waits for somebody"),
        ("  script", "  rules:\n    - changes: [src/**]\n  script", "some paths only"),
    ],
)
def test_each_way_past_a_gitlab_pipeline_is_named(old: str, new: str, words: str) -> None:
    assert any(words in weakness.what for weakness in weaknesses(".gitlab-ci.yml", PIPELINE.replace(old, new)))


@pytest.mark.parametrize("short", ["on: [pull_request]", "on: pull_request", "on: [push, pull_request]"])
def test_a_short_list_of_triggers_is_read_too(short: str) -> None:
    long, _, rest = WORKFLOW.partition("jobs:")
    assert long.startswith("on:")
    [weakness] = weaknesses(PATH, f"{short}\njobs:{rest}")
    assert "edited" in weakness.what


def test_only_configurations_that_run_the_command_count() -> None:
    assert runs_gate(WORKFLOW)
    assert not runs_gate("steps: [run: gatekeeper check]")


ACTION = WORKFLOW.replace("- run: gate check", "- uses: team/invariant-inventory@0123abc\n      # run: gate-check")


def test_the_action_is_the_gate_unless_it_runs_a_witness_or_proposes() -> None:
    assert "gate check" not in ACTION
    assert runs_gate(ACTION)
    assert weaknesses(PATH, ACTION) == ()
    shallow = weaknesses(PATH, ACTION.replace("fetch-depth: 0", "fetch-depth: 2"))
    assert [weakness.fix for weakness in shallow] == ["actions/checkout with fetch-depth: 0"]
    for other in ("lane: witness", "propose: candidates"):
        assert not runs_gate(ACTION.replace("0123abc", f"0123abc\n        with: {{{other}}}"))
    assert runs_gate(ACTION + "\tno: [YAML"), "it might be the gate, so its fault is told"


@pytest.mark.parametrize("name", ["github.yml", "gitlab-ci.yml"])
def test_the_examples_of_the_docs_have_no_weakness(name: str) -> None:
    text = (ROOT / "docs" / "examples" / name).read_text().replace("TOOL@PIN", "team/invariant-inventory@0123abc")
    assert runs_gate(text)
    assert weaknesses(PATH if name == "github.yml" else ".gitlab-ci.yml", text) == ()


def findings(repo: Repo) -> tuple[int, dict[str, list[tuple[str, str]]]]:
    result = repo.run("gate", "doctor", "--json")
    told: dict[str, list[tuple[str, str]]] = {}
    for finding in json.loads(result.out)["findings"]:
        told.setdefault(finding["subject"], []).append((finding["health"], finding["what"]))
    return result.code, told


OWNED = article.OWNERS + "/.github/ @oracle-owners\n"


def test_a_gated_oracle_is_well(repo: Repo) -> None:
    repo.commit("base", article.FILES | {PATH: WORKFLOW, ".github/CODEOWNERS": OWNED})
    before = repo.tree_hash()
    code, told = findings(repo)
    assert code == 0
    assert told["invariants/inventory.yaml"] == [("ok", "owned by @oracle-owners (.github/CODEOWNERS:1)")]
    assert [health for health, _ in told[PATH]] == ["ok", "ok", "warn"]
    assert "nothing votes" not in str(told)
    assert repo.tree_hash() == before


def test_each_hole_is_bad_and_named(repo: Repo) -> None:
    owners = "* @all\n/invariants/fixture.lock.json\n"
    attributes = "tests/fixtures/parse_corpus.json text\ntests/fixtures/window_cases.json filter=lfs\n"
    repo.commit(
        "base", article.FILES | {".github/CODEOWNERS": owners, ".gitattributes": attributes, "Invariants/x.yaml": "x\n"}
    )
    code, told = findings(repo)
    assert code == 1
    assert told["invariants/fixture.lock.json"] == [("bad", "nobody owns it")]
    assert told["workflow"][0][0] == "bad"
    assert told["Invariants/x.yaml"][0][0] == "bad"
    assert ("warn", "text=set lets its bytes on disk differ from the blob that the lock trusts") in told[
        "tests/fixtures/parse_corpus.json"
    ]
    assert ("bad", "a filter (lfs) keeps its content outside git") in told["tests/fixtures/window_cases.json"]


def test_no_owners_at_all_is_bad(repo: Repo) -> None:
    repo.commit("base", article.FILES)
    repo.commit("less", {".github/CODEOWNERS": None})
    code, told = findings(repo)
    assert (code, told["owners"][0][0]) == (1, "bad")


def test_what_init_laid_is_not_done_yet(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "install_line", lambda: PLACEHOLDER)
    for _ in range(2):  # the second time it is there, and still to be edited
        laid = repo.call("review", "init", "--owner", "@ada")
        assert laid.err.startswith("\nnext: edit the install line in .github/workflows/gate.yml")
    doctor = repo.call("gate", "doctor")
    assert doctor.code == 0, "nobody gets past a job that fails"
    assert "runs gate check for every patch" not in doctor.out
    assert f"warn  {PATH}: it still has the placeholder" in doctor.out
    assert "next: edit the install line in .github/workflows/gate.yml" in doctor.out
    assert "warn  invariants/inventory.yaml: nothing votes yet" in doctor.out
    assert "next: propose candidates (propose)" in doctor.out
    monkeypatch.setattr(setup, "install_line", lambda: "pipx install git+https://example.org/x@0")
    repo.write({PATH: None})
    assert "edit the install" not in repo.call("review", "init", "--owner", "@ada").err
    assert "placeholder" not in repo.call("gate", "doctor").out
