"""A rehearsal: candidates tried without being promoted, on samples that somebody already has; writes nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from gate.verdicts import Verdict
from inventory.errors import Refused
from inventory.oracle import Fixture
from inventory.records import Call, Candidate, Property
from inventory.tree import Tree
from review.basis import Basis, basis_of
from review.desk import Desk
from review.findings import Finding
from review.promote import Ask
from review.queue import Item, State
from review.strength import Strength, strengths_of
from review.trial import Trial, try_all

_REHEARSAL_SEED = 0
_UNMEASURED = Strength()


@dataclass(frozen=True)
class Rehearsal:
    """How a candidate did; `samples` says on which. `base_is_same` where base has the same code as head.

    `fixture` is the file that the samples came from, as `call` turned them into calls; None where it was none.
    """

    samples: str
    head: Trial | None = None
    base: Trial | None = None
    base_is_same: bool = False
    strength: Strength = _UNMEASURED
    fixture: Fixture | None = None
    call: Call = Call.SAMPLE

    @property
    def trials(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in (self.head, self.base) if trial)

    @property
    def passed(self) -> bool:
        """Whether it was tried at all, and green everywhere."""
        return bool(self.trials) and all(trial.passed for trial in self.trials)

    @property
    def judged(self) -> bool:
        """Whether it was tried at all, and could be judged everywhere."""
        return bool(self.trials) and all(trial.judged for trial in self.trials)

    @property
    def finding(self) -> Finding:
        head = self.head.result.status.value if self.head else None
        base = self.base.result.status.value if self.base else head if self.base_is_same else None
        return Finding(head, base, self.strength.killed, self.strength.total)


def rehearse(desk: Desk, item: Item, ask: Ask) -> Rehearsal:
    """Try a candidate where it lies and on base, without writing, and then on mutants of its function.

    The samples are those of `basis_of`. Raises Refused for a fixture that cannot be read.
    """
    candidate = item.candidate
    if candidate is None or item.faults:
        return Rehearsal("")
    basis = basis_of(desk, candidate, ask)
    [done] = _together(desk, [candidate], basis, ask.seed)
    return done


def promotion_line(item: Item, ask: Ask, done: Rehearsal, reviewer: str) -> str | None:
    """The command that promotes on the fixture of a rehearsal; None where that must wait. A seed is never made up."""
    if item.state is not State.PENDING or not done.passed or done.fixture is None:
        return None
    call = done.call if done.call is not Call.SAMPLE else None
    return replace(ask, fixture=done.fixture.path, sha256=done.fixture.actual, call=call, reviewer=reviewer).command()


def rehearse_all(desk: Desk, items: Sequence[Item], source: str | None = None) -> Iterator[tuple[Item, Rehearsal]]:
    """The same for several candidates, those of one function and on the same samples in one lane.

    Gives each as soon as it is known, not in the order asked.
    """
    tried: list[tuple[str, Item, Candidate, Basis]] = []
    for item in items:
        if item.candidate is None or item.faults:
            yield item, Rehearsal("")
            continue
        try:
            basis = basis_of(desk, item.candidate, Ask(item.id, source=source))
        except Refused as stop:
            basis = Basis(f"nothing: {stop.what}: {stop.why}")
        where = (item.candidate.target, basis.call, basis.fixture or basis.words)
        tried.append((repr(where), item, item.candidate, basis))
    for _, group in groupby(sorted(tried, key=lambda one: one[0]), key=lambda one: one[0]):
        _, some, candidates, bases = zip(*group, strict=True)
        yield from zip(some, _together(desk, candidates, bases[0], None), strict=True)


def _together(desk: Desk, candidates: Sequence[Candidate], basis: Basis, seed: int | None) -> tuple[Rehearsal, ...]:
    """Candidates on one function, tried on the same samples."""
    fixture = basis.fixture
    if fixture is None:
        return (Rehearsal(basis.words),) * len(candidates)
    file = fixture if fixture.entry else None  # else the candidate's own samples
    entries = [_on_trial(candidate, fixture, basis.call, seed) for candidate in candidates]
    trees = [desk.code] if _same_code(desk) else [desk.code, desk.branch.tree]
    trials = try_all(trees, desk.oracle, entries, fixture)
    done = [
        Rehearsal(
            basis.words, head, others[0] if others else None, base_is_same=not others, fixture=file, call=basis.call
        )
        for head, *others in trials
    ]
    for tree in trees:
        _measure(desk, tree, entries, fixture, done)
    return tuple(done)


def _on_trial(candidate: Candidate, fixture: Fixture, call: Call, seed: int | None) -> Property:
    return Property(
        id=candidate.id,
        module=candidate.module,
        fn=candidate.fn,
        seed=_REHEARSAL_SEED if seed is None else seed,
        fixture=fixture.path,
        checks=candidate.checks,
        siblings=candidate.siblings,
        call=call,
    )


def _measure(desk: Desk, tree: Tree, entries: Sequence[Property], fixture: Fixture, done: list[Rehearsal]) -> None:
    """Put the strength to those that hold on `tree` and have none yet: a mutant is told from what holds."""
    at = [n for n, one in enumerate(done) if one.strength is _UNMEASURED and _holds(one, tree, desk)]
    if not at:
        return
    tried = [(entries[n], _trial(done[n], tree, desk).result) for n in at]
    for n, strength in zip(at, strengths_of(tree, desk.work.git, desk.oracle, tried, fixture), strict=True):
        done[n] = replace(done[n], strength=strength)


def _holds(done: Rehearsal, tree: Tree, desk: Desk) -> bool:
    return _trial(done, tree, desk).result.status is Verdict.PASS


def _trial(done: Rehearsal, tree: Tree, desk: Desk) -> Trial:
    trial = done.head if tree is desk.code else done.base
    if trial is None:
        raise AssertionError("it was not tried there")
    return trial


def _same_code(desk: Desk) -> bool:
    return desk.code is desk.work and not desk.branch.production
