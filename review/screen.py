"""What a reviewer reads: the queue, one candidate, a rehearsal, as text or as plain data; pure."""

from __future__ import annotations

import json
import textwrap
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from inventory.catalogue import CATALOGUE
from inventory.escapes import visible
from inventory.records import Candidate, CheckUse, Property
from review.amend import entry_digest
from review.queue import Item, State
from review.rehearse import Rehearsal
from review.source import Signature

SCHEMA_VERSION = 1
_WIDTH = 100


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
    more = f" --from {source}" if source else ""
    return (
        f"look:    review show {name}{more}\n"
        f"try:     review check {name}{more} --seed N --fixture PATH\n"
        f"promote: review promote {name}{more} --seed N --fixture PATH --sha256 HEX --reviewer WHO\n"
        f"reject:  review reject {name}{more} --reason CODE --reviewer WHO"
    )


def show_text(item: Item, place: str | None, signature: Signature | None) -> str:
    """One candidate with everything that a ruling needs."""
    candidate = item.candidate
    lines = [f"{visible(item.id)}  {item.state}" + (f": {visible(item.why)}" if item.why else "")]
    if candidate is None:
        return "\n".join([*lines, *(f"  {visible(str(fault))}" for fault in item.faults)])
    at = f"{place}:{signature.line}" if place and signature else place or "not in this tree"
    lines += [_row("function", f"{candidate.target}  ({at})")]
    lines += [_row("", signature.text)] if signature else []
    lines += [_row("claims", candidate.statement)] if candidate.statement else []
    lines += [_row("check" if n == 0 else "", _with_law(use)) for n, use in enumerate(candidate.checks)]
    lines += [_row("new check", f"{new.name}: {new.statement} (nobody has written it)") for new in candidate.new_checks]
    lines += [_row("breaks if", candidate.breaks_if)] if candidate.breaks_if else []
    lines += [_block("evidence", candidate.evidence)] if candidate.evidence else []
    lines += [_row("sample" if n == 0 else "", _json(sample)) for n, sample in enumerate(candidate.samples)]
    lines += [_row("proposed", _origin(candidate))] if candidate.provenance else []
    return "\n".join([*lines, _row("digest", item.digest or "")])


def property_text(entry: Property) -> str:
    """One property as it stands, with the law of each check and the digest that `--expect` takes."""
    lines = [f"{entry.id}  votes", _row("function", str(entry.target))]
    lines += [_row("check" if n == 0 else "", _with_law(use)) for n, use in enumerate(entry.checks)]
    lines += [_row("fixture", entry.fixture), _row("seed", str(entry.seed)), _row("call", entry.call)]
    lines += [_row("note", entry.note)] if entry.note else []
    lines += [_row("reviewed", entry.reviewed_by)] if entry.reviewed_by else []
    return "\n".join([*lines, _row("digest", entry_digest(entry))])


def candidate_data(item: Item) -> dict[str, Any]:
    """One item as plain data, with the whole candidate."""
    whole = item.candidate.model_dump(mode="json", exclude_none=True) if item.candidate else None
    return item_data(item) | {"candidate": whole}


def check_text(item: Item, done: Rehearsal) -> str:
    """A rehearsal: what was tried on which samples, how each tree did, and what that means."""
    lines = [f"{visible(item.id)}  {item.state}" + (f": {visible(item.why)}" if item.why else "")]
    lines += [f"  {visible(str(fault))}" for fault in item.faults]
    lines += [_row("tried on", done.samples)] if done.samples else []
    for trial in done.trials:
        on = f"{trial.on}, as base" if done.base_is_same else trial.on
        lines.append(_row("result", f"{on}: {trial.result.status}, {trial.result.detail}"))
        red = trial.result.red
        lines += [_row("", f"sample {red.sample}: {red.input}"), _row("", f"{red.check}: {red.detail}")] if red else []
    lines += [_row("meaning", done.finding.in_words())] if done.trials else []
    lines += [_row("strength", words)] if (words := done.finding.strength_in_words() or done.strength.why) else []
    lines += [_row("" if n else "survived", f"line {m.line}: {m.what}") for n, m in enumerate(done.strength.survived)]
    return "\n".join([*lines, "nothing was written"])


def check_data(item: Item, done: Rehearsal) -> dict[str, Any]:
    """A rehearsal as plain data."""
    strength, finding = done.strength, done.finding
    return {
        "candidate": candidate_data(item),
        "samples": done.samples,
        "trials": [{"on": trial.on, "result": trial.result.model_dump(mode="json")} for trial in done.trials],
        "base_is_same": done.base_is_same,
        "meaning": finding.in_words() if done.trials else "",
        "strength": {
            "killed": strength.killed,
            "total": strength.total,
            "vacuous": strength.vacuous,
            "survived": [{"line": mutant.line, "what": mutant.what} for mutant in strength.survived],
            "why": strength.why,
        },
    }


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


def _with_law(use: CheckUse) -> str:
    named = f"{use.name}({', '.join(f'{k}={_json(v)}' for k, v in use.params.items())})" if use.params else use.name
    spec = CATALOGUE.get(use.name)
    return f"{named}: {spec.law}" if spec else f"{named}: a check of invariants/checks.py, or not written yet"


def _origin(candidate: Candidate) -> str:
    known = candidate.provenance
    return " ".join(str(part) for part in (known and known.proposer, known and known.model_answered) if part)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _row(name: str, text: str) -> str:
    lines = [piece for line in text.split("\n") for piece in textwrap.wrap(visible(line), _WIDTH - 13) or [""]]
    first, *rest = lines
    return "\n".join([f"  {visible(name):<10} {first}", *(f"{'':13}{line}" for line in rest)]).rstrip()


def _block(name: str, text: str) -> str:
    first, *rest = (visible(line) for line in text.split("\n"))
    return "\n".join([f"  {name:<10} | {first}", *(f"{'':13}| {line}" for line in rest)])
