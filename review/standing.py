"""Where a reviewer stands: the oracle changes on a branch of its own, never beside production; pure."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from inventory.errors import Refused


@dataclass(frozen=True)
class Standing:
    """The branch that is checked out, as far as it matters for a ruling."""

    name: str  # of the branch, or the id of the commit
    base: str
    production: tuple[str, ...]
    uncommitted: bool  # some of it lies in the work tree only, and would come along to another branch

    def judge(self, branch: str, command: str) -> None:
        """Raises Refused beside production, with the way to `command` on a new `branch`."""
        if self.production:
            ahead = self._start == self.name and self.base.startswith("origin/")
            once = f", once {self.name} is pushed" if ahead else ""  # or the gate sees both in one patch
            raise Refused(
                f"this branch changes production: {_some(self.production)}",
                why=f"the oracle never changes together with the code it judges (compared with {self.base})",
                fix=f"Do it on a branch of its own{once}; an intended change of behaviour comes after it:\n"
                f"{self.way_to(branch, command)}",
            )

    def way_to(self, branch: str, command: str) -> str:
        """The command lines that lead to `command` on a branch of its own, made from main or else from base."""
        steps = ["git stash"] if self.uncommitted else []
        free = f"{branch}-2" if branch == self.name else branch
        return "\n".join([*steps, shlex.join(["git", "switch", "--create", free, self._start]), command])

    @property
    def _start(self) -> str:
        """A local main may be ahead of origin, and what is promoted may be there alone."""
        return self.name if self.name in ("main", "master") else self.base


def command_of(words: Sequence[str], options: Mapping[str, object]) -> str:
    """A command line, quoted for a shell; options that are None are left out."""
    given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    return shlex.join(["review", *words, *given])


def add_of(paths: Iterable[str], *options: str) -> str:
    """The command that stages paths from the root of the repository, in whichever folder it is typed."""
    return shlex.join(["git", "add", *options, *(f":/{path}" for path in paths)])


def _some(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more
