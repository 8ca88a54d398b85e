"""What a run of `propose` tells, as text and as one JSON document; pure: returns what the caller prints."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from inventory.counts import counted
from inventory.digests import claim_of
from inventory.escapes import visible
from inventory.records import PROPOSED_DIR, Candidate
from propose.health import Health
from propose.outcome import Outcome
from propose.plan import Batch, Plan
from propose.prompt import Prompt

SCHEMA_VERSION = 1


def span_text(plan: Plan) -> str:
    """The line that says which commits were looked at."""
    span = plan.span
    ends = f"base {span.base}, {span.chosen}; head {span.head.name}"
    empty = "; base has all that head has, so nothing changed: an older --base shows more"
    return (
        f"range: {span.start[:12]}…{span.head.id[:12]} ({ends})"
        + "; uncommitted changes are not part of it" * plan.is_dirty
        + empty * (span.start == span.head.id)
    )


def files_text(plan: Plan) -> str:
    """Every changed file with the reason why it is in or out."""
    rows = [
        (("in " if file.is_in else "out"), visible(file.path), visible(file.reason)) for file in plan.production.files
    ]
    return "\n".join(f"  {sign}  {path}: {reason}" for sign, path, reason in rows) or "  no file changed"


def messages_text(prompts: Sequence[Prompt]) -> str:
    """The exact messages of each request, control characters made visible."""
    return "\n".join(
        line for number, prompt in enumerate(prompts, 1) for line in _request(number, prompt, len(prompts))
    )


def outcome_text(outcome: Outcome, written: Sequence[str], place: str) -> str:
    """The result: what was written where, and everything that was not, with its reason."""
    lines = [*_candidates(outcome.admitted.new, written), *_course(outcome)]
    lines += [f"duplicate: {d.candidate.id} ({d.candidate.target}): {d.state}" for d in outcome.admitted.duplicates]
    lines += [f"rejected: {r.label}: {visible('; '.join(r.reasons))}" for r in outcome.rejected]
    lines += [f"left out: {visible(o.label)}: {visible(o.reason)}" for o in outcome.omitted]
    return "\n".join([*lines, _sum(outcome, len(written), place)])


def next_text(number: int, branch: str | None, remote: str | None, *, committed: bool) -> str:
    """The commands that bring new candidates to a reviewer; `branch` holds them, or will (None: no branch yet)."""
    name = "candidates" if branch in (None, "main", "master") else str(branch)
    steps = [] if branch == name else [["git", "switch", "--create", name]]
    if not committed:
        steps += [["git", "add", f":/{PROPOSED_DIR}"], ["git", "commit", "--message", _message(number)]]
    if remote:
        steps.append(["git", "push", "--set-upstream", remote, name])
    listed = ["review", "list", "--from", f"{remote}/{name}" if remote else name]
    lines = [f"  {shlex.join(step)}" for step in steps]
    return "\n".join(
        ["", "next:", *lines, "then the reviewer, on a branch that changes no code:", f"  {shlex.join(listed)}"]
    )


def _message(number: int) -> str:
    return f"Propose {counted(number, 'candidate')}"


def to_data(plan: Plan, outcome: Outcome | None, batch: Batch | None, **more: Any) -> dict[str, Any]:
    """The JSON document of a run."""
    span = plan.span
    data: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "base": {"asked": span.base.asked, "name": span.base.name, "commit": span.base.id, "merge_base": span.start},
        "head": {"name": span.head.name, "commit": span.head.id},
        "files": [{"path": visible(f.path), "in": f.is_in, "reason": visible(f.reason)} for f in plan.production.files],
    }
    if outcome is not None:
        data |= _outcome_data(outcome)
    if batch is not None:
        data["requests"] = [
            {"messages": list(p.messages), "tokens": p.cost, "blanked": p.blanked} for p in batch.prompts
        ]
        data["omitted"] = [{"target": visible(o.label), "reason": o.reason} for o in batch.packing.omitted]
    return data | more


def health_text(health: Health) -> str:
    """What one tiny request showed about an endpoint."""
    rows = [
        ("endpoint", health.origin),
        ("model asked", visible(health.model_asked)),
        ("model answered", visible(health.model_answered or "it does not say")),
        ("format", health.answer_format + ("" if health.is_json else "; but the answer was no JSON")),
        ("latency", f"{health.seconds:.2f} s in {counted(health.requests, 'request')}"),
    ]
    return "\n".join(f"{name}: {value}" for name, value in rows)


def health_data(health: Health) -> dict[str, Any]:
    """The same as one JSON document."""
    return {"schema_version": SCHEMA_VERSION, **asdict(health)}


def _outcome_data(outcome: Outcome) -> dict[str, Any]:
    return {
        "proposer": outcome.proposer,
        "candidates": [_candidate_data(candidate) for candidate in outcome.admitted.new],
        "duplicates": [
            {"id": d.candidate.id, "target": str(d.candidate.target), "state": d.state}
            for d in outcome.admitted.duplicates
        ],
        "rejected": [{"id": r.label, "reasons": list(map(visible, r.reasons))} for r in outcome.rejected],
        "omitted": [{"target": visible(o.label), "reason": visible(o.reason)} for o in outcome.omitted],
        "asked": {
            "requests": outcome.requests,
            "tokens": outcome.tokens,
            "blanked": outcome.blanked,
            "changes": list(outcome.changes),
        },
        "dropped_samples": outcome.dropped_samples,
    }


def _candidate_data(candidate: Candidate) -> Mapping[str, Any]:
    digest = claim_of(candidate)
    return {"digest": digest, **candidate.model_dump(mode="json", exclude_none=True)}


def _request(number: int, prompt: Prompt, count: int) -> Iterator[str]:
    yield f"--- request {number} of {count}: about {prompt.cost} tokens, {len(prompt.targets)} targets"
    yield f"    secrets blanked: {prompt.blanked}"
    for message in prompt.messages:
        yield f"--- {message['role']}"
        yield visible(message["content"], lines=True)


def _candidates(new: Iterable[Candidate], written: Sequence[str]) -> Iterator[str]:
    paths = dict(enumerate(written))
    for at, candidate in enumerate(new):
        yield f"{candidate.id}  {candidate.target}  {', '.join(_check(use.to_data()) for use in candidate.checks)}"
        if candidate.statement:
            yield f"    {visible(candidate.statement)}"
        if candidate.evidence:
            yield f"    evidence: {visible(candidate.evidence)}"
        if at in paths:
            yield f"    {paths[at]}"


def _check(use: str | dict[str, Any]) -> str:
    if isinstance(use, str):
        return use
    [(name, params)] = use.items()
    if isinstance(params, str):
        return f"{name}: {visible(params)}"
    return f"{name}({', '.join(f'{key}={visible(repr(value))}' for key, value in params.items())})"


def _sum(outcome: Outcome, written: int, place: str) -> str:
    if not outcome.admitted.new:
        return f"no candidates: {_why_none(outcome)}; nothing written"
    verb = "written to" if written else "would be written to"
    number = counted(len(outcome.admitted.new), "candidate")
    return f"{number} {verb} {place}; they have no vote until a human promotes them"


def _why_none(outcome: Outcome) -> str:
    if outcome.admitted.duplicates:
        return f"{len(outcome.admitted.duplicates)} known already"
    if not outcome.targets:
        return "no function that a property can name has changed"
    functions = counted(outcome.targets, "changed function")
    if outcome.proposer == "rules":
        return f"no rule has anything to say about {functions}"
    return f"the model proposes none for {functions}" if outcome.requests else "no request could be made"


def _course(outcome: Outcome) -> Iterator[str]:
    """How an endpoint was asked."""
    if outcome.requests:
        steps = f"; {'; '.join(outcome.changes)}" if outcome.changes else ""
        tokens = f", {counted(outcome.tokens, 'token')}" if outcome.tokens else ""
        asked = f"{counted(outcome.requests, 'request')}{tokens}"
        yield f"asked: {asked}, {counted(outcome.blanked, 'secret')} blanked{steps}"
    if outcome.dropped_samples:
        yield f"dropped: {counted(outcome.dropped_samples, 'sample')} that no call could take"
