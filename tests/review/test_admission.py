"""Admission: every pending candidate is rehearsed and stands below what its rehearsal makes of it."""

from __future__ import annotations

import json
import sys

import pytest

from review.claims import Claim
from review.findings import Admission, Finding
from review.queue import Item, State
from review.rehearse import Rehearsal
from review.screen import admission_text
from tests.repo import Repo

GREEN, RED = "pass", "invariant_miss"
BASE = "def tidy(text):\n    return ' '.join(text.split())\n"
HEAD = "def tidy(text):\n    return ' '.join(text.split()) + '!'\n"
SAMPLES = 'samples:\n  - " a  b "\n  - "c"\n  - ""\n'
CLAIMS = {
    "sees_the_change": "  - idempotent\n",
    "too_weak": "  - deterministic\n",
    "wrong": "  - length_at_most: {limit: 1}\n",
    "ready_one": "  - returns_type: {type: str}\n",
    "no_samples": "  - same_length\n",
}


def candidate(name: str) -> str:
    return f"id: {name}\nmodule: tidy\nfn: tidy\nchecks:\n{CLAIMS[name]}{'' if name == 'no_samples' else SAMPLES}"


@pytest.fixture
def queue(repo: Repo) -> Repo:
    """A branch that spoils a function about which five candidates wait."""
    repo.commit("Start", {"tidy.py": BASE, "invariants/inventory.yaml": "version: 1\nproperties: []\n"})
    repo.branch("change")
    repo.commit("Change", {"tidy.py": HEAD, **{f"invariants/proposed/{n}.yaml": candidate(n) for n in CLAIMS}})
    return repo


@pytest.mark.parametrize(
    ("finding", "admission"),
    [
        (Finding(RED, GREEN, 3, 5), Admission.FOUND),
        (Finding(RED, RED), Admission.UNSOUND),
        (Finding(RED, None), Admission.CANNOT_TELL),
        (Finding(GREEN, GREEN, 1, 5), Admission.READY),
        (Finding(GREEN, RED, 1, 5), Admission.READY),
        (Finding(GREEN, GREEN, 0, 5), Admission.VACUOUS),
        (Finding(GREEN, GREEN, 0, 0), Admission.CANNOT_TELL),
        (Finding(GREEN, "noise", 2, 2), Admission.CANNOT_TELL),
        (Finding("protocol_error", GREEN, 2, 2), Admission.CANNOT_TELL),
        (Finding(), Admission.CANNOT_TELL),
    ],
)
def test_what_a_rehearsal_makes_of_a_candidate(finding: Finding, admission: Admission) -> None:
    assert finding.admission is admission


def test_what_found_something_comes_first_and_the_strong_before_the_weak() -> None:
    found, strong, weak = Finding(RED, GREEN, 0, 5), Finding(GREEN, GREEN, 4, 5), Finding(GREEN, GREEN, 1, 5)
    unknown, vacuous, unsound = Finding(), Finding(GREEN, GREEN, 0, 5), Finding(RED, RED)
    ordered = sorted([unsound, vacuous, unknown, weak, strong, found], key=lambda finding: finding.rank)
    assert ordered == [found, strong, weak, unknown, vacuous, unsound]


def test_every_pending_candidate_stands_below_its_admission_and_nothing_is_written(queue: Repo) -> None:
    before = queue.tree_hash()
    done = queue.call("review", "check", "--all", "--base", "main", "--json")
    assert (done.code, queue.tree_hash()) == (0, before), done.err
    seen = {one["id"]: one for one in json.loads(done.out)["candidates"]}
    assert {name: one["admission"] for name, one in seen.items()} == {
        "sees_the_change": "found something",
        "ready_one": "ready",
        "no_samples": "cannot tell",
        "too_weak": "vacuous",
        "wrong": "unsound",
    }
    assert list(seen) == ["sees_the_change", "ready_one", "no_samples", "too_weak", "wrong"]
    assert seen["sees_the_change"]["sample"]["input"] == "' a  b '"
    totals = {one["rehearsed"]["total"] for name, one in seen.items() if one["rehearsed"]["total"]}
    assert len(totals) == 1, "properties of one function are measured by the same mutants"
    assert "sees_the_change" in queue.call("review", "list").out.splitlines()[0], "the queue keeps the order"


def test_the_text_groups_the_candidates_and_says_why_one_was_not_tried() -> None:
    item = Item("invariants/proposed/a.yaml", State.PENDING, claim=Claim("a", "m", "f", ('"idempotent"',), "0" * 64))
    text = admission_text([(item, Rehearsal("nothing: no \x1b[31msamples"))])
    head, claim, why = text.splitlines()
    assert head.startswith("cannot tell (1): ")
    assert claim.split() == ["a", "m:f", "idempotent"]
    assert why.strip() == "nothing: no \\x1b[31msamples"


@pytest.mark.parametrize("more", [("too_weak",), ("--seed", "1"), ("--fixture", "x.json"), ("--call", "args")])
def test_all_goes_with_nothing_that_speaks_of_one(repo: Repo, more: tuple[str, ...]) -> None:
    done = repo.call("review", "check", "--all", *more)
    assert (done.code, done.out) == (2, "")
    assert "--all takes every candidate" in done.err


def test_without_an_id_and_without_all_the_way_out_is_told(repo: Repo) -> None:
    done = repo.call("review", "check")
    assert (done.code, "review list" in done.err) == (2, True)


def test_recorded_calls_are_what_is_rehearsed_on_until_they_are_gone(queue: Repo) -> None:
    calls = "import tidy; tidy.tidy(' a  b '); tidy.tidy('c')"
    env = {"PYTHONPATH": str(queue.root), "PYTHONDONTWRITEBYTECODE": "1"}
    record = ("review", "record", "tidy:tidy", "--out", "tests/fixtures/calls.json", "--", sys.executable, "-c", calls)
    assert queue.run(*record, env=env).code == 0
    found = json.loads(queue.run("review", "check", "no_samples", "--json").out)
    assert found["samples"] == "tests/fixtures/calls.json (2), the calls recorded of this function"
    (queue.root / "tests/fixtures/calls.json").unlink()
    gone = queue.run("review", "check", "no_samples", "--fixture", "tests/fixtures/calls.json")
    assert (gone.code, gone.out) == (1, ""), "a fixture that was asked for is never replaced by another"
    assert "tests/fixtures/calls.json cannot be used" in gone.err
    assert json.loads(queue.run("review", "check", "no_samples", "--json").out)["trials"] == []
