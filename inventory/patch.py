"""The patch: what changes between two commits, every path with its role; pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from inventory.objects import Change
from inventory.records import Policy, Role
from inventory.roles import is_seen, role_of


@dataclass(frozen=True)
class RoledChange:
    """One changed path and its role by the policy of base."""

    change: Change
    role: Role

    @property
    def path(self) -> str:
        return self.change.path

    @property
    def is_production(self) -> bool:
        """Whether the gate counts this path as production: all that the code under test may see."""
        return is_seen(self.path, self.role)


@dataclass(frozen=True)
class Patch:
    """base -> head, both full commit ids; base is the commit where the branch started."""

    base: str
    head: str
    changes: tuple[RoledChange, ...]

    def __iter__(self) -> Iterator[RoledChange]:
        return iter(self.changes)

    def paths(self, *roles: Role) -> tuple[str, ...]:
        """The changed paths of these roles."""
        return tuple(c.path for c in self.changes if c.role in roles)

    @property
    def production(self) -> tuple[str, ...]:
        """The changed paths that count as production."""
        return tuple(c.path for c in self.changes if c.is_production)


def patch_of(base: str, head: str, changes: Iterable[Change], policy: Policy) -> Patch:
    """The patch from base to head, each change with its role; a rename comes as a delete and an add."""
    return Patch(base, head, tuple(RoledChange(change, role_of(change.path, policy)) for change in changes))
