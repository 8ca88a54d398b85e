"""The ground that every test stands on: the fence and the repository builder."""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path

import pytest

from tests.fence import ROOT
from tests.repo import Repo


def test_a_write_outside_the_temporary_folder_fails_the_test() -> None:
    for attempt in (
        lambda: (ROOT / "stray").write_text("x"),
        (ROOT / "stray").mkdir,
        (ROOT / "pyproject.toml").unlink,
        lambda: (ROOT / "pyproject.toml").rename(ROOT / "stray"),
        lambda: os.open(ROOT / "stray", os.O_CREAT | os.O_WRONLY),
    ):
        with pytest.raises(pytest.fail.Exception, match="outside its temporary folder"):
            attempt()
    assert not (ROOT / "stray").exists()


def test_a_link_out_of_the_temporary_folder_is_no_way_out(tmp_path: Path) -> None:
    (tmp_path / "out").symlink_to(ROOT)
    with pytest.raises(pytest.fail.Exception, match="outside its temporary folder"):
        (tmp_path / "out" / "stray").write_text("x")


def test_writes_below_the_temporary_folder_pass(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "deep" / "file").write_text("x")
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "file").write_text("y")


def test_the_network_beyond_loopback_fails_the_test() -> None:
    with pytest.raises(pytest.fail.Exception, match="beyond loopback"):
        socket.getaddrinfo("example.org", 80)
    with socket.socket() as plain, pytest.raises(pytest.fail.Exception, match="beyond loopback"):
        plain.connect(("192.0.2.1", 80))


def test_loopback_is_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        server.accept()[0].close()


def test_a_repository_holds_what_was_written(repo: Repo) -> None:
    first = repo.commit("First", {"app/a.py": "A = 1\n", "data.bin": b"\xff\r\n"})
    repo.branch("work")
    second = repo.commit("Second", {"data.bin": None})
    assert repo.git("log", "--format=%s", "work").splitlines() == ["Second", "First"]
    assert repo.git("rev-parse", "main") == first != second
    assert repo.files().keys() == {"app/a.py"}
    repo.branch("main")
    assert (repo.root / "data.bin").read_bytes() == b"\xff\r\n"


def test_the_tree_hash_sees_bytes_modes_links_and_refs(repo: Repo) -> None:
    repo.commit("First", {"a": "1\n"})
    seen = [repo.tree_hash()]
    assert repo.tree_hash() == seen[0]
    repo.write({"a": "2\n"})
    seen.append(repo.tree_hash())
    (repo.root / "a").chmod(0o755)
    seen.append(repo.tree_hash())
    (repo.root / "l").symlink_to("a")
    seen.append(repo.tree_hash())
    repo.git("branch", "more")
    seen.append(repo.tree_hash())
    assert len(set(seen)) == len(seen)


def test_commands_run_through_the_front_door(repo: Repo) -> None:
    done = repo.run("nonsense")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("usage: ")


@pytest.mark.parametrize("command", [(), ("promote",), ("gate", "checks"), ("gate", "check"), ("review", "list")])
def test_a_command_from_a_warm_process_ends_as_one_from_nothing(repo: Repo, command: tuple[str, ...]) -> None:
    assert repo.run(*command) == repo.run(*command, env={"PYTHONDONTWRITEBYTECODE": "1"})


def test_a_command_from_a_warm_process_has_its_own_folder_and_variables(repo: Repo) -> None:
    repo.commit("Start", {"deep/file": ""})
    assert "is not the work tree" in repo.run("gate", "run", cwd="..").err
    assert "is not the work tree" not in repo.run("gate", "run", cwd="deep").err
    assert "git is not installed" in repo.run("gate", "run", env={"PATH": "/nowhere"}).err
