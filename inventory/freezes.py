"""Whether a freeze is in force: its triple, the fixture's digest, its expiry and the policy's cap; pure."""

from __future__ import annotations

from datetime import date, timedelta

from inventory.counts import counted
from inventory.oracle import Oracle
from inventory.records import Freeze


def fault_of(freeze: Freeze, oracle: Oracle, today: date) -> str | None:
    """Why this freeze does not hold today, in words; None where it is in force."""
    found = oracle.inventory.find(freeze.property_id)
    if found is None:
        return f"there is no property {freeze.property_id}"
    if (found.seed, found.fixture) != (freeze.seed, freeze.fixture):
        return "its seed or fixture is not that of the property"
    if freeze.fixture_sha256 is None:
        return "it names no fixture_sha256"
    if freeze.fixture_sha256 != oracle.lock.entries.get(freeze.fixture):
        return "the fixture has changed since"
    if set(freeze.repeats) != {"red", "green"}:
        return "it shows no red and green repeats, so it is not noise"
    return _fault_of_expiry(freeze, oracle.policy.freeze_max_days, today)


def _fault_of_expiry(freeze: Freeze, max_days: int, today: date) -> str | None:
    expires = date.fromisoformat(freeze.expires_on)
    if expires <= today:
        return f"it expired on {freeze.expires_on}"
    if expires > today + timedelta(days=max_days):
        return f"it lasts longer than the {counted(max_days, 'day')} that the policy allows"
    return None
