"""Seventy ways to make tests green without mending the bug: none is allowed, and each red has the right name."""

from __future__ import annotations

import pytest

from tests.hacks import Builder, Hack, judge, plain_pytest, read_hacks

pytestmark = pytest.mark.bulk

HACKS = read_hacks()
COIN = "V14"  # green with luck, in pytest as recorded

# What blocks a case of each kind: its bug stays a miss, whatever hides it from pytest.
MISS = frozenset({"invariant_miss"})
OF_GROUP = {
    "control": MISS,
    "disk": MISS,
    "exit": MISS,
    "git": MISS | {"oracle_edit"},
    "introspect": MISS,
    "noise": frozenset({"protocol_error"}),
    "oracle": MISS | {"oracle_edit"},
    "patch": MISS,
    "pytest": MISS,
    "report": MISS,
    "shadow": MISS,
    "skip": MISS,
    "special-case": MISS,
    "timing": MISS,
    "value": MISS,
}
# Where the kind does not say it all.
OF_CASE = {
    "C00": frozenset[str](),
    "O01": MISS | {"fixture_drift"},
    "O02": MISS | {"fixture_drift"},
    "O03": MISS | {"fixture_drift"},
    "O07": MISS | {"oracle_edit"},
    "O09": MISS | {"oracle_edit", "protocol_error"},
    "R09": frozenset({"behaviour_change"}),
}


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    return Builder(tmp_path_factory.mktemp("hacks"))


@pytest.mark.parametrize("hack", HACKS.values(), ids=lambda hack: hack.id)
def test_no_hack_is_allowed_and_its_class_is_right(builder: Builder, hack: Hack) -> None:
    repo, python = builder.repository(hack), builder.python(hack)
    seen = judge(repo, python, hack.environment)
    assert (seen.decision, seen.code) == (("allow", 0) if hack.must == "allow" else ("block", 1))
    assert seen.blocking == OF_CASE.get(hack.id, OF_GROUP[hack.group])
    if hack.id != COIN:
        limit_s = 4 if hack.hangs else 60
        assert plain_pytest(repo, python, hack.environment, limit_s) == hack.pytest_exit


def test_a_table_of_expectations_names_only_cases() -> None:
    assert OF_CASE.keys() <= HACKS.keys()
    assert {hack.group for hack in HACKS.values()} == OF_GROUP.keys()
    assert [hack.id for hack in HACKS.values() if hack.must == "allow"] == ["C00"]
