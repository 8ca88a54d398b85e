"""A lane report as JUnit XML, one test case for each property, for CI systems that show such files."""

from __future__ import annotations

from xml.etree import ElementTree as ET  # only written here, never parsed

from gate.lane_text import lane_text
from gate.verdicts import LaneReport, PropertyResult, Verdict
from inventory.escapes import visible


def junit(report: LaneReport) -> bytes:
    """The XML: a miss, noise or drift is a failure, a protocol error an error, a frozen property skipped."""
    statuses = [result.status for result in report.results]
    errors = statuses.count(Verdict.PROTOCOL_ERROR)
    skipped = statuses.count(Verdict.FROZEN)
    suite = ET.Element(
        "testsuite",
        name=f"inventory lane {report.lane}",
        tests=str(len(statuses)),
        errors=str(errors),
        skipped=str(skipped),
        failures=str(len(statuses) - errors - skipped - statuses.count(Verdict.PASS)),
        time=f"{sum(map(_seconds, report.results)):.3f}",
    )
    for result in report.results:
        _case(suite, report, result)
    return b'<?xml version="1.0" encoding="utf-8"?>\n' + ET.tostring(suite, encoding="unicode").encode() + b"\n"


def _case(suite: ET.Element, report: LaneReport, result: PropertyResult) -> None:
    case = ET.SubElement(
        suite, "testcase", classname=result.module, name=result.prop_id, time=f"{_seconds(result):.3f}"
    )
    if result.status is Verdict.PASS:
        return
    tags = {Verdict.PROTOCOL_ERROR: "error", Verdict.FROZEN: "skipped"}
    told = ET.SubElement(case, tags.get(result.status, "failure"), message=visible(result.detail))
    if result.status is not Verdict.FROZEN:
        told.set("type", result.status.value)
        told.text = lane_text(report.model_copy(update={"results": (result,)}))


def _seconds(result: PropertyResult) -> float:
    return sum(repeat.seconds for repeat in result.repeats)
