"""The rows of the table that the lane gives: reds, noise, faults, and base beside head; pure."""

from __future__ import annotations

import shlex
from collections.abc import Container, Iterator, Sequence

from gate.beside import Beside, Difference, answers_of
from gate.evidence import Evidence
from gate.lane_text import facts_of
from gate.rows import Row, RowClass, Vote
from gate.verdicts import PropertyResult, Red, Repeat, Verdict

_OF_LANE = {
    Verdict.INVARIANT_MISS: (5, RowClass.INVARIANT_MISS, Vote.BLOCK),
    Verdict.NOISE: (6, RowClass.NOISE, Vote.BLOCK),
    Verdict.PROTOCOL_ERROR: (7, RowClass.PROTOCOL_ERROR, Vote.BLOCK),
    Verdict.FIXTURE_DRIFT: (3, RowClass.FIXTURE_DRIFT, Vote.BLOCK),
    Verdict.FROZEN: (12, RowClass.FROZEN, Vote.NONE),
}
_OWN_FACTS = ("happened", "again", "next")
_MOST = 3


def lane_rows(evidence: Evidence, drifted: Container[str]) -> Iterator[Row]:
    """A row for each property that does not pass, and for each that passes and yet answers otherwise than base."""
    for result in evidence.lane.results if evidence.lane else ():
        told = result.status is Verdict.FIXTURE_DRIFT and result.fixture in drifted
        if result.status in _OF_LANE and not told:
            yield _red(evidence, result)
        found = evidence.beside.get(result.prop_id)
        if found:
            yield from _changed(evidence, result, found)


def commit_of(fixture: str) -> str:
    """The next edit where a fixture was changed and locked, and then forgotten."""
    step = f"git add {shlex.quote(fixture)} && git commit"
    return f"commit {fixture}, for the work tree has the bytes that the lock names: {step}"


# -- red ---------------------------------------------------------------------------------


def _red(evidence: Evidence, result: PropertyResult) -> Row:
    number, kind, vote = _OF_LANE[result.status]
    found = evidence.beside.get(result.prop_id)
    on_base = _on_base(result, found.base) if found else None
    facts = [(name, text) for name, text in facts_of(result) if name not in _OWN_FACTS]
    if found and on_base:
        facts += [*_base_value(result.red, found.base), ("on base", on_base)]
    what = f"{result.detail}; on base it is {on_base}" if on_base else result.detail
    edit = result.next_edit or "see the lane report"
    if result.status is Verdict.FIXTURE_DRIFT and result.fixture in evidence.forgotten:
        edit = commit_of(result.fixture)
    again = _again(evidence, result.prop_id, result.red)
    return _row(evidence, result, (number, kind, vote), (what, edit), (*facts, ("again", again)))


def _on_base(head: PropertyResult, base: PropertyResult) -> str | None:
    """What base comes to on the same samples, and what follows for the patch."""
    if head.status in (Verdict.FROZEN, Verdict.FIXTURE_DRIFT):
        return None
    if base.status is Verdict.PASS:
        return "green in every repeat: this patch brought it"
    if base.status is Verdict.NOISE:
        return "noise as well: it is older than this patch" if head.status is Verdict.NOISE else "noise"
    if base.status is not Verdict.INVARIANT_MISS:
        return f"{base.status}: {base.detail}"
    new = sorted(_reds(head.repeats) - _reds(base.repeats))
    if head.status is Verdict.INVARIANT_MISS and not new:
        return "red, too, on the same samples: it is older than this patch"
    return f"red, too, but not on sample {new[0]}: this patch made it worse" if new else "red in every repeat"


def _reds(repeats: Sequence[Repeat]) -> set[int]:
    return {index for repeat in repeats for index, colour in enumerate(repeat.colours) if colour == "r"}


def _base_value(red: Red | None, base: PropertyResult) -> Iterator[tuple[str, str]]:
    answers = answers_of(base.repeats)
    if red and red.sample < len(answers):
        answer = answers[red.sample]
        yield "base value", answer.value if answer else "it changes between repeats, or base gave none"


def _again(evidence: Evidence, name: str, red: Red | None) -> str:
    sample = f" --sample {red.sample}" if red else ""
    return f"gate reproduce {name}{sample} --base {shlex.quote(evidence.base_name)}"


# -- green, and yet not the same -----------------------------------------------------------


def _changed(evidence: Evidence, result: PropertyResult, found: Beside) -> Iterator[Row]:
    what = found.in_words()
    if found.by_heart:
        edit = "compute the answers; if the change is meant, add a sample that shows it, in a PR of its own"
        line = (5, RowClass.INVARIANT_MISS, Vote.BLOCK)
        facts = _shown(found.off[:1])
    elif found.retyped:
        edit = "keep the type; or, in a PR of its own first, let the property allow both, with returns_type:"
        edit += f"\n{result.if_meant.splitlines()[0]}"
        line = (17, RowClass.BEHAVIOUR_CHANGE, Vote.BLOCK)
        facts = _shown(found.changed)
    else:
        edit = "intended? then amend the property or add a sample; if not, fix production"
        line = (17, RowClass.BEHAVIOUR_CHANGE, Vote.NONE)
        facts = _shown(found.changed or found.off)
    if what:
        again = ("again", _again(evidence, result.prop_id, None))
        yield _row(evidence, result, line, (what, edit), (*facts, again))


def _shown(differences: Sequence[Difference]) -> list[tuple[str, str]]:
    facts = []
    for place, one in enumerate(differences[:_MOST], start=1):
        number = f" {place}" if len(differences) > 1 else ""
        facts += [(f"input{number}", one.input), (f"base value{number}", one.base), (f"value{number}", one.head)]
    return facts


def _row(
    evidence: Evidence,
    result: PropertyResult,
    line: tuple[int, RowClass, Vote],
    texts: tuple[str, str],
    facts: tuple[tuple[str, str], ...],
) -> Row:
    place = evidence.places.get(result.prop_id)
    number, kind, vote = line
    return Row(
        number=number,
        kind=kind,
        vote=vote,
        what=texts[0],
        next_edit=texts[1],
        paths=(place.path,) if place else (),
        ids=(result.prop_id,),
        line=place.line if place else 0,
        facts=(("target", f"{result.module}:{result.fn}"), *facts),
    )
