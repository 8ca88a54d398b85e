"""What holds for every command: one clear error with a documented exit code, and no byte outside its write-set."""

from __future__ import annotations

import hashlib
import os
import re
from importlib import import_module
from typing import Any

import pytest
import typer

from tests.fence import ROOT
from tests.repo import Repo, Result

CLAMP = "def clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n"
FIXTURE = '[{"lo": 0, "hi": 9, "x": 12}]\n'
PROPERTY = """\
version: 1
properties:
  - id: window_range
    module: app.window
    fn: clamp
    seed: 7
    fixture: tests/fixtures/window.json
    checks: [output_in_range]
freezes:
"""
CANDIDATE = """\
id: clamp_settles
module: app.window
fn: clamp
checks:
  - deterministic
"""
LOCK = f'{{\n  "tests/fixtures/window.json": "{hashlib.sha256(FIXTURE.encode()).hexdigest()}"\n}}\n'
ORACLE = {
    "invariants/inventory.yaml": PROPERTY,
    "invariants/fixture.lock.json": LOCK,
    "tests/fixtures/window.json": FIXTURE,
    ".github/CODEOWNERS": "/invariants/ @team\n",
}
BROKEN = [
    ("invariants/inventory.yaml", "version: 1\nproperties:\n  - id: no\n"),
    ("invariants/inventory.yaml", "version: 1\nversion: 1\n"),
    ("invariants/inventory.yaml", "<<<<<<< ours\n\x00\x1b[31m\n"),
    ("invariants/policy.yaml", "repeats: [\n"),
    ("invariants/fixture.lock.json", "[]\n"),
]
READING = [
    ("propose", "--rules"),
    ("review", "list"),
    ("review", "show", "clamp_settles"),
    ("gate", "run"),
    ("gate", "check", "--base", "main"),
]


@pytest.fixture
def branch(repo: Repo) -> Repo:
    """A repository with an oracle on main, and on the branch work a changed function and a candidate."""
    repo.commit("Start", ORACLE | {"app/__init__.py": "", "app/window.py": CLAMP})
    repo.branch("work")
    repo.commit(
        "Sort",
        {
            "app/window.py": CLAMP.replace("max(lo, min(hi, x))", "min(hi, max(lo, x))"),
            "invariants/proposed/clamp_settles.yaml": CANDIDATE,
        },
    )
    return repo


def _is_one_clear_error(done: Result, code: int) -> bool:
    kinds = [len(re.findall(rf"^(?:[a-z]+: )?{kind}: ", done.err, re.MULTILINE)) for kind in ("error", "why", "next")]
    return (done.code, kinds) == (code, [1, 1, 1]) and "Traceback" not in done.err


@pytest.mark.parametrize("command", READING, ids=" ".join)
def test_outside_a_repository(branch: Repo, command: tuple[str, ...]) -> None:
    (branch.root.parent / "nowhere").mkdir()
    done = branch.run(*command, cwd="../nowhere")
    assert _is_one_clear_error(done, 3), done


@pytest.mark.parametrize("command", [("propose", "--rules"), ("gate", "check", "--base", "main")], ids=" ".join)
def test_in_a_repository_without_a_commit(repo: Repo, command: tuple[str, ...]) -> None:
    assert _is_one_clear_error(done := repo.run(*command), 3), done


@pytest.mark.parametrize(
    "command", [("propose", "--base"), ("gate", "check", "--base"), ("review", "list", "--from")], ids=" ".join
)
@pytest.mark.parametrize(("ref", "code"), [("nope", 3), ("", 3), ("-x", 2), ("a..b", 2), ("0" * 40, 3)])
def test_a_reference_that_names_nothing(branch: Repo, command: tuple[str, ...], ref: str, code: int) -> None:
    done = branch.run(*command[:-1], f"{command[-1]}={ref}")
    assert _is_one_clear_error(done, code), done


@pytest.mark.parametrize(
    ("command", "path", "content"),
    [
        pytest.param(command, path, content, id=f"{' '.join(command)}-{path}-{number}")
        for command in READING
        for number, (path, content) in enumerate(BROKEN)
        if not (command[0] == "propose" and path.endswith(".json"))  # no candidate depends on the lock
    ],
)
def test_a_broken_file_is_named_with_its_line(branch: Repo, command: tuple[str, ...], path: str, content: str) -> None:
    branch.branch("main")
    branch.commit("Break it", {path: content})
    branch.branch("work")
    branch.git("merge", "--quiet", "-m", "Merge main", "main")
    done = branch.run(*command)
    assert _is_one_clear_error(done, 3), done
    assert re.search(rf"^  {path}:\d+: ", done.err, re.MULTILINE), done.err
    assert "\x1b" not in done.err


@pytest.mark.parametrize("name", ["propose", "review", "gate"])
def test_an_unknown_option_is_wrong_usage(branch: Repo, name: str) -> None:
    assert _is_one_clear_error(done := branch.run(name, "--nonsense"), 2), done


@pytest.mark.parametrize("name", ["propose", "review", "gate"])
def test_help_cuts_no_sentence_and_calls_values_as_the_reference_does(repo: Repo, name: str) -> None:
    told = repo.call(name, "--help", env={"COLUMNS": "80"}).out
    assert "..." not in told.replace("[ARGS]...", "")
    reference = (ROOT / "docs" / "reference.md").read_text()
    commands: dict[str, Any] = getattr(typer.main.get_command(import_module(f"{name}.cli").app), "commands", {})
    for words in [(name,), *((name, command) for command in commands)]:
        _, _, section = reference.partition(f"### {' '.join(words)}\n")
        listed = set(
            re.findall(r"^\| `(--\S+(?: [^`\n]+)?)` \|", section.partition("###")[0].replace("\\|", "|"), re.MULTILINE)
        )
        shown = re.findall(r"^  (--\S+(?: \S+)?)(?:  |$)", repo.call(*words, "--help").out, re.MULTILINE)
        assert listed == {option for option in shown if option != "--help" and "completion" not in option}, words


@pytest.mark.parametrize("name", ["review", "gate"])
def test_an_unknown_subcommand_is_wrong_usage(branch: Repo, name: str) -> None:
    assert _is_one_clear_error(done := branch.run(name, "nonsense"), 2), done


@pytest.mark.parametrize(
    ("line", "why", "step"),
    [
        ("gate check", "gate check needs it: Where the patch goes", "gate check --base REF"),
        ("gate check main", "gate check needs it: Where the patch goes", "gate check --base REF"),
        ("gate check --base", "the command is: gate check --base REF [OPTIONS]", "gate check --help"),
        ("gate run --repeat 1", "greater than or equal to 2", "gate run --help"),
        ("gate chek", "the commands of gate are check, staged, run", "gate --help"),
        ("propose main", "the command is: propose [OPTIONS]", "propose --help"),
        ("review init", "review init needs it: Who owns the oracle", "review init --owner WHO"),
        ("review promote", "review promote needs it: The id of a candidate.", "review promote ID"),
        ("review reject x", "review reject needs it", "review reject ID --reason wrong|"),
        ("review reject x --reason bad --reviewer me", "'bad' is not one of 'wrong'", "review reject --help"),
        ("review record a:b --out x", "needs it: What to run", "review record MODULE:FN --out PATH -- COMMAND…"),
        ("review record a:b --out x pytest -q", "record MODULE:FN --out PATH [OPTIONS] -- COM", "review record --help"),
    ],
)
def test_a_wrong_command_line_is_told_what_the_right_one_has(branch: Repo, line: str, why: str, step: str) -> None:
    done = branch.call(*line.split())
    assert _is_one_clear_error(done, 2), done
    assert why in done.err.partition("why: ")[2]
    assert f"\nnext: {step}" in done.err


@pytest.mark.parametrize("ruling", ["show", "check", "promote", "reject"])
def test_an_unknown_id_is_told(branch: Repo, ruling: str) -> None:
    options = {
        "promote": [
            "--seed",
            "1",
            "--fixture",
            "tests/fixtures/window.json",
            "--sha256",
            "0" * 64,
            "--reviewer",
            "ada",
        ],
        "reject": ["--reason", "wrong", "--reviewer", "ada"],
    }
    before = branch.tree_hash()
    done = branch.run("review", ruling, "no_such_candidate", *options.get(ruling, []))
    assert _is_one_clear_error(done, 2), done
    assert "no_such_candidate" in done.err
    assert branch.tree_hash() == before


def test_a_place_that_cannot_be_written_is_told(branch: Repo) -> None:
    branch.commit("Block the queue", {"invariants/proposed/clamp_settles.yaml": None})
    (branch.root / "invariants/proposed").rmdir()
    branch.write({"invariants/proposed": "not a folder\n"})
    done = branch.run("propose", "--base", "main", "--rules")
    assert _is_one_clear_error(done, 3), done


@pytest.mark.parametrize(
    "command",
    [
        ("review", "list"),
        ("review", "show", "clamp_settles"),
        ("review", "check", "clamp_settles", "--seed", "7", "--fixture", "tests/fixtures/window.json"),
        ("propose", "--base", "main", "--rules", "--dry-run"),
        ("gate", "run"),
        ("gate", "run", "--json"),
        ("gate", "check", "--base", "main"),
        ("gate", "checks"),
    ],
    ids=" ".join,
)
def test_a_reading_command_changes_no_byte(branch: Repo, command: tuple[str, ...]) -> None:
    before = branch.tree_hash()
    done = branch.run(*command)
    assert done.code in (0, 1), done
    assert branch.tree_hash() == before


def test_propose_writes_candidates_only(branch: Repo) -> None:
    before = branch.files(git=True)
    done = branch.run("propose", "--base", "main", "--rules")
    assert done.code == 0, done
    after = branch.files(git=True)
    changed = {path for path in before | after if before.get(path) != after.get(path)}
    changed.discard(".git/inventory.lock")  # the advisory lock that writers take
    assert changed
    assert all(path.startswith("invariants/proposed/") for path in changed), changed


def test_the_callers_git_settings_change_no_answer(branch: Repo, tmp_path: os.PathLike[str]) -> None:
    """A hook runs with GIT_DIR and the like set; the repository of the folder is meant."""
    other = Repo.create(branch.root.parent / "other")
    plain = branch.run("gate", "check", "--base", "main", "--json")
    env = {"GIT_DIR": str(other.root / ".git"), "GIT_WORK_TREE": str(other.root), "GIT_INDEX_FILE": f"{tmp_path}/index"}
    assert branch.run("gate", "check", "--base", "main", "--json", env=env).code == plain.code == 0


def test_the_first_step_is_named_where_nothing_votes_yet(repo: Repo) -> None:
    repo.commit("base", {"app/m.py": "def f(x):\n    return x\n"})
    repo.branch("feature")
    repo.commit("patch", {"app/m.py": "def f(x):\n    return -x\n"})
    asking = [
        ("gate", "check", "--base", "main"), ("gate", "run"), ("gate", "reproduce", "window_bounds"),
        ("review",), ("review", "list"), ("review", "lock", "--note", "why"),
    ]  # fmt: skip
    for command in asking:
        told = repo.run(*command)
        assert "review init --owner WHO" in told.out + told.err, command
    assert repo.run("review", "init", "--owner", "@ada").code == 0
    repo.git("stash", "--all")
    repo.git("switch", "--quiet", "main")
    repo.git("stash", "pop")
    repo.commit("init")
    repo.git("rebase", "--quiet", "main", "feature")
    for command in asking:
        told = repo.run(*command)
        assert "propose candidates" in told.out + told.err, command
        assert "review init" not in told.out + told.err, command
