"""A session over the queue: a value with a cursor, what was decided, and the way back; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from review.ruling import Change


@dataclass(frozen=True)
class Step:
    """One decision: on which candidate, which kind, and the changes of files that take it back; () for a skip."""

    id: str
    kind: str
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Session:
    """The ids of a queue, the place of the cursor (from 0), and the decisions so far."""

    ids: tuple[str, ...]
    at: int = 0
    steps: tuple[Step, ...] = field(default=())

    @property
    def current(self) -> str:
        return self.ids[self.at]

    @property
    def decided(self) -> Mapping[str, str]:
        """Id -> what was decided."""
        return {step.id: step.kind for step in self.steps}

    @property
    def left(self) -> int:
        return len(self.ids) - len(self.decided)

    def settled(self, kind: str, changes: tuple[Change, ...] = ()) -> Session:
        """The current candidate decided, the cursor on the next undecided one."""
        return replace(self, steps=(*self.steps, Step(self.current, kind, changes))).moved(1)

    def undone(self) -> Session:
        """Without the last decision, the cursor back on its candidate."""
        return replace(self, steps=self.steps[:-1], at=self.ids.index(self.steps[-1].id)) if self.steps else self

    def moved(self, direction: int) -> Session:
        """The cursor on the nearest undecided candidate in a direction (1 or -1), from the other end where need be."""
        count = len(self.ids)
        places = ((self.at + direction * n) % count for n in range(1, count + 1))
        return replace(self, at=next((n for n in places if self.ids[n] not in self.decided), self.at))

    def gone_to(self, number: int) -> Session:
        """The cursor on a candidate by its number, from 1; where it was for a number that there is not."""
        return replace(self, at=number - 1) if 1 <= number <= len(self.ids) else self

    def found(self, text: str, targets: Mapping[str, str]) -> Session | None:
        """The cursor on the next candidate whose id or target holds a text; None where none does."""
        count = len(self.ids)
        places = ((self.at + n) % count for n in range(1, count + 1))
        fits = (n for n in places if text in self.ids[n] or text in targets.get(self.ids[n], ""))
        at = next(fits, None)
        return None if at is None or not text else replace(self, at=at)

    def summary(self) -> str:
        """What was decided, in numbers."""
        counts = Counter(self.decided.values())
        told = [f"{count} {kind}" for kind, count in sorted(counts.items())]
        return ", ".join([*told, f"{self.left} left"])
