"""Laws in drafts: taken beside named checks, rejected with a reason, and asked for once more where they are."""

from __future__ import annotations

from typing import Any

import pytest

from propose.drafts import Rejected, Taken, judge_draft
from tests.propose.conftest import Ask, Script, answer, draft
from tests.propose.test_drafts import PROMPT
from tests.repo import Repo

GOOD = "min(lo, hi) <= clamp(lo, hi, x) <= max(lo, hi)"
TRIP = {"id": "render_trip", "target": "app.window:render", "evidence": "return str(x)", "samples": ["1"]}


def law_draft(law: Any, **more: Any) -> dict[str, Any]:
    return draft(law=law, **{"checks": [], **more})


def test_a_law_may_stand_alone_or_beside_checks() -> None:
    alone = judge_draft(law_draft(GOOD), PROMPT)
    assert isinstance(alone, Taken)
    assert [use.to_data() for use in alone.candidate.checks] == [{"law": GOOD}]
    both = judge_draft(law_draft(f"  {GOOD} ", checks=[{"name": "output_in_range", "params": []}]), PROMPT)
    assert isinstance(both, Taken)
    assert [use.to_data() for use in both.candidate.checks] == ["output_in_range", {"law": GOOD}]
    assert isinstance(judge_draft(law_draft(""), PROMPT), Rejected)


def test_the_functions_that_a_law_calls_are_found_and_written_down() -> None:
    found = judge_draft(law_draft("parse(render(x)) == x", **TRIP), PROMPT)
    assert isinstance(found, Taken)
    assert found.candidate.siblings == ("parse",)


@pytest.mark.parametrize(
    ("law", "reason"),
    [
        ("clamp(0, 10, 5) == 5", "is an example, not a law: write clamp(lo, hi, x)"),
        ("lo <= hi", "it never calls clamp"),
        ("isinstance(clamp(lo, hi, x), int)", "it tests only the type"),
        ("clamp(lo, hi, x) == clamp(lo, hi, x)", "both sides are"),
        ("clamp(lo, hi, y) <= hi", "y is no parameter of clamp (it has lo, hi, x)"),
        ("clamp(lo, hi, x) == (lo if x < lo else hi if x > hi else x)", "is the body of clamp written again"),
        ("clamp(lo, hi, x).__class__ == 1", "column 1 of the law"),
        ("clamp(lo, hi, x) ==", "column 20 of the law"),
        ("clamp(lo, hi, x) >= lo\n and x", "holds control"),
        (["clamp(lo, hi, x) >= lo"], "it must be a text"),
        ("x" * 5000, "longer than"),
    ],
)
def test_a_law_that_says_too_little_is_rejected_with_the_reason(law: Any, reason: str) -> None:
    found = judge_draft(law_draft(law), PROMPT)
    assert isinstance(found, Rejected)
    assert any(told.startswith("law: ") and reason in told for told in found.reasons), found.reasons


def test_a_law_that_says_too_little_is_asked_for_once_more_with_the_reason(
    ask: Ask, script: Script, branch: Repo
) -> None:
    weak = law_draft("clamp(0, 10, 5) == 5", id="weak_one")
    script.plays(answer(draft(), weak), answer(law_draft(GOOD, id="better_one")))
    done = ask()
    assert done.code == 0, done.err
    assert len(script.bodies) == 2
    assert "clamp(0, 10, 5) is an example, not a law: write clamp(lo, hi, x)" in script.prompts[1]
    written = sorted(path for path in branch.files() if path.startswith("invariants/proposed/"))
    assert [path.rpartition("/")[2] for path in written] == ["better_one.yaml", "clamp_stays_inside.yaml"]
    assert f"law: {GOOD}" in branch.read("invariants/proposed/better_one.yaml").replace('"', "")


def test_what_came_first_is_kept_where_asking_again_fails(ask: Ask, script: Script, branch: Repo) -> None:
    weak = law_draft("clamp(0, 10, 5) == 5", id="weak_one")
    script.plays(answer(draft(), weak), answer(weak), {"error": {"message": "no more"}})
    done = ask()
    assert done.code == 0, done.err
    assert len(script.bodies) == 2
    assert "invariants/proposed/clamp_stays_inside.yaml" in branch.files()
    assert "is an example" in done.out + done.err
