"""The page of one candidate: what it claims, where its function stands, and what speaks for and against it; pure."""

from __future__ import annotations

import json
from typing import Any

from inventory.catalogue import CATALOGUE
from inventory.counts import counted
from inventory.escapes import visible
from inventory.oracle import Fixture
from inventory.records import Candidate, CheckUse
from review.laws import against, names, readings
from review.nearest import difference
from review.queue import State
from review.rows import WIDTH, block, row
from review.view import View

_MAX_SAMPLE = 400


def page(view: View, width: int = WIDTH) -> str:
    """One candidate with everything that a ruling needs."""
    item, candidate = view.item, view.item.candidate
    lines = [heading(view)]
    if candidate is None:
        return "\n".join([*lines, *(f"  {visible(str(fault))}" for fault in item.faults)])

    def add(name: str, *texts: str) -> None:
        lines.extend(row(name if n == 0 else "", text, width) for n, text in enumerate(texts))

    line = f":{view.function.first}" if view.function else ""
    add("function", f"{candidate.target}  ({f'{view.place}{line}' if view.place else 'not in this tree'})")
    add("", *([view.function.signature] if view.function else []))
    add("claims", *filter(None, [candidate.statement]))
    add("check", *(with_law(use) for use in candidate.checks))
    add("reads", *readings(candidate, view.function))
    add("names", *names(candidate, view.function))
    add("against", *against(candidate, view.function))
    add("new check", *(f"{new.name}: {new.statement} (nobody has written it)" for new in candidate.new_checks))
    add("breaks if", *filter(None, [candidate.breaks_if]))
    lines += _evidence(view, candidate, width)
    add("sample", *(_json(sample) for sample in candidate.samples))
    add("found", *_found(view))
    add("nearest", *_nearest(view))
    add(
        "rejected",
        *(f"{t.id}: {t.reason}, by {t.rejected_by}" + (f": {t.note}" if t.note else "") for t in view.graves),
    )
    add("missing", *view.missing)
    add("candidate digest", f"\n{item.digest or ''}")
    return "\n".join(lines)


def heading(view: View) -> str:
    """The id, the state and why."""
    item = view.item
    return f"{visible(item.id)}  {item.state}" + (f": {visible(item.why)}" if item.why else "")


def difference_page(view: View, width: int = WIDTH) -> str:
    """How a candidate differs from the nearest property."""
    if view.nearest is None or view.item.candidate is None:
        return row("nearest", "no property is near: none has this module or one of these checks", width)
    return block("difference", difference(view.item.candidate, view.nearest))


def provenance_page(candidate: Candidate, width: int = WIDTH) -> str:
    """Where a candidate came from."""
    known = candidate.provenance
    if known is None:
        return row("proposed", "nobody says by whom", width)
    return "\n".join(row(name, str(value), width) for name, value in known.model_dump(exclude_none=True).items())


def fixture_page(fixture: Fixture, width: int = WIDTH) -> str:
    """What a reviewer must have seen of a fixture: its digest, how many samples, and the first ones."""
    if fixture.samples is None:
        return row("fixture", fixture.fault or f"{fixture.path} cannot be read", width)
    size = len(json.dumps(list(fixture.samples)))
    lines = [
        row("fixture", f"{fixture.path}: {counted(len(fixture.samples), 'sample')}, about {size} characters", width)
    ]
    lines += [row("sha256", fixture.actual or "", width)]
    shown = [_json(sample)[:_MAX_SAMPLE] for sample in fixture.samples[:3]]
    return "\n".join([*lines, *(row("sample" if n == 0 else "", text, width) for n, text in enumerate(shown))])


def with_law(use: CheckUse) -> str:
    """A check with its parameters and what it tests; of a law its text alone."""
    if use.law:
        return f"{use.name}: {use.law}"
    named = f"{use.name}({', '.join(f'{k}={_json(v)}' for k, v in use.params.items())})" if use.params else use.name
    spec = CATALOGUE.get(use.name)
    return f"{named}: {spec.law}" if spec else f"{named}: a check of invariants/checks.py, or not written yet"


def _evidence(view: View, candidate: Candidate, width: int) -> list[str]:
    if not candidate.evidence:
        return []
    if view.context:
        return [block("evidence", [f"{'>' if q.quoted else ' '}{q.number:>5}  {q.text}" for q in view.context])]
    if candidate.provenance and candidate.provenance.proposer == "mined":
        return [row("evidence", candidate.evidence, width)]
    where = f"no longer in {view.place}" if view.place else "of a file that is not here"
    return [block("evidence", [*candidate.evidence.rstrip("\n").split("\n"), f"({where})"])]


def _found(view: View) -> list[str]:
    finding = view.item.finding
    if view.item.state is State.PENDING and not finding.head:
        return ["nothing yet: nobody has tried it here"]
    return [text for text in (finding.in_words() if finding.head else "", finding.strength_in_words()) if text]


def _nearest(view: View) -> list[str]:
    if view.nearest is None:
        return []
    checks = ", ".join(use.name for use in view.nearest.checks)
    return [f"the property {view.nearest.id}: {view.nearest.target}, {checks}"]


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
