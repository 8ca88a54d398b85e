"""The disk door: atomic, locked, and closed to everything outside the paths it was opened for."""

from __future__ import annotations

import fcntl
import os
import subprocess
import threading
from pathlib import Path

import pytest

from inventory.errors import CouldNotRun, Overtaken, Refused
from inventory.files import LOCK_NAME, writing
from inventory.git import Git

FOLDER = "invariants/proposed"
PATH = f"{FOLDER}/a_candidate.yaml"


@pytest.fixture
def git(tmp_path: Path) -> Git:
    root = tmp_path / "repo"
    root.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return Git.open(root)


def files_of(root: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in sorted(root.rglob("*"))
        if p.is_file() and ".git" not in p.relative_to(root).parts
    }


def test_a_new_file_is_written_with_its_folders_and_nothing_else(git: Git) -> None:
    with writing(git, FOLDER) as writer:
        writer.create_new(PATH, b"id: a\n")
        assert writer.read(PATH) == b"id: a\n"
    assert files_of(git.root) == {PATH: b"id: a\n"}


def test_create_new_never_replaces(git: Git) -> None:
    with writing(git, FOLDER) as writer:
        writer.create_new(PATH, b"first")
        with pytest.raises(Overtaken, match="changed meanwhile"):
            writer.create_new(PATH, b"second")
    assert files_of(git.root) == {PATH: b"first"}


def test_replace_keeps_the_mode_and_asks_for_the_bytes_that_were_read(git: Git) -> None:
    with writing(git, FOLDER) as writer:
        writer.create_new(PATH, b"old")
        (git.root / PATH).chmod(0o640)
        with pytest.raises(Overtaken):
            writer.replace(PATH, b"new", expected=b"other")
        writer.replace(PATH, b"new", expected=b"old")
    assert files_of(git.root) == {PATH: b"new"}
    assert (git.root / PATH).stat().st_mode & 0o777 == 0o640


def test_remove_asks_for_the_bytes_that_were_read(git: Git) -> None:
    with writing(git, FOLDER) as writer:
        writer.create_new(PATH, b"old")
        with pytest.raises(Overtaken):
            writer.remove(PATH, expected=b"other")
        assert writer.read(PATH) == b"old"
        writer.remove(PATH, expected=b"old")
        assert writer.read(PATH) is None
        with pytest.raises(Overtaken, match="changed meanwhile"):
            writer.remove(PATH, expected=b"old")


def test_what_a_crash_left_behind_is_taken_away_by_the_next_write(git: Git) -> None:
    (git.root / FOLDER).mkdir(parents=True)
    (git.root / FOLDER / ".a_candidate.yaml.inventory-tmp").write_bytes(b"half")
    with writing(git, FOLDER) as writer:
        writer.create_new(PATH, b"whole")
    assert files_of(git.root) == {PATH: b"whole"}


@pytest.mark.parametrize(
    "path",
    [
        "invariants/inventory.yaml",
        "invariants/proposed2/x.yaml",
        f"{FOLDER}/../inventory.yaml",
        f"{FOLDER}//x.yaml",
        f"{FOLDER}/./x.yaml",
        f"{FOLDER}/.git/config",
        f"{FOLDER}/.GIT/config",
        f"/{FOLDER}/x.yaml",
        f"{FOLDER}/a\nb.yaml",
        f"{FOLDER}/a\x00b.yaml",
        f"{FOLDER}/a\udcffb.yaml",
        f"{FOLDER}/a\u202eb.yaml",
        f"{FOLDER}/",
        "",
    ],
)
def test_a_path_outside_or_odd_is_refused(git: Git, path: str) -> None:
    with writing(git, FOLDER) as writer:
        for act in (
            lambda: writer.read(path),
            lambda: writer.create_new(path, b"x"),
            lambda: writer.replace(path, b"x", expected=b""),
            lambda: writer.remove(path, expected=b""),
        ):
            with pytest.raises(CouldNotRun):
                act()
    assert files_of(git.root) == {}


def test_a_linked_folder_is_never_followed(git: Git, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    (outside / "proposed").mkdir(parents=True)
    (git.root / "invariants").symlink_to(outside)
    with writing(git, FOLDER) as writer, pytest.raises(CouldNotRun, match="cannot write"):
        writer.create_new(PATH, b"x")
    assert files_of(outside) == {}


def test_a_linked_file_is_neither_read_nor_replaced_nor_removed(git: Git, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"old")
    (git.root / FOLDER).mkdir(parents=True)
    (git.root / PATH).symlink_to(secret)
    with writing(git, FOLDER) as writer:
        with pytest.raises(CouldNotRun):
            writer.read(PATH)
        with pytest.raises(CouldNotRun):
            writer.replace(PATH, b"new", expected=b"old")
        with pytest.raises(CouldNotRun):
            writer.remove(PATH, expected=b"old")
        with pytest.raises(Refused):
            writer.create_new(PATH, b"new")
    assert secret.read_bytes() == b"old"
    assert (git.root / PATH).is_symlink()


def test_a_fifo_or_a_folder_in_the_place_of_a_file_is_refused(git: Git) -> None:
    (git.root / FOLDER / "folder.yaml").mkdir(parents=True)
    os.mkfifo(git.root / PATH)
    with writing(git, FOLDER) as writer:
        for path in (PATH, f"{FOLDER}/folder.yaml"):
            with pytest.raises(CouldNotRun):
                writer.read(path)


def test_a_second_writer_is_told_when_the_lock_is_not_given_back(git: Git) -> None:
    with writing(git, FOLDER), pytest.raises(CouldNotRun, match="another command"), writing(git, FOLDER, wait_s=0):
        pytest.fail("two writers at once")


def test_a_second_writer_waits_for_the_first(git: Git) -> None:
    entered = threading.Event()

    def second() -> None:
        with writing(git, FOLDER) as writer:
            entered.set()
            writer.replace(PATH, b"two", expected=b"one")

    with writing(git, FOLDER) as writer:
        thread = threading.Thread(target=second)
        thread.start()
        writer.create_new(PATH, b"one")
        assert not entered.is_set()
    thread.join(timeout=10)
    assert files_of(git.root) == {PATH: b"two"}


def test_the_lock_file_is_no_part_of_the_work_tree_and_is_free_afterwards(git: Git) -> None:
    with writing(git, FOLDER):
        pass
    assert files_of(git.root) == {}
    with open(git.private_path(LOCK_NAME)) as file:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_read_only_folder_gives_a_stop_and_no_traceback(git: Git) -> None:
    if os.geteuid() == 0:
        (git.root / "invariants").write_bytes(b"a file where a folder must be")
    else:
        (git.root / "invariants").mkdir(mode=0o500)
    with writing(git, FOLDER) as writer, pytest.raises(CouldNotRun, match="cannot write"):
        writer.create_new(PATH, b"x")
