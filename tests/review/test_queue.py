"""The queue: every file is an item, and no broken one stands in the way of the others."""

from __future__ import annotations

import pytest

from inventory.codec import dump_candidate, dump_tombstone
from inventory.errors import Fault
from inventory.records import Candidate, CheckUse, Property, Tombstone
from review.claims import claim_of_property, from_data, read_candidate, read_tombstone, to_data
from review.desk import open_desk
from review.findings import Finding
from review.queue import Item, State, Surroundings, build, in_order, narrowed
from tests.repo import Repo

FOLDER = "invariants/proposed"


def candidate(name: str, *checks: str, fn: str = "clamp") -> Candidate:
    uses = tuple(CheckUse(name=check) for check in checks)
    return Candidate(id=name, module="app.window", fn=fn, checks=uses)


def files(*candidates: Candidate) -> dict[str, bytes | Fault]:
    return {f"{FOLDER}/{c.id}.yaml": dump_candidate(c) for c in candidates}


def queue(
    content: dict[str, bytes | Fault],
    properties: tuple[Property, ...] = (),
    tombstones: tuple[Tombstone, ...] = (),
    known: str = "clamp",
) -> dict[str, Item]:
    readings = {path: read_candidate(path, data) for path, data in content.items()}
    remembered = {path: from_data(path, to_data(reading)) for path, reading in readings.items()}
    buried = [read_tombstone("t.yaml", dump_tombstone(tombstone)).claim for tombstone in tombstones]
    around = Surroundings(
        tuple(map(claim_of_property, properties)), tuple(c for c in buried if c), frozenset({f"app.window:{known}"})
    )
    items = build(readings, around)
    assert [item.path for item in items] == sorted(content)
    assert [(i.state, i.why, i.claim, i.faults) for i in build(remembered, around)] == [
        (i.state, i.why, i.claim, i.faults) for i in items
    ]
    return {item.id: item for item in items}


def voting(*checks: str) -> Property:
    uses = tuple(CheckUse(name=check) for check in checks)
    return Property(id="the_property", module="app.window", fn="clamp", seed=1, fixture="a.json", checks=uses)


def buried(*checks: str) -> Tombstone:
    uses = tuple(CheckUse(name=check) for check in checks)
    return Tombstone(id="the_old_one", module="app.window", fn="clamp", checks=uses, reason="vacuous", rejected_by="Jo")


def test_a_sound_candidate_is_pending_and_has_the_digest_of_its_claim() -> None:
    one = queue(files(candidate("one", "total", "stable")))["one"]
    other = queue(files(candidate("other", "stable", "total")))["other"]
    assert one.state is State.PENDING
    assert one.digest
    assert one.digest == other.digest


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"id: [", "not YAML"),
        (b"\xff", "not UTF-8"),
        (b"", "missing"),
        (b"<<<<<<< ours\n", "conflict marker"),
        (dump_candidate(candidate("broken", "total")) + b"seed: 3\n", "seed"),
        (dump_candidate(candidate("broken", "total")) + b"sha256: 3\n", "sha256"),
        (dump_candidate(candidate("other_name", "total")), "name of the file"),
        (dump_candidate(candidate("broken", "raises")), "raises"),
        (Fault(f"{FOLDER}/broken.yaml", 0, "no regular file"), "no regular file"),
    ],
)
def test_a_broken_file_is_listed_with_its_fault_and_blocks_nobody(data: bytes | Fault, what: str) -> None:
    items = queue({f"{FOLDER}/broken.yaml": data, **files(candidate("sound", "total"))})
    assert items["broken"].state is State.INVALID
    assert any(what in fault.what for fault in items["broken"].faults)
    assert all(fault.path == f"{FOLDER}/broken.yaml" for fault in items["broken"].faults)
    assert items["sound"].state is State.PENDING


def test_a_target_that_is_not_in_the_tree_makes_a_candidate_stale() -> None:
    assert queue(files(candidate("one", "total", fn="gone")))["one"].state is State.STALE


def test_a_candidate_says_nothing_new_when_each_of_its_checks_is_spoken_for() -> None:
    items = queue(
        files(candidate("a_new", "total", "stable"), candidate("b_voted", "total"), candidate("c_again", "stable")),
        (voting("total"),),
    )
    assert [items[name].state for name in ("a_new", "b_voted", "c_again")] == [
        State.PENDING,
        State.DUPLICATE,
        State.DUPLICATE,
    ]
    assert "the property the_property" in items["b_voted"].why
    assert "the candidate a_new" in items["c_again"].why


def test_what_was_promoted_and_amended_since_does_not_wait_again_when_a_merge_brings_it_back() -> None:
    old = files(candidate("old", "total"), candidate("the_property", "total", "stable"), candidate("new", "stable"))
    digest = queue(old)["old"].digest
    amended = voting("other").model_copy(update={"promoted_from": digest})
    items = queue(old, (amended,))
    assert [items[name].state for name in ("old", "the_property", "new")] == [
        State.DUPLICATE, State.DUPLICATE, State.PENDING
    ]  # fmt: skip
    assert all("review amend the_property" in items[name].why for name in ("old", "the_property"))
    elsewhere = queue(files(candidate("the_property", "total", fn="other")), (amended,), known="other")
    assert elsewhere["the_property"].state is State.PENDING


def test_the_same_checks_on_another_function_are_new() -> None:
    items = queue(files(candidate("one", "total", fn="other")), (voting("total"),), known="other")
    assert items["one"].state is State.PENDING


def test_what_was_rejected_stays_rejected_under_another_name() -> None:
    item = queue(files(candidate("new_name", "stable", "total")), (), (buried("total", "stable"),))["new_name"]
    assert item.state is State.REJECTED
    assert "vacuous" in item.why


def found(name: str, finding: Finding, *, evidence: str | None = None, state: State = State.PENDING) -> Item:
    path = f"{FOLDER}/{name}.yaml"
    data = dump_candidate(candidate(name, "total").model_copy(update={"evidence": evidence}))
    return Item(path, state, claim=read_candidate(path, data).claim, finding=finding)


def test_the_queue_starts_with_what_fails_then_the_strongest_then_what_has_evidence() -> None:
    items = [
        found("invalid", Finding(), state=State.INVALID),
        found("vacuous", Finding("pass", "pass", 0, 9)),
        found("unknown", Finding()),
        found("weak", Finding("pass", "pass", 2, 9)),
        found("proven", Finding(), evidence="return x"),
        found("stale", Finding("pass", None, 9, 9), state=State.STALE),
        found("strong", Finding("pass", "pass", 8, 9)),
        found("failing", Finding("invariant_miss", "pass", 0, 0)),
    ]
    order = [item.id for item in in_order(items)]
    assert order == ["failing", "strong", "weak", "proven", "unknown", "vacuous", "stale", "invalid"]


def test_filters_leave_what_fits_both() -> None:
    items = [found("one", Finding()), found("two", Finding(), state=State.STALE)]
    assert [i.id for i in narrowed(items, [State.STALE], None)] == ["two"]
    assert [i.id for i in narrowed(items, None, "window:cl")] == ["one", "two"]
    assert narrowed(items, [State.PENDING], "codec") == ()
    assert len(narrowed(items, None, None)) == 2


@pytest.mark.parametrize(
    ("finding", "says"),
    [
        (Finding("invariant_miss", "pass"), "may have broken it"),
        (Finding("invariant_miss", "invariant_miss"), "the claim is wrong, or it has found an old fault"),
        (Finding("pass", "invariant_miss"), "what the change brings"),
        (Finding("noise", "pass"), "unstable"),
        (Finding("pass", "pass"), "it holds"),
        (Finding("protocol_error", "pass"), "could not be judged"),
    ],
)
def test_both_colours_together_mean_something(finding: Finding, says: str) -> None:
    assert says in finding.in_words()
    assert Finding.from_data(finding.to_data()) == finding


def test_a_property_that_kills_no_mutant_is_called_vacuous() -> None:
    assert "vacuous" in Finding("pass", "pass", 0, 3).strength_in_words()
    assert "vacuous" not in Finding("pass", "pass", 1, 3).strength_in_words()
    assert Finding("pass", "pass").strength_in_words() == ""


def test_what_was_read_once_is_remembered_outside_the_repository_and_never_believed_for_other_bytes(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = repo.root.parent / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    sound = dump_candidate(candidate("one", "total"))
    repo.commit("Start", {"app/window.py": "def clamp(): ...\n", f"{FOLDER}/one.yaml": sound})
    before = repo.files(git=True)

    def states() -> dict[str, State]:
        with open_desk(repo.root) as desk:
            return {item.id: item.state for item in desk.queue}

    assert states() == states() == {"one": State.PENDING}
    assert repo.files(git=True) == before
    [remembered] = cache.glob("invariant-inventory/claims-*.json")
    repo.write({f"{FOLDER}/one.yaml": "id: [\n"})
    assert states() == {"one": State.INVALID}
    remembered.write_text("{")
    assert states() == {"one": State.INVALID}
    (repo.root.parent / "flat").write_text("no folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(repo.root.parent / "flat"))
    assert states() == {"one": State.INVALID}


def test_an_empty_queue_names_the_branches_on_which_candidates_wait(repo: Repo) -> None:
    code = {"app/window.py": "def clamp(): ...\n", "invariants/inventory.yaml": "version: 1\n"}
    repo.commit("Start", code)
    repo.branch("settled")
    repo.commit("Propose", {f"{FOLDER}/old.yaml": dump_candidate(candidate("old", "total"))})
    repo.branch("main")
    repo.branch("feature")
    two = [candidate("one", "stable"), candidate("two", "other")]
    repo.commit("Propose", {f"{FOLDER}/{c.id}.yaml": dump_candidate(c) for c in two})
    for name in ("refs/remotes/origin/feature", "refs/remotes/origin/later"):
        repo.git("update-ref", name, "feature")
    repo.branch("main")
    repo.branch("oracle")
    text = dump_tombstone(buried("total"))
    digest = read_tombstone("t.yaml", text).claim
    assert digest
    repo.write({f"invariants/rejected/the_old_one--{digest.digest[:12]}.yaml": text})
    before = repo.files(git=True)
    told = repo.call("review", "list")
    assert told.err == "next: 2 candidates wait on feature: review list --from feature\n"
    assert "2 pending" in repo.call("review", "list", "--from", "feature").out
    unknown = repo.call("review", "check", "two")
    assert (unknown.code, "next: It waits on feature: review show two --from feature" in unknown.err) == (2, True)
    assert "2 candidates wait on feature" in repo.call("review", "show", "nobody").err
    assert repo.files(git=True) == before
    repo.git("branch", "--quiet", "--delete", "--force", "feature")
    assert "review list --from origin/feature\n" in repo.call("review", "list").err


def test_a_long_queue_is_listed_whole_and_searched_by_id(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(repo.root.parent / "cache"))
    text = "id: {0}\nmodule: app.window\nfn: clamp\nchecks:\n  - total\n  - check_{0}\n"
    many: dict[str, str | bytes | None] = {
        f"{FOLDER}/cand_{n:05}.yaml": text.format(f"cand_{n:05}") for n in range(500)
    }
    repo.commit("Start", {"app/window.py": "def clamp(): ...\n"} | many)
    for _ in range(2):  # the second look takes what the first one remembered
        with open_desk(repo.root) as desk:
            assert len(desk.queue) == 500
            assert desk.find("cand_00007").state is State.PENDING
