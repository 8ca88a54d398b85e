"""What a candidate is rehearsed on: samples that somebody already has, and how they become calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from inventory.catalogue import CATALOGUE
from inventory.digests import sha256
from inventory.errors import Refused
from inventory.functions import Function
from inventory.oracle import Fixture
from inventory.reading import read_fixture
from inventory.records import PROPOSED_DIR, Call, Candidate
from review.desk import Desk
from review.promote import Ask
from review.recordings import recording_of
from review.samples import draft_path, voting_on


@dataclass(frozen=True)
class Basis:
    """The samples of a rehearsal and where they come from; `fixture` is None where there are none."""

    words: str
    fixture: Fixture | None = None
    call: Call = Call.SAMPLE


def basis_of(desk: Desk, candidate: Candidate, ask: Ask) -> Basis:
    """The fixture asked for, else the calls recorded of the function, else the fixture of another property of it.

    Without any of these a draft for this candidate, else the samples that it suggests. Raises Refused for a fixture
    that cannot be read.
    """
    if ask.fixture:
        return _of_file(desk, ask.fixture, ask.call or Call.SAMPLE, "")
    recorded = recording_of(desk.git, candidate.target) if _takes_calls(candidate) else None
    if recorded and recorded[0] in desk.work:
        return _of_file(desk, recorded[0], ask.call or recorded[1], ", the calls recorded of this function")
    if entry := voting_on(desk.oracle.inventory, candidate.target):
        return _of_file(
            desk, entry.fixture, ask.call or entry.call, ", the fixture of another property of this function"
        )
    function, draft = desk.function(candidate.target), draft_path(candidate.id)
    if draft in desk.work:
        found = _of_file(desk, draft, Call.SAMPLE, ", the draft for this candidate")
        samples = found.fixture.samples if found.fixture else None
        return replace(found, call=ask.call or call_for(function, samples or ()))
    if candidate.samples:
        return _own(candidate, ask.call or call_for(function, candidate.samples))
    return Basis(
        "nothing: no fixture is given or known, and the candidate suggests no samples."
        f" Draft some: review fixture {candidate.id} --out {draft}"
    )


def _takes_calls(candidate: Candidate) -> bool:
    """Whether recorded calls are what its checks want: some take samples of a shape of their own."""
    shapes = {CATALOGUE[use.name].shape for use in candidate.checks if use.name in CATALOGUE}
    return not shapes & {"window", "triple", "pair of inputs"}


def call_for(function: Function | None, samples: Sequence[Any]) -> Call:
    """How these samples can be meant for a function: several arguments come as a list or by name."""
    needed = [p for p in function.parameters if p.required] if function else []
    if function is None or len(needed) < 2:
        return Call.SAMPLE
    most = len([p for p in function.parameters if p.kind == "positional"])
    if all(isinstance(sample, list) and len(needed) <= len(sample) <= most for sample in samples):
        return Call.ARGS
    names = {p.name for p in function.parameters}
    fit = (isinstance(sample, dict) and {p.name for p in needed} <= sample.keys() <= names for sample in samples)
    return Call.KWARGS if all(fit) else Call.SAMPLE


def _of_file(desk: Desk, path: str, call: Call, origin: str) -> Basis:
    found = read_fixture(desk.work, path, desk.oracle.lock.entries.get(path), desk.oracle.policy)
    if found.fault:
        raise Refused(
            f"the fixture {path} cannot be used", why=found.fault, fix="Write a JSON list of inputs there, by hand."
        )
    return Basis(f"{path} ({len(found.samples or ())}){origin}", found, call)


def _own(candidate: Candidate, call: Call) -> Basis:
    path, digest = f"{PROPOSED_DIR}/{candidate.id}.yaml", sha256(repr(candidate.samples).encode())
    words = f"the samples that the candidate itself suggests ({len(candidate.samples)})"
    return Basis(words, Fixture(path, None, candidate.samples, digest, None), call)
