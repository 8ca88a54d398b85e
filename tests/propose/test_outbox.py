"""Where candidates may be written: new files of the queue, or a branch that serves nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.propose.conftest import Ask, Command, Script, answer, draft
from tests.repo import Repo

TWO = answer(draft(), draft(id="a_second", checks=[{"name": "lo_le_hi", "params": []}]))


def refs(repo: Repo) -> str:
    return repo.git("for-each-ref", "--format=%(refname) %(objectname) %(symref)")


@pytest.fixture
def branches(branch: Repo) -> Repo:
    """Branches, tags and a work tree that stand in the way of some names."""
    for name in ("behind", "team/one", "elsewhere"):
        branch.git("branch", name, "main")
    branch.git("tag", "v1", "main")
    branch.git("update-ref", "refs/remotes/origin/main", "main")
    branch.git("symbolic-ref", "refs/heads/alias", "refs/heads/feature")
    branch.git("worktree", "add", "--quiet", str(branch.root.parent / "second"), "elsewhere")
    return branch


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *(("", 2), ("-x", 2), ("--force", 2), ("../x", 2), ("a b", 2), ("x.lock", 2), ("x\x1b", 2), ("\udcff", 2)),
        *(("HEAD", 2), ("refs/heads/main", 2), ("heads/main", 2), ("origin/main", 2), ("v1", 2), ("@{-1}", 2)),
        *(("team", 2), ("main/x", 2), ("0" * 40, 2), ("a\u202eb", 2)),
        *(("feature", 1), ("elsewhere", 1), ("alias", 1), ("main", 1), ("behind", 1), ("team/one", 1)),
    ],
)
def test_a_branch_that_serves_something_else_is_left_alone(
    branches: Repo, ask: Ask, script: Script, name: str, code: int
) -> None:
    before = refs(branches), branches.files(git=True).keys() & {".git/HEAD"}, branches.files()
    script.plays(TWO)
    done = ask("--to-branch", name)
    assert done.code == code, done
    assert "next:" in done.err
    assert script.bodies == [], "nobody is asked when the answer could not be kept"
    assert (refs(branches), branches.files(git=True).keys() & {".git/HEAD"}, branches.files()) == before


def test_a_branch_below_another_name_of_ours_is_no_obstacle(branches: Repo, ask: Ask, script: Script) -> None:
    script.plays(TWO)
    assert ask("--to-branch", "team/two").code == 0
    assert len(branches.git("diff", "--name-only", "main", "team/two").splitlines()) == 2


def test_the_base_may_be_older_or_newer_than_where_the_branch_began(branch: Repo, command: Command) -> None:
    branch.branch("main")
    branch.git("merge", "--quiet", "--ff-only", "feature")
    branch.commit("Sort", {"app/order.py": "def sort_items(items: list) -> list:\n    return sorted(items)\n"})
    for base, at in (("main~1", "main~1"), ("main~2", "main~1"), ("main", "main~1")):
        done = command("--base", base, "--to-branch", "candidates")
        assert done.code == 0, done
        assert branch.git("merge-base", "main", "candidates") == branch.git("rev-parse", at)
    written = branch.git("diff", "--name-only", "main~1", "candidates").splitlines()
    assert {path.rpartition("/")[2][:4] for path in written} == {"clam", "sort"}
    done = command("--base", "main~2", "--to-branch", "feature")
    assert done.code == 1, "it is merged, so it is no branch of candidates"


def test_a_branch_of_code_and_candidates_is_refused_from_any_base(branch: Repo, command: Command) -> None:
    branch.git("branch", "both", "feature")
    branch.git("checkout", "--quiet", "both")
    assert command().code == 0
    branch.commit("Candidates on top of code")
    branch.git("checkout", "--quiet", "feature")
    tip = branch.git("rev-parse", "both")
    done = command("--base", "main", "--to-branch", "both")
    assert (done.code, branch.git("rev-parse", "both")) == (1, tip)
    assert f"since {branch.git('rev-parse', 'main')[:12]} it changes app/window.py" in done.err
    assert "next: Give the name of a new branch" in done.err


def test_a_commit_to_a_branch_runs_no_hook_and_touches_no_index(branch: Repo, ask: Ask, script: Script) -> None:
    for hook in ("pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"):
        path = branch.root / ".git" / "hooks" / hook
        path.parent.mkdir(exist_ok=True)
        path.write_text("#!/bin/sh\ntouch ran\nexit 1\n")
        path.chmod(0o755)
    branch.git("config", "commit.gpgSign", "true")
    branch.git("config", "gpg.program", "/bin/false")
    branch.write({"app/window.py": "# changed, not committed\n", "staged.py": "x = 1\n"})
    (branch.root / ".git" / "hooks" / "post-index-change").unlink()
    branch.git("add", "staged.py")
    index, status = (branch.root / ".git" / "index").read_bytes(), branch.git("status", "--porcelain")
    script.plays(TWO)
    done = ask("--to-branch", "candidates")
    assert done.code == 0, done.err
    assert (branch.root / ".git" / "index").read_bytes() == index
    assert branch.git("status", "--porcelain") == status
    assert not (branch.root / "ran").exists()
    assert branch.git("rev-parse", "candidates~1") == branch.git("rev-parse", "main")


def test_nobody_is_asked_when_git_does_not_know_who_commits(
    branch: Repo, ask: Ask, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in [name for name in os.environ if name.startswith(("GIT_", "EMAIL"))]:
        monkeypatch.delenv(variable)
    monkeypatch.setenv("HOME", str(branch.root.parent / "nobody"))
    branch.git("config", "user.useConfigOnly", "true")
    script.plays(TWO)
    done = ask("--to-branch", "candidates")
    assert done.code == 3, done.err
    assert "git config user.name" in done.err
    assert script.bodies == []


def test_what_came_to_the_branch_meanwhile_is_not_replaced(branch: Repo, ask: Ask, script: Script) -> None:
    """Another run, or a human, commits to the branch while the model is thinking."""
    script.plays(answer(draft(checks=[{"name": "lo_le_hi", "params": []}], id="first")))
    assert ask("--to-branch", "candidates").code == 0

    def meanwhile(_body: object) -> object:
        branch.git("worktree", "add", "--quiet", str(branch.root.parent / "second"), "candidates")
        second = Repo(branch.root.parent / "second")
        second.commit("Mine", {"invariants/proposed/clamp_stays_inside.yaml": "# mine\n"})
        branch.git("worktree", "remove", "--force", str(second.root))
        return TWO

    script.plays(meanwhile)
    done = ask("--to-branch", "candidates")
    assert done.code == 1, done
    assert "changed meanwhile" in done.err
    assert branch.git("show", "candidates:invariants/proposed/clamp_stays_inside.yaml") == "# mine"
    assert "a_second" not in branch.git("ls-tree", "-r", "--name-only", "candidates")


def _ignored(repo: Repo, path: Path) -> None:
    repo.commit("Ignore", {".gitignore": "invariants/proposed/\n"})
    path.write_text("mine\n")


@pytest.mark.parametrize(
    ("in_the_way", "code"),
    [
        (_ignored, 1),
        (lambda _repo, path: path.mkdir(), 3),
        (lambda _repo, path: path.symlink_to("nowhere"), 3),
        (lambda _repo, path: os.mkfifo(path), 3),
    ],
    ids=["an ignored file", "a folder", "a link", "a pipe"],
)
def test_all_candidates_are_written_or_none(
    branch: Repo, ask: Ask, script: Script, in_the_way: object, code: int
) -> None:
    folder = branch.root / "invariants" / "proposed"
    folder.mkdir(parents=True)
    in_the_way(branch, folder / "a_second.yaml")  # type: ignore[operator]
    script.plays(TWO)
    done = ask()
    assert done.code == code, done
    assert "a_second.yaml" in done.err
    assert [path.name for path in folder.iterdir()] == ["a_second.yaml"]


@pytest.mark.parametrize("name", ["invariants", "invariants/proposed"])
@pytest.mark.parametrize("target", ["../outside", "app"])
def test_no_folder_of_the_queue_is_followed_as_a_link(branch: Repo, command: Command, name: str, target: str) -> None:
    (branch.root.parent / "outside" / "proposed").mkdir(parents=True)
    (branch.root / name).parent.mkdir(exist_ok=True)
    (branch.root / name).symlink_to(branch.root / target)
    before = branch.files()
    assert command().code == 3
    assert branch.files() == before
    assert list((branch.root.parent / "outside" / "proposed").iterdir()) == []


@pytest.mark.parametrize("flag", ["--endpoint", "--model", "--api-key-env"])
def test_an_empty_flag_is_no_flag_that_was_left_away(
    command: Command, branch: Repo, script: Script, monkeypatch: pytest.MonkeyPatch, flag: str
) -> None:
    """`--endpoint "$URL"` with URL not set must not ask the server of the environment."""
    monkeypatch.setenv("OPENAI_BASE_URL", script.url)
    monkeypatch.setenv("OPENAI_MODEL", "m")
    script.plays(TWO)
    done = command(flag, "")
    assert done.code == 2, done
    assert script.bodies == []
    assert branch.git("status", "--porcelain") == ""
