"""Rejection: a "no" with its reason, remembered so that nobody is asked the same again; pure."""

from __future__ import annotations

from enum import StrEnum

from pydantic import ValidationError

from inventory.errors import Refused, WrongUsage
from inventory.records import REJECTED_DIR, Inventory, Lock, Tombstone
from review.queue import Item, State
from review.ruling import Ruling


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
    if item.candidate is None or item.digest is None:
        raise Refused(
            f"{item.path} is no valid candidate",
            why="nobody can tell what would be remembered",
            fix=f"Mend {item.path}, or remove it.",
            faults=item.faults,
        )
    if item.state is State.REJECTED:
        raise Refused(f"{item.id} was rejected before", why=item.why, fix=f"Remove {item.path}.")
    path = f"{REJECTED_DIR}/{item.id}--{item.digest[:12]}.yaml"
    tombstone = (path, _tombstone(item, reason, reviewer, note))
    return Ruling(inventory, lock, tombstone=tombstone, settled=(item.path, item.candidate))


def _tombstone(item: Item, reason: Reason, reviewer: str, note: str | None) -> Tombstone:
    candidate = item.candidate
    try:
        return Tombstone.model_validate(
            {
                "id": item.id,
                "module": candidate and candidate.module,
                "fn": candidate and candidate.fn,
                "checks": candidate and candidate.checks,
                "reason": reason.value,
                "rejected_by": reviewer,
                "note": note,
                "candidate": candidate,
            }
        )
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        raise WrongUsage(
            f"{detail['loc'][0]} cannot be written down",
            why=detail["msg"].removeprefix("Value error, "),
            fix="Give it without control characters and within its limits.",
        ) from None
