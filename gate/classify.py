"""What two lanes together say about each property: the same class, or a name for their difference; pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from pydantic import ValidationError

from gate.verdicts import SCHEMA_VERSION, LaneReport, Verdict
from inventory.errors import CouldNotRun

_MOVING = frozenset({Verdict.PASS, Verdict.INVARIANT_MISS, Verdict.NOISE})
_FIX = "Write it with: gate run --json > FILE"


class Class(StrEnum):
    """The class of one property over two lanes."""

    PASS = "pass"  # noqa: S105  # a class
    INVARIANT_MISS = "invariant_miss"
    FIXTURE_DRIFT = "fixture_drift"
    NOISE = "noise"
    PROTOCOL_ERROR = "protocol_error"
    FROZEN = "frozen"
    ENVIRONMENT_DRIFT = "environment_drift"


@dataclass(frozen=True)
class Row:
    """One property; `why` is empty where both lanes agree."""

    prop_id: str
    found: Class
    why: str = ""


@dataclass(frozen=True)
class Lane:
    """What was read from one file: the class of each property, and the whole report where it is one."""

    statuses: Mapping[str, str]
    report: LaneReport | None


def parse_lane(data: bytes, name: str) -> Lane:
    """A lane report, that of a judged patch, or the article's plain list of rows with prop_id and status.

    Raises CouldNotRun for anything else; `name` is what messages call it.
    """
    try:
        value = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise CouldNotRun(f"{name} is no JSON", why=_in_words(error), fix=_FIX) from None
    if isinstance(value, list):
        return Lane(_statuses(value, name), None)
    if isinstance(value, dict) and value.get("command") == "check":
        value = value.get("lane")  # the lane that voted on a patch
    if not isinstance(value, dict) or value.get("kind") != "lane_report":
        raise CouldNotRun(f"{name} is no lane report", why="it has another kind of content", fix=_FIX)
    if value.get("schema_version") != SCHEMA_VERSION:
        raise CouldNotRun(
            f"{name} has schema_version {str(value.get('schema_version'))[:20]}",
            why=f"this version reads {SCHEMA_VERSION}",
            fix="Run both lanes with the same version of the tool.",
        )
    try:
        report = LaneReport.model_validate(value)
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"]))
        raise CouldNotRun(f"{name} is no lane report", why=f"{place}: {error.errors()[0]['msg']}", fix=_FIX) from None
    return Lane(_statuses([{"prop_id": r.prop_id, "status": r.status.value} for r in report.results], name), report)


def classify(left: Lane, right: Lane) -> tuple[Row, ...]:
    """One row for each property that either lane names, sorted by id."""
    ids = sorted(left.statuses.keys() | right.statuses.keys())
    if left.report is None or right.report is None:
        pairs = ((i, left.statuses.get(i, "missing"), right.statuses.get(i, "missing")) for i in ids)
        return tuple(_plain_row(*pair) for pair in pairs)
    foreign = _not_comparable(left.report, right.report)
    if foreign:
        return tuple(Row(i, Class.PROTOCOL_ERROR, foreign) for i in ids)
    return tuple(_row(i, left.report, right.report) for i in ids)


def _in_words(error: ValueError | RecursionError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"line {error.lineno}: {error.msg}"
    return "it is nested too deeply" if isinstance(error, RecursionError) else "it is not UTF-8"


def _statuses(rows: list[Any], name: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, row in enumerate(rows, start=1):
        prop_id, status = (row.get("prop_id"), row.get("status")) if isinstance(row, dict) else (None, None)
        if not isinstance(prop_id, str) or not isinstance(status, str) or prop_id in found:
            why = f"row {number} repeats {prop_id}" if prop_id in found else f"row {number} lacks prop_id or status"
            raise CouldNotRun(f"{name} is no lane report", why=why, fix=_FIX)
        found[prop_id] = status
    return found


def _plain_row(prop_id: str, left: str, right: str) -> Row:
    """The article's rules, for lists that tell nothing but the class."""
    if left == right and left in (Class.PASS, Class.INVARIANT_MISS, Class.FIXTURE_DRIFT):
        return Row(prop_id, Class(left))
    if {left, right} <= _MOVING and left != right:
        return Row(prop_id, Class.NOISE, f"{left} in one lane, {right} in the other")
    return Row(prop_id, Class.PROTOCOL_ERROR, f"{left} and {right}")


def _not_comparable(left: LaneReport, right: LaneReport) -> str:
    return next(_differences(left, right), "")


def _differences(left: LaneReport, right: LaneReport) -> Iterator[str]:
    for what, a, b in (
        ("commit", left.commit, right.commit),
        ("tree", left.tree, right.tree),
        ("oracle", left.oracle_digest, right.oracle_digest),
        ("lock", left.lock_digest, right.lock_digest),
    ):
        if a != b:
            yield f"the lanes ran on a different {what}: {str(a)[:12]} and {str(b)[:12]}"


def _row(prop_id: str, left: LaneReport, right: LaneReport) -> Row:
    a, b = left.find(prop_id), right.find(prop_id)
    if a is None or b is None:
        lane = (left if a is None else right).lane
        return Row(prop_id, Class.PROTOCOL_ERROR, f"the lane {lane} has no row for it")
    pair = {a.status, b.status}
    if len(pair) == 1:
        return Row(prop_id, Class(a.status.value))
    told = f"{a.status} in lane {left.lane}, {b.status} in lane {right.lane}"
    if pair == {Verdict.FROZEN, Verdict.PASS}:
        return Row(prop_id, Class.FROZEN, told)
    if pair <= _MOVING | {Verdict.FROZEN}:
        apart = tuple(_apart(left, right))
        if not apart or pair & {Verdict.NOISE, Verdict.FROZEN}:  # what moves within one lane is no matter of the host
            return Row(prop_id, Class.NOISE, told)
        return Row(prop_id, Class.ENVIRONMENT_DRIFT, f"{told}; they differ in {', '.join(apart)}")
    return Row(prop_id, Class.PROTOCOL_ERROR, told)


def _apart(left: LaneReport, right: LaneReport) -> Iterator[str]:
    """What two lanes differ in that may explain their difference."""
    a, b = left.environment, right.environment
    if a.fingerprint != b.fingerprint:
        parts = [name for name in ("python", "platform", "packages") if getattr(a, name) != getattr(b, name)]
        yield " and ".join(parts) or "environment"
    names = sorted(left.conditions.keys() | right.conditions.keys())
    yield from (name.replace("_", " ") for name in names if left.conditions.get(name) != right.conditions.get(name))
