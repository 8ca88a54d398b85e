"""The queue: every file of `proposed/` as an item with its state, and the order in which to look at them; pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from inventory.errors import Fault
from inventory.records import Candidate
from review.claims import Claim, Reading
from review.findings import Finding


class State(StrEnum):
    """Where a candidate stands; only a pending one can be promoted."""

    PENDING = "pending"
    STALE = "stale"  # its target is not in this tree
    DUPLICATE = "duplicate"
    INVALID = "invalid"
    REJECTED = "rejected"


@dataclass(frozen=True)
class Item:
    """One file of `proposed/`. An invalid one has no claim, but its faults.

    `became` is the property that was promoted from it, where that claims something else by now.
    `candidate` is there where the file itself was read, not only remembered.
    """

    path: str
    state: State
    why: str = ""
    claim: Claim | None = None
    candidate: Candidate | None = None
    faults: tuple[Fault, ...] = ()
    finding: Finding = Finding()  # noqa: RUF009  # frozen
    became: str | None = None

    @property
    def id(self) -> str:
        """The id by which a reviewer calls it: the name of the file."""
        return self.path.rpartition("/")[2].removesuffix(".yaml")

    @property
    def digest(self) -> str | None:
        return self.claim.digest if self.claim else None


@dataclass(frozen=True)
class Surroundings:
    """What a candidate is judged against: what votes, what was rejected, and which targets the code holds."""

    voting: tuple[Claim, ...]
    rejected: tuple[Claim, ...]
    present: frozenset[str]


def build(files: Mapping[str, Reading], around: Surroundings) -> tuple[Item, ...]:
    """The queue in the order of the paths."""
    items: list[Item] = []
    claims = _Claims()
    for claim in around.voting:
        claims.add(claim, f"the property {claim.id}")
    for claim in around.rejected:
        claims.add(claim, f"the rejected {claim.id}")
        claims.rejected[claim.digest] = claim.words
    for path, reading in sorted(files.items()):
        item = _judge(path, reading, around, claims)
        if item.claim and not item.became:
            claims.add(item.claim, f"the candidate {item.id}")
        items.append(item)
    return tuple(items)


def in_order(items: Iterable[Item]) -> tuple[Item, ...]:
    """What found something first, then the strongest, then what has evidence; what cannot be promoted last."""
    states = list(State)
    return tuple(
        sorted(items, key=lambda item: (states.index(item.state), item.finding.rank, _unproven(item), item.path))
    )


def narrowed(items: Iterable[Item], states: Collection[State] | None, target: str | None) -> tuple[Item, ...]:
    """Those in one of the states whose target holds a text; nothing given leaves all."""
    return tuple(
        item
        for item in items
        if (not states or item.state in states) and (not target or (item.claim and target in item.claim.target))
    )


def _unproven(item: Item) -> bool:
    return not (item.claim and item.claim.has_evidence)


class _Claims:
    """Which checks are spoken for on which target, and by whom."""

    def __init__(self) -> None:
        self._by: dict[tuple[str, str], str] = {}
        self.rejected: dict[str, str] = {}  # digest -> why

    def add(self, claim: Claim, who: str) -> None:
        for use in claim.uses:
            self._by.setdefault((claim.target, use), who)

    def cover(self, claim: Claim) -> tuple[str, ...]:
        """Who speaks for all checks of a claim; () when one of them is new."""
        found = [self._by.get((claim.target, use)) for use in claim.uses]
        return tuple(dict.fromkeys(who for who in found if who)) if all(found) else ()


def _judge(path: str, reading: Reading, around: Surroundings, claims: _Claims) -> Item:
    claim, candidate = reading.claim, reading.candidate
    if claim is None:
        return Item(path, State.INVALID, reading.faults[0].what, faults=reading.faults)
    if no := claims.rejected.get(claim.digest):
        return Item(path, State.REJECTED, no, claim, candidate)
    if covered := claims.cover(claim):
        return Item(path, State.DUPLICATE, f"all its checks stand in {' and '.join(covered)}", claim, candidate)
    if became := next((entry.id for entry in around.voting if _came_of(claim, entry)), None):
        why = f"promoted already, as the property {became}, which says something else by now: review amend {became}"
        return Item(path, State.DUPLICATE, why, claim, candidate, became=became)
    if claim.target not in around.present:
        return Item(path, State.STALE, f"{claim.target} is not in this tree: gone, or not merged yet", claim, candidate)
    return Item(path, State.PENDING, "", claim, candidate)


def _came_of(claim: Claim, entry: Claim) -> bool:
    """Whether a property was promoted from this claim, or from an earlier one of its name on the same function."""
    return claim.digest == entry.digest or (claim.id, claim.target) == (entry.id, entry.target)
