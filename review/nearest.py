"""The property nearest to a candidate, and how the two differ; pure."""

from __future__ import annotations

import difflib
from typing import Any

from inventory import strict_yaml_dump
from inventory.records import Candidate, Inventory, Property


def nearest(candidate: Candidate, inventory: Inventory) -> Property | None:
    """The property most alike: of the same function first, then of the same module, then with most checks shared.

    None where no property has the module or a check in common.
    """
    best = max(inventory.properties, key=lambda entry: _alike(candidate, entry), default=None)
    return best if best and _alike(candidate, best) > (False, False, 0) else None


def difference(candidate: Candidate, entry: Property) -> list[str]:
    """The lines by which the candidate differs from a property, marked - and +, with those they share."""
    old, new = (_claim(side).splitlines() for side in (entry, candidate))
    return [line for line in difflib.ndiff(old, new) if not line.startswith("?")]


def _alike(candidate: Candidate, entry: Property) -> tuple[bool, bool, int]:
    shared = {use.name for use in candidate.checks} & {use.name for use in entry.checks}
    return entry.target == candidate.target, entry.module == candidate.module, len(shared)


def _claim(side: Candidate | Property) -> str:
    data: dict[str, Any] = side.model_dump(
        mode="json", include={"id", "module", "fn", "checks", "siblings"}, exclude_defaults=True
    )
    return strict_yaml_dump.dump(data)
