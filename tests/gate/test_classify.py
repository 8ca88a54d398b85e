"""Two lanes compared: the article's rules for plain lists, and whole reports with what they ran on."""

from __future__ import annotations

import json
from typing import Any

import pytest

from gate.classify import Class, Lane, classify, parse_lane
from gate.verdicts import Environment, LaneReport, PropertyResult, Verdict
from inventory.errors import CouldNotRun


def plain(**statuses: str) -> Lane:
    return parse_lane(json.dumps([{"prop_id": k, "status": v} for k, v in statuses.items()]).encode(), "a.json")


def report(fingerprint: str = "f", **statuses: str) -> dict[str, Any]:
    environment = Environment(python="p", executable="e", platform="l", packages="k", fingerprint=fingerprint)
    results = tuple(
        PropertyResult(
            prop_id=name, status=Verdict(status), detail="", module="m", fn="f", seed=1, fixture="x.json",
            fixture_digest=None, locked_digest=None, checks=("c",),
        )
        for name, status in statuses.items()
    )  # fmt: skip
    return LaneReport(
        lane="merge", commit="c", dirty=False, tree="t", oracle_digest="o", lock_digest="l", environment=environment,
        isolation="process", repeats=2, results=results,
    ).model_dump(mode="json")  # fmt: skip


def full(value: dict[str, Any], **changes: Any) -> Lane:
    return parse_lane(json.dumps(value | changes).encode(), "a.json")


@pytest.mark.parametrize(
    ("a", "b", "found"),
    [
        ("pass", "pass", "pass"),
        ("invariant_miss", "invariant_miss", "invariant_miss"),
        ("fixture_drift", "fixture_drift", "fixture_drift"),
        ("pass", "invariant_miss", "noise"),
        ("noise", "pass", "noise"),
        ("noise", "noise", "protocol_error"),
        ("pass", "fixture_drift", "protocol_error"),
        ("frozen", "frozen", "protocol_error"),
        ("what", "what", "protocol_error"),
    ],
)
def test_plain_lists_follow_the_article(a: str, b: str, found: str) -> None:
    [row] = classify(plain(p=a), plain(p=b))
    assert row.found == found


def test_a_missing_row_is_a_protocol_error_in_both_forms() -> None:
    assert [r.found for r in classify(plain(p="pass", q="pass"), plain(p="pass"))] == ["pass", "protocol_error"]
    [row] = classify(full(report()), full(report(p="pass")))
    assert row.found is Class.PROTOCOL_ERROR
    assert "no row" in row.why


@pytest.mark.parametrize("lane", [None, [], {"kind": "other"}])
def test_a_judged_patch_is_read_for_its_lane_and_refused_without_one(lane: Any) -> None:
    judged = {"schema_version": 1, "command": "check", "decision": "allow"}
    value = report(p="pass")
    assert parse_lane(json.dumps(judged | {"lane": value}).encode(), "a.json") == full(value)
    with pytest.raises(CouldNotRun):
        parse_lane(json.dumps(judged | {"lane": lane}).encode(), "a.json")


@pytest.mark.parametrize("status", list(Verdict))
def test_lanes_that_agree_have_that_class(status: Verdict) -> None:
    [row] = classify(full(report(p=status)), full(report("other", p=status)))
    assert row.found.value == status.value


@pytest.mark.parametrize(
    ("a", "b", "alike", "apart"),
    [
        ("pass", "invariant_miss", "noise", "environment_drift"),
        ("noise", "pass", "noise", "noise"),
        ("noise", "invariant_miss", "noise", "noise"),
        ("frozen", "invariant_miss", "noise", "noise"),
        ("frozen", "pass", "frozen", "frozen"),
        ("pass", "fixture_drift", "protocol_error", "protocol_error"),
        ("pass", "protocol_error", "protocol_error", "protocol_error"),
    ],
)
def test_a_difference_is_noise_on_equal_hosts_and_drift_of_the_environment_on_others(
    a: str, b: str, alike: str, apart: str
) -> None:
    for left, right in ((a, b), (b, a)):
        assert classify(full(report(p=left)), full(report(p=right)))[0].found == alike
        assert classify(full(report(p=left)), full(report("other", p=right)))[0].found == apart


def test_lanes_that_differ_in_what_a_witness_varies_show_drift_and_say_in_what() -> None:
    usual, varied = {"time_zone": "UTC", "umask": "022"}, {"time_zone": "X", "umask": "022"}
    left, right = full(report(p="pass"), conditions=usual), full(report(p="invariant_miss"), conditions=varied)
    [row] = classify(left, right)
    assert row.found is Class.ENVIRONMENT_DRIFT
    assert row.why.endswith("; they differ in time zone")


@pytest.mark.parametrize("what", ["commit", "tree", "oracle_digest", "lock_digest"])
def test_lanes_on_different_things_cannot_be_compared(what: str) -> None:
    [row] = classify(full(report(p="pass")), full(report(p="pass"), **{what: "0" * 40}))
    assert row.found is Class.PROTOCOL_ERROR


@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"3", b"{}", b'[{"prop_id": 1, "status": "pass"}]', b'[{"prop_id": "a"}]', b'["a"]',
        b'[{"prop_id": "a", "status": "pass"}, {"prop_id": "a", "status": "pass"}]', b"[" * 100_000, b"\xff\xfe",
        json.dumps(report() | {"schema_version": 99}).encode(), json.dumps(report() | {"results": [{}]}).encode(),
        json.dumps(report() | {"odd": 1}).encode(),
    ],
)  # fmt: skip
def test_anything_else_is_no_lane_report(data: bytes) -> None:
    with pytest.raises(CouldNotRun) as caught:
        parse_lane(data, "a.json")
    assert "Error" not in caught.value.why
