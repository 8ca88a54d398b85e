"""Honest changes are let pass: at least as many as there are hacks, none of them refused."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.hacks import judge, read_hacks
from tests.twins import PLACES, TWINS, Place, house, street

pytestmark = pytest.mark.bulk


def test_there_are_at_least_as_many_twins_as_hacks() -> None:
    assert len(TWINS) + len(PLACES) >= len(read_hacks())
    assert len({twin.name for twin in TWINS} | {place.name for place in PLACES}) == len(TWINS) + len(PLACES)


@pytest.mark.parametrize("part", range(4))
def test_honest_changes_of_a_module_pass(tmp_path: Path, part: int) -> None:
    twins = TWINS[part::4]
    seen = judge(street(tmp_path / "repo", twins), sys.executable)
    rows = defaultdict(set)
    for row in seen.document["rows"]:
        for name in row["ids"] if row["row"] != 1 else ():
            rows[name].add((row["class"], row["vote"]))
    expected = {twin.name: {("behaviour_change", "none")} for twin in twins if twin.warns}
    assert dict(rows) == expected
    assert (seen.decision, seen.code) == ("allow", 0)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_honest_changes_of_a_repository_pass(tmp_path: Path, place: Place) -> None:
    seen = judge(house(tmp_path / "repo", place), sys.executable)
    assert not seen.blocking
    assert (seen.decision, seen.code) == ("allow", 0)
