"""From the desk to a ruling: gathers what a promotion or an amendment is judged on, and tries the property."""

from __future__ import annotations

import difflib
import random
import shlex

from inventory.catalogue import CATALOGUE
from inventory.errors import CouldNotRun, Refused, Stop
from inventory.oracle import Fixture
from inventory.reading import read_fixture
from inventory.records import Property
from inventory.roles import role_of
from review import splice
from review.amend import Amendment, Before, amended, amending, found
from review.basis import start_of
from review.desk import Desk
from review.draft import Draft, drafted
from review.laws import called_by
from review.promote import Ask, Facts, judge_laws, promoted
from review.queue import Item
from review.ruling import Ruling
from review.samples import Samples, demand_place, locked, suggested_fixture
from review.standing import Standing
from review.trial import Trial, try_out

_WHO = "YOUR_NAME"


def standing_of(desk: Desk) -> Standing:
    """Where the reviewer stands."""
    branch = desk.branch
    return Standing(branch.name, branch.base, branch.production, bool(branch.uncommitted))


def samples_at(desk: Desk, path: str) -> Samples:
    """The fixture that lies at a path of the work tree."""
    fixture = read_fixture(desk.work, path, desk.oracle.lock.entries.get(path), desk.oracle.policy)
    return Samples(fixture, path in desk.untracked, role_of(path, desk.oracle.policy))


def reviewer_of(desk: Desk) -> str:
    """Who would take a decision here, as git knows them."""
    return desk.git.author() or _WHO


def facts_of(desk: Desk, item: Item, ask: Ask, *, seed: int) -> Facts:
    """What a promotion is judged on; `seed` is offered where the reviewer gave none."""
    oracle, branch = desk.oracle, desk.branch
    suggested = suggested_fixture(oracle.inventory, item.candidate.target) if item.candidate else None
    path = ask.fixture or suggested
    return Facts(
        item=item,
        inventory=oracle.inventory,
        lock=oracle.lock,
        standing=standing_of(desk),
        base_has_target=item.candidate is not None and branch.base_has(item.candidate.target),
        adds_candidate=ask.source is None and branch.adds(item.path),
        samples=samples_at(desk, path) if path else None,
        seed=seed,
        reviewer=reviewer_of(desk),
        function=desk.function(item.candidate.target) if item.candidate else None,
        source=ask.source,
        start=start_of(desk, ask, path) if path else "",
    )


def promotion(desk: Desk, ask: Ask, facts: Facts) -> tuple[Property, Ruling]:
    """The property of a promotion, tried twice, and the ruling that writes it.

    Raises Refused on a red trial, CouldNotRun where it could not be judged.
    """
    entry = promoted(ask, facts)
    samples, inventory, candidate = facts.samples, facts.inventory, facts.item.candidate
    if samples is None or candidate is None:
        raise AssertionError("a promotion without fixture or candidate was let through")
    _try(desk, entry, samples.fixture)
    ruling = Ruling(
        seen=inventory,
        seen_lock=facts.lock,
        inventory=inventory.model_copy(update={"properties": (*inventory.properties, entry)}),
        splice=lambda text: splice.add_property(text, entry),
        lock=locked(facts.lock, samples.fixture),
        settled=(facts.item.path, candidate),
    )
    return entry, ruling


def before_of(desk: Desk, name: str, fixture: str | None = None) -> Before:
    """What an amendment or a retirement is judged on. Raises WrongUsage for an unknown id."""
    path = fixture or found(name, desk.oracle.inventory).fixture
    return Before(desk.oracle.inventory, desk.oracle.lock, standing_of(desk), samples_at(desk, path))


def amendment(desk: Desk, ask: Amendment) -> tuple[Property, Ruling]:
    """The property as amended, tried twice, and the ruling that writes it.

    Raises Refused on a red trial, CouldNotRun where it could not be judged.
    """
    before = before_of(desk, ask.id, ask.fixture)
    entry = _with_siblings(desk, amended(ask, before), ask)
    judge_laws(entry.id, entry, desk.function(entry.target))
    if before.samples is None:
        raise AssertionError("an amendment without fixture was let through")
    _try(desk, entry, before.samples.fixture)
    return entry, amending(entry, before)


def _with_siblings(desk: Desk, entry: Property, ask: Amendment) -> Property:
    """The property with the functions that its new laws call; where the checks stay, so do the siblings."""
    if ask.checks is None:
        return entry
    return entry.model_copy(update={"siblings": called_by(entry.checks, entry.fn, desk.siblings(entry.target))})


def draft_of(desk: Desk, item: Item, path: str) -> Draft:
    """A first fixture for a candidate. Raises Refused for an unfit path, and where there is nothing to start with."""
    candidate = item.candidate
    if candidate is None:
        raise Refused(f"{item.path} is no valid candidate", why=item.why, fix=f"Mend {item.path}.", faults=item.faults)
    demand_place(path, desk.oracle.policy, item.id)
    desk.demand_free(path)
    function = desk.function(candidate.target)
    pick = random.Random(item.digest).randrange  # noqa: S311  # the same draft for the same claim
    draft = drafted(function, candidate.checks, candidate.samples, pick)
    if not draft.samples:
        raise Refused(
            f"nothing to start a fixture for {item.id} with",
            why="the candidate suggests no samples, and its function has no type hints to make values from",
            fix=f"Record real calls: review record {candidate.target} --out {shlex.quote(path)} -- python -m pytest",
        )
    return draft


def _try(desk: Desk, entry: Property, fixture: Fixture) -> None:
    [trial] = try_out([desk.work], desk.oracle, entry, fixture)
    if not trial.passed:
        raise _red(entry, trial, is_new=desk.oracle.inventory.find(entry.id) is None)


_BY_HAND = (
    "Give the function its time as an argument; or write the property into invariants/inventory.yaml by hand,"
    ' with clock: "2026-01-01T00:00:00Z", then: review lock --note WHY'
)


def _reads_clock(trial: Trial) -> bool:
    return trial.result.sighting is not None and trial.result.sighting.kind == "clock"


def _mend(trial: Trial, *, is_new: bool) -> str:
    if is_new and _reads_clock(trial):
        return _BY_HAND
    return f"{trial.result.next_edit}, or reject it." if is_new else f"{trial.result.next_edit}."


def _meant(entry: Property, trial: Trial) -> str | None:
    """The built-in check that was meant by a name that no check has."""
    unknown = [use.name for use in entry.checks if f"there is no check {use.name}:" in trial.result.detail]
    near = difflib.get_close_matches(unknown[0], CATALOGUE, n=1) if unknown else []
    return f"Did you mean {near[0]}? All of them, with their laws: gate checks" if near else None


def _red(entry: Property, trial: Trial, *, is_new: bool) -> Stop:
    if not trial.judged:
        return CouldNotRun(
            f"{entry.id} could not be judged on {trial.on}",
            why="; ".join((trial.result.detail, *trial.notices)),
            fix=_meant(entry, trial) or _mend(trial, is_new=is_new),
        )
    red = trial.result.red
    sample = f"\nsample {red.sample}: {red.input}" if red else ""
    return Refused(
        f"{entry.id} is not green on {trial.on}: {trial.result.status}",
        why=f"{trial.result.detail}{sample}",
        fix="A property must hold on the code it starts to vote on: mend the code first if it found a fault,"
        " else look at the samples and at --call"
        + (", or reject it." if is_new else ", or leave the property as it stands."),
    )
