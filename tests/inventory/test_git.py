"""The door to git reads the same from any configuration, environment or folder, and stops with a way out."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from inventory.errors import CouldNotRun, Stop
from inventory.git import Git
from inventory.git_process import run_git, said
from inventory.tree import commit_tree, work_tree
from tests.diff_cases import CASES, lay
from tests.repo import Repo


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_the_paths_of_a_patch_are_the_truth(repo: Repo, case: dict[str, Any]) -> None:
    lay(repo, case["before"])
    before = repo.commit("before")
    for key, value in case["git_config"].items():
        repo.git("config", key, value)
    lay(repo, case["after"])
    after = repo.commit("after")
    git = Git.open(repo.root)
    changes = {c.path: c for c in git.changes(before, after)}
    expected = set()
    for truth in case["truth"]:
        expected |= {truth["old"], truth["new"]}
        for side, mode in (("old", "old_mode"), ("new", "new_mode")):
            change = changes[truth[side]]
            assert truth[mode] in (change.old_mode, change.new_mode)
        if truth["status"] in ("M", "A", "D"):
            assert git.numstat(before, after)[truth["new"]] in ((truth["added"], truth["removed"]), None)
    assert set(changes) == expected


def simple(repo: Repo) -> tuple[Git, str, str]:
    base = repo.commit("base", {"app.py": "a = 1\n", "tests/test_app.py": "t\n"})
    head = repo.commit("head", {"app.py": "a = 2\n"})
    return Git.open(repo.root), base, head


def test_a_folder_without_a_repository_stops(tmp_path: Path) -> None:
    with pytest.raises(CouldNotRun, match="not the work tree"):
        Git.open(tmp_path)


def test_a_repository_without_a_commit_stops(repo: Repo) -> None:
    with pytest.raises(CouldNotRun, match="no commit yet"):
        Git.open(repo.root).head()
    with pytest.raises(CouldNotRun, match="no commit yet"):
        Git.open(repo.root).resolve("HEAD")


def test_what_git_advises_reaches_the_user_beyond_its_empty_lines(repo: Repo, tmp_path: Path) -> None:
    of_another = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"}
    assert "git config --global --add safe.directory" in said(run_git(repo.root, ("status",), of_another))


@pytest.mark.parametrize(
    ("asked", "code"),
    [("", 3), ("  ", 3), ("-h", 2), ("--output=x", 2), ("a..b", 2), ("a b", 2), ("HEAD:app.py", 2), ("a\nb", 2),
     ("0" * 40, 3), ("0" * 64, 3), ("nowhere", 3)],
)  # fmt: skip
def test_what_cannot_be_a_revision_stops_before_git_sees_it(repo: Repo, asked: str, code: int) -> None:
    git, _, _ = simple(repo)
    with pytest.raises(Stop) as caught:
        git.resolve(asked)
    assert caught.value.exit_code == code
    assert not (repo.root / "x").exists()


def test_a_branch_that_only_origin_has_is_found_there(repo: Repo, tmp_path: Path) -> None:
    _, _, head = simple(repo)
    Repo(tmp_path / "clone").root.mkdir()
    clone = Repo(tmp_path / "clone")
    clone.git("clone", "--quiet", str(repo.root), ".")
    clone.git("checkout", "--quiet", "--detach")
    clone.git("branch", "-D", "main")
    found = Git.open(clone.root).resolve("main")
    assert (found.name, found.id) == ("origin/main", head)


def test_the_default_base_is_the_one_that_was_left_last(repo: Repo, tmp_path: Path) -> None:
    simple(repo)
    clone = Repo(tmp_path / "clone")
    clone.root.mkdir()
    clone.git("clone", "--quiet", str(repo.root), ".")
    git = Git.open(clone.root)
    clone.commit("not pushed yet")
    assert git.default_base().name == "origin/HEAD", "main is no base of itself"
    clone.branch("work")
    assert git.default_base().name == "main", "it is ahead of origin"
    clone.commit("work")
    assert git.default_base().name == "main"
    repo.commit("elsewhere")
    clone.git("fetch", "--quiet")
    clone.git("checkout", "--quiet", "-b", "later", "origin/main")
    assert git.default_base().name == "origin/HEAD", "main is behind it"
    clone.git("update-ref", "refs/heads/main", "origin/main")
    assert git.default_base().name == "origin/HEAD", "of equals the first"


def test_an_ambiguous_name_stops(repo: Repo) -> None:
    git, base, _ = simple(repo)
    repo.git("tag", "twin", base)
    repo.git("branch", "twin")
    with pytest.raises(CouldNotRun, match="ambiguous"):
        git.resolve("twin")


def test_a_shallow_clone_without_merge_base_names_the_remedy(repo: Repo, tmp_path: Path) -> None:
    repo.commit("one", {"a.py": "1\n"})
    repo.branch("feature")
    repo.commit("feature", {"b.py": "1\n"})
    repo.branch("main")
    repo.commit("main", {"c.py": "1\n"})
    clone = Repo(tmp_path / "clone")
    clone.root.mkdir()
    clone.git("clone", "--quiet", "--depth", "1", "--no-single-branch", f"file://{repo.root}", ".")
    git = Git.open(clone.root)
    with pytest.raises(CouldNotRun) as caught:
        git.merge_base(git.resolve("main").id, git.resolve("feature").id)
    assert "shallow" in caught.value.why
    assert "fetch-depth: 0" in caught.value.fix


@pytest.mark.parametrize(
    ("asked", "why", "fix"),
    [
        ("HEAD~9", "the history of HEAD has 3 commits", "HEAD~2"),
        pytest.param("HEAD~" + "9" * 5000, "the history of HEAD has 3 commits", "HEAD~2", id="no number of Python"),
        ("main^^^~1^0", "the history of main has 3 commits", "main~2"),
        ("root~1", "root is the first commit", "the commit before the change"),
        ("HEAD^2", "no merge on the way has such a parent", "git log --graph HEAD"),
        (
            "mian~1",
            "neither 'mian~1' nor",
            "Did you mean main~1? If not: Give a branch or commit that is here: git branch",
        ),
        ("mian", "neither 'mian' nor", "Did you mean main?"),
        ("origin/main", "git does not know 'origin/main', and no remote is set", "git branch"),
    ],
)
def test_nobody_is_sent_to_fetch_where_nothing_can_be_fetched(repo: Repo, asked: str, why: str, fix: str) -> None:
    simple(repo)
    repo.git("branch", "root", "HEAD~1")
    repo.commit("third")
    with pytest.raises(CouldNotRun) as caught:
        Git.open(repo.root).resolve(asked, what="base")
    assert f"the base {asked!r} does not name a commit here" in caught.value.what
    assert why in caught.value.why
    assert fix in caught.value.fix
    assert "etch" not in caught.value.fix


def test_what_a_clone_lacks_may_be_fetched(repo: Repo, tmp_path: Path) -> None:
    simple(repo)
    clone = Repo(tmp_path / "clone")
    clone.root.mkdir()
    clone.git("clone", "--quiet", "--depth", "1", f"file://{repo.root}", ".")
    for asked in ("HEAD~1", "elsewhere"):
        with pytest.raises(CouldNotRun) as caught:
            Git.open(clone.root).resolve(asked)
        assert "this clone is shallow" in caught.value.why
        assert "fetch-depth: 0" in caught.value.fix
        assert "mean" not in caught.value.fix
    for asked, meant in (("origin/man", "origin/main"), ("mainn", "main"), ("origin/man^", "origin/main^")):
        with pytest.raises(CouldNotRun) as caught:
            Git.open(clone.root).resolve(asked)
        assert caught.value.fix.startswith(f"Did you mean {meant}? If not: Fetch it first")
    clone.git("fetch", "--quiet", "--unshallow")
    with pytest.raises(CouldNotRun, match="does not name a commit") as caught:
        Git.open(clone.root).resolve("main~2")
    assert "main~1, its first commit" in caught.value.fix


def test_the_environment_of_a_hook_leads_nowhere_else(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, _, head = simple(repo)
    other = Repo.create(tmp_path / "other")
    other.commit("other", {"z.py": "z\n"})
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.setenv(name, str(other.root / ".git"))
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.worktree")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(other.root))
    assert Git.open(repo.root).head().id == head


def test_a_work_tree_and_a_subfolder_lead_to_the_same_root(repo: Repo, tmp_path: Path) -> None:
    _, base, _ = simple(repo)
    repo.git("worktree", "add", "--quiet", str(tmp_path / "second"), base)
    assert Git.open(tmp_path / "second" / "tests").head().id == base


def test_replaced_objects_and_grafts_are_not_followed(repo: Repo) -> None:
    git, base, head = simple(repo)
    empty = repo.git("commit-tree", "-m", "fake", repo.git("hash-object", "-t", "tree", "-w", "/dev/null"))
    repo.git("replace", head, empty)
    assert [c.path for c in git.changes(base, head)] == ["app.py"]
    assert git.merge_base(base, head) == base


def test_a_sha256_repository_is_read(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "long")
    repo.root.mkdir()
    (tmp_path / "home").mkdir()
    repo.git("init", "--quiet", "--object-format=sha256", "-b", "main")
    repo.git("config", "user.name", "Ada")
    repo.git("config", "user.email", "ada@example.org")
    git, base, head = simple(repo)
    assert len(base) == 64
    assert [c.path for c in git.changes(base, head)] == ["app.py"]
    with work_tree(git) as tree:
        assert tree.read("app.py") == b"a = 2\n"


def test_the_work_tree_is_read_as_it_would_be_committed_and_nothing_is_written(repo: Repo) -> None:
    repo.commit(
        "base", {".gitattributes": "*.json text\n", ".gitignore": "ignored.py\n", "a.json": "[1]\n", "gone.py": ""}
    )
    repo.write({"a.json": "[2]\r\n", "new.py": "n\n", "ignored.py": "i\n", "gone.py": None})
    before = repo.tree_hash()
    with work_tree(Git.open(repo.root)) as tree:
        assert tree.read("a.json") == b"[2]\n"
        assert "new.py" in tree
        assert "ignored.py" not in tree
        assert "gone.py" not in tree
    assert repo.tree_hash() == before


def test_blobs_come_as_they_are_whatever_attributes_say(repo: Repo) -> None:
    commit = repo.commit(
        "base", {".gitattributes": "*.txt ident eol=crlf\nx export-ignore\n", "a.txt": "$Id$\n", "x": "y"}
    )
    tree = commit_tree(Git.open(repo.root), commit)
    assert tree.read_many(["a.txt", "x", "absent"]) == {"a.txt": b"$Id$\n", "x": b"y"}


def test_a_link_is_read_as_its_target_and_a_submodule_not_at_all(repo: Repo) -> None:
    base = repo.commit("base", {"a": "1"})
    (repo.root / "link").symlink_to("/etc/passwd")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{base},sub")
    repo.git("add", "link")
    repo.git("commit", "--quiet", "-m", "more")
    tree = commit_tree(Git.open(repo.root), repo.git("rev-parse", "HEAD"))
    assert tree.read("link") == b"/etc/passwd"
    assert tree.entries["link"].is_link
    assert tree.read("sub") is None


def test_every_blob_that_a_branch_ever_added_is_told(repo: Repo) -> None:
    base = repo.commit("base", {"kept/a": "1"})
    repo.commit("in", {"kept/b": "2"})
    repo.commit("out", {"kept/b": None})
    head = repo.commit("elsewhere", {"other": "3"})
    git = Git.open(repo.root)
    assert list(git.blobs(git.added_blobs(base, head, "kept")).values()) == [b"2"]
    repo.git("checkout", "--quiet", "-b", "side")
    repo.commit("aside", {"kept/c": "4"})
    repo.git("checkout", "--quiet", "-")
    repo.commit("on", {"other": "5"})
    repo.git("merge", "--quiet", "-s", "ours", "-m", "Forget it", "side")
    repo.git("config", "log.diffMerges", "off")
    head = repo.git("rev-parse", "HEAD")
    assert sorted(git.blobs(git.added_blobs(base, head, "kept")).values()) == [b"2", b"4"]


def test_dirty_paths_are_named_and_ignored_ones_not(repo: Repo) -> None:
    repo.commit("base", {"a.py": "1\n", ".gitignore": "*.log\n"})
    repo.write({"a.py": "2\n", "new file.py": "", "x.log": ""})
    assert sorted(Git.open(repo.root).dirty()) == ["a.py", "new file.py"]


def test_a_file_that_changed_right_after_it_was_committed_is_read_anew(repo: Repo) -> None:
    repo.write({"app.py": "a = 1\n"})
    stamp = 1_750_000_000
    os.utime(repo.root / "app.py", (stamp, stamp))
    repo.commit("base")
    repo.write({"app.py": "a = 2\n"})  # as long as before, and in the same second
    for path in ("app.py", ".git/index"):
        os.utime(repo.root / path, (stamp, stamp))
    with work_tree(Git.open(repo.root)) as tree:
        assert tree.read("app.py") == b"a = 2\n"


def test_a_partial_clone_is_told_how_to_fetch_the_rest(repo: Repo, tmp_path: Path) -> None:
    repo.commit("base", {"a.py": "1\n"})
    blob = repo.git("rev-parse", "HEAD:a.py")
    repo.git("config", "uploadpack.allowFilter", "true")
    repo.git("clone", "--quiet", "--no-checkout", "--filter=blob:none", f"file://{repo.root}", str(tmp_path / "part"))
    with pytest.raises(CouldNotRun) as caught:
        Git(tmp_path / "part").blobs([blob])
    assert "--refetch" in caught.value.fix


def test_a_virtual_environment_that_nobody_tracks_is_no_part_of_the_work_tree(repo: Repo) -> None:
    repo.commit("Start", {"app.py": "x = 1\n", "kept/pyvenv.cfg": "home = /\n", "kept/bin/python": "#!\n"})
    repo.write(
        {".venv/pyvenv.cfg": "home = /\n", ".venv/lib/a.py": "", "deep/e[1]/pyvenv.cfg": "", "deep/e[1]/b.py": ""}
    )
    repo.write({"new.py": "", "deep/c.py": "", "kept/lib/d.py": ""})
    with work_tree(Git.open(repo.root)) as tree:
        assert sorted(tree.entries) == [
            "app.py", "deep/c.py", "kept/bin/python", "kept/lib/d.py", "kept/pyvenv.cfg", "new.py",
        ]  # fmt: skip


def test_the_newest_branches_with_a_folder_are_told_once_each(repo: Repo) -> None:
    repo.commit("Start", {"a.txt": "a"})
    for name, files in (("one", {"q/a.txt": "a"}), ("two", {"q/b.txt": "b"}), ("flat", {"q": "a file"})):
        repo.branch("main")
        repo.branch(name)
        repo.commit(name, files)
    repo.git("update-ref", "refs/remotes/origin/one", "one")
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/one")
    git = Git.open(repo.root)
    assert {found.name for found in git.recent_branches(20, "q")} == {"one", "two"}
    assert {found.id for found in git.recent_branches(20, "q")} == {repo.git("rev-parse", n) for n in ("one", "two")}
    assert len(git.recent_branches(3, "q")) == 1  # flat, main and one, by name where they are as new
    assert (git.recent_branches(20, "none"), git.remote()) == ((), None)
