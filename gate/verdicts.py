"""The records of a lane report, and how the repeats of one property become its verdict; pure."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from pydantic import Field

from inventory.records import Isolation, Record

SCHEMA_VERSION = 1


class Verdict(StrEnum):
    """The class of one property."""

    PASS = "pass"  # noqa: S105  # a verdict
    INVARIANT_MISS = "invariant_miss"
    FIXTURE_DRIFT = "fixture_drift"
    NOISE = "noise"
    PROTOCOL_ERROR = "protocol_error"
    FROZEN = "frozen"


_DOES = {
    "clock": "production reads the clock",
    "entropy": "production draws entropy",
    "network": "production uses the network",
}


class Outcome(StrEnum):
    """What one repeat of a property came to; a fault is one of the check, the fixture or the environment."""

    GREEN = "green"
    RED = "red"
    FAULT = "fault"


class Red(Record):
    """One sample that failed: what was expected of it and what production did."""

    sample: int  # place in the fixture, from 0
    check: str
    law: str
    detail: str
    input: str  # as source text, cut
    value: str | None = None  # the last answer before the miss, as source text, cut
    at: str | None = None  # file:line of production, where it raised


class Sighting(Record):
    """A read by production of what no seed pins."""

    kind: Literal["clock", "entropy", "network"]
    source: str  # the function that was called
    at: str  # file:line of production
    importing: bool = False  # before any call, while the module of the property was imported

    def __str__(self) -> str:
        return f"{_DOES[self.kind]}: {self.source} at {self.at}" + ", while its module is imported" * self.importing


class Repeat(Record):
    """One run of a property in a fresh process."""

    number: int
    outcome: Outcome
    seconds: float
    red: Red | None = None  # the first one in the order of the run
    fault: str | None = None
    seen: tuple[Sighting, ...] = ()
    output: str = ""  # what production printed, cut
    colours: str = ""  # one letter for each sample of the fixture in its order: g or r
    digests: tuple[str, ...] = Field(default=(), exclude=True)  # of all answers for each sample, same order
    values: tuple[str, ...] = Field(default=(), exclude=True)  # the last answer for each sample, as source text, cut
    types: tuple[str, ...] = Field(default=(), exclude=True)  # of all answers for each sample, an exception's after !
    suspect: Red | None = Field(default=None, exclude=True)  # in place of the fault, if production made a check raise
    drawn: str | None = Field(default=None, exclude=True)  # state of global generators; "" not drawn, None unknown
    drawn_at: str = Field(default="", exclude=True)


class PropertyResult(Record):
    """One property of one lane. `status` is its verdict; the names of the first two fields are the article's."""

    prop_id: str
    status: Verdict
    detail: str
    module: str
    fn: str
    seed: int
    fixture: str
    fixture_digest: str | None
    locked_digest: str | None
    checks: tuple[str, ...]
    repeats: tuple[Repeat, ...] = ()
    next_edit: str | None = None
    if_meant: str = Field(default="", exclude=True)  # what to type first where a red, or another answer, is meant
    on_these_bytes: Verdict | None = None  # what the lane saw, where drift or a freeze has the last word
    frozen_until: str | None = None

    @property
    def red(self) -> Red | None:
        """The first failing sample of the first red repeat."""
        return next((repeat.red for repeat in self.repeats if repeat.red), None)

    @property
    def sighting(self) -> Sighting | None:
        """The first read of what no seed pins."""
        return first_sighting(self.repeats)


class Environment(Record):
    """Where a lane ran; two lanes with equal fingerprints should agree."""

    python: str  # implementation and version
    executable: str
    platform: str
    packages: str  # digest of the names and versions that are installed
    fingerprint: str  # digest of the three above, executable aside


class LaneReport(Record):
    """One run of the inventory on one host."""

    schema_version: int = SCHEMA_VERSION
    kind: str = "lane_report"
    lane: str
    commit: str | None
    dirty: bool
    tree: str
    oracle_digest: str
    lock_digest: str
    environment: Environment
    isolation: Isolation
    conditions: dict[str, str] = Field(default_factory=dict)  # what must not matter, and the witness varies
    repeats: int
    results: tuple[PropertyResult, ...]
    notices: tuple[str, ...] = ()

    def find(self, prop_id: str) -> PropertyResult | None:
        return next((result for result in self.results if result.prop_id == prop_id), None)


def first_sighting(repeats: Sequence[Repeat]) -> Sighting | None:
    """The first read by production of what no seed pins."""
    return next((sighting for repeat in repeats for sighting in repeat.seen), None)


_RANK = (Verdict.PROTOCOL_ERROR, Verdict.NOISE, Verdict.INVARIANT_MISS, Verdict.PASS)


def verdict_of(repeats: Sequence[Repeat]) -> Verdict:
    """The verdict of a property from its repeats, compared sample by sample.

    A sample that is green throughout passes; one that is red throughout with the same answers is a
    miss; anything else is noise. The property has the worst of them. No repeat is no verdict.
    """
    if not repeats or any(repeat.outcome is Outcome.FAULT for repeat in repeats) or draws_unseeded(repeats):
        return Verdict.PROTOCOL_ERROR
    lengths = {len(repeat.colours) for repeat in repeats} | {len(repeat.digests) for repeat in repeats}
    if len(lengths) != 1 or lengths == {0}:
        return Verdict.PROTOCOL_ERROR
    samples = zip(*(zip(repeat.colours, repeat.digests, strict=True) for repeat in repeats), strict=True)
    found = {_of_sample(seen) for seen in samples}
    return next(verdict for verdict in _RANK if verdict in found)


def draws_unseeded(repeats: Sequence[Repeat]) -> bool:
    """Whether global generators were drawn from and ended in different states: then nothing seeds them."""
    return len({repeat.drawn for repeat in repeats if repeat.drawn is not None}) > 1


def _of_sample(seen: Sequence[tuple[str, str]]) -> Verdict:
    colours = {colour for colour, _ in seen}
    if colours == {"g"}:
        return Verdict.PASS
    if colours == {"r"} and len({digest for _, digest in seen}) == 1:
        return Verdict.INVARIANT_MISS
    return Verdict.NOISE
