"""What a rehearsal found, in few words and numbers: the colours on head and base, and the strength; pure."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from enum import StrEnum
from typing import Any

from gate.verdicts import Verdict
from inventory.counts import counted

FORMAT = "2"
_GREEN, _RED = Verdict.PASS.value, Verdict.INVARIANT_MISS.value


class Admission(StrEnum):
    """What a rehearsal makes of a candidate, in the order in which to look; advice, never a decision."""

    FOUND = "found something"
    READY = "ready"
    CANNOT_TELL = "cannot tell"
    VACUOUS = "vacuous"
    UNSOUND = "unsound"


ADMISSIONS = {
    Admission.FOUND: "holds on base and fails here",
    Admission.READY: "holds, and notices at least one mutant of the function",
    Admission.CANNOT_TELL: "not tried, unstable, or nothing to measure it by",
    Admission.VACUOUS: "holds, and no mutant that was tried could break it",
    Admission.UNSOUND: "fails on base, too: a wrong claim, or an old fault",
}


@dataclass(frozen=True)
class Finding:
    """A rehearsal as it is remembered. `head` and `base` are verdicts; None where it was not tried."""

    head: str | None = None
    base: str | None = None
    killed: int = 0
    total: int = 0

    @property
    def admission(self) -> Admission:
        """Where the rehearsal puts the candidate."""
        if self.head == _RED:
            return {_GREEN: Admission.FOUND, _RED: Admission.UNSOUND}.get(self.base or "", Admission.CANNOT_TELL)
        if self.head != _GREEN or self.base not in (_GREEN, _RED) or not self.total:
            return Admission.CANNOT_TELL
        return Admission.READY if self.killed else Admission.VACUOUS

    @property
    def rank(self) -> tuple[int, float]:
        """Where the candidate belongs in the queue: the lower the sooner."""
        return list(Admission).index(self.admission), -(self.killed / self.total) if self.total else 0.0

    def to_data(self) -> list[Any]:
        """As JSON data."""
        return list(astuple(self))

    @classmethod
    def from_data(cls, data: list[Any] | None) -> Finding:
        """From what `to_data` gave; nothing known for None."""
        return cls(*data) if data else cls()

    def in_words(self) -> str:
        """What the colours mean together."""
        if Verdict.NOISE.value in (self.head, self.base):
            return "it is red and green on the same samples: unstable, nothing to promote"
        if self.head == _RED and self.base == _GREEN:
            return "it holds on base and not here: the change may have broken it. Look at the sample first"
        if self.head == _RED:
            return "it does not hold: the claim is wrong, or it has found an old fault. Look at the sample"
        if self.head == _GREEN and self.base == _RED:
            return "it holds here and not on base: it speaks of what the change brings. Promote it once that is merged"
        if self.head == _GREEN:
            return "it holds"
        return "it could not be judged"

    def strength_in_words(self) -> str:
        """How many mutants it noticed; empty where that was not tried."""
        if not self.total:
            return ""
        told = f"noticed: {self.killed} of {counted(self.total, 'mutant')} of the function"
        return told if self.killed else f"{told}: vacuous, nothing that was tried could break it"
