"""The values of a decision: rows of the table, their votes, and what they add up to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from gate.verdicts import LaneReport
from inventory.objects import Resolved
from inventory.patch import Patch


class Vote(StrEnum):
    """What a row says about the merge."""

    ALLOW = "allow"
    BLOCK = "block"
    NONE = "none"


class RowClass(StrEnum):
    """The class of a row; the names are those of the decision table."""

    LIKELY_SAFE = "likely_safe"
    SPECIMEN = "specimen"
    FIXTURE_DRIFT = "fixture_drift"
    INVARIANT_MISS = "invariant_miss"
    NOISE = "noise"
    PROTOCOL_ERROR = "protocol_error"
    UNTRUSTED = "untrusted"
    SAME_PATCH_PROMOTION = "same_patch_promotion"
    ORACLE_EDIT = "oracle_edit"
    WEAKENED = "weakened"
    FROZEN = "frozen"
    UNCOVERED = "uncovered"
    BEHAVIOUR_CHANGE = "behaviour_change"
    NO_ORACLE = "no_oracle"


class Decision(StrEnum):
    """What the rows add up to."""

    ALLOW = "allow"
    BLOCK = "block"
    COULD_NOT_RUN = "could_not_run"


@dataclass(frozen=True)
class Row:
    """One line of the decision table that this patch meets.

    `number` is the line's number in the table, `what` is what was seen and compared,
    `next_edit` is one step that ends it; `paths` and `ids` say where, `line` is one of the
    first path (from 1; 0 is the whole file), and `facts` are names and texts that back it.
    """

    number: int
    kind: RowClass
    vote: Vote
    what: str
    next_edit: str
    paths: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    line: int = 0
    facts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Judgement:
    """Every row that a patch meets, and the decision."""

    rows: tuple[Row, ...]
    decision: Decision


def decide(rows: tuple[Row, ...], *, judged: bool) -> Judgement:
    """Allow iff at least one row votes allow and none blocks; nothing unjudged is ever allowed."""
    votes = {row.vote for row in rows}
    if not judged:
        return Judgement(rows, Decision.COULD_NOT_RUN)
    allowed = Vote.ALLOW in votes and Vote.BLOCK not in votes
    return Judgement(rows, Decision.ALLOW if allowed else Decision.BLOCK)


@dataclass(frozen=True)
class Checked:
    """A judged patch: its ends, the paths with their roles, the rows, and the lane that ran."""

    base: Resolved
    head: Resolved
    patch: Patch
    oracle_from: str
    judgement: Judgement
    lane: LaneReport | None
