"""Rejection and back: a "no" with its reason, remembered so that nobody is asked again, and its lifting; pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from inventory.counts import counted
from inventory.digests import claim_of
from inventory.errors import Refused, WrongUsage
from inventory.records import (
    REJECTED_DIR,
    Candidate,
    Inventory,
    Lock,
    Property,
    Tombstone,
    candidate_path,
)
from review.queue import Item, State
from review.ruling import Ruling
from review.words import written

RETIRED = "retired"


class Reason(StrEnum):
    """Why a candidate is rejected."""

    WRONG = "wrong"  # the function may do otherwise
    VACUOUS = "vacuous"  # nothing could ever break it
    DUPLICATE = "duplicate"  # something else says it already
    UNSTABLE = "unstable"  # it depends on time, chance or the outside
    UNCLEAR = "unclear"  # nobody can tell what is claimed
    UNWANTED = "unwanted"  # true, and not worth a vote


def rejection(item: Item, inventory: Inventory, lock: Lock, reason: Reason, reviewer: str, note: str | None) -> Ruling:
    """The ruling that writes the tombstone and takes the candidate out of the queue.

    Raises Refused for a candidate that cannot be read or was rejected before, WrongUsage for words
    that no tombstone can hold.
    """
    candidate = item.candidate
    if candidate is None or item.digest is None:
        raise Refused(
            f"{item.path} is no valid candidate",
            why="nobody can tell what would be remembered",
            fix=f"Mend {item.path}, or remove it.",
            faults=item.faults,
        )
    if item.state is State.REJECTED:
        raise Refused(f"{item.id} was rejected before", why=item.why, fix=f"Remove {item.path}.")
    tombstone = _tombstone(candidate, reason.value, reviewer, note)
    return Ruling(inventory, lock, tombstone=tombstone, settled=(item.path, candidate))


def buried(entry: Property, reviewer: str, note: str) -> tuple[str, Tombstone]:
    """The path and the tombstone of a property that is retired. Raises WrongUsage for words that it cannot hold."""
    candidate = written(Candidate, entry.model_dump(include={"id", "module", "fn", "checks", "siblings"}))
    return _tombstone(candidate, RETIRED, reviewer, note)


def reopening(name: str, graves: Mapping[str, Tombstone], inventory: Inventory, lock: Lock) -> Ruling:
    """The ruling that brings a rejected or retired candidate back into the queue.

    `graves` are the tombstones by path; `name` is an id, or the name of one file where an id was rejected
    more than once. Raises WrongUsage where it does not name exactly one.
    """
    found = {path: t for path, t in graves.items() if name in (t.id, path.rpartition("/")[2].removesuffix(".yaml"))}
    if len(found) != 1:
        known = ", ".join(sorted(path.rpartition("/")[2].removesuffix(".yaml") for path in found or graves))
        raise WrongUsage(
            f"{name!r} was rejected or retired more than once" if found else f"{name!r} was not rejected or retired",
            why=f"{REJECTED_DIR}/ holds {counted(len(graves), 'tombstone')}, {len(found)} of that name",
            fix=f"Name one of: {known}" if known else "Nothing was rejected here, see what waits: review list",
        )
    [(path, tombstone)] = found.items()
    bare = tombstone.model_dump(include={"id", "module", "fn", "checks", "siblings"})
    candidate = tombstone.candidate or written(Candidate, bare)
    place = candidate_path(candidate.id)
    return Ruling(inventory, lock, waiting=(place, candidate), lifted=(path, tombstone))


def _tombstone(candidate: Candidate, reason: str, reviewer: str, note: str | None) -> tuple[str, Tombstone]:
    digest = claim_of(candidate)
    tombstone = written(
        Tombstone,
        {
            "id": candidate.id,
            "module": candidate.module,
            "fn": candidate.fn,
            "checks": candidate.checks,
            "siblings": candidate.siblings,
            "reason": reason,
            "rejected_by": reviewer,
            "note": note,
            "candidate": candidate,
        },
    )
    return f"{REJECTED_DIR}/{candidate.id}--{digest[:12]}.yaml", tombstone
