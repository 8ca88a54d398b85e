"""From a function to a few candidates: where the samples come from, what is known already, and what is written."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from inventory import codec
from inventory.candidates import read_known, write_candidates
from inventory.catalogue import CATALOGUE
from inventory.digests import canonical_digest
from inventory.errors import CouldNotRun, Refused
from inventory.identity import Known, admit, claims_of
from inventory.law_names import Scope
from inventory.law_syntax import parse_law
from inventory.law_words import reading
from inventory.records import Call, Candidate, CheckUse, Provenance, Target, candidate_path
from review.branch import Branch
from review.cover import MOST, Held, chosen
from review.decide import samples_at
from review.desk import Desk
from review.draft import call_for, drafted
from review.mine import Ground, Mined, Step, Unanswered, find, mine
from review.recordings import recording_of
from review.samples import voting_on

_MAX_SAMPLES = 10
_MAX_SAMPLE = 2000  # characters
_SHOWN = 3


@dataclass(frozen=True)
class Source:
    """The samples of a mining, how they become calls, and where they come from."""

    samples: tuple[object, ...]
    call: Call
    words: str


@dataclass(frozen=True)
class Written:
    """A candidate in its file, and how its law did."""

    path: str
    candidate: Candidate
    held: Held

    def data(self) -> dict[str, Any]:
        return {
            "id": self.candidate.id,
            "path": self.path,
            "checks": [use.to_data() for use in self.candidate.checks],
            "killed": len(self.held.kills),
            "right": self.held.right,
            "beside": self.held.beside,
        }


@dataclass(frozen=True)
class Mining:
    """What came of it: the base, the samples, all that was found, and the candidates that are new, written."""

    base: str
    source: Source
    mined: Mined
    known: int
    written: tuple[Written, ...]

    def data(self) -> dict[str, Any]:
        """All of it as plain data."""
        mined = self.mined
        return {
            "base": self.base,
            "samples": {"of": self.source.words, "call": self.source.call.value, "count": len(mined.samples)},
            "laws": {"tried": mined.tried, "untried": mined.untried, "held": len(mined.held), "known": self.known},
            "mutants": {"total": len(mined.mutants), "loud": mined.loud},
            "written": [one.data() for one in self.written],
        }


def mined_at(desk: Desk, target: Target, fixture: str | None, call: Call | None, step: Step) -> Mining:
    """Mine a function on base and write what is new and worth a look to the queue, all of it or nothing.

    Raises Refused where there are no samples, and where base has no such function or it answers to none of them.
    """
    base = desk.branch.tree
    find(base, desk.oracle.policy, target)  # before any samples are asked for
    source, mined = _mined(desk, target, _source(desk, target, fixture, call), step, sure=call is not None)
    known = read_known(desk.work)
    states = [_state(known, target, held) for held in mined.held]
    standing = [held for held, state in zip(mined.held, states, strict=True) if state and state != "rejected"]
    new = [held for held, state in zip(mined.held, states, strict=True) if state is None]
    kept = chosen(new, MOST - states.count("proposed"), standing)
    candidates = [_candidate(target, mined, held, source, desk.branch) for held in kept]
    admitted = admit(candidates, known).new
    write_candidates(desk.git, admitted)
    written = tuple(Written(candidate_path(c.id), c, held) for c, held in zip(admitted, kept, strict=True))
    return Mining(base.label, source, mined, len(standing), written)


def _mined(desk: Desk, target: Target, source: Source, step: Step, *, sure: bool) -> tuple[Source, Mined]:
    """What is found; where nobody says how a sample becomes a call, the next way is tried after one without answers."""
    calls = [source.call] if sure else _calls(source)
    for call in calls:
        ground = Ground(desk.branch.tree, desk.oracle, target, source.samples, call)
        try:
            return replace(source, call=call), mine(ground, desk.work.git, step)
        except Unanswered:
            if call is calls[-1]:
                raise
    raise AssertionError("there is always one way")


def _calls(source: Source) -> list[Call]:
    kinds = {type(sample) for sample in source.samples}
    others = [Call.ARGS] if kinds == {list} else [Call.KWARGS] if kinds == {dict} else []
    return list(dict.fromkeys([source.call, *others]))


def _state(known: Known, target: Target, held: Held) -> str | None:
    [claim] = claims_of(target.module, target.fn, [held.conjecture.use])
    return known.claims.get(claim)


# -- samples -----------------------------------------------------------------------------


def _source(desk: Desk, target: Target, fixture: str | None, call: Call | None) -> Source:
    """The fixture named, else recorded calls, that of a property, a candidate's samples, values of the types."""
    recorded, entry = recording_of(desk.git, target), voting_on(desk.oracle.inventory, target)
    known = [place for place in (recorded, (entry.fixture, entry.call) if entry else None) if place]
    path = fixture or next((path for path, _ in known if path in desk.work), None)
    if path:
        return _of_file(desk, target, path, call or dict(known[::-1]).get(path))
    function = desk.function(target)
    waiting = [i.candidate for i in map(desk.find, _waiting(desk, target)) if i.candidate and i.candidate.samples]
    if waiting:
        samples = waiting[0].samples
        return Source(samples, call or call_for(function, samples), f"the candidate {waiting[0].id}")
    pick = random.Random(str(target)).randrange  # noqa: S311  # the same draft for the same function
    draft = drafted(function, (), (), pick)
    if draft.samples:
        return Source(draft.samples, draft.call, "values made from the types of its signature")
    raise Refused(
        f"there are no samples for {target}",
        why="none are given, recorded, or known of a property or candidate, and no types say what values to make",
        fix=f"Record real calls: review record {target} --out tests/fixtures/{target.fn.rpartition('.')[2]}.json"
        " -- python -m pytest",
    )


def _of_file(desk: Desk, target: Target, path: str, call: Call | None) -> Source:
    found = samples_at(desk, path).fixture
    if found.fault or not found.samples:
        raise Refused(
            f"the fixture {path} cannot be used", why=found.fault or "it is empty", fix="Give a JSON list of inputs."
        )
    return Source(found.samples, call or call_for(desk.function(target), found.samples), path)


def _waiting(desk: Desk, target: Target) -> list[str]:
    return [item.id for item in desk.queue if item.claim and item.claim.target == str(target)]


# -- candidates --------------------------------------------------------------------------


def _candidate(target: Target, mined: Mined, held: Held, source: Source, branch: Branch) -> Candidate:
    conjecture = held.conjecture
    mutants = [mined.mutants[at] for at in sorted(held.kills)]
    faults = "; ".join(f"line {mutant.line}, {mutant.what}" for mutant in mutants[:_SHOWN])
    more = f"; and {len(mutants) - _SHOWN} more" if len(mutants) > _SHOWN else ""
    candidate = Candidate(
        id=_id(target, conjecture.use),
        module=target.module,
        fn=target.fn,
        checks=(conjecture.use,),
        siblings=conjecture.siblings,
        statement=_statement(target, mined, held),
        evidence=f"holds on base for {len(mined.samples)} samples of {source.words}, and notices"
        f" {len(mutants)} of {len(mined.mutants)} mutants; right on {held.right} of {held.beside} inputs like them",
        breaks_if=f"{faults}{more}",
        samples=_suggested(mined.samples, source.call),
        provenance=Provenance(proposer="mined", base=branch.tree.id),
    )
    return _sound(candidate)


def _sound(candidate: Candidate) -> Candidate:
    """The candidate, without the samples that its file would not give back."""
    try:
        if codec.parse_candidate(codec.dump_candidate(candidate), "") == candidate:
            return candidate
    except CouldNotRun:
        pass
    return candidate.model_copy(update={"samples": ()})


def id_stem(target: Target) -> str:
    """How the id of a candidate about a function begins."""
    name = re.sub(r"[^a-z0-9]+", "_", target.fn.lower()).strip("_")[:30]
    return name if name[:1].isalpha() else f"f_{name}"


def _id(target: Target, use: CheckUse) -> str:
    told = use.name if use.law is None else f"law_{canonical_digest(use.claim)[:6]}"
    return f"{id_stem(target)}_{told}"


def _statement(target: Target, mined: Mined, held: Held) -> str | None:
    use = held.conjecture.use
    if use.law is None:
        return CATALOGUE[use.name].law
    parameters = tuple(parameter.name for parameter in mined.function.parameters)
    return reading(parse_law(use.law), Scope(target.fn, parameters, held.conjecture.siblings))


def _suggested(samples: Sequence[object], call: Call) -> tuple[object, ...]:
    """A few of the samples as a candidate suggests them: a list of one argument as that argument."""
    single = call is Call.ARGS and all(isinstance(sample, list) and len(sample) == 1 for sample in samples)
    plain = [sample[0] if single and isinstance(sample, list) else sample for sample in samples]
    return tuple(sample for sample in plain if len(repr(sample)) <= _MAX_SAMPLE)[:_MAX_SAMPLES]
