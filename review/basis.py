"""What a candidate is rehearsed on: samples that somebody already has, and how they become calls."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from inventory.catalogue import CATALOGUE
from inventory.digests import sha256
from inventory.errors import Refused
from inventory.oracle import Fixture
from inventory.reading import read_fixture
from inventory.records import Call, Candidate, candidate_path
from review.desk import Desk
from review.draft import call_for
from review.promote import Ask
from review.recordings import recording_of
from review.samples import draft_path, voting_on
from review.standing import add_of


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
    recorded = recording_of(desk.git, candidate.target) if _takes_calls(candidate) else None
    if recorded and recorded[0] not in desk.work:
        recorded = None
    if ask.fixture and not (recorded and recorded[0] == ask.fixture):
        return _as_meant(desk, candidate, ask, _of_file(desk, ask, ask.fixture, Call.SAMPLE, ""))
    if recorded:
        return _of_file(desk, ask, recorded[0], ask.call or recorded[1], ", the calls recorded of this function")
    if entry := voting_on(desk.oracle.inventory, candidate.target):
        return _of_file(
            desk, ask, entry.fixture, ask.call or entry.call, ", the fixture of another property of this function"
        )
    draft = draft_path(candidate.id)
    if draft in desk.work:
        return _as_meant(
            desk, candidate, ask, _of_file(desk, ask, draft, Call.SAMPLE, ", the draft for this candidate")
        )
    if candidate.samples:
        return _own(candidate, ask.call or call_for(desk.function(candidate.target), candidate.samples))
    return Basis(
        "nothing: no fixture is given or known, and the candidate suggests no samples."
        f" Draft some: {ask.draft_command(draft)}"
    )


def start_of(desk: Desk, ask: Ask, path: str) -> str:
    """How a fixture that is not there comes to be: from the candidate's branch, an ignored file, or a draft."""
    if path in desk.source:
        branch = desk.source.label.partition(" ")[0]
        return f"{branch} has it: {shlex.join(['git', 'checkout', branch, '--', f':/{path}'])}"
    if (desk.git.root / path).is_file():
        return f"git ignores it: {add_of([path], '--force')}"
    return f"Draft it, and edit it until every sample is one that you mean: {ask.draft_command(path)}"


def _takes_calls(candidate: Candidate) -> bool:
    """Whether recorded calls are what its checks want: some take samples of a shape of their own."""
    shapes = {CATALOGUE[use.name].shape for use in candidate.checks if use.name in CATALOGUE}
    return not shapes & {"window", "triple", "pair of inputs"}


def _as_meant(desk: Desk, candidate: Candidate, ask: Ask, found: Basis) -> Basis:
    """The same with the call that was asked for, else the one that the samples look meant for."""
    samples = found.fixture.samples if found.fixture else None
    return replace(found, call=ask.call or call_for(desk.function(candidate.target), samples or ()))


def _of_file(desk: Desk, ask: Ask, path: str, call: Call, origin: str) -> Basis:
    found = read_fixture(desk.work, path, desk.oracle.lock.entries.get(path), desk.oracle.policy)
    if found.fault:
        raise Refused(
            f"the fixture {path} cannot be used",
            why=found.fault,
            fix=start_of(desk, ask, path) if found.entry is None else "Write a JSON list of inputs there, by hand.",
        )
    return Basis(f"{path} ({len(found.samples or ())}){origin}", found, call)


def _own(candidate: Candidate, call: Call) -> Basis:
    path, digest = candidate_path(candidate.id), sha256(repr(candidate.samples).encode())
    words = f"the samples that the candidate itself suggests ({len(candidate.samples)})"
    return Basis(words, Fixture(path, None, candidate.samples, digest, None), call)
