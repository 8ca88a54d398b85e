"""A fixture as a ruling needs it: readable, tracked, trusted, and named by the digest that was looked at; pure."""

from __future__ import annotations

import shlex
from dataclasses import dataclass

from inventory.errors import Refused
from inventory.oracle import Fixture
from inventory.records import Inventory, Lock, Policy, Property, Role, Target
from inventory.roles import is_seen, role_of
from review.standing import add_of

_BY_HAND = "Write a JSON list of inputs there, by hand"


@dataclass(frozen=True)
class Samples:
    """A fixture that a reviewer named, whether git tracks it, and the role of its path."""

    fixture: Fixture
    untracked: bool
    role: Role = Role.FIXTURE

    def judge_place(self) -> None:
        """Raises Refused where no change of the fixture could ever stand alone in a patch."""
        if is_seen(self.fixture.path, self.role):
            name = self.fixture.path.rpartition("/")[2].partition(".")[0]
            raise _no_place(self.fixture.path, self.role, name)

    def judge(self, again: str, start: str = "") -> str:
        """The digest of a fixture that can be used.

        Raises Refused; `start` is how a fixture that is not there comes to be, `again` the command to type then.
        """
        fixture = self.fixture
        if fixture.fault or fixture.samples is None or fixture.actual is None:
            raise Refused(
                f"the fixture {fixture.path} cannot be used",
                why=fixture.fault or "it holds no samples",
                fix=f"{start if fixture.entry is None and start else _BY_HAND}; then:\n{again}",
            )
        if self.untracked:
            raise Refused(
                f"git does not track the fixture {fixture.path}",
                why="a lock entry for a file that is in no commit would block everybody",
                fix=f"{add_of([fixture.path])}\n{again}",
            )
        if fixture.locked is not None and not fixture.matches:
            raise Refused(
                f"the fixture {fixture.path} is not what the lock trusts",
                why="other properties vote on it, and its bytes have changed",
                fix=f"Restore it, or say why first: review lock {shlex.quote(fixture.path)} --note WHY",
            )
        return fixture.actual

    @property
    def count(self) -> int:
        return len(self.fixture.samples or ())


def demand_place(path: str, policy: Policy, name: str) -> None:
    """Raises Refused where a fixture has no business at `path`; `name` is what it might be called instead."""
    role = role_of(path, policy)
    if is_seen(path, role) or role in (Role.ORACLE, Role.CANDIDATE, Role.TOOLING):
        raise _no_place(path, role, name)


def _no_place(path: str, role: Role, name: str) -> Refused:
    return Refused(
        f"{path} is no place for a fixture",
        why=f"it counts as {role}, so the code under test could see it, or its change would not stand alone",
        fix=f"Try {draft_path(name)}, or give it a role in invariants/policy.yaml, in a patch of its own.",
    )


def judge_digest(samples: Samples, given: str | None, again: str) -> None:
    """Raises Refused where the digest given is not that of the fixture; `again` is the command with the right one."""
    if given != samples.fixture.actual:
        raise Refused(
            f"{samples.fixture.path} has another digest than the one given",
            why=f"given {given}, found {samples.fixture.actual}",
            fix=f"Look at its samples (there are {samples.count}), then:\n{again}",
        )


def locked(lock: Lock, fixture: Fixture) -> Lock:
    """The lock with the fixture's entry."""
    return Lock(entries={**lock.entries, fixture.path: fixture.actual or ""})


def trimmed(lock: Lock, inventory: Inventory) -> Lock:
    """The lock without the entries that no property uses."""
    used = {entry.fixture for entry in inventory.properties}
    return Lock(entries={path: digest for path, digest in lock.entries.items() if path in used})


def draft_path(candidate_id: str) -> str:
    """Where the fixture of a candidate lies that nobody has put elsewhere."""
    return f"tests/fixtures/{candidate_id}.json"


def voting_on(inventory: Inventory, target: Target) -> Property | None:
    """The first property on a target, if any."""
    return next((entry for entry in inventory.properties if entry.target == target), None)


def suggested_fixture(inventory: Inventory, target: Target) -> str | None:
    """The fixture of another property on the same target; the reviewer may well need a better one."""
    entry = voting_on(inventory, target)
    return entry.fixture if entry else None
