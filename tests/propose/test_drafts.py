"""Judging drafts: hostile until proven harmless, and each rejected with its reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.codec import dump_candidate, parse_candidate
from inventory.functions import changed_functions, functions_of
from prompts import templates
from propose.budget import Budget
from propose.drafts import Rejected, Taken, find_verbatim, judge_draft, limited
from propose.prompt import Prompt, Templates, block_of, prompt_for
from propose.samples import accepts
from propose.subjects import Subject
from tests.propose.conftest import WINDOW, draft
from tests.propose.test_answer import JSON

SOURCE = WINDOW + "\n\ndef render(x):\n    return str(x)\n\n\ndef parse(text, *, strict=False):\n    return int(text)\n"


def prompt() -> Prompt:
    source = SOURCE.encode()
    functions = functions_of(source) or ()
    subjects = [
        Subject("app/window.py", "app.window", c, functions=functions) for c in changed_functions(None, source) or ()
    ]
    return prompt_for([block_of(s) for s in subjects], (), Budget(), Templates(templates()))


PROMPT = prompt()


def judged(**more: Any) -> Taken | Rejected:
    return judge_draft(draft(**more), PROMPT)


def test_a_good_draft_is_taken_whole() -> None:
    found = judged(samples=['{"lo": 1, "hi": 2, "x": 3}', "not json", '"x"', "NaN", '{"lo": 1, "hi": 2, "x": 3}'])
    assert isinstance(found, Taken)
    assert found.candidate.samples == ({"lo": 1, "hi": 2, "x": 3},)
    assert found.dropped_samples == 4


def test_a_law_stands_by_itself_whatever_checks_lie_beside_it() -> None:
    law = "lo <= clamp(lo, hi, x) or hi < lo"
    odd = [{"name": "idempotent", "params": [{"name": "lo", "value": "1"}]}]
    found = judged(law=law, checks=odd, relation="bounds")
    assert isinstance(found, Taken)
    assert [use.to_data() for use in found.candidate.checks] == [{"law": law}]
    assert isinstance(judged(law="lo <= hi", checks=odd), Rejected), "a law that fails takes nothing with it"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"id": "../../x"}, "is not 3 to 64"),
        ({"id": "on"}, "is not 3 to 64"),
        ({"id": "null"}, "a word of YAML"),
        ({"id": "Clamp"}, "is not 3 to 64"),
        ({"id": "cl\u0430mp"}, "is not 3 to 64"),
        ({"id": "a" * 65}, "is not 3 to 64"),
        ({"id": "a\nb_c"}, "\\x0a"),
        ({"id": "abc\n"}, "\\x0a"),
        ({"id": "x" * (1 << 20)}, "…"),
        ({"id": "\ud800abc"}, "\\ud800"),
        ({"id": None}, "id:"),
        ({"target": "os:system"}, "no target that was sent"),
        ({"target": ["app.window:clamp"]}, "no target that was sent"),
        ({"target": "app.window:clamp "}, "no target that was sent"),
        ({"checks": []}, "none of them is in the catalogue"),
        ({"checks": "idempotent"}, "must be a list"),
        ({"checks": [{"name": "made_up", "params": []}]}, "none of them is in the catalogue, not even made_up"),
        ({"checks": [{"name": "__import__('os')", "params": []}]}, "no name of a check"),
        ({"checks": [{"name": "in_range", "params": [{"name": "min", "value": "low"}]}]}, "min must be"),
        ({"checks": [{"name": "in_range", "params": []}]}, "needs min, max or both"),
        ({"checks": [{"name": "in_range", "params": [{"name": "min", "value": "9" * 400}]}]}, "safe integer"),
        (
            {"checks": [{"name": "roundtrip", "params": [{"name": "inverse", "value": "os.system"}]}]},
            "no function of that",
        ),
        ({"checks": [{"name": "idempotent", "params": [{"name": "x", "value": "1"}]}]}, "no parameter x"),
        ({"checks": [{"name": "matches", "params": [{"name": "pattern", "value": "("}]}]}, "regular expression"),
        ({"checks": [{"name": "idempotent", "params": [], "call": "args"}]}, "no check with name and params"),
        ({"statement": "a\x1b[2Jb"}, "\\x1b"),
        ({"statement": "a\u202eb"}, "\\u202e"),
        ({"statement": "a\x00b"}, "\\x00"),
        ({"statement": "x" * (1 << 20)}, "longer than 2000"),
        ({"breaks_if": "\udc00"}, "\\udc00"),
        ({"evidence": "return 42 + x"}, "not in what was sent"),
        ({"evidence": "  \n "}, "must be a text"),
        ({"evidence": "x"}, "not in what was sent"),
        ({"samples": "all"}, "samples: it is no list"),
        ({"checks": [{"name": "is_sorted", "params": [3]}]}, "no parameter with name and value"),
        ({"checks": [{"name": "is_sorted", "params": {"a b": 1}}]}, "no name of a parameter"),
        ({"checks": [{"name": "matches", "params": {"pattern": "\u202e"}}]}, "control characters"),
        ({"new_checks": [{"name": "x"}]}, "each needs a name and a statement"),
        ({"checks": [["idempotent"]]}, "no check with name and params"),
        ({"new_checks": [{"name": "rm -rf", "statement": "x"}]}, "no name"),
        ({"status": "promoted"}, "status is for a reviewer"),
        ({"seed": 3, "fixture": "x.json", "reviewed_by": "me"}, "seed is for a reviewer"),
        ({"provenance": {}}, "unknown key 'provenance'"),
        ({"\x1b]0;x": 1}, "\\x1b]0;x"),
    ],
)
def test_a_bad_draft_is_rejected_with_its_reason(more: dict[str, Any], reason: str) -> None:
    found = judged(**more)
    assert isinstance(found, Rejected)
    told = found.label + "; ".join(found.reasons)
    assert reason in told
    assert len(told) < 1000
    assert told.isprintable()


@pytest.mark.parametrize("value", ['"render"', "render"])
def test_a_parameter_may_be_json_or_a_bare_word(value: str) -> None:
    checks = [{"name": "roundtrip", "params": [{"name": "inverse", "value": value}]}]
    found = judged(target="app.window:parse", checks=checks, evidence="return int(text)")
    assert isinstance(found, Taken)
    assert found.candidate.checks[0].params == {"inverse": "render"}


def test_an_unknown_check_beside_a_known_one_becomes_a_wish() -> None:
    checks = [{"name": "output_in_range", "params": []}, {"name": "is_monotone", "params": []}]
    found = judged(checks=checks)
    assert isinstance(found, Taken)
    assert [use.name for use in found.candidate.checks] == ["output_in_range"]
    assert [wish.name for wish in found.candidate.new_checks] == ["is_monotone"]


def test_a_check_may_be_a_bare_name_and_a_wish_is_kept() -> None:
    wish = {"name": "is_monotone", "statement": "A larger x gives no smaller result."}
    found = judged(checks=["output_in_range"], new_checks=[wish])
    assert isinstance(found, Taken)
    assert found.candidate.new_checks[0].statement == wish["statement"]


@pytest.mark.parametrize(
    "sample",
    [10**999, {"<<": 1}, {"a": {"<<": {}}}, "\ud800", json.loads("[" * 95 + "]" * 95), json.loads("1" + "0" * 450)],
    ids=["digits", "merge", "inner merge", "surrogate", "depth", "an integer that no YAML takes"],
)
def test_a_sample_that_its_file_would_not_give_back_is_dropped(sample: Any) -> None:
    found = judged(target="app.window:render", evidence="return str(x)", samples=[json.dumps(sample), sample, 7])
    assert isinstance(found, Taken)
    assert found.candidate.samples == (7,)
    assert found.dropped_samples == 2
    assert parse_candidate(dump_candidate(found.candidate), "x.yaml") == found.candidate


def test_a_target_that_is_flooded_is_cut_short() -> None:
    taken = [found for n in range(6) if isinstance(found := judged(id=f"clamp_{n}_x"), Taken)]
    kept, over = limited(taken)
    assert [one.candidate.id for one in kept] == [f"clamp_{n}_x" for n in range(4)]
    assert [one.reasons for one in over] == [("more than 4 for app.window:clamp",)] * 2


def test_evidence_is_kept_as_it_stands_in_the_source() -> None:
    found = judged(evidence="if x < lo: return lo")
    assert isinstance(found, Taken)
    assert found.candidate.evidence == "if x < lo:\n        return lo"


@given(JSON)
def test_an_arbitrary_draft_is_judged_without_an_error(value: Any) -> None:
    assert isinstance(judge_draft(value, PROMPT), Taken | Rejected)


@given(st.sampled_from(sorted(draft())), JSON)
def test_a_draft_with_one_odd_field_is_judged_and_what_is_taken_can_be_written(name: str, value: Any) -> None:
    found = judged(**{name: value})
    if isinstance(found, Taken):
        data = dump_candidate(found.candidate)
        assert parse_candidate(data, "x.yaml") == found.candidate
    else:
        assert json.dumps(found.reasons)


@given(st.text(min_size=4), st.text())
def test_what_is_found_verbatim_is_in_the_text(quote: str, text: str) -> None:
    found = find_verbatim(quote, text + quote + text)
    assert found is None or found in text + quote + text


@pytest.mark.parametrize(
    ("function", "sample", "is_accepted"),
    [
        ("clamp", {"lo": 1, "hi": 2, "x": 3}, True),
        ("clamp", {"lo": 1, "hi": 2}, False),
        ("clamp", [1, 2, 3], True),
        ("clamp", [1, 2], False),
        ("clamp", 5, False),
        ("render", 5, True),
        ("render", None, True),
        ("render", [1, 2], True),
        ("parse", {"text": "1", "strict": True}, True),
    ],
)
def test_a_sample_must_fit_the_signature(function: str, sample: Any, *, is_accepted: bool) -> None:
    found = next(f for f in functions_of(SOURCE.encode()) or () if f.name == function)
    assert accepts(found, sample) is is_accepted
