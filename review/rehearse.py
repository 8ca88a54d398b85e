"""A rehearsal: a candidate tried without being promoted, on samples that somebody already has; writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from gate.verdicts import Verdict
from inventory.digests import sha256
from inventory.errors import Refused
from inventory.oracle import Fixture
from inventory.reading import read_fixture
from inventory.records import PROPOSED_DIR, Call, Candidate, Property
from inventory.tree import Tree
from review.desk import Desk
from review.findings import Finding
from review.promote import Ask
from review.queue import Item
from review.samples import suggested_fixture
from review.strength import Strength, strength_of
from review.trial import Trial, try_out

_REHEARSAL_SEED = 0
_UNMEASURED = Strength()


@dataclass(frozen=True)
class Rehearsal:
    """How a candidate did; `samples` says on which. `base_is_same` where base has the same code as head."""

    samples: str
    head: Trial | None = None
    base: Trial | None = None
    base_is_same: bool = False
    strength: Strength = _UNMEASURED

    @property
    def trials(self) -> tuple[Trial, ...]:
        return tuple(trial for trial in (self.head, self.base) if trial)

    @property
    def passed(self) -> bool:
        """Whether it was tried at all, and green everywhere."""
        return bool(self.trials) and all(trial.passed for trial in self.trials)

    @property
    def finding(self) -> Finding:
        head = self.head.result.status.value if self.head else None
        base = self.base.result.status.value if self.base else head if self.base_is_same else None
        return Finding(head, base, self.strength.killed, self.strength.total)


def rehearse(desk: Desk, item: Item, ask: Ask) -> Rehearsal:
    """Try a candidate where it lies and on base, without writing, and then on mutants of its function.

    The samples are those of the fixture asked for, else of another property of the same function, else
    the candidate's own. Raises Refused for a fixture that cannot be read.
    """
    candidate = item.candidate
    if candidate is None or item.faults:
        return Rehearsal("")
    fixture, samples = _samples(desk, candidate, ask)
    if fixture is None:
        return Rehearsal(samples)
    entry = Property(
        id=candidate.id,
        module=candidate.module,
        fn=candidate.fn,
        seed=_REHEARSAL_SEED if ask.seed is None else ask.seed,
        fixture=fixture.path,
        checks=candidate.checks,
        call=ask.call or Call.SAMPLE,
    )
    trees = [desk.source] if _same_code(desk) else [desk.source, desk.branch.tree]
    head, *others = try_out(trees, desk.oracle, entry, fixture)
    done = Rehearsal(samples, head, others[0] if others else None, base_is_same=not others)
    tree = _green_tree(desk, done)
    if tree is None:
        return done
    trial = head if tree is desk.source else others[0]
    return replace(done, strength=strength_of(tree, desk.work.git, desk.oracle, entry, (fixture, trial.result)))


def _same_code(desk: Desk) -> bool:
    return desk.source is desk.work and not desk.branch.production


def _green_tree(desk: Desk, done: Rehearsal) -> Tree | None:
    """Where the candidate holds, so that a mutant can be told from the function."""
    if done.head and done.head.result.status is Verdict.PASS:
        return desk.source
    return desk.branch.tree if done.base and done.base.result.status is Verdict.PASS else None


def _samples(desk: Desk, candidate: Candidate, ask: Ask) -> tuple[Fixture | None, str]:
    policy, locks = desk.oracle.policy, desk.oracle.lock.entries
    suggested = suggested_fixture(desk.oracle.inventory, candidate.target)
    path = ask.fixture or suggested
    if path:
        found = read_fixture(desk.work, path, locks.get(path), policy)
        if found.fault:
            raise Refused(
                f"the fixture {path} cannot be used", why=found.fault, fix="Write a JSON list of inputs there, by hand."
            )
        origin = "" if ask.fixture else ", the fixture of another property of this function"
        return found, f"{path} ({len(found.samples or ())}){origin}"
    if not candidate.samples:
        return None, (
            "nothing: no fixture is given or known, and the candidate suggests no samples."
            f" Draft some: review fixture {candidate.id} --out tests/fixtures/{candidate.id}.json"
        )
    own = Fixture(
        f"{PROPOSED_DIR}/{candidate.id}.yaml", None, candidate.samples, sha256(repr(candidate.samples).encode()), None
    )
    return own, f"the samples that the candidate itself suggests ({len(candidate.samples)})"
