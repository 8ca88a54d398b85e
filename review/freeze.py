"""Freezing: a property that showed noise leaves the vote for a while, by its triple and with an expiry; pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from gate.verdicts import LaneReport, PropertyResult, Repeat, Verdict
from inventory.counts import counted
from inventory.errors import Refused, WrongUsage
from inventory.freezes import fault_of
from inventory.oracle import Oracle
from inventory.records import Freeze, Inventory, Property
from review import splice
from review.ruling import Ruling
from review.words import written

_COLOURS = {"g": "green", "r": "red"}


def expiry(days: int | None, day: str | None, today: date, max_days: int) -> str:
    """The day on which the property votes again, as YYYY-MM-DD.

    Raises WrongUsage unless exactly one of `days` and `day` is given, Refused for one that is past or past the cap.
    """
    if (days is None) == (day is None):
        raise WrongUsage(
            "a freeze needs one expiry",
            why="a freeze without an expiry is a mute, and two expiries are one too many",
            fix="Give --days N or --expires-on YYYY-MM-DD.",
        )
    last = today + timedelta(days=max_days)
    try:
        expires = today + timedelta(days=days) if days is not None else date.fromisoformat(day or "")
    except (ValueError, OverflowError):
        why = "it is not in the calendar, or not written as YYYY-MM-DD"
        raise WrongUsage(f"{day or days} is no day", why=why, fix="Give --days N.") from None
    if not today < expires <= last:
        raise Refused(
            f"a freeze cannot last until {expires}",
            why=f"it ends after today and within the {counted(max_days, 'day')} that the policy allows",
            fix=f"Give a day from {today + timedelta(days=1)} to {last}, then mend what makes the noise.",
        )
    return expires.isoformat()


def frozen(entry: Property, report: LaneReport, oracle: Oracle, expires_on: str, today: date) -> Freeze:
    """The freeze of a property for what a lane showed. Raises Refused for anything but noise on these very bytes."""
    _judge_present(entry, oracle, today)
    result = report.find(entry.id)
    if result is None:
        raise Refused(
            f"the lane says nothing about {entry.id}",
            why=f"it ran {counted(len(report.results), 'property')}, not this one",
            fix="Give the report of a lane that showed the noise: gate run --json > FILE",
        )
    locked = oracle.lock.entries.get(entry.fixture)
    triple = (result.seed, result.fixture, result.fixture_digest)
    if triple != (entry.seed, entry.fixture, locked) or locked is None:
        raise Refused(
            f"the lane ran another triple of {entry.id}",
            why=f"seed {result.seed}, {result.fixture}, {str(result.fixture_digest)[:12]};"
            f" now it is seed {entry.seed}, {entry.fixture}, {str(locked)[:12]}",
            fix="Run it again on what stands now: gate run --json > FILE",
        )
    colours = colours_of(result)
    if result.status is not Verdict.NOISE or set(colours) != {"red", "green"}:
        raise _no_noise(entry, result)
    return written(
        Freeze,
        {
            "property_id": entry.id,
            "seed": entry.seed,
            "fixture": entry.fixture,
            "fixture_sha256": locked,
            "reason": "noise",
            "expires_on": expires_on,
            "repeats": colours,
        },
    )


def freezing(freeze: Freeze, oracle: Oracle) -> Ruling:
    """The ruling that adds a freeze, in the place of those of the same property that no longer hold."""
    inventory = oracle.inventory
    old = [f.property_id == freeze.property_id for f in inventory.freezes]
    kept = tuple(f for f, gone in zip(inventory.freezes, old, strict=True) if not gone)

    def edit(text: str) -> str:
        return splice.add_freeze(splice.without(text, "freezes", old), freeze)

    meant: Inventory = inventory.model_copy(update={"freezes": (*kept, freeze)})
    return Ruling(inventory, oracle.lock, meant, edit)


def colours_of(result: PropertyResult) -> tuple[str, ...]:
    """The colours of the repeats in their order: of the property, or of the first sample that showed both."""
    whole = tuple(repeat.outcome.value for repeat in result.repeats)
    if set(whole) == {"red", "green"}:
        return whole
    return next((seen for seen in _by_sample(result.repeats) if set(seen) == {"red", "green"}), whole)


def _by_sample(repeats: Sequence[Repeat]) -> list[tuple[str, ...]]:
    columns = zip(*(repeat.colours for repeat in repeats), strict=False)
    return [tuple(_COLOURS.get(letter, letter) for letter in column) for column in columns]


def _judge_present(entry: Property, oracle: Oracle, today: date) -> None:
    for freeze in oracle.inventory.freezes:
        if freeze.property_id == entry.id and fault_of(freeze, oracle, today) is None:
            raise Refused(
                f"{entry.id} is frozen already",
                why=f"until {freeze.expires_on}, when it votes again",
                fix="Mend what makes the noise; if it still wobbles that day, freeze it anew.",
            )


def _no_noise(entry: Property, result: PropertyResult) -> Refused:
    return Refused(
        f"{entry.id} showed no noise: {result.status}",
        why=f"only what was red and green on the same seed and bytes can be frozen; {result.detail}",
        fix="Give the lane report that showed it (gate run --json > FILE): review freeze"
        f" {entry.id} --days 7 --report FILE; a steady red is mended, or amended",
    )
