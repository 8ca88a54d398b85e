"""The oracle as one value: inventory, lock, checks, policy and locked fixtures of one tree; pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from inventory.errors import Fault
from inventory.objects import Entry
from inventory.records import CHECKS_PATH, INVENTORY_PATH, LOCK_PATH, POLICY_PATH, Inventory, Lock, Policy

ORACLE_FILES = (INVENTORY_PATH, LOCK_PATH, CHECKS_PATH, POLICY_PATH)


@dataclass(frozen=True)
class Fixture:
    """One fixture of a property: what lies at its path, and what the lock says should.

    `samples` and `actual` are None and `fault` says why where the path holds no readable fixture.
    """

    path: str
    entry: Entry | None
    samples: tuple[Any, ...] | None
    actual: str | None
    locked: str | None
    fault: str | None = None

    @property
    def matches(self) -> bool:
        """Whether the bytes are those that the lock trusts."""
        return self.actual is not None and self.actual == self.locked


@dataclass(frozen=True)
class Oracle:
    """Everything that votes, read from one tree.

    `faults` are those between files (a fixture that is not locked, a lock entry that nobody uses):
    with any of them nothing may be judged, but a human's command can still mend them.
    """

    inventory: Inventory
    lock: Lock
    policy: Policy
    checks_source: bytes
    fixtures: dict[str, Fixture]
    faults: tuple[Fault, ...]
    digest: str
    lock_digest: str
    is_there: bool = True  # whether the tree has an inventory at all


def first_step(oracle: Oracle) -> str:
    """How a repository goes on in which nothing votes, or nothing waits."""
    if not oracle.is_there:
        return "lay the inventory first: review init --owner WHO"
    if oracle.inventory.properties:
        return "propose candidates for what changed: propose"
    return "propose candidates (propose), then promote what holds (review list)"
