"""Base beside head on the same inputs: what changed although all checks pass, and what was learned by heart; pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gate.neighbours import Kind, Neighbour
from gate.verdicts import PropertyResult, Repeat, Verdict
from inventory.counts import counted
from inventory.records import Property
from inventory.values import shown

MAX_INPUT = 400
ENOUGH = 3
CHANCE = 0.01
LOST, ENDED = "lost", "ended"  # in place of a digest, see gate.ruling
_NONE = {"", LOST, ENDED}
RAISED = "!"


@dataclass(frozen=True)
class Answer:
    """What production answered to one input, the same in every repeat: digest, last value as text, types of all."""

    digest: str
    value: str
    types: str

    @property
    def raised(self) -> bool:
        return RAISED in self.types

    @property
    def refuses(self) -> bool:
        """Whether it raises as code does that refuses an input: an error of value or type, or of a class of its own."""
        _, opened, names = self.types.partition(RAISED)
        listed = names.partition(", ")[0].split(">")
        return bool(opened) and ("." in listed[0] or not names or not {"ValueError", "TypeError"}.isdisjoint(listed))


@dataclass(frozen=True)
class Difference:
    """One input on which base and head answer differently, each as source text, cut."""

    input: str
    base: str
    head: str


@dataclass(frozen=True)
class Beside:
    """One property on both sides.

    `base` is base's result, and `passes` says that both pass; all else is told only then. `changed`
    are the samples that are answered differently, `retyped` the types of base's and head's answers
    where they differ on every sample. `off` are the neighbours that are answered differently while
    all samples are answered alike; `asked` of them were asked, and `by_heart` says that they are too
    many for a change of behaviour.
    """

    base: PropertyResult
    passes: bool = False
    changed: tuple[Difference, ...] = ()
    retyped: tuple[str, str] | None = None
    off: tuple[Difference, ...] = ()
    asked: int = 0
    by_heart: bool = False

    @property
    def blocks(self) -> bool:
        """Whether the property may not count as passed although every check of it is green."""
        return self.by_heart or self.retyped is not None

    def in_words(self) -> str | None:
        """What changed although every check passes; None where nothing did."""
        off = f"{len(self.off)} of {counted(self.asked, 'input')} like them"
        if self.by_heart:
            return f"learned by heart: head answers like base on every sample, and otherwise on {off}"
        if self.retyped:
            return (
                f"the type of every answer changed from {self.retyped[0]} to {self.retyped[1]}, and callers rely on it"
            )
        if self.changed:
            return f"all checks pass, but base and head answer differently on {counted(len(self.changed), 'sample')}"
        return f"base and head answer alike on every sample, and differently on {off}" if self.off else None


def beside(entry: Property, head: PropertyResult, base: PropertyResult, samples: Sequence[object]) -> Beside:
    """The same samples on both sides. What wobbles on either is left out."""
    if head.status is not Verdict.PASS or base.status is not Verdict.PASS:
        return Beside(base)
    answers = list(zip(answers_of(base.repeats), answers_of(head.repeats), strict=True))
    changed = tuple(
        Difference(shown(sample, MAX_INPUT), b.value, h.value)
        for sample, (b, h) in zip(samples, answers, strict=True)
        if b and h and b.digest != h.digest
    )
    allowed = _types_allowed(entry)
    retyped = [found for b, h in answers if b and h and (found := _retyped(b, h)) and found[1] not in allowed]
    on_all = retyped[0] if retyped and len(retyped) == len(answers) else None
    return Beside(base, passes=True, changed=changed, retyped=on_all)


def off_the_samples(
    found: Beside,
    head: PropertyResult,
    neighbours: Sequence[Neighbour],
    base_asked: Sequence[Repeat],
    head_asked: Sequence[Repeat],
) -> Beside:
    """The same property with what its neighbours say, of which each side was asked in several repeats.

    A change of behaviour rarely misses every sample: one that touches the share p of all inputs misses k
    samples with a chance of (1-p)**k. Code that knows the samples by heart misses them all and little else.
    So it is by heart where more than half of the neighbours, and at least ENOUGH, tell of it, and that chance is below
    CHANCE. Mixed neighbours are asked where there are enough of them, else near ones.
    """
    own = answers_of(head.repeats)
    asked = [
        _Pair(one, b, h or _no_answer(head_asked, place), own[one.origin])
        for place, (one, b, h) in enumerate(
            zip(neighbours, answers_of(base_asked), answers_of(head_asked), strict=True)
        )
        if b and not b.raised
    ]
    off = tuple(pair.difference for pair in asked if pair.differs)
    return replace(found, off=off, asked=len(asked), by_heart=_is_by_heart(asked, len({a.digest for a in own if a})))


@dataclass(frozen=True)
class _Pair:
    """A neighbour that base answers, with the answers of both sides and head's to the sample that it comes from."""

    neighbour: Neighbour
    base: Answer
    head: Answer
    own: Answer | None

    @property
    def differs(self) -> bool:
        return self.base.digest != self.head.digest

    @property
    def difference(self) -> Difference:
        return Difference(shown(self.neighbour.sample, MAX_INPUT), self.base.value, self.head.value)

    @property
    def tells(self) -> bool:
        """Whether head answers as code would that knows its samples only.

        Not where it refuses the input; and beside a sample, not where it answers as to that one (it may
        round or clamp) or with None (it may refuse so: a near neighbour of a valid text is seldom valid).
        """
        if not self.differs or self.head.refuses:
            return False
        return self.neighbour.kind is Kind.MIXED or (self.jumps and self.head.value != "None")

    @property
    def jumps(self) -> bool:
        """Whether head answers neither as base nor as to the sample that the neighbour comes from."""
        return self.differs and not (self.own and self.head.digest == self.own.digest)


def _is_by_heart(asked: Sequence[_Pair], samples: int) -> bool:
    """`samples` counts the different answers to the fixture: those to equal ones are missed together."""
    near = [pair for pair in asked if pair.neighbour.kind is Kind.NEAR]
    mixed = [pair for pair in asked if pair.neighbour.kind is Kind.MIXED]
    chosen = mixed if len(mixed) >= ENOUGH else near
    telling = [pair for pair in chosen if pair.tells]
    if len(telling) < ENOUGH or 2 * len(telling) <= len(chosen):
        return False
    if chosen is mixed and 2 * sum(pair.jumps for pair in near) <= len(near):
        return False  # a change beside every sample leaves them alone by chance no more than one among them
    computes = len({pair.base.digest for pair in telling}) >= ENOUGH  # base itself may answer others by a default
    return computes and (1 - len(telling) / (len(chosen) + 1)) ** samples < CHANCE


def answers_of(repeats: Sequence[Repeat]) -> list[Answer | None]:
    """The answer to each input, None where the repeats do not agree or the subject was lost."""
    found: list[Answer | None] = []
    for index, value in enumerate(repeats[0].values if repeats else ()):
        digests = {repeat.digests[index] for repeat in repeats}
        steady = len(digests) == 1 and digests.isdisjoint(_NONE)
        found.append(Answer(digests.pop(), value, repeats[0].types[index]) if steady else None)
    return found


def _no_answer(repeats: Sequence[Repeat], place: int) -> Answer:
    """What stands for head's answer to a neighbour where there is no steady one, though base has one.

    A process that ends and answers that change are no way to refuse an input; that the time was up may be one.
    """
    digests = {repeat.digests[place] for repeat in repeats}
    if digests == {ENDED}:
        return Answer(ENDED, "its process ended", "")
    if digests.isdisjoint(_NONE):
        return Answer("", "another one in each repeat", repeats[0].types[place])
    return Answer(LOST, "no answer", RAISED)


def _retyped(base: Answer, head: Answer) -> tuple[str, str] | None:
    """The first type of base's answer that callers can no longer rely on, and what came of it."""
    old, new = base.types.split(", "), head.types.split(", ")
    if base.raised or head.raised or len(old) != len(new):
        return None
    return next(((was, now) for was, now in zip(old, new, strict=True) if not _is_a(now, was)), None)


def _is_a(head: str, base: str) -> bool:
    """Whether a caller of base can take the new type: the same, one derived from it, or something for None."""
    return base in (head, "NoneType") or head.endswith(f" < {base}") or (head, base) == ("bool", "int")


def _types_allowed(entry: Property) -> set[str]:
    """The types that the property itself allows by `returns_type`."""
    given = [use.params.get("type", ()) for use in entry.checks if use.name == "returns_type"]
    return {name for types in given for name in ((types,) if isinstance(types, str) else types)}
