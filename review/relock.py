"""Rebuilding the lock: which fixtures it takes over, in which form, and whose note says why; pure."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from inventory.digests import CANONICAL, fixture_digest
from inventory.errors import Refused, WrongUsage
from inventory.oracle import Fixture
from inventory.records import LOCK_PATH, Inventory, Lock
from review import splice
from review.ruling import Ruling


@dataclass(frozen=True)
class Relocked:
    """The new lock, the fixtures whose entry changes, and the properties that get the note."""

    lock: Lock
    changed: tuple[str, ...]
    dropped: tuple[str, ...]
    noted: tuple[int, ...]


def relock(
    inventory: Inventory, lock: Lock, fixtures: Mapping[str, Fixture], asked: Sequence[str], *, canonical: bool
) -> Relocked:
    """The lock with the entries of `asked` rebuilt, all fixtures of the inventory where nothing is asked.

    Entries that no property uses go. Raises WrongUsage for a path that is no fixture of a property,
    Refused for a fixture that cannot be read.
    """
    unknown = [path for path in asked if path not in fixtures]
    if unknown:
        raise WrongUsage(
            f"{unknown[0]} is no fixture of the inventory",
            why="the lock holds the fixtures that properties use, and no other file",
            fix="Name one of: " + (" ".join(shlex.quote(path) for path in fixtures) or "none, the inventory is empty"),
        )
    fresh = {path: _digest(fixtures[path], canonical=canonical) for path in (asked or fixtures)}
    kept = {path: digest for path, digest in lock.entries.items() if path in fixtures}
    entries = kept | fresh
    changed = tuple(path for path in sorted(fresh) if lock.entries.get(path) != fresh[path])
    dropped = tuple(sorted(set(lock.entries) - set(kept)))
    noted = tuple(n for n, entry in enumerate(inventory.properties) if entry.fixture in changed)
    return Relocked(Lock(entries=entries), changed, dropped, noted)


def ruling(inventory: Inventory, lock: Lock, new: Relocked, note: str) -> Ruling:
    """The ruling that writes the lock and the note into every property on a changed fixture, in one step."""
    noted = {
        n: entry.model_copy(update={"note": note}) for n, entry in enumerate(inventory.properties) if n in new.noted
    }
    properties = tuple(noted.get(n, entry) for n, entry in enumerate(inventory.properties))

    def add_notes(text: str) -> str:
        for index in new.noted:
            text = splice.set_fields(text, "properties", index, {"note": note})
        return text

    return Ruling(
        seen=inventory,
        seen_lock=lock,
        inventory=inventory.model_copy(update={"properties": properties}) if noted else None,
        splice=add_notes,
        lock=new.lock,
    )


def judge_note(inventory: Inventory, new: Relocked, note: str | None) -> str:
    """The note, as it will stand. Raises Refused where one is needed and does not say anything new."""
    same = [inventory.properties[n].id for n in new.noted if inventory.properties[n].note == note]
    if note and note.strip() and not same:
        return note
    paths = shlex.join(new.changed)
    raise Refused(
        "a changed lock needs a note",
        why=f"{LOCK_PATH} and the reason change together, or the gate calls it drift"
        + (f"; {same[0]} has this very note already" if note and same else ""),
        fix=f"Say why the samples changed: review lock {paths} --note WHY",
    )


def _digest(fixture: Fixture, *, canonical: bool) -> str:
    if fixture.fault or fixture.samples is None or fixture.actual is None:
        raise Refused(
            f"the fixture {fixture.path} cannot be locked",
            why=fixture.fault or "it holds no samples",
            fix="Restore or mend it: a JSON list of inputs, or JSON Lines.",
        )
    return fixture_digest(b"", fixture.samples, like=CANONICAL) if canonical else fixture.actual
