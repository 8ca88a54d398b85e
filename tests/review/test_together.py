"""Two reviewers at once: one waits or is refused, and nothing is lost."""

from __future__ import annotations

import fcntl
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from threading import Event
from types import SimpleNamespace

import pytest

from inventory import files
from inventory.codec import parse_inventory, parse_lock
from inventory.files import LOCK_NAME
from tests.repo import Repo

SAMPLES = "[1, 2]\n"
DIGEST = sha256(SAMPLES.encode()).hexdigest()
NAMES = ("first_one", "second_one", "third_one")
FILES = {
    "app.py": "def f(x):\n    return x\n",
    "invariants/inventory.yaml": "version: 1\n",
    "invariants/fixture.lock.json": "{}\n",
} | {
    f"invariants/proposed/{name}.yaml": f"id: {name}\nmodule: app\nfn: f\nchecks:\n  - {check}\n"
    for name, check in zip(NAMES, ("deterministic", "idempotent", "never_raises"), strict=True)
}


def promote(name: str) -> list[str]:
    fixture = f"tests/fixtures/{name}.json"
    pinned = ["--seed", "1", "--fixture", fixture, "--sha256", DIGEST, "--reviewer", "Jo"]
    return ["review", "promote", name, *pinned]


def test_what_one_reviewer_decides_another_never_overwrites(repo: Repo) -> None:
    repo.commit("Start", FILES)
    repo.branch("oracle")
    repo.commit("Samples", {f"tests/fixtures/{name}.json": SAMPLES for name in NAMES})
    commands = [promote("first_one"), promote("second_one")]
    commands += [["review", "reject", "third_one", "--reason", "wrong", "--reviewer", "Jo"]]
    with (repo.root / ".git" / LOCK_NAME).open("w") as held, ThreadPoolExecutor(3) as pool:
        fcntl.flock(held, fcntl.LOCK_EX)
        ends = [pool.submit(repo.run, *command) for command in commands]
        fcntl.flock(held, fcntl.LOCK_UN)
        results = [end.result() for end in ends]
    for command, result in zip(commands, results, strict=True):
        assert result.code in (0, 1), result
        if result.code:
            assert "changed meanwhile" in result.err
            assert f"invariants/proposed/{command[2]}.yaml" in repo.files()
            assert repo.run(*command).code == 0
    assert not [path for path in repo.files() if path.startswith("invariants/proposed/")]
    assert len([path for path in repo.files() if path.startswith("invariants/rejected/third_one--")]) == 1
    inventory = parse_inventory(repo.read("invariants/inventory.yaml").encode(), "i")
    assert {entry.id for entry in inventory.properties} == {"first_one", "second_one"}
    lock = parse_lock(repo.read("invariants/fixture.lock.json").encode(), "l")
    assert lock.entries == {entry.fixture: DIGEST for entry in inventory.properties}


def test_a_command_waits_for_the_one_that_is_writing(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    repo.commit("Start", FILES)
    waits = Event()

    def pause(seconds: float) -> None:
        waits.set()
        released.wait(seconds)

    released = Event()
    monkeypatch.setattr(files, "time", SimpleNamespace(sleep=pause, monotonic=lambda: 0.0))
    reject = ("review", "reject", "third_one", "--reason", "wrong", "--reviewer", "Jo")
    with (repo.root / ".git" / LOCK_NAME).open("w") as held, ThreadPoolExecutor(1) as pool:
        fcntl.flock(held, fcntl.LOCK_EX)
        end = pool.submit(repo.call, *reject)
        assert waits.wait(60)
        assert repo.run("review", "list").code == 0  # reading needs no lock
        assert not end.done()
        assert "invariants/proposed/third_one.yaml" in repo.files()
        fcntl.flock(held, fcntl.LOCK_UN)
        assert end.result().code == 0
    assert "invariants/proposed/third_one.yaml" not in repo.files()
