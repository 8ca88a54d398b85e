"""`gate check` in the clones, folders and environments that CI systems and hooks give it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import article
from tests.repo import Repo

pytestmark = pytest.mark.bulk

WORK = {"app/window.py": article.WINDOW + "\n# more\n", "tests/test_window.py": "# less\n"}
INVENTORY = "invariants/inventory.yaml"


@pytest.fixture
def origin(repo: Repo) -> Repo:
    """The article's example with a branch that changes production and tests, and main moved on since."""
    repo.commit("base", article.FILES)
    repo.branch("feature")
    repo.commit("work", WORK)
    repo.branch("main")
    repo.commit("other", {"app/new_on_main.py": "x = 1\n"})
    repo.branch("feature")
    return repo


def clone(origin: Repo, *options: str) -> Repo:
    made = Repo(origin.root.parent / "clone")
    made.root.mkdir()
    made.git("clone", "--quiet", *options, f"file://{origin.root}", ".")
    return made


def paths_of(repo: Repo, *, cwd: str = ".", env: dict[str, str] | None = None, base: str = "main") -> list[str]:
    result = repo.run("gate", "check", "--base", base, "--json", cwd=cwd, env=env)
    assert result.code == 0, result
    return [path["path"] for path in json.loads(result.out)["paths"]]


def test_what_base_did_since_is_not_part_of_the_patch(origin: Repo) -> None:
    assert paths_of(origin) == sorted(WORK)


def test_a_detached_head_in_a_clone_that_knows_base_at_origin_only(origin: Repo) -> None:
    made = clone(origin)
    made.git("checkout", "--quiet", "--detach", "origin/feature")
    made.git("branch", "--quiet", "-D", "feature")
    assert paths_of(made) == sorted(WORK)


def test_a_shallow_clone_stops_and_names_the_remedy(origin: Repo) -> None:
    made = clone(origin, "--depth", "1", "--no-single-branch")
    made.git("checkout", "--quiet", "--detach", "origin/feature")
    result = made.run("gate", "check", "--base", "origin/main")
    assert (result.code, result.out) == (3, "")
    assert "shallow" in result.err
    assert "fetch-depth: 0" in result.err


def test_a_single_branch_clone_stops_and_names_the_remedy(origin: Repo) -> None:
    made = clone(origin, "--single-branch", "--branch", "feature")
    result = made.run("gate", "check", "--base", "main")
    assert (result.code, result.out) == (3, "")
    assert "fetch-depth: 0" in result.err


def test_a_subfolder_and_a_second_work_tree_judge_the_same(origin: Repo, tmp_path: Path) -> None:
    origin.git("config", "diff.relative", "true")
    origin.git("config", "status.relativePaths", "true")
    assert paths_of(origin, cwd="app") == sorted(WORK)
    origin.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "second"), "feature")
    assert (tmp_path / "second" / ".git").is_file()
    second = Repo(tmp_path / "second")
    assert paths_of(second) == sorted(WORK)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("diff.external", "touch pwned"),
        ("diff.noprefix", "true"),
        ("diff.renames", "copies"),
        ("diff.orderFile", "/nowhere"),
        ("diff.ignoreSubmodules", "all"),
        ("core.quotePath", "false"),
        ("core.fsmonitor", "touch pwned; true"),
        ("core.hooksPath", "hooks"),
        ("core.attributesFile", "/dev/zero"),
        ("color.ui", "always"),
        ("log.showSignature", "true"),
        ("status.showUntrackedFiles", "no"),
        ("alias.diff-tree", "!touch pwned"),
        ("core.pager", "touch pwned"),
    ],
)
def test_no_configuration_changes_the_answer(origin: Repo, key: str, value: str) -> None:
    origin.git("config", key, value)
    assert paths_of(origin) == sorted(WORK)
    assert not (origin.root / "pwned").exists()


def test_the_environment_of_a_hook_leads_nowhere_else(origin: Repo, tmp_path: Path) -> None:
    other = Repo.create(tmp_path / "elsewhere" / "repo")
    other.commit("other", {"z.py": "z\n"})
    git_dir = str(other.root / ".git")
    env = {
        "GIT_DIR": git_dir,
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": f"{git_dir}/index",
        "GIT_OBJECT_DIRECTORY": f"{git_dir}/objects",
        "GIT_EXTERNAL_DIFF": "touch pwned",
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "diff.external",
        "GIT_CONFIG_VALUE_0": "touch pwned",
        "GIT_PAGER": "touch pwned",
        "PAGER": "touch pwned",
    }
    assert paths_of(origin, env=env) == sorted(WORK)
    assert not (origin.root / "pwned").exists()


def test_replaced_objects_change_nothing(origin: Repo) -> None:
    head, base = origin.git("rev-parse", "HEAD"), origin.git("rev-parse", "main")
    origin.git("replace", head, base)
    assert paths_of(origin) == sorted(WORK)


def test_line_endings_of_a_checkout_are_no_drift(origin: Repo) -> None:
    made = clone(origin, "--config", "core.autocrlf=true", "--branch", "feature")
    fixture = made.root / "tests/fixtures/window_cases.json"
    assert b"\r\n" in fixture.read_bytes()
    assert paths_of(made, base="origin/main") == sorted(WORK)
    assert made.run("gate", "run").code == 0


@pytest.mark.parametrize("base", ["main", "origin/main", "refs/remotes/origin/main"])
def test_each_way_to_name_base_in_a_clone(origin: Repo, base: str) -> None:
    made = clone(origin, "--branch", "feature")
    assert paths_of(made, base=base) == sorted(WORK)


def test_a_null_commit_an_empty_text_and_an_option_stop(origin: Repo) -> None:
    for base, code in (("", 3), ("0" * 40, 3), (f"--output={origin.root}/pwned", 2), ("main..HEAD", 2)):
        result = origin.run("gate", "check", f"--base={base}")
        assert (result.code, result.out) == (code, "")
    assert not (origin.root / "pwned").exists()


def test_a_fixture_that_becomes_a_link_to_the_same_content_is_drift(origin: Repo) -> None:
    fixture = origin.root / "tests/fixtures/window_cases.json"
    (fixture.parent / "other.json").write_bytes(fixture.read_bytes())
    fixture.unlink()
    fixture.symlink_to("other.json")
    origin.commit("swap")
    result = origin.run("gate", "check", "--base", "main", "--json")
    assert result.code == 1
    rows = {row["row"]: row for row in json.loads(result.out)["rows"]}
    assert "mode 100644 became 120000" in rows[3]["what"]


def test_an_executable_fixture_is_drift(origin: Repo) -> None:
    (origin.root / "tests/fixtures/window_cases.json").chmod(0o755)
    origin.commit("mode")
    result = origin.run("gate", "check", "--base", "main")
    assert result.code == 1
    assert "mode 100644 became 100755" in result.out


def test_a_fixture_swapped_for_a_large_file_pointer_says_so(origin: Repo) -> None:
    pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "0" * 64 + "\nsize 1\n"
    origin.commit("pointer", {"tests/fixtures/window_cases.json": pointer})
    result = origin.run("gate", "check", "--base", "main")
    assert result.code == 1
    assert "fixture_drift" in result.out


def test_a_sha256_repository_is_judged(tmp_path: Path) -> None:
    made = Repo(tmp_path / "long")
    made.root.mkdir()
    (tmp_path / "home").mkdir()
    made.git("init", "--quiet", "--object-format=sha256", "-b", "main")
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    made.commit("base", article.FILES)
    made.branch("feature")
    made.commit("work", WORK)
    assert paths_of(made) == sorted(WORK)


COMMANDS = (("gate", "run"), ("gate", "doctor"), ("review", "list"))
HAZARDS: dict[str, list[tuple[bytes, int]]] = {
    INVENTORY: [
        (b"version: 1\nversion: 1\n", 2),
        (b"version: 1\nproperties: &a []\n", 2),
        (b"version: 1\n<<<<<<< ours\n", 2),
        (b"version: 1\n---\nversion: 1\n", 2),
        (b"version: 1\n# \xff\n", 2),
        ("version: 1\n# a\u2028b\n".encode(), 2),
        (b"version: 1\nproperties:\n  - id: no\n", 3),
        (b"#" * (20 << 20), 0),
    ],
    "invariants/fixture.lock.json": [(b'{"a": NaN}', 1), (b'{\n"a": "x", "a": "y"}', 2), (b"[" * 5000, 1)],
    "invariants/policy.yaml": [
        (b"time_limit_s: 010\n", 1),
        (b"python: !!python/name:os.system\n", 1),
        (b"\tx: 1\n", 1),
    ],
}


@pytest.mark.parametrize(("path", "at"), [(path, at) for path, all_of in HAZARDS.items() for at in range(len(all_of))])
def test_a_file_with_two_meanings_stops_every_command_at_its_line(repo: Repo, path: str, at: int) -> None:
    data, line = HAZARDS[path][at]
    repo.commit("base", article.FILES | {path: data})
    place = f"{path}:{line}:" if line else f"{path}:"
    for command in COMMANDS if at == 0 else COMMANDS[:1]:
        result = repo.run(*command)
        assert (result.code, result.out) == (3, ""), command
        assert place in result.err
        assert "Traceback" not in result.err
