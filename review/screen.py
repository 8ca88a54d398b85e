"""What a reviewer reads: the queue, one candidate, a rehearsal, as text or as plain data; pure."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from gate.verdicts import Red
from inventory.escapes import visible
from inventory.records import Property
from review.amend import entry_digest
from review.findings import ADMISSIONS, Admission
from review.page import with_law
from review.queue import Item, State
from review.rehearse import Rehearsal
from review.rows import row

SCHEMA_VERSION = 1


def list_text(items: Sequence[Item]) -> str:
    """The queue, one candidate a line, and what to type next."""
    if not items:
        return "no candidates: the queue is empty"
    width = max(len(visible(item.id)) for item in items)
    rows = [f"{visible(item.id):<{width}}  {item.state:<9}  {_claim(item)}" for item in items]
    counts = Counter(item.state for item in items)
    return "\n".join([*rows, "", ", ".join(f"{counts[state]} {state}" for state in State if counts[state])])


def next_steps(items: Iterable[Item], source: str | None) -> str:
    """The commands that go on from the list."""
    pending = next((item for item in items if item.state is State.PENDING), None)
    name = pending.id if pending else "ID"
    more = f" --from {shlex.quote(source)}" if source else ""
    return (
        f"look:    review show {name}{more}\n"
        f"try:     review check {name}{more} --seed N --fixture PATH\n"
        f"promote: review promote {name}{more} --seed N --fixture PATH --sha256 HEX --reviewer WHO\n"
        f"reject:  review reject {name}{more} --reason CODE --reviewer WHO"
    )


def property_text(entry: Property) -> str:
    """One property as it stands, with the law of each check and the digest that `--expect` takes."""
    lines = [f"{entry.id}  votes", row("function", str(entry.target))]
    lines += [row("check" if n == 0 else "", with_law(use)) for n, use in enumerate(entry.checks)]
    lines += [row("fixture", entry.fixture), row("seed", str(entry.seed)), row("call", entry.call)]
    lines += [row("note", entry.note)] if entry.note else []
    lines += [row("reviewed", entry.reviewed_by)] if entry.reviewed_by else []
    return "\n".join([*lines, row("digest", entry_digest(entry))])


def candidate_data(item: Item) -> dict[str, Any]:
    """One item as plain data, with the whole candidate."""
    whole = item.candidate.model_dump(mode="json", exclude_none=True) if item.candidate else None
    return item_data(item) | {"candidate": whole}


def check_text(item: Item, done: Rehearsal) -> str:
    """A rehearsal: what was tried on which samples, how each tree did, and what that means."""
    lines = [f"{visible(item.id)}  {item.state}" + (f": {visible(item.why)}" if item.why else "")]
    lines += [f"  {visible(str(fault))}" for fault in item.faults]
    lines += [row("tried on", done.samples)] if done.samples else []
    lines += [row("sha256", done.fixture.actual)] if done.fixture and done.fixture.actual else []
    for trial in done.trials:
        on = f"{trial.on}, as base" if done.base_is_same else trial.on
        lines.append(row("result", f"{on}: {trial.result.status}, {trial.result.detail}"))
        red = trial.result.red
        lines += [row("", f"sample {red.sample}: {red.input}")] if red else []
        lines += [row("notice", notice) for notice in trial.notices] if not trial.judged else []
        lines += [row("next", trial.result.next_edit)] if not trial.judged and trial.result.next_edit else []
    lines += [row("meaning", done.finding.in_words())] if done.trials else []
    lines += [row("strength", words)] if (words := done.finding.strength_in_words() or done.strength.why) else []
    lines += [row("", _loud(done.strength.loud))] if done.strength.loud and done.strength.total else []
    for name, mutants in (("survived", done.strength.survived), ("unjudged", done.strength.unjudged)):
        lines += [row("" if n else name, f"line {m.line}: {m.what}") for n, m in enumerate(mutants)]
    return "\n".join([*lines, "nothing was written"])


def check_data(item: Item, done: Rehearsal) -> dict[str, Any]:
    """A rehearsal as plain data."""
    strength, finding = done.strength, done.finding
    return {
        "candidate": candidate_data(item),
        "samples": done.samples,
        "sha256": done.fixture.actual if done.fixture else None,
        "trials": [{"on": trial.on, "result": trial.result.model_dump(mode="json")} for trial in done.trials],
        "base_is_same": done.base_is_same,
        "meaning": finding.in_words() if done.trials else "",
        "strength": {
            "killed": strength.killed,
            "total": strength.total,
            "vacuous": strength.vacuous,
            "loud": strength.loud,
            "survived": [{"line": mutant.line, "what": mutant.what} for mutant in strength.survived],
            "unjudged": [{"line": mutant.line, "what": mutant.what} for mutant in strength.unjudged],
            "why": strength.why,
        },
    }


def admission_text(rehearsed: Sequence[tuple[Item, Rehearsal]]) -> str:
    """Every candidate below what its rehearsal makes of it, those to look at first at the top."""
    if not rehearsed:
        return "no candidates are pending"
    groups = groupby(rehearsed, key=lambda one: one[1].finding.admission)
    return "\n\n".join("\n".join(_group(admission, list(some))) for admission, some in groups)


def admission_data(item: Item, done: Rehearsal) -> dict[str, Any]:
    """One candidate of an admission as plain data."""
    known = item_data(replace(item, finding=done.finding))
    red = _red_of(done)
    return known | {
        "admission": done.finding.admission.value,
        "samples": done.samples,
        "meaning": done.finding.in_words() if done.trials else "",
        "sample": {"number": red.sample, "input": red.input, "check": red.check, "detail": red.detail} if red else None,
    }


def _group(admission: Admission, some: Sequence[tuple[Item, Rehearsal]]) -> Iterator[str]:
    yield f"{admission} ({len(some)}): {ADMISSIONS[admission]}"
    for item, done in some:
        yield f"  {visible(item.id)}  {_claim(replace(item, finding=done.finding))}"
        if red := _red_of(done):
            yield f"      sample {red.sample}: {red.input}: {red.detail}"
        elif why := "" if done.trials else done.samples or done.strength.why:
            yield f"      {visible(why)}"


def _loud(count: int) -> str:
    return f"{count} more raise or hang whatever calls the function, and count for nothing"


def _red_of(done: Rehearsal) -> Red | None:
    return next((trial.result.red for trial in done.trials if trial.result.red), None)


def item_data(item: Item) -> dict[str, Any]:
    """One item as plain data, as far as the queue knows it."""
    finding = item.finding
    return {
        "id": item.id,
        "path": item.path,
        "state": item.state.value,
        "why": item.why,
        "digest": item.digest,
        "module": item.claim.module if item.claim else None,
        "fn": item.claim.fn if item.claim else None,
        "checks": [json.loads(use) for use in item.claim.uses] if item.claim else [],
        "rehearsed": {"head": finding.head, "base": finding.base, "killed": finding.killed, "total": finding.total},
        "faults": [{"path": f.path, "line": f.line, "what": f.what} for f in item.faults],
    }


def document(kind: str, **content: Any) -> str:
    """One JSON document with its schema version."""
    return json.dumps({"schema_version": SCHEMA_VERSION, "kind": kind, **content}, indent=2)


def _claim(item: Item) -> str:
    if item.claim is None:
        return visible(item.why)
    names = [use if isinstance(use := json.loads(text), str) else next(iter(use)) for text in item.claim.uses]
    known = [visible(item.why)] if item.why else []
    known += ["fails here"] if item.finding.head == "invariant_miss" else []
    known += [f"strength {item.finding.killed}/{item.finding.total}"] if item.finding.total else []
    return f"{item.claim.target}  {', '.join(names)}" + (f"  ({'; '.join(known)})" if known else "")
