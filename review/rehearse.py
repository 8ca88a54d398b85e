"""A rehearsal: a candidate tried without being promoted, on samples that somebody already has; writes nothing."""

from __future__ import annotations

from inventory.digests import sha256
from inventory.errors import Refused
from inventory.oracle import Fixture
from inventory.reading import read_fixture
from inventory.records import PROPOSED_DIR, Call, Candidate, Property
from review.desk import Desk
from review.promote import Ask
from review.queue import Item
from review.samples import suggested_fixture
from review.trial import Rehearsal, try_out

_REHEARSAL_SEED = 0


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
