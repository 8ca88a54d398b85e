"""From the desk to a ruling: gathers what a promotion is judged on, tries the property, builds the ruling."""

from __future__ import annotations

from inventory.digests import sha256
from inventory.errors import Refused
from inventory.oracle import Fixture
from inventory.reading import read_fixture
from inventory.records import PROPOSED_DIR, Call, Candidate, Property
from review import splice
from review.desk import Desk
from review.promote import Ask, Facts, Standing, locked, promoted, suggested_fixture
from review.queue import Item
from review.ruling import Ruling
from review.trial import Rehearsal, Trial, try_out

_WHO = "YOUR_NAME"
_REHEARSAL_SEED = 0


def facts_of(desk: Desk, item: Item, ask: Ask, *, seed: int) -> Facts:
    """What a promotion is judged on; `seed` is offered where the reviewer gave none."""
    oracle, branch = desk.oracle, desk.branch
    suggested = suggested_fixture(oracle.inventory, item.candidate.target) if item.candidate else None
    path = ask.fixture or suggested
    return Facts(
        item=item,
        inventory=oracle.inventory,
        lock=oracle.lock,
        standing=Standing(
            name=branch.name,
            base=branch.base,
            production=branch.production,
            uncommitted=bool(branch.uncommitted),
            base_has_target=item.candidate is not None and branch.base_has(item.candidate.target),
            adds_candidate=ask.source is None and branch.adds(item.path),
        ),
        fixture=read_fixture(desk.work, path, oracle.lock.entries.get(path), oracle.policy) if path else None,
        fixture_untracked=path in desk.untracked,
        seed=seed,
        reviewer=desk.git.author() or _WHO,
    )


def decide(desk: Desk, ask: Ask, facts: Facts) -> tuple[Property, Ruling]:
    """The property of a promotion, tried twice, and the ruling that writes it. Raises Refused on a red trial."""
    entry = promoted(ask, facts)
    fixture, inventory, candidate = facts.fixture, facts.inventory, facts.item.candidate
    if fixture is None or candidate is None:
        raise AssertionError("a promotion without fixture or candidate was let through")
    [trial] = try_out([desk.work], desk.oracle, entry, fixture)
    if not trial.passed:
        raise _red(ask, trial)
    ruling = Ruling(
        seen=inventory,
        seen_lock=facts.lock,
        inventory=inventory.model_copy(update={"properties": (*inventory.properties, entry)}),
        splice=lambda text: splice.add_property(text, entry),
        lock=locked(facts.lock, fixture),
        settled=(facts.item.path, candidate),
    )
    return entry, ruling


def rehearse(desk: Desk, item: Item, ask: Ask) -> Rehearsal:
    """Try a candidate on the work tree and on base, without writing.

    The samples are those of the fixture asked for, else of another property of the same function, else
    the candidate's own. Raises Refused for a fixture that cannot be read.
    """
    candidate = item.candidate
    if candidate is None or item.faults:
        return Rehearsal("", ())
    fixture, samples = _samples(desk, candidate, ask)
    if fixture is None:
        return Rehearsal(samples, ())
    entry = Property(
        id=candidate.id,
        module=candidate.module,
        fn=candidate.fn,
        seed=_REHEARSAL_SEED if ask.seed is None else ask.seed,
        fixture=fixture.path,
        checks=candidate.checks,
        call=ask.call or Call.SAMPLE,
    )
    return Rehearsal(samples, try_out([desk.work, desk.branch.tree], desk.oracle, entry, fixture))


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
        return None, "nothing: no fixture is given or known, and the candidate suggests no samples"
    own = Fixture(
        f"{PROPOSED_DIR}/{candidate.id}.yaml", None, candidate.samples, sha256(repr(candidate.samples).encode()), None
    )
    return own, f"the samples that the candidate itself suggests ({len(candidate.samples)})"


def _red(ask: Ask, trial: Trial) -> Refused:
    red = trial.result.red
    sample = f"\nsample {red.sample}: {red.input}\n{red.check}: {red.detail}" if red else ""
    return Refused(
        f"{ask.id} is not green on {trial.on}: {trial.result.status}",
        why=f"{trial.result.detail}{sample}",
        fix="A property must hold on the code it starts to vote on: mend the code first if it found a fault,"
        " else look at the samples and at --call, or reject it.",
    )
