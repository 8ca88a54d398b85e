"""How many tokens a text may cost, and which subjects share a request; pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from propose.subjects import Subject

MAX_REQUESTS = 8
ANSWER_TOKENS_PER_SUBJECT = 250
REPACK_PERCENT = 70


@dataclass(frozen=True)
class Budget:
    """The model's context in tokens, and the part of it that is kept for the answer."""

    context: int = 8192
    answer: int = 2048

    @property
    def prompt(self) -> int:
        """Tokens that a prompt may cost."""
        return self.context - self.answer

    @property
    def subjects(self) -> int:
        """How many subjects one answer has room for."""
        return max(1, self.answer // ANSWER_TOKENS_PER_SUBJECT)

    def smaller(self, context: int | None) -> Budget:
        """The budget after an overflow: 70 % of the context that the server named, or of what was assumed."""
        fitting = min(context or self.context, self.context) * REPACK_PERCENT // 100
        return replace(self, context=fitting, answer=min(self.answer, fitting // 4))


@dataclass(frozen=True)
class Omission:
    """A subject that is not asked about, and why."""

    label: str
    reason: str


@dataclass(frozen=True)
class Packing:
    """Which subjects go into which request, in order, and which into none."""

    requests: tuple[tuple[Subject, ...], ...]
    omitted: tuple[Omission, ...]


def tokens(text: str) -> int:
    """An estimate from above: a third of the UTF-8 bytes and a tenth more."""
    return math.ceil(math.ceil(len(text.encode("utf-8", "replace")) / 3) * 1.1)


def ranked(subjects: Iterable[Subject]) -> list[Subject]:
    """Those a property can name first, of these the public and documented, then by lines changed, path and line."""
    return sorted(subjects, key=_rank)


def _rank(subject: Subject) -> tuple[bool, bool, bool, int, str, int, str]:
    function = subject.function.present if subject.function else None
    is_private = function is None or not function.is_public
    is_bare = function is None or function.docstring is None
    return (not subject.targets, is_private, is_bare, -subject.weight, subject.path, subject.first, subject.label)


def pack(costs: Sequence[tuple[Subject, int]], overhead: int, budget: Budget) -> Packing:
    """Whole subjects into as few requests as fit, each into the first with room, in the order given.

    `costs` are the subjects with their tokens, `overhead` the tokens of a prompt without any. A request
    that would hold nothing that a property can name is not made.
    """
    rows: list[list[Subject]] = []
    left: list[int] = []
    omitted: list[Omission] = []
    for subject, cost in costs:
        at = next((i for i, room in enumerate(left) if cost <= room and len(rows[i]) < budget.subjects), None)
        if at is None and overhead + cost > budget.prompt:
            needed = f"it needs about {overhead + cost} tokens, a prompt may have {budget.prompt}"
            omitted.append(Omission(subject.label, f"too long: {needed}"))
        elif at is None and not subject.targets:
            omitted.append(Omission(subject.label, "no property can name it, and no request had room left"))
        elif at is None and len(rows) == MAX_REQUESTS:
            omitted.append(Omission(subject.label, f"{MAX_REQUESTS} requests are full"))
        elif at is None:
            rows.append([subject])
            left.append(budget.prompt - overhead - cost)
        else:
            rows[at].append(subject)
            left[at] -= cost
    return Packing(tuple(map(tuple, rows)), tuple(omitted))
