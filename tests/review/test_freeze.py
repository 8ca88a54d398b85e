"""Freezing: only noise, only on these bytes, never without an expiry and never past the cap."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from gate.verdicts import Environment, LaneReport, Outcome, PropertyResult, Repeat, Verdict
from inventory.codec import parse_inventory
from inventory.errors import Refused, Stop, WrongUsage
from inventory.oracle import Oracle
from inventory.records import CheckUse, Freeze, Inventory, Lock, Policy, Property
from review import freeze
from review.ruling import spliced
from tests.repo import Repo

TODAY = date(2026, 3, 1)
HEX = "ab" * 32
ENTRY = Property(id="wobbles", module="app", fn="f", seed=7, fixture="a.json", checks=(CheckUse(name="deterministic"),))
INVENTORY = Inventory(properties=(ENTRY,))
ORACLE = Oracle(INVENTORY, Lock(entries={"a.json": HEX}), Policy(), b"", {}, (), "", "")
YAML = (
    "version: 1\nproperties:\n"
    "  - {id: wobbles, module: app, fn: f, seed: 7, fixture: a.json, checks: [deterministic]}\n"
)


def repeat(number: int, outcome: str, colours: str = "") -> Repeat:
    return Repeat(number=number, outcome=Outcome(outcome), seconds=0.0, colours=colours or outcome[0])


def report(*repeats: Repeat, status: Verdict = Verdict.NOISE, **changed: Any) -> LaneReport:
    data: dict[str, Any] = {
        "prop_id": "wobbles",
        "status": status,
        "detail": "",
        "module": "app",
        "fn": "f",
        "seed": 7,
        "fixture": "a.json",
        "fixture_digest": HEX,
        "locked_digest": HEX,
        "checks": ("deterministic",),
        "repeats": repeats,
    }
    result = PropertyResult(**(data | changed))
    where = Environment(python="", executable="", platform="", packages="", fingerprint="")
    told: dict[str, Any] = {"oracle_digest": "", "lock_digest": "", "environment": where, "isolation": "process"}
    return LaneReport(lane="merge", commit=None, dirty=False, tree="", repeats=2, results=(result,), **told)


NOISE = report(repeat(1, "red"), repeat(2, "green"))


def frozen_inventory(text: str, oracle: Oracle, new: Freeze) -> Inventory:
    ruling = freeze.freezing(new, oracle)
    assert ruling.inventory
    assert ruling.splice
    return parse_inventory(spliced(text.encode(), ruling.splice, ruling.inventory), "i")


def test_noise_is_frozen_with_its_triple_its_colours_and_its_expiry() -> None:
    new = freeze.frozen(ENTRY, NOISE, ORACLE, "2026-03-08", TODAY)
    assert new.model_dump() == {
        "property_id": "wobbles",
        "seed": 7,
        "fixture": "a.json",
        "fixture_sha256": HEX,
        "reason": "noise",
        "expires_on": "2026-03-08",
        "repeats": ("red", "green"),
    }
    assert frozen_inventory(YAML, ORACLE, new).freezes == (new,)


def test_a_sample_that_flakes_under_a_property_that_is_always_red_gives_its_own_colours() -> None:
    lane = report(repeat(1, "red", "grr"), repeat(2, "red", "rrg"), repeat(3, "red", "grr"))
    assert freeze.frozen(ENTRY, lane, ORACLE, "2026-03-08", TODAY).repeats == ("green", "red", "green")


def test_a_freeze_that_is_over_makes_room_for_a_new_one() -> None:
    new = freeze.frozen(ENTRY, NOISE, ORACLE, "2026-03-08", TODAY)
    over = new.model_copy(update={"expires_on": "2026-03-01"})
    text = YAML + "freezes:\n  - " + json.dumps(over.model_dump(mode="json")) + "\n"
    held = replace(ORACLE, inventory=INVENTORY.model_copy(update={"freezes": (over,)}))
    again = freeze.frozen(ENTRY, NOISE, held, "2026-03-20", TODAY)
    assert frozen_inventory(text, held, again).freezes == (again,)


def test_a_freeze_in_force_is_not_made_longer() -> None:
    new = freeze.frozen(ENTRY, NOISE, ORACLE, "2026-03-08", TODAY)
    held = replace(ORACLE, inventory=INVENTORY.model_copy(update={"freezes": (new,)}))
    with pytest.raises(Refused, match="frozen already"):
        freeze.frozen(ENTRY, NOISE, held, "2026-03-20", TODAY)


@pytest.mark.parametrize(
    "lane",
    [
        report(repeat(1, "green"), repeat(2, "green"), status=Verdict.PASS),
        report(repeat(1, "red"), repeat(2, "red"), status=Verdict.INVARIANT_MISS),
        report(repeat(1, "red"), repeat(2, "red")),  # answers that change, but never a green
        report(repeat(1, "red"), repeat(2, "green"), status=Verdict.PROTOCOL_ERROR),
        report(repeat(1, "red"), repeat(2, "green"), seed=8),
        report(repeat(1, "red"), repeat(2, "green"), fixture="b.json"),
        report(repeat(1, "red"), repeat(2, "green"), fixture_digest="0" * 64),
        report(repeat(1, "red"), repeat(2, "green"), prop_id="another"),
    ],
)
def test_anything_but_noise_on_these_very_bytes_is_refused(lane: LaneReport) -> None:
    with pytest.raises(Refused):
        freeze.frozen(ENTRY, lane, ORACLE, "2026-03-08", TODAY)


@pytest.mark.parametrize(
    ("days", "day", "stop"),
    [
        (None, None, WrongUsage),
        (3, "2026-03-04", WrongUsage),
        (None, "tomorrow", WrongUsage),
        (None, "2026-02-30", WrongUsage),
        (10**12, None, WrongUsage),
        (31, None, Refused),
        (0, None, Refused),
        (None, "2026-03-01", Refused),
        (None, "2026-04-01", Refused),
    ],
)
def test_an_expiry_is_required_one_ahead_and_within_the_cap(
    days: int | None, day: str | None, stop: type[Stop]
) -> None:
    with pytest.raises(stop):
        freeze.expiry(days, day, TODAY, 30)


def test_the_last_day_within_the_cap_is_fine() -> None:
    assert freeze.expiry(30, None, TODAY, 30) == freeze.expiry(None, "2026-03-31", TODAY, 30) == "2026-03-31"


FLAKY = "import os\n\n\ndef f(x):\n    return x + int(os.environ['PYTHONHASHSEED']) % 2\n"
FILES = {
    "app.py": FLAKY,
    "a.json": "[1]\n",
    ".github/CODEOWNERS": "* @dev\n/invariants/ @oracle\n/.github/ @oracle\n",
    "invariants/policy.yaml": 'roles:\n  fixture: ["a.json"]\n',
    "invariants/inventory.yaml": YAML.replace("[deterministic]", "[{in_range: {max: 1}}]"),
    "invariants/fixture.lock.json": json.dumps(
        {"a.json": "51cf0fd2f44bef4fd8f1c53d68c68c7ef7a3c38f5a3ac1f8e1dd7b1ed2dbd4a6"}
    ),
}


def test_freeze_runs_the_lane_itself_and_the_frozen_property_no_longer_votes(repo: Repo) -> None:
    repo.commit("Start", FILES)
    repo.branch("freeze")
    assert repo.call("review", "lock", "--note", "The real bytes").code == 0
    repo.commit("Lock")
    repo.git("branch", "--force", "main")
    before = repo.files()
    assert repo.call("review", "freeze", "wobbles").code == 2
    assert repo.call("review", "freeze", "wobbles", "--days", "31").code == 1
    assert repo.files() == before
    done = repo.call("review", "freeze", "wobbles", "--days", "7")
    assert done.code == 0, done.err
    [new] = parse_inventory(repo.read("invariants/inventory.yaml").encode(), "i").freezes
    today = datetime.now(UTC).date()  # noqa: TID251  # the command has no other clock
    assert date.fromisoformat(new.expires_on) - today in (timedelta(days=7), timedelta(days=6))
    ran = repo.call("gate", "run", "--json")
    [result] = json.loads(ran.out)["results"]
    assert (ran.code, result["status"]) == (0, "frozen")
    assert repo.call("review", "freeze", "wobbles", "--days", "7").code == 1


def test_freeze_takes_a_report_that_showed_the_noise_and_no_other(repo: Repo) -> None:
    repo.commit("Start", FILES | {"app.py": "def f(x):\n    return x\n"})
    repo.branch("freeze")
    assert repo.call("review", "lock", "--note", "The real bytes").code == 0
    green = repo.call("review", "freeze", "wobbles", "--days", "7")
    assert (green.code, "showed no noise: pass" in green.err) == (1, True)
    calm = repo.root.parent / "lane.json"
    calm.write_text("[]")
    assert repo.call("review", "freeze", "wobbles", "--days", "7", "--report", str(calm)).code == 3
    told = json.loads(repo.call("gate", "run", "--json").out)
    [result] = told["results"]
    result["status"] = "noise"
    result["repeats"][0] |= {"outcome": "red", "colours": "r"}
    calm.write_text(json.dumps(told))
    done = repo.call("review", "freeze", "wobbles", "--days", "7", "--report", str(calm))
    assert done.code == 0, done.err
    assert "repeats: [red, green]" in repo.read("invariants/inventory.yaml") or "- red" in repo.read(
        "invariants/inventory.yaml"
    )
