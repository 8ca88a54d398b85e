"""From the repeats of a property to its result: the verdict, in words, with the next edit; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date

from gate.meant import way_of_moved, ways
from gate.verdicts import Outcome, PropertyResult, Repeat, Verdict, draws_unseeded, first_sighting, verdict_of
from inventory.catalogue import faults_of
from inventory.counts import counted
from inventory.freezes import fault_of
from inventory.oracle import Fixture, Oracle
from inventory.records import Freeze, Property

_NEXT = {
    Verdict.PASS: None,
    Verdict.INVARIANT_MISS: "fix production; or, if it is meant, one of these in a PR of its own first:\n{meant}",
    Verdict.NOISE: "remove what is not pinned, or freeze the triple with an expiry: review freeze {id} --days N",
    Verdict.FIXTURE_DRIFT: "restore the bytes, or rebuild the lock with a note: review lock {fixture} --note TEXT",
    Verdict.PROTOCOL_ERROR: "mend what is named: the check, the fixture or the environment is at fault",
    Verdict.FROZEN: "none now: it votes again on {until}",
}

_NEXT_SEEN = {
    "clock": 'pin it with clock: "2026-01-01T00:00:00Z" in the property, or give the function its time as an argument',
    "entropy": "give the function its generator or its seed as an argument",
    "network": "give the function what it fetches as an argument",
}
_MOVE = "move that line into a function that nothing calls while the module is imported"
_NEXT_IMPORTING = {
    "clock": f'pin it with clock: "2026-01-01T00:00:00Z" in the property, or {_MOVE}',
    "entropy": _MOVE,
    "network": _MOVE,
}


def unjudged(entry: Property, oracle: Oracle) -> str | None:
    """Why a property cannot even be tried; None when it can. Drift alone does not keep it from running."""
    fixture = oracle.fixtures[entry.fixture]
    if fixture.locked is None:
        return f"the lock has no entry for {entry.fixture}"
    if fixture.samples is None:
        return fixture.fault or f"{entry.fixture} cannot be read"
    if not fixture.samples:
        return f"{entry.fixture} has no samples"
    return "; ".join(fault for use in entry.checks for fault in faults_of(use)) or None


def result_of(
    entry: Property, oracle: Oracle, repeats: Sequence[Repeat], fault: str | None, today: date
) -> PropertyResult:
    """The result of one property. `fault` says why there are no repeats."""
    fixture = oracle.fixtures[entry.fixture]
    seen = Verdict.PROTOCOL_ERROR if fault else verdict_of(repeats)
    detail = fault or _in_words(entry, seen, repeats)
    freeze, void = _freeze(entry, oracle, today)
    status = _last_word(seen, fixture, freeze)
    if status is Verdict.FIXTURE_DRIFT:
        detail = f"{_drift(fixture)}; on these bytes {seen}: {detail}"
    if status is Verdict.FROZEN and freeze:
        detail = f"frozen until {freeze.expires_on} ({freeze.reason}); it ran as {seen}: {detail}"
    text, meant = _next_edit(status, repeats), ways(entry)
    day = freeze.expires_on if freeze else ""
    return PropertyResult(
        prop_id=entry.id,
        status=status,
        detail="; ".join((detail, *void)),
        module=entry.module,
        fn=entry.fn,
        seed=entry.seed,
        fixture=entry.fixture,
        fixture_digest=fixture.actual,
        locked_digest=fixture.locked,
        checks=tuple(use.name for use in entry.checks),
        repeats=tuple(repeats),
        next_edit=text and text.format(id=entry.id, fixture=entry.fixture, until=day, meant=meant),
        if_meant=meant,
        on_these_bytes=seen if status is not seen else None,
        frozen_until=freeze.expires_on if freeze else None,
    )


def blamed_on_production(head: PropertyResult, base: PropertyResult) -> PropertyResult:
    """The result of head where base tells whose fault a check that raises is.

    A check that raises on an answer of head, in every repeat, and has nothing to say against base on the same
    samples is not at fault itself: what production answers is. That is a miss, as any other.
    """
    suspects = [repeat.suspect for repeat in head.repeats]
    if head.status is not Verdict.PROTOCOL_ERROR or base.status is not Verdict.PASS or not all(suspects):
        return head
    if any(repeat.seen for repeat in head.repeats) or draws_unseeded(head.repeats):
        return head
    repeats = tuple(
        repeat.model_copy(update={"outcome": Outcome.RED, "fault": None, "red": repeat.suspect})
        for repeat in head.repeats
    )
    red = next(red for red in suspects if red)
    what = f"{red.check} on sample {red.sample}: {red.detail}, which it does not on base"
    missed = Verdict.INVARIANT_MISS
    edit = _next_edit(missed, repeats)
    return head.model_copy(
        update={
            "status": missed,
            "repeats": repeats,
            "detail": f"red in all {counted(len(repeats), 'repeat')}; {what}",
            "next_edit": edit and edit.format(id=head.prop_id, fixture=head.fixture, until="", meant=head.if_meant),
        }
    )


def misplaced(result: PropertyResult) -> PropertyResult:
    """The result of a property whose target is not where it says: if it is red for that, the edit is another."""
    if result.status is not Verdict.INVARIANT_MISS:
        return result
    return result.model_copy(update={"next_edit": way_of_moved(result.module, result.fn, result.prop_id)})


def _next_edit(status: Verdict, repeats: Sequence[Repeat]) -> str | None:
    if status is not Verdict.PROTOCOL_ERROR:
        return _NEXT[status]
    if sighting := first_sighting(repeats):
        return (_NEXT_IMPORTING if sighting.importing else _NEXT_SEEN)[sighting.kind]
    return _NEXT_SEEN["entropy"] if draws_unseeded(repeats) else _NEXT[status]


def _last_word(seen: Verdict, fixture: Fixture, freeze: Freeze | None) -> Verdict:
    drifted = fixture.locked is not None and fixture.actual != fixture.locked
    if drifted and (seen is not Verdict.PROTOCOL_ERROR or fixture.samples is None):
        return Verdict.FIXTURE_DRIFT
    return Verdict.FROZEN if freeze and seen is Verdict.NOISE else seen


def _drift(fixture: Fixture) -> str:
    found = f"got {fixture.actual[-64:][:12]}" if fixture.actual else "it is not there"
    return f"{fixture.path}: expected {(fixture.locked or '')[-64:][:12]}, {found}"


def _freeze(entry: Property, oracle: Oracle, today: date) -> tuple[Freeze | None, tuple[str, ...]]:
    """The freeze in force for a property, and words for each that is not."""
    holding, void = None, []
    for freeze in oracle.inventory.freezes:
        if freeze.property_id == entry.id:
            fault = fault_of(freeze, oracle, today)
            if fault:
                void.append(f"its freeze does not hold: {fault}")
            else:
                holding = freeze
    return holding, tuple(void)


def _in_words(entry: Property, verdict: Verdict, repeats: Sequence[Repeat]) -> str:
    count = len(repeats)
    fault = next((repeat.fault for repeat in repeats if repeat.fault), None)
    red = next((repeat.red for repeat in repeats if repeat.red), None)
    what = f"{red.check} on sample {red.sample}: {red.detail}" if red else f"{entry.fn} failed"
    if verdict is Verdict.PROTOCOL_ERROR:
        named = fault or (_unseeded(repeats) if draws_unseeded(repeats) else "no repeat gave a verdict")
        return f"{named}; besides, {what}" if red else named
    if verdict is Verdict.PASS:
        return f"{counted(len(repeats[0].colours), 'sample')} green in {counted(count, 'repeat')}"
    if verdict is Verdict.INVARIANT_MISS:
        return f"red in all {counted(count, 'repeat')}; {what}"
    colours = Counter(repeat.outcome for repeat in repeats)
    told = f"red in {colours[Outcome.RED]} and green in {colours[Outcome.GREEN]} of {counted(count, 'repeat')}"
    return f"{told}{'' if colours[Outcome.GREEN] else ', with samples or answers that change'}; {what}"


def _unseeded(repeats: Sequence[Repeat]) -> str:
    place = next((repeat.drawn_at for repeat in repeats if repeat.drawn_at), None)
    where = f" at {place}" if place else ""
    return f"production draws entropy: a global generator (random, numpy.random) that nothing seeds{where}"
