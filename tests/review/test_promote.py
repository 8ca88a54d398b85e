"""The rules of promotion: what stands in the way, and the command that would work."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import Any

import pytest

from inventory.errors import Refused, WrongUsage
from inventory.objects import Entry
from inventory.oracle import Fixture
from inventory.records import Call, Candidate, CheckUse, Inventory, Lock, Property
from review.claims import Claim
from review.promote import Ask, Facts, promoted
from review.queue import Item, State
from review.samples import Samples, locked
from review.standing import Standing


def claim(digest: str) -> Claim:
    return Claim("window_range", "app.window", "clamp", ('"total"',), digest)


HEX = "ab" * 32
CLAIM = "cd" * 32
PATH = "tests/fixtures/a b.json"
CANDIDATE = Candidate(id="window_range", module="app.window", fn="clamp", checks=(CheckUse(name="total"),))
ITEM = Item("invariants/proposed/window_range.yaml", State.PENDING, "", claim(CLAIM), CANDIDATE)
FIXTURE = Fixture(PATH, Entry(PATH, "100644", "blob", "1" * 40), ({"x": 1},), HEX, None)
STANDING = Standing("promote/x", "origin/main", (), uncommitted=False)
SAMPLES = Samples(FIXTURE, untracked=False)
FACTS = Facts(
    ITEM, Inventory(), Lock(), STANDING, base_has_target=True, adds_candidate=False, samples=SAMPLES, seed=174221,
    reviewer="Ada L",
)  # fmt: skip
ASK = Ask("window_range", 7, PATH, HEX, "Jo Doe", "it's so", Call.KWARGS)


def refusal(ask: Ask, facts: Facts) -> Refused:
    with pytest.raises(Refused) as caught:
        promoted(ask, facts)
    return caught.value


def last_command(refused: Refused) -> list[str]:
    return shlex.split(refused.fix.rpartition("\n")[2])


def test_a_promotion_writes_what_was_asked_and_where_it_came_from() -> None:
    assert promoted(ASK, FACTS) == Property(
        id="window_range",
        module="app.window",
        fn="clamp",
        seed=7,
        fixture=PATH,
        checks=CANDIDATE.checks,
        call=Call.KWARGS,
        note="it's so",
        promoted_from=CLAIM,
        reviewed_by="Jo Doe",
    )
    assert locked(Lock(entries={"z.json": "0" * 64}), FIXTURE).entries == {"z.json": "0" * 64, PATH: HEX}


@pytest.mark.parametrize(
    "ask",
    [
        replace(ASK, seed=None),
        replace(ASK, sha256=None),
        replace(ASK, reviewer=None),
        replace(ASK, sha256="0" * 64),
        replace(ASK, sha256=HEX.upper()),
        replace(ASK, sha256=""),
        Ask("window_range", fixture=PATH),
    ],
)
def test_what_is_missing_or_wrong_is_refused_with_a_command_that_works(ask: Ask) -> None:
    words = last_command(refusal(ask, FACTS))
    assert words[:3] == ["review", "promote", "window_range"]
    given = dict(zip(words[3::2], words[4::2], strict=True))
    again = Ask(
        words[2], int(given["--seed"]), given["--fixture"], given["--sha256"], given["--reviewer"], given.get("--note")
    )
    assert promoted(again, FACTS).seed == (174221 if ask.seed is None else ask.seed)
    assert given["--sha256"] == HEX
    assert given["--reviewer"] == (ask.reviewer or "Ada L")


def test_seed_zero_is_a_seed() -> None:
    assert promoted(replace(ASK, seed=0), FACTS).seed == 0


def test_the_digest_of_the_canonical_form_is_asked_for_where_the_lock_holds_it() -> None:
    fixture = replace(FIXTURE, actual=f"jcs:{HEX}", locked=f"jcs:{HEX}")
    assert last_command(refusal(ASK, replace(FACTS, samples=Samples(fixture, untracked=False))))[8] == f"jcs:{HEX}"
    assert (
        promoted(replace(ASK, sha256=f"jcs:{HEX}"), replace(FACTS, samples=Samples(fixture, untracked=False))).fixture
        == PATH
    )


def test_without_a_fixture_the_one_of_the_same_function_is_offered() -> None:
    known = replace(FIXTURE, locked=HEX)
    words = last_command(
        refusal(replace(ASK, fixture=None, sha256=None), replace(FACTS, samples=Samples(known, untracked=False)))
    )
    assert words[words.index("--fixture") + 1] == PATH
    assert words[words.index("--sha256") + 1] == HEX


def test_without_any_fixture_a_place_for_one_is_named() -> None:
    refused = refusal(replace(ASK, fixture=None), replace(FACTS, samples=None))
    assert "tests/fixtures/window_range.json" in last_command(refused)
    assert "--sha256" not in last_command(refused)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"samples": None, "fault": "is a symbolic link"}, "is a symbolic link"),
        ({"entry": None, "samples": None, "actual": None, "fault": "is not there"}, "is not there"),
        ({"locked": "0" * 64}, "bytes have changed"),
        ({}, "no commit"),
    ],
)
def test_a_fixture_that_cannot_be_trusted_is_refused(changed: dict[str, Any], why: str) -> None:
    samples = Samples(replace(FIXTURE, **changed), untracked=not changed)
    refused = refusal(ASK, replace(FACTS, samples=samples))
    assert why in refused.why
    assert shlex.quote(PATH) in refused.fix


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"standing": replace(STANDING, production=("app/window.py",))}, "changes production: app/window.py"),
        ({"adds_candidate": True}, "proposes window_range"),
        ({"base_has_target": False}, "app.window:clamp is not on origin/main"),
    ],
)
def test_the_branch_must_be_one_of_its_own_with_the_target_on_base(changed: dict[str, Any], what: str) -> None:
    assert what in refusal(ASK, replace(FACTS, **changed)).what


def test_the_way_out_takes_the_candidate_from_the_branch_that_has_it() -> None:
    standing = replace(STANDING, name="agent/x", production=("a.py",), uncommitted=True)
    steps = refusal(ASK, replace(FACTS, standing=standing, adds_candidate=True)).fix.splitlines()[1:]
    assert steps[0] == "git stash"
    assert steps[1] == "git switch --create promote/window_range origin/main"
    words = shlex.split(steps[2])
    assert words[words.index("--from") + 1] == "agent/x"
    assert words[words.index("--sha256") + 1] == HEX
    there = replace(standing, name="promote/window_range")
    steps = refusal(ASK, replace(FACTS, standing=there)).fix.splitlines()[1:]
    assert steps[1] == "git switch --create promote/window_range-2 origin/main"
    there = replace(standing, name="main")
    first, *steps = refusal(ASK, replace(FACTS, standing=there)).fix.splitlines()
    assert steps[1] == "git switch --create promote/window_range main"
    assert first.startswith("Do it on a branch of its own, once main is pushed; ")


@pytest.mark.parametrize("expect", [CLAIM[:11], "0" * 64])
def test_a_decision_can_be_bound_to_what_was_seen(expect: str) -> None:
    assert promoted(replace(ASK, expect=CLAIM[:12]), FACTS).promoted_from == CLAIM
    assert "not what you expected" in refusal(replace(ASK, expect=expect), FACTS).what


@pytest.mark.parametrize("state", [State.DUPLICATE, State.REJECTED])
def test_only_what_waits_can_be_promoted(state: State) -> None:
    assert state.value in refusal(ASK, replace(FACTS, item=replace(ITEM, state=state, why="because"))).what


def test_an_invalid_candidate_is_refused_with_its_faults() -> None:
    item = replace(ITEM, state=State.INVALID, candidate=None)
    assert "no valid candidate" in refusal(ASK, replace(FACTS, item=item)).what


def test_an_id_that_votes_already_is_refused() -> None:
    taken = promoted(ASK, FACTS).model_copy(update={"fn": "other"})
    assert "is taken" in refusal(ASK, replace(FACTS, inventory=Inventory(properties=(taken,)))).what


@pytest.mark.parametrize("ask", [replace(ASK, reviewer="a\x1b[31m"), replace(ASK, note="x" * 5000)])
def test_words_that_cannot_be_written_down_are_wrong_usage(ask: Ask) -> None:
    with pytest.raises(WrongUsage, match="cannot be written down"):
        promoted(ask, FACTS)
