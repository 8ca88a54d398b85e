"""The action judges what each event names, from outside the checkout, and says what it cannot judge."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fence import ROOT
from tests.repo import FRONT_DOOR, Repo
from tests.scripts.runner import Runner

CLAMP = "def clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n"
BROKEN = "def clamp(lo, hi, x):\n    return x\n"
PROPERTY = (
    "version: 1\nproperties:\n  - id: window_range\n    module: app.window\n    fn: clamp\n    seed: 7\n"
    "    fixture: tests/fixtures/window.json\n    checks: [output_in_range]\nfreezes:\n"
)
ORACLE = {
    "app/__init__.py": "",
    "app/window.py": CLAMP,
    "invariants/inventory.yaml": PROPERTY,
    "tests/fixtures/window.json": '[{"lo": 0, "hi": 9, "x": 12}]\n',
    ".github/CODEOWNERS": "/invariants/ @team\n",
}
NOBODY = "0" * 40


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository with an oracle on main, and a branch `work` that breaks what it promises."""
    repo = Repo.create(tmp_path_factory.mktemp("house") / "repo")
    repo.commit("Start", ORACLE)
    assert repo.run("review", "lock", "tests/fixtures/window.json", "--note", "First samples").code == 0
    repo.commit("Lock")
    repo.branch("work")
    repo.commit("Let it overflow", {"app/window.py": BROKEN})
    repo.branch("main")
    return repo


@pytest.fixture
def checkout(house: Repo, tmp_path: Path) -> Repo:
    """A copy of the house, for one job."""
    return house.copy(tmp_path / "checkout")


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    """A machine on which the tool is there already, started as the installed one is."""
    python = tmp_path / "temp" / "invariant-inventory" / "tool" / "bin" / "python"
    python.parent.mkdir(parents=True)
    door = shlex.join([sys.executable, str(FRONT_DOOR)])
    python.write_text(f'#!/bin/sh\nshift 3\nexec {door} "$@"\n')  # after: -I -m invariant_inventory
    python.chmod(0o755)
    return Runner(ROOT, tmp_path / "temp")


def merged(repo: Repo) -> dict[str, object]:
    """Check out the merge of `work` into main, as the forge does, and give what its event says."""
    stale = repo.git("rev-parse", "main")
    head = repo.git("rev-parse", "work")
    repo.branch("main")
    repo.commit("Meanwhile, elsewhere", {"app/other.py": "def other():\n    return 1\n"})
    repo.git("checkout", "--quiet", "--detach")
    repo.git("merge", "--quiet", "--no-ff", "-m", "Merge", "work")
    return {"pull_request": {"base": {"sha": stale}, "head": {"sha": head, "repo": {"fork": True}}}}


def test_a_pull_request_of_a_fork_is_judged_against_what_it_was_merged_into(runner: Runner, checkout: Repo) -> None:
    ran = runner.step("gate", checkout, "pull_request", merged(checkout))
    assert (ran.code, ran.outputs["decision"]) == (1, "block"), ran.log
    assert "::error" in ran.log
    assert "blocks this patch" in ran.summary
    assert ran.report["base"]["commit"] == checkout.git("rev-parse", "HEAD^1"), "not the base that the event remembers"
    assert Path(ran.outputs["report"]).is_relative_to(runner.temp)
    assert not checkout.git("status", "--porcelain")


def test_a_checkout_of_the_head_itself_takes_the_base_that_the_event_names(runner: Runner, checkout: Repo) -> None:
    base, head = checkout.git("rev-parse", "main"), checkout.git("rev-parse", "work")
    checkout.branch("work")
    ran = runner.step(
        "gate", checkout, "pull_request", {"pull_request": {"base": {"sha": base}, "head": {"sha": head}}}
    )
    assert (ran.outputs["decision"], ran.report["base"]["commit"]) == ("block", base), ran.log


def test_a_merge_queue_is_judged_against_its_base(runner: Runner, checkout: Repo) -> None:
    base = checkout.git("rev-parse", "main")
    checkout.branch("queue")
    checkout.commit("Say why", {"app/window.py": "# It keeps x inside.\n" + CLAMP})
    ran = runner.step("gate", checkout, "merge_group", {"merge_group": {"base_sha": base}})
    assert (ran.code, ran.outputs["decision"]) == (0, "allow"), ran.log


@pytest.mark.parametrize("before", ["known", NOBODY])
def test_a_push_is_judged_against_what_was_there_before(runner: Runner, checkout: Repo, before: str) -> None:
    checkout.git("update-ref", "refs/remotes/origin/main", "main")
    was = checkout.git("rev-parse", "main") if before == "known" else before
    checkout.branch("work")
    ran = runner.step("gate", checkout, "push", {"before": was, "repository": {"default_branch": "main"}})
    assert ran.outputs["decision"] == "block", ran.log


def test_a_shallow_checkout_could_not_run_and_names_the_remedy(runner: Runner, house: Repo, tmp_path: Path) -> None:
    shallow = Repo(tmp_path / "shallow" / "repo")
    subprocess.run(
        ["git", "clone", "--quiet", "--depth=1", "--branch=work", f"file://{house.root}", str(shallow.root)],
        env=house.environment(),
        check=True,
    )
    (tmp_path / "shallow" / "home").mkdir()
    base = house.git("rev-parse", "main")
    ran = runner.step("gate", shallow, "pull_request", {"pull_request": {"base": {"sha": base}}})
    assert (ran.code, ran.outputs) == (3, {"decision": "could_not_run", "report": ""})
    assert "fetch-depth: 0" in ran.log


@pytest.mark.parametrize(
    ("event", "payload", "inputs"),
    [
        ("workflow_dispatch", {}, {}),
        ("pull_request", {"pull_request": None}, {}),
        ("push", {"before": "--help"}, {}),
        ("push", {}, {"base": "no/such"}),
        ("push", {}, {"lane": "main"}),
    ],
)
def test_what_names_no_base_or_lane_could_not_run(
    runner: Runner, checkout: Repo, event: str, payload: dict[str, object], inputs: dict[str, str]
) -> None:
    ran = runner.step("gate", checkout, event, payload, **inputs)
    assert ran.code in (2, 3), ran.log
    assert ran.outputs.get("decision") == "could_not_run"
    assert "next: " in ran.log


@pytest.mark.parametrize("temp", ["temp", "a folder"])
def test_without_the_step_that_installs_it_could_not_run(checkout: Repo, tmp_path: Path, temp: str) -> None:
    bare = Runner(ROOT, tmp_path / temp)
    bare.temp.mkdir()
    ran = bare.step("gate", checkout, base="main")
    assert (ran.code, ran.outputs) == (3, {"decision": "could_not_run", "report": ""})
    assert "next: " in ran.log


def test_a_witness_lane_leaves_a_report_to_classify(runner: Runner, checkout: Repo) -> None:
    ran = runner.step("gate", checkout, lane="witness")
    assert (ran.code, ran.outputs["decision"]) == (0, "pass"), ran.log
    assert (ran.report["kind"], ran.report["lane"]) == ("lane_report", "witness")
    base = checkout.git("rev-parse", "main")
    checkout.branch("queue")
    checkout.commit("Say why", {"app/window.py": "# It keeps x inside.\n" + CLAMP})
    merge = runner.step("gate", checkout, base=base)
    ran = runner.step("gate", checkout, lane="witness")
    done = checkout.run("gate", "classify", merge.outputs["report"], ran.outputs["report"])
    assert (done.code, done.out) == (0, "window_range\tpass\n"), done.err


def test_candidates_are_left_on_a_branch_without_running_the_code_of_the_patch(runner: Runner, checkout: Repo) -> None:
    base, head = checkout.git("rev-parse", "main"), checkout.git("rev-parse", "work")
    payload = {"pull_request": {"base": {"sha": base}, "head": {"sha": head}}}
    ran = runner.step("gate", checkout, "pull_request_target", payload, propose="candidates/1")
    assert ran.code == 0, ran.log
    assert "::notice" in ran.log, "no endpoint is set: said"
    changed = checkout.git("diff", "--name-only", "main", "candidates/1").splitlines()
    assert changed
    assert all(path.startswith("invariants/proposed/") for path in changed)
    assert checkout.git("rev-parse", "HEAD") == base, "nothing was checked out"


def test_nothing_of_the_checkout_takes_the_place_of_the_tool(runner: Runner, checkout: Repo) -> None:
    shadows = ("json", "os", "subprocess", "sitecustomize", "invariant_inventory", "gate/cli", "gate/__init__")
    checkout.branch("work")
    checkout.commit("Shadow", {f"{name}.py": "raise SystemExit(0)\n" for name in shadows})
    shadowed = Runner(runner.action, runner.temp, {"PYTHONPATH": "."})
    ran = shadowed.step("gate", checkout, base="main")
    assert ran.outputs["decision"] in ("block", "could_not_run"), ran.log
