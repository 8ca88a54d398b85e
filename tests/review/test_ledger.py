"""The ledger: nothing is written over what nobody saw, and the order of writes never bares a property."""

from __future__ import annotations

import pytest

from inventory.codec import dump_candidate, dump_lock, parse_inventory, parse_lock
from inventory.errors import Overtaken, Refused
from inventory.git import Git
from inventory.records import Candidate, CheckUse, Inventory, Lock, Property
from review import splice
from review.ledger import write
from review.ruling import Ruling, build
from tests.repo import Repo

INVENTORY_PATH = "invariants/inventory.yaml"
LOCK_PATH = "invariants/fixture.lock.json"
CANDIDATE_PATH = "invariants/proposed/new_one.yaml"
CANDIDATE = Candidate(id="new_one", module="app", fn="f", checks=(CheckUse(name="total"),))
ENTRY = Property(id="new_one", module="app", fn="f", seed=1, fixture="a.json", checks=CANDIDATE.checks)
LOCK = Lock(entries={"a.json": "0" * 64})
RULING = Ruling(
    seen=Inventory(),
    seen_lock=Lock(),
    inventory=Inventory(properties=(ENTRY,)),
    splice=lambda text: splice.add_property(text, ENTRY),
    lock=LOCK,
    settled=(CANDIDATE_PATH, CANDIDATE),
)
FILES: dict[str, str | bytes | None] = {
    INVENTORY_PATH: "version: 1\n",
    LOCK_PATH: "{}\n",
    CANDIDATE_PATH: dump_candidate(CANDIDATE),
}


@pytest.fixture
def held(repo: Repo) -> Repo:
    repo.commit("Start", FILES)
    return repo


def test_the_lock_is_written_before_the_inventory_and_the_candidate_goes_last(held: Repo) -> None:
    changes = write(Git.open(held.root), RULING)
    assert [change.path for change in changes] == [LOCK_PATH, INVENTORY_PATH, CANDIDATE_PATH]
    assert parse_inventory(held.read(INVENTORY_PATH).encode(), "i") == RULING.inventory
    assert parse_lock(held.read(LOCK_PATH).encode(), "l") == LOCK
    assert CANDIDATE_PATH not in held.files()


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (INVENTORY_PATH, splice.add_property("version: 1\n", ENTRY.model_copy(update={"id": "another"}))),
        (LOCK_PATH, dump_lock(Lock(entries={"b.json": "1" * 64}))),
        (CANDIDATE_PATH, dump_candidate(CANDIDATE.model_copy(update={"fn": "g"}))),
    ],
)
def test_what_changed_since_it_was_seen_stops_all_of_it(held: Repo, path: str, content: str | bytes) -> None:
    held.write({path: content})
    before = held.files()
    with pytest.raises(Overtaken, match=f"{path} changed meanwhile"):
        write(Git.open(held.root), RULING)
    assert held.files() == before


def test_a_comment_or_a_line_ending_that_changed_meanwhile_is_kept(held: Repo) -> None:
    held.write({INVENTORY_PATH: "# new\r\nversion: 1\r\n"})
    write(Git.open(held.root), RULING)
    assert held.read(INVENTORY_PATH).startswith("# new\r\nversion: 1\r\nproperties:\r\n")


def test_a_splice_that_says_something_else_is_never_written(held: Repo) -> None:
    before = held.files()
    wrong = Ruling(
        seen=RULING.seen,
        seen_lock=RULING.seen_lock,
        inventory=RULING.inventory,
        splice=lambda text: text + "# nothing\n",
        lock=LOCK,
    )
    with pytest.raises(Refused, match="cannot be spliced"):
        write(Git.open(held.root), wrong)
    assert held.files() == before


def test_a_lock_that_says_it_already_keeps_its_bytes(held: Repo) -> None:
    held.write({LOCK_PATH: '{"a.json":"' + "0" * 64 + '"}'})
    same = Ruling(seen=Inventory(), seen_lock=LOCK, inventory=RULING.inventory, splice=RULING.splice, lock=LOCK)
    assert [change.path for change in write(Git.open(held.root), same)] == [INVENTORY_PATH]


def test_a_candidate_that_does_not_lie_here_needs_no_removal() -> None:
    files = {INVENTORY_PATH: b"version: 1\n"}
    changes = build(files.get, RULING)
    assert [(change.path, change.old is None) for change in changes] == [(LOCK_PATH, True), (INVENTORY_PATH, False)]
