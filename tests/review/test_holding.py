"""Trying many properties: those that hang together are tried once, and what begins too late ends itself."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from types import SimpleNamespace
from typing import Any

import pytest

from gate.session import processors
from gate.verdicts import Verdict
from inventory.oracle import Fixture, Oracle
from inventory.records import CheckUse, Inventory, Lock, Policy, Property
from inventory.tree import Tree
from review import holding
from review.desk import open_desk
from review.holding import hold_by_group, run_shared
from tests.repo import Repo

FEW = "import signal\n\n\ndef few(n):\n    if n not in (1, 2, 3):\n        signal.pause()\n    return n + 3\n"
EMPTY = {"invariants/inventory.yaml": "version: 1\nproperties: []\n", "invariants/fixture.lock.json": "{}\n"}
SAMPLES = Fixture("samples.json", None, (1, 2, 3), "0" * 64, None)


def entry(name: str, check: CheckUse) -> Property:
    return Property(id=name, module="few", fn="few", seed=1, fixture=SAMPLES.path, checks=(check,))


def group(name: str, *laws: str) -> list[Property]:
    return [entry(f"{name}_{at}", CheckUse(name="law", params={"law": law})) for at, law in enumerate(laws)]


def test_a_law_that_hangs_speaks_for_its_group_and_three_for_all_that_come_later(repo: Repo) -> None:
    repo.commit("Start", {"few.py": FEW, "invariants/policy.yaml": "time_limit_s: 1\n", **EMPTY})
    groups = [
        group("known", "few(n) == n + 3", "few(n) == n + 4"),
        group("more", "few(n + 10) > n", "few(n + 10) == n"),
        group("less", "few(-n) < n", "few(-n) == n"),
        group("again", "few(few(n)) > n", "few(few(n)) == n"),
        group("turned", "few(4 - n) == 7 - n", "few(4 - n) == n"),
        group("raised", "raises('TypeError', few())"),
        group("late", "few(few(few(n))) == n"),
    ]
    with open_desk(repo.root) as desk:
        found = hold_by_group(desk.work, desk.oracle, groups, SAMPLES, lambda _done, _all: None)
    passed = {name for name, result in found.items() if result.status is Verdict.PASS}
    assert passed == {"known_0", "turned_0", "raised_0"}
    assert found.keys() == {"known_0", "known_1", "more_0", "less_0", "again_0", "turned_0", "turned_1", "raised_0"}


@pytest.mark.skipif(len(processors()) < 2, reason="one processor, or a system that binds no process to one")
def test_judges_of_two_lanes_sit_on_processors_of_their_own(repo: Repo) -> None:
    check = "import os\ndef seat(fn, sample):\n    raise AssertionError(str(os.sched_getaffinity(0)))\n"
    repo.commit("Start", {"few.py": FEW, "invariants/checks.py": check, **EMPTY})
    entries = [entry(name, CheckUse(name="seat")) for name in ("one", "two")]
    with open_desk(repo.root) as desk:
        found = run_shared(desk.work, desk.oracle, entries, SAMPLES, lambda _done, _all: None)
    assert len({result.red.detail for result in found.values() if result.red}) == 2


def test_a_lane_that_begins_after_an_interrupt_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    started, first, second = Event(), Event(), Event()

    def lane(_tree: Tree, oracle: Oracle, begun: Callable[[Callable[[], None]], None]) -> Any:
        if oracle.inventory.properties[0].id == "one_0":
            begun(first.set)
            assert started.wait(30)
        else:
            started.set()
            assert first.wait(30)
            begun(second.set)
        return SimpleNamespace(results=())

    def told(_done: int, _all: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(holding, "run_once", lane)
    nothing: Any = None
    oracle = Oracle(Inventory(), Lock(), Policy(), b"", {}, (), "", "")
    entries = [*group("one", "few(n) == n"), *group("two", "few(n) == n")]
    with pytest.raises(KeyboardInterrupt):
        run_shared(nothing, oracle, entries, SAMPLES, told)
    assert second.is_set()
