"""Which candidates are new: by what they claim, against the batch and everything that is known; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from inventory.digests import canonical_digest
from inventory.records import Candidate, CheckUse, Property, Tombstone

Claimant = Candidate | Property | Tombstone
_MAX_ID = 64


@dataclass(frozen=True)
class Known:
    """What exists: each claimed check of a target with where it stands, and each taken id with its module."""

    claims: Mapping[str, str] = field(default_factory=dict)
    ids: Mapping[str, str] = field(default_factory=dict)

    def state_of(self, candidate: Candidate) -> str | None:
        """Where all the checks of a candidate stand already, such as "rejected"; None when one is new."""
        states = [self.claims.get(claim) for claim in claims_of(candidate.module, candidate.fn, candidate.checks)]
        return " and ".join(dict.fromkeys(s for s in states if s)) if all(states) else None

    def with_claims(self, item: Claimant, state: str, *names: str) -> Known:
        """What is known, and the checks of one more item under the ids `names`; a state that is known already stays."""
        added = dict.fromkeys(claims_of(item.module, item.fn, item.checks), state)
        return Known({**added, **self.claims}, {**dict.fromkeys(names, item.module), **self.ids})


@dataclass(frozen=True)
class Duplicate:
    """A candidate that claims nothing new, and where its claims stand."""

    candidate: Candidate
    state: str


@dataclass(frozen=True)
class Admitted:
    """The new candidates, their ids free, and those that claim nothing new."""

    new: tuple[Candidate, ...]
    duplicates: tuple[Duplicate, ...]


def claims_of(module: str, fn: str, checks: Iterable[CheckUse]) -> tuple[str, ...]:
    """A digest for each check claimed of a target."""
    return tuple(canonical_digest([module, fn, use.claim]) for use in checks)


def admit(candidates: Iterable[Candidate], known: Known) -> Admitted:
    """Sort candidates into new ones and duplicates; an id that another claim has gets a suffix."""
    new: list[Candidate] = []
    duplicates: list[Duplicate] = []
    for candidate in candidates:
        state = known.state_of(candidate)
        if state:
            duplicates.append(Duplicate(candidate, state))
            continue
        named = candidate.model_copy(update={"id": _free(candidate.id, known.ids)})
        known = known.with_claims(named, "proposed in this run", named.id)
        new.append(named)
    return Admitted(tuple(new), tuple(duplicates))


def _free(wanted: str, taken: Mapping[str, str]) -> str:
    number, name = 1, wanted
    while name in taken:
        number += 1
        suffix = f"_{number}"
        name = wanted[: _MAX_ID - len(suffix)] + suffix
    return name
