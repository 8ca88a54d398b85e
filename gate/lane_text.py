"""A lane report as text for a person: the verdict first, then every red with what to do; returns strings only."""

from __future__ import annotations

from collections.abc import Iterator

from gate.verdicts import LaneReport, PropertyResult, Verdict
from inventory.counts import counted
from inventory.escapes import visible

FINE = frozenset({Verdict.PASS, Verdict.FROZEN})


def lane_text(report: LaneReport) -> str:
    """The whole report, foreign text made visible."""
    bad = [result for result in report.results if result.status not in FINE]
    fine = [result for result in report.results if result.status in FINE]
    parts = [_headline(report, len(bad)), *map(_red, bad)]
    if fine:
        parts.append("\n".join(f"{result.status:<15} {result.prop_id}  {visible(result.detail)}" for result in fine))
    return "\n\n".join(parts)


def _headline(report: LaneReport, bad: int) -> str:
    count = len(report.results)
    verdict = f"{bad} of {counted(count, 'property')}: not passed" if bad else f"passed: {counted(count, 'property')}"
    commit = f"commit {report.commit[:12]}" if report.commit else "no commit"
    if report.dirty:
        commit += " with changes that are not committed"
    where = f"lane {report.lane}, {report.environment.python}, isolation {report.isolation}"
    return f"{verdict}\n{commit}; oracle {report.oracle_digest[:12]}; {visible(where)}"


def _red(result: PropertyResult) -> str:
    head = f"{result.status:<15} {result.prop_id}  {result.module}:{result.fn}"
    return "\n".join((head, *(fact_text(name, text, 9) for name, text in facts_of(result))))


def fact_text(name: str, text: str, width: int) -> str:
    """One fact as lines; only the next edit has more than one, for what is to be typed stands on lines of its own."""
    return f"  {name:<{width}} {in_lines(text, 4) if name == 'next' else visible(text)}"


def in_lines(text: str, margin: int) -> str:
    """Text of several lines, made visible, with a margin before every line but the first."""
    return visible(text, lines=True).replace("\n", "\n" + " " * margin)


def facts_of(result: PropertyResult) -> Iterator[tuple[str, str]]:
    """What is known of a result, as names and texts, in the order in which a reader asks for it."""
    yield "happened", result.detail
    red = result.red
    if red:
        yield "law", f"{red.law or 'as the check says'} ({red.check})"
        yield "input", f"{red.input}   (sample {red.sample} of {result.fixture})"
        if red.value is not None:
            yield "value", red.value
        if red.at:
            yield "at", red.at
    output = next((repeat.output for repeat in result.repeats if repeat.output.strip()), "")
    if output:
        yield "printed", output.strip()[:200]
    if red:
        yield "again", f"gate reproduce {result.prop_id} --sample {red.sample}"
    if result.next_edit:
        yield "next", result.next_edit
