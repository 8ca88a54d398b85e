"""Amending and retiring: a property that votes is changed or taken out, and its fixture's lock with it; pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from inventory.digests import canonical_digest
from inventory.errors import Refused, WrongUsage
from inventory.records import Call, CheckUse, Freeze, Inventory, Lock, Property
from review import splice
from review.reject import buried
from review.ruling import Ruling
from review.samples import Samples, judge_digest, locked, trimmed
from review.standing import Standing, command_of
from review.words import judge_expected, written


@dataclass(frozen=True)
class Amendment:
    """What the reviewer typed; None where nothing was, so that it stays as it is."""

    id: str
    checks: tuple[CheckUse, ...] | None = None
    checks_text: str | None = None
    seed: int | None = None
    fixture: str | None = None
    sha256: str | None = None
    call: Call | None = None
    reviewer: str = ""
    note: str = ""
    expect: str | None = None
    base: str | None = None

    def command(self) -> str:
        """The command line that asks this, quoted for a shell."""
        return command_of(
            ["amend", self.id],
            {
                "--checks": self.checks_text, "--seed": self.seed, "--fixture": self.fixture, "--sha256": self.sha256,
                "--call": self.call, "--reviewer": self.reviewer, "--note": self.note, "--expect": self.expect,
                "--base": self.base,
            },
        )  # fmt: skip


@dataclass(frozen=True)
class Before:
    """What an amendment or a retirement is judged on. `samples` is the fixture asked for, else the present one."""

    inventory: Inventory
    lock: Lock
    standing: Standing
    samples: Samples | None = None


def entry_digest(entry: Property) -> str:
    """The digest of a property as it stands, for `--expect`."""
    return canonical_digest(splice.fields_of(entry))


def amended(ask: Amendment, before: Before) -> Property:
    """The property as it shall stand.

    Raises WrongUsage for an unknown id and for words that no property can hold, Refused for anything in the way.
    """
    entry = found(ask.id, before.inventory)
    judge_expected(ask.id, ask.expect, entry_digest(entry))
    if before.samples:
        before.samples.judge_place()
    before.standing.judge(f"amend/{ask.id}", ask.command())
    new = _changed(ask, entry)
    if new.model_copy(update={"note": entry.note, "reviewed_by": entry.reviewed_by}) == entry:
        raise Refused(
            f"nothing of {ask.id} would change",
            why="neither checks nor seed, fixture or call differ from what stands",
            fix="Say what changes: --checks, --seed, --fixture with --sha256, or --call",
        )
    _judge_note(ask.note, entry, replace(ask, note="TEXT").command())
    if before.samples is None:
        raise AssertionError("an amendment was judged without its fixture")
    again = replace(ask, sha256=None) if before.samples.fixture.fault else ask
    digest = before.samples.judge(again.command())
    if ask.fixture is not None:
        judge_digest(before.samples, ask.sha256, replace(ask, sha256=digest).command())
    return new


def amending(new: Property, before: Before) -> Ruling:
    """The ruling that puts an amended property in the place of the old one."""
    index = _index(new.id, before.inventory)
    old, fields = _fields(before.inventory.properties[index]), _fields(new)
    update = {key: value for key, value in fields.items() if old.get(key) != value}
    properties = tuple(new if n == index else p for n, p in enumerate(before.inventory.properties))
    void = [f.property_id == new.id and (f.seed, f.fixture) != (new.seed, new.fixture) for f in _freezes(before)]
    kept = tuple(f for f, gone in zip(_freezes(before), void, strict=True) if not gone)
    inventory = before.inventory.model_copy(update={"properties": properties, "freezes": kept})
    lock = locked(before.lock, before.samples.fixture) if before.samples else before.lock

    def edit(text: str) -> str:
        return splice.without(splice.set_fields(text, "properties", index, update), "freezes", void)

    return Ruling(before.inventory, before.lock, inventory, edit, trimmed(lock, inventory))


def retiring(name: str, before: Before, words: tuple[str, str], expect: str | None = None) -> Ruling:
    """The ruling that takes a property, its freezes and its lock entry out, and remembers it by a tombstone.

    `words` are the reviewer and the note. Raises like `amended`.
    """
    reviewer, note = words
    entry = found(name, before.inventory)
    judge_expected(name, expect, entry_digest(entry))
    command = command_of(["retire", name], {"--reviewer": reviewer, "--note": note, "--expect": expect})
    before.standing.judge(f"retire/{name}", command)
    _judge_note(
        note, entry, command_of(["retire", name], {"--reviewer": reviewer, "--note": "TEXT", "--expect": expect})
    )
    index = _index(name, before.inventory)
    void = [freeze.property_id == name for freeze in _freezes(before)]
    inventory = before.inventory.model_copy(
        update={
            "properties": tuple(p for p in before.inventory.properties if p.id != name),
            "freezes": tuple(f for f in _freezes(before) if f.property_id != name),
        }
    )

    def edit(text: str) -> str:
        return splice.without(splice.remove(text, "properties", index), "freezes", void)

    return Ruling(
        before.inventory,
        before.lock,
        inventory,
        edit,
        trimmed(before.lock, inventory),
        tombstone=buried(entry, reviewer, note),
    )


def found(name: str, inventory: Inventory) -> Property:
    """The property of an id. Raises WrongUsage where there is none."""
    entry = inventory.find(name)
    if entry is None:
        known = ", ".join(p.id for p in inventory.properties[:20])
        raise WrongUsage(
            f"there is no property {name!r}",
            why="only what was promoted votes; a candidate is a file of its own, to be edited or rejected",
            fix=f"Name one of: {known}" if known else "Nothing votes yet; the next step: review list",
        )
    return entry


def _changed(ask: Amendment, entry: Property) -> Property:
    asked: dict[str, Any] = {
        "checks": ask.checks,
        "seed": ask.seed,
        "fixture": ask.fixture,
        "call": ask.call,
        "note": ask.note,
        "reviewed_by": ask.reviewer,
    }
    return written(Property, entry.model_dump() | {key: value for key, value in asked.items() if value is not None})


def _judge_note(note: str, entry: Property, command: str) -> None:
    if not note.strip() or note == entry.note:
        raise Refused(
            f"{entry.id} needs a note that says why",
            why="the next reader wants the reason" + (", and this very note stands there already" if note else ""),
            fix=f"Give another one: {command}",
        )


def _fields(entry: Property) -> dict[str, Any]:
    """The fields as a file holds them; a default that a field goes back to is written out."""
    return {"call": Call.SAMPLE.value, "siblings": []} | splice.fields_of(entry)


def _freezes(before: Before) -> tuple[Freeze, ...]:
    return before.inventory.freezes


def _index(name: str, inventory: Inventory) -> int:
    return [entry.id for entry in inventory.properties].index(name)
