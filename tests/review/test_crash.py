"""A ruling that dies at any system call leaves the old state, the new one, or what the next command mends and says."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from inventory.codec import parse_inventory, parse_lock
from inventory.errors import CouldNotRun, Overtaken
from inventory.files import keeping, writing
from inventory.git import Git
from review import journal
from review.ledger import mend, undo, write
from review.ruling import Change
from tests.fence import ROOT
from tests.repo import Repo
from tests.review.rulings import BEFORE, INVENTORY_PATH, LOCK_PATH, RULINGS

TEXTS = {path: data.decode() for path, data in BEFORE.items()}


@pytest.fixture
def held(repo: Repo) -> Repo:
    repo.commit("Start", BEFORE)
    return repo


@pytest.fixture
def killed(held: Repo) -> dict[str, list[dict[str, Any]]]:
    """What lay there after each kill and after the next command, by ruling."""
    script = ROOT / "tests" / "review" / "crash.py"
    done = subprocess.run([sys.executable, script, held.root], capture_output=True, check=False, cwd=held.root)
    assert done.returncode == 0, done.stderr.decode()
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in map(json.loads, done.stdout.splitlines()):
        found[row["ruling"]].append(row)
    return found


def unlocked(files: Mapping[str, str]) -> set[str]:
    """The properties whose fixture has no lock entry."""
    lock = parse_lock(files[LOCK_PATH].encode(), "l").entries
    return {p.id for p in parse_inventory(files[INVENTORY_PATH].encode(), "i").properties if p.fixture not in lock}


def test_a_ruling_killed_anywhere_is_whole_after_the_next_command(killed: dict[str, list[dict[str, Any]]]) -> None:
    assert killed.keys() == RULINGS.keys()
    for name, rows in killed.items():
        *dead, alive = rows
        assert len(dead) >= 16, name
        assert not alive["killed"]
        assert alive["after"] not in (TEXTS, {})
        for row in dead:
            assert row["after"] in (TEXTS, alive["after"]), (name, row["at"])
            assert unlocked(row["then"]) == unlocked(row["after"]) == set(), (name, row["at"])
            assert row["then"] == row["after"] or row["said"], (name, row["at"])
        assert TEXTS in [row["after"] for row in dead]
        assert alive["after"] in [row["after"] for row in dead]


def leave_journal(git: Git, changes: tuple[Change, ...]) -> None:
    with writing(git), keeping(git, journal.NAME) as kept:
        kept.create_new(journal.NAME, journal.dump(changes))


def test_the_next_command_finishes_a_promotion_and_says_so(held: Repo) -> None:
    git = Git.open(held.root)
    changes = write(git, RULINGS["promote"])
    done = held.files()
    held.write(TEXTS | {LOCK_PATH: held.read(LOCK_PATH)})
    leave_journal(git, changes)
    listed = held.call("review", "list")
    assert listed.code == 0
    assert "an earlier command was cut short and is finished now" in listed.err
    assert "queue is empty" in listed.out
    assert held.files() == done
    assert "cut short" not in held.call("review", "list").err


def test_what_was_put_back_by_hand_is_not_done_again(held: Repo) -> None:
    git = Git.open(held.root)
    changes = write(git, RULINGS["promote"])
    held.write(TEXTS)
    leave_journal(git, changes)
    assert "before it changed anything" in (mend(git) or "")
    assert held.read(INVENTORY_PATH) == TEXTS[INVENTORY_PATH]
    assert mend(git) is None


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"version": 2, "changes": []}', b'{"version": 1, "changes": [3]}']
)
def test_a_journal_that_cannot_be_read_is_told_and_goes(held: Repo, data: bytes) -> None:
    git = Git.open(held.root)
    with writing(git), keeping(git, journal.NAME) as kept:
        kept.create_new(journal.NAME, data)
    assert "cannot be read" in (mend(git) or "")
    assert mend(git) is None


def test_files_that_changed_since_are_left_alone_and_told(held: Repo) -> None:
    git = Git.open(held.root)
    changes = write(git, RULINGS["promote"])
    held.write({INVENTORY_PATH: "version: 1\n# mine\n"})
    leave_journal(git, changes)
    before = held.files()
    assert "changed since" in (mend(git) or "")
    assert held.files() == before


@pytest.mark.parametrize("name", RULINGS)
def test_undo_takes_every_kind_of_ruling_back_to_the_byte(held: Repo, name: str) -> None:
    git = Git.open(held.root)
    before = held.files()
    changes = write(git, RULINGS[name])
    assert held.files() != before
    undo(git, changes)
    assert held.files() == before


def test_undo_takes_back_nothing_where_somebody_wrote_since(held: Repo) -> None:
    git = Git.open(held.root)
    changes = write(git, RULINGS["promote"])
    held.write({LOCK_PATH: "{}\n"})
    before = held.files()
    with pytest.raises(Overtaken):
        undo(git, changes)
    assert held.files() == before


def test_a_write_that_the_system_refuses_takes_back_those_before_it(held: Repo) -> None:
    git = Git.open(held.root)
    (held.root / "invariants/rejected").rename(held.root / "aside")
    (held.root / "invariants/rejected").symlink_to(Path("..") / "aside")
    before = held.files()
    with pytest.raises(CouldNotRun):
        write(git, RULINGS["retire"])
    assert held.files() == before
    assert mend(git) is None


def test_progress_counts_what_is_made_even_where_one_file_changes_twice() -> None:
    changes = (Change("l", b"1", b"12"), Change("i", b"a", b"b"), Change("l", b"12", b"2"), Change("t", None, b"t"))
    states = [("1", "a", None), ("12", "a", None), ("12", "b", None), ("2", "b", None), ("2", "b", "t")]
    for done, state in enumerate(states):
        now = {path: None if text is None else text.encode() for path, text in zip("lit", state, strict=True)}
        assert journal.progress(changes, now.__getitem__) == done
    odd = {"l": b"1", "i": b"b", "t": b"t"}
    assert journal.progress(changes, odd.__getitem__) is None
    assert journal.parse(journal.dump(changes)) == changes
