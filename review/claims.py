"""What a file of the queue claims, read from its bytes: the part that is compared and listed, or its faults; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from inventory import codec
from inventory.catalogue import CATALOGUE, faults_of
from inventory.digests import canonical_digest, canonical_use, claim_of
from inventory.errors import CouldNotRun, Fault
from inventory.records import Candidate, CheckUse, Property, Tombstone

_VERSION = 2


@dataclass(frozen=True)
class Claim:
    """What is said about which function; `uses` are its checks as canonical JSON.

    `words` are, of a tombstone, the reason and who gave it.
    """

    id: str
    module: str
    fn: str
    uses: tuple[str, ...]
    digest: str
    has_evidence: bool = False
    words: str = ""

    @property
    def target(self) -> str:
        return f"{self.module}:{self.fn}"


@dataclass(frozen=True)
class Reading:
    """One file as read: its claim, or its faults. `candidate` is None where it was skimmed for its claim."""

    claim: Claim | None
    faults: tuple[Fault, ...] = ()
    candidate: Candidate | None = None
    tombstone: Tombstone | None = None


def claim_of_property(entry: Property) -> Claim:
    """What a property claims; its digest is that of the candidate that it was promoted from, if any."""
    return Claim(entry.id, entry.module, entry.fn, _uses(entry.checks), entry.promoted_from or "")


def read_candidate(path: str, data: bytes | Fault, *, skim: bool = False) -> Reading:
    """A file of `proposed/`, the faults of its checks and of its name included; `skim` is enough to list it."""
    if isinstance(data, Fault):
        return Reading(None, (data,))
    try:
        candidate = codec.skim_candidate(data, path) if skim else codec.parse_candidate(data, path)
        claim = _claim(candidate, has_evidence=bool(candidate.evidence))
    except CouldNotRun as stop:
        return Reading(None, stop.faults or (Fault(path, 0, stop.why),))
    wrong = [*_misnamed(path, candidate), *(what for use in candidate.checks for what in faults_of(use))]
    if wrong:
        return Reading(None, tuple(Fault(path, 0, what) for what in wrong))
    return Reading(claim, candidate=candidate)


def read_tombstone(path: str, data: bytes | Fault, *, skim: bool = False) -> Reading:
    """A file of `rejected/`; `skim` is enough to compare it."""
    if isinstance(data, Fault):
        return Reading(None, (data,))
    try:
        tombstone = codec.skim_tombstone(data, path) if skim else codec.parse_tombstone(data, path)
        return Reading(_claim(tombstone, words=f"{tombstone.reason}, by {tombstone.rejected_by}"), tombstone=tombstone)
    except CouldNotRun as stop:
        return Reading(None, stop.faults or (Fault(path, 0, stop.why),))


# -- as remembered -----------------------------------------------------------------------


def format_digest() -> str:
    """The digest of everything but the bytes of a file that a reading depends on."""
    specs = {s.name: [[p.name, p.kind, p.required] for p in s.params] for s in CATALOGUE.values()}
    return canonical_digest([_VERSION, specs, Candidate.model_json_schema(), Tombstone.model_json_schema()])


def to_data(reading: Reading) -> list[Any]:
    """A reading as JSON data: seven fields of a claim, or one list of faults."""
    c = reading.claim
    if c is None:
        return [[[fault.line, fault.what] for fault in reading.faults]]
    return [c.id, c.module, c.fn, list(c.uses), c.digest, c.has_evidence, c.words]


def from_data(path: str, data: list[Any]) -> Reading:
    """A reading from what `to_data` gave."""
    if len(data) == 1:
        return Reading(None, tuple(Fault(path, line, what) for line, what in data[0]))
    return Reading(Claim(data[0], data[1], data[2], tuple(data[3]), data[4], data[5], data[6]))


def _claim(record: Candidate | Tombstone, *, has_evidence: bool = False, words: str = "") -> Claim:
    digest = claim_of(record)
    return Claim(record.id, record.module, record.fn, _uses(record.checks), digest, has_evidence, words)


def _uses(checks: Iterable[CheckUse]) -> tuple[str, ...]:
    return tuple(canonical_use(use).decode() for use in checks)


def _misnamed(path: str, candidate: Candidate) -> list[str]:
    return [] if path.endswith(f"/{candidate.id}.yaml") else [f"the id {candidate.id} and the name of the file differ"]
