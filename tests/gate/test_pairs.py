"""Patches of every kind, alone and in every pair that can meet: rows, votes and decision as the table has them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest

from gate.check import check
from gate.lane import LaneSettings
from gate.rows import Decision, Vote
from inventory.git import Git
from tests import article
from tests.repo import Repo

FIXTURE = "tests/fixtures/window_cases.json"
INVENTORY = "invariants/inventory.yaml"
LOCK = "invariants/fixture.lock.json"
FEWER = article.WINDOW_CASES.replace("99", "98")
PROMOTED = (
    "  - id: width_is_steady\n    module: app.window\n    fn: width\n    seed: 1\n"
    f"    fixture: {FIXTURE}\n    checks: [deterministic]\n    call: kwargs\n"
)
FREEZE = (
    f"  - property_id: window_bounds\n    seed: 90210\n    fixture: {FIXTURE}\n"
    '    reason: noise\n    expires_on: "2099-01-01"\n'
)
PARSE = "    return {key: message[key][1] if _is_raw(message[key]) else message[key] for key in sorted(message)}\n"
NOISY = "    return {'seed': hash('it')}\n"
Files = dict[str, str]


def put(path: str, text: str) -> Callable[[Files], None]:
    return lambda files: files.__setitem__(path, text)


def swap(path: str, old: str, new: str) -> Callable[[Files], None]:
    def edit(files: Files) -> None:
        assert old in files[path]
        files[path] = files[path].replace(old, new)

    return edit


@dataclass(frozen=True)
class Part:
    """One thing that a patch may do: its edit, and the rows that it meets beside production or without it."""

    edit: Callable[[Files], None]
    alone: frozenset[int] = frozenset()
    beside: frozenset[int] = frozenset()
    production: bool = False
    touches: str = ""  # two parts that touch the same thing cannot meet


def rows(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


def production(edit: Callable[[Files], None], *numbers: int, touches: str = "") -> Part:
    return Part(edit, rows(*numbers), rows(*numbers), production=True, touches=touches)


CLAMP = "max(lo, min(hi, x))"
IMPORT = "import not_installed_anywhere\n\ndef parse"
PARTS = {
    "kept": production(swap("app/window.py", "return hi - lo", "return abs(hi - lo)"), 16),
    "miss": production(swap("app/window.py", CLAMP, "min(hi, x)"), 5, touches="clamp"),
    "behaviour": production(swap("app/window.py", CLAMP, f"hi if x == 3 else {CLAMP}"), 17, touches="clamp"),
    "noise": production(swap("app/codec.py", PARSE, NOISY), 6, touches="parse"),
    "fault": production(swap("app/codec.py", "def parse", IMPORT), 7, touches="parse"),
    "unknown": production(put("app/data.bin", "x")),
    "twin": production(put("Invariants/x.yaml", "x: 1\n"), 10),
    "docs": Part(put("README.md", "more\n")),
    "tests": Part(put("tests/test_window.py", "# less\n"), beside=rows(2)),
    "candidate": Part(put("invariants/proposed/width.yaml", article.CANDIDATE), rows(8), rows(8)),
    "drift": Part(put(FIXTURE, FEWER), rows(3), rows(3), touches="fixture"),
    "relocked": Part(
        lambda files: files.update({FIXTURE: FEWER, LOCK: article.lock_of(article.FIXTURES | {FIXTURE: FEWER})}),
        rows(4, 11),
        rows(4, 10),
        touches="fixture",
    ),
    "promoted": Part(swap(INVENTORY, "freezes:", f"{PROMOTED}freezes:"), rows(), rows(9)),
    "comment": Part(swap(INVENTORY, "version: 1", "version: 1  # one"), rows(), rows(10)),
    "weaker": Part(swap(INVENTORY, "      - lo_le_hi\n", ""), rows(11), rows(9), touches="lo_le_hi"),
    "frozen": Part(swap(INVENTORY, "  # empty on a clean tree\n", FREEZE), rows(11, 13), rows(10, 13)),
    "disowned": Part(put(".github/CODEOWNERS", "* @all\n/invariants/\n"), rows(11, 14), rows(10)),
    "policy": Part(put("invariants/policy.yaml", "repeats: 3\n"), rows(11), rows(10)),
}
EDITS_OF_INVENTORY = {"promoted", "weaker"}  # row 9 tells these, so the file itself is not told again
RED = {3, 5, 6, 7}
BLOCKING = {3, 4, 5, 6, 7, 9, 10, 13, 14}


def expected(names: tuple[str, ...]) -> set[int]:
    """The rows of the table that these parts meet together."""
    beside = any(PARTS[name].production for name in names)
    found = set().union(*(PARTS[name].beside if beside else PARTS[name].alone for name in names))
    if set(names) == {"candidate"}:
        return {15}
    if beside and "comment" in names and EDITS_OF_INVENTORY & set(names):
        found.discard(10)
    if "relocked" in names and EDITS_OF_INVENTORY & set(names):
        found.discard(4)  # a property on the fixture changed, so the lock has its reason
    if {"candidate", "promoted"} <= set(names):
        found.add(9)  # the patch adds the candidate that it promotes
    if not found & RED:
        found.add(1)
    return found


def can_meet(one: str, other: str) -> bool:
    """Whether both edits can be made, and the pair says more than its parts: production beside something else."""
    code = [name for name in (one, other) if PARTS[name].production]
    if len(code) == 2 or set(code) - {"kept", "miss", "behaviour"} or "docs" in (one, other):
        return False
    return not PARTS[one].touches or PARTS[one].touches != PARTS[other].touches


SINGLES = [(name,) for name in PARTS]
PAIRS = [pair for pair in itertools.combinations(PARTS, 2) if can_meet(*pair)]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo.create(tmp_path_factory.mktemp("pairs") / "repo")
    repo.commit("base", article.FILES)
    return repo


def judge(repo: Repo, names: tuple[str, ...]) -> tuple[set[int], set[int], Decision]:
    """The rows of the patch, the blocking ones among them, and the decision."""
    files: Files = dict(article.FILES)
    for name in names:
        PARTS[name].edit(files)
    repo.git("checkout", "--quiet", "--force", "-B", "patch", "main")
    repo.git("clean", "-fdxq")
    repo.commit(" and ".join(names), files)
    settings = LaneSettings(date(2026, 1, 10))
    found = check(Git.open(Path(os.fspath(repo.root))), "main", settings, allow_empty=False).judgement
    blocking = {row.number for row in found.rows if row.vote is Vote.BLOCK}
    return {row.number for row in found.rows}, blocking, found.decision


@pytest.mark.parametrize("names", [*SINGLES, *PAIRS], ids=" and ".join)
def test_a_patch_meets_the_rows_of_its_parts(shop: Repo, names: tuple[str, ...]) -> None:
    wanted = expected(names)
    found, blocking, decision = judge(shop, names)
    assert found == wanted
    assert blocking == wanted & BLOCKING
    assert decision is (Decision.ALLOW if 1 in wanted and not wanted & BLOCKING else Decision.BLOCK)


def test_the_corpus_is_as_large_as_it_says() -> None:
    assert len(SINGLES) + len(PAIRS) > 80
