"""Where base and head come from: clones as CI makes them, odd references, foreign environments, dirty trees."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.propose.conftest import WINDOW, Command
from tests.repo import Repo


@pytest.fixture
def upstream(repo: Repo) -> Repo:
    """The branch main has gone on by three commits since the branch feature left it at the tag base."""
    repo.commit("base", {"src/app.py": "LIMIT = 1\n", "tests/test_f.py": "t = 1\n"})
    repo.git("tag", "base")
    for step in range(3):
        repo.commit(f"m{step}", {"src/on_main.py": f"def on_main_{step}(x):\n    y = x\n    return y\n"})
    repo.git("checkout", "--quiet", "-b", "feature", "base")
    repo.commit("feature", {"src/app.py": "LIMIT = 1\n\n\n" + WINDOW, "tests/test_f.py": "t = 2\n"})
    return repo


def clone_of(upstream: Repo, *options: str) -> Repo:
    place = upstream.root.parent / "clone"
    upstream.git("clone", "--quiet", *options, f"file://{upstream.root}", str(place))
    return Repo(place)


@pytest.fixture
def in_clone(
    upstream: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[Repo, Command]:
    """A clone with a detached head, as CI checks a branch out."""
    upstream.git("checkout", "--quiet", "main")
    clone = clone_of(upstream)
    clone.git("checkout", "--quiet", "--detach", "origin/feature")
    return clone, Command(clone, monkeypatch, capsys)


def paths(document: dict[str, list[dict[str, str]]]) -> set[str]:
    return {file["path"] for file in document["files"]}


def test_a_shallow_clone_names_the_remedy(
    upstream: Repo, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clone = clone_of(upstream, "--depth", "1", "--no-single-branch")
    clone.git("checkout", "--quiet", "origin/feature")
    done = Command(clone, monkeypatch, capsys)("--base", "origin/main")
    assert done.code == 3
    assert "shallow" in done.err
    assert "fetch-depth: 0" in done.err
    assert clone.git("status", "--porcelain") == ""


def test_what_main_did_meanwhile_is_not_part_of_the_branch(upstream: Repo, command: Command) -> None:
    document = command.json("--dry-run", "--base", "main")
    assert paths(document) == {"src/app.py", "tests/test_f.py"}
    assert document["base"]["merge_base"] == upstream.git("rev-parse", "base")


def test_a_detached_head_needs_no_branch_name(in_clone: tuple[Repo, Command]) -> None:
    clone, command = in_clone
    document = command.json("--dry-run")
    assert paths(document) == {"src/app.py", "tests/test_f.py"}
    assert document["head"]["commit"] == clone.git("rev-parse", "HEAD")
    assert document["base"]["name"] == "origin/HEAD"


@pytest.mark.parametrize(("base", "name"), [("main", "main"), ("origin/main", "origin/main"), ("base", "base")])
def test_a_base_is_found_as_ci_names_it_and_told(in_clone: tuple[Repo, Command], base: str, name: str) -> None:
    clone, command = in_clone
    clone.git("branch", "--quiet", "-D", "main")
    done = command("--dry-run", "--base", base)
    assert done.code == 0, done.err
    resolved = "origin/main" if name == "main" else name
    assert f"base {resolved} ({clone.git('rev-parse', '--short=12', resolved + '^{commit}')})" in done.err


@pytest.mark.parametrize("base", ["   ", "0" * 40, "refs/heads/nowhere", "release/1.x", "0" * 64])
def test_a_base_that_names_nothing_is_never_an_empty_patch(upstream: Repo, command: Command, base: str) -> None:
    before = upstream.files()
    done = command("--base", base)
    assert done.code == 3
    assert "next:" in done.err
    assert upstream.files() == before


@pytest.mark.parametrize(
    "base", ["--output=pwned", "-h", "main..feature", "HEAD:src", "main feature", "a\x1bb", "^main"]
)
@pytest.mark.parametrize("flag", ["--base", "--head"])
def test_a_base_like_an_option_or_a_range_is_wrong_usage(
    upstream: Repo, command: Command, base: str, flag: str
) -> None:
    before = upstream.files()
    assert command(f"{flag}={base}").code in (2, 3)
    assert upstream.files() == before
    assert not (upstream.root / "pwned").exists()


def test_the_environment_of_a_hook_points_nowhere_else(
    upstream: Repo, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repo.create(tmp_path / "other")
    other.commit("other", {"src/zz.py": "x = 1\n"})
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other.root))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "echo pwned")
    monkeypatch.setenv("GIT_DIFF_OPTS", "--unified=9")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "diff.noprefix")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "true")
    document = command.json("--base", "main")
    assert paths(document) == {"src/app.py", "tests/test_f.py"}
    assert other.git("-C", str(other.root), "status", "--porcelain") == ""
    for name in list(os.environ):
        if name.startswith("GIT_"):
            monkeypatch.delenv(name)
    assert "invariants/proposed/clamp_bounds.yaml" in upstream.files()


def test_a_linked_work_tree_is_a_repository_too(
    upstream: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    upstream.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "linked"), "feature")
    linked = Repo(tmp_path / "linked")
    document = Command(linked, monkeypatch, capsys).json("--base", "main")
    assert document["written"] == ["invariants/proposed/clamp_bounds.yaml"]
    assert (linked.root / "invariants/proposed/clamp_bounds.yaml").exists()
    assert not (upstream.root / "invariants").exists()


def test_line_endings_of_a_checkout_change_nothing(upstream: Repo, command: Command) -> None:
    plain = command.json("--dry-run", "--base", "main")
    upstream.git("config", "core.autocrlf", "true")
    upstream.write({"src/app.py": upstream.read("src/app.py").replace("\n", "\r\n")})
    again = command.json("--dry-run", "--base", "main")
    assert again["files"] == plain["files"]
    assert again["candidates"] == plain["candidates"]


def test_a_dirty_tree_is_said_and_is_no_part_of_the_range(upstream: Repo, command: Command) -> None:
    upstream.write({"src/app.py": "broken(", "src/untracked.py": WINDOW, "tests/test_new.py": "u = 1\n"})
    upstream.git("add", "src/untracked.py")
    done = command("--base", "main", "--dry-run")
    assert done.code == 0, done.err
    assert "uncommitted changes are not part of it" in done.err
    assert "untracked" not in done.out
    assert "test_new" not in done.out
    assert "clamp_bounds" in done.out


@pytest.mark.parametrize("folder", ["src", "tests"])
def test_a_subfolder_sees_the_whole_repository(upstream: Repo, command: Command, folder: str) -> None:
    upstream.git("config", "diff.relative", "true")
    done = command("--base", "main", cwd=folder)
    assert done.code == 0, done.err
    assert "invariants/proposed/clamp_bounds.yaml" in upstream.files()
    assert not (upstream.root / folder / "invariants").exists()


def test_outside_a_repository_and_without_a_commit(
    tmp_path: Path, repo: Repo, command: Command, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command().code == 3
    (tmp_path / "plain").mkdir()
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    outside = Repo(tmp_path / "plain")
    done = Command(outside, monkeypatch, capsys)()
    assert done.code == 3
    assert "git init" in done.err
    assert repo.git("status", "--porcelain") == ""
