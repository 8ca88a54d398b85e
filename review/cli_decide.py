"""The commands of `review` that decide: each reads the desk, asks the pure rules, writes through the ledger."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from inventory.console import say, show
from inventory.errors import Exit
from inventory.escapes import visible
from inventory.oracle import first_step
from review import amend as amending
from review import freeze as freezing
from review import options
from review import relock as relocking
from review.decide import amendment, before_of, facts_of, promotion, samples_at, standing_of
from review.desk import open_desk
from review.ledger import write
from review.paths import from_root
from review.promote import Ask
from review.reject import Reason, rejection, reopening
from review.reports import read_report
from review.standing import command_of
from review.telling import tell
from review.trial import run_now
from review.words import checks_of, judge_expected


def promote(
    candidate_id: options.Id,
    *,
    seed: options.Seed = None,
    fixture: options.Fixture = None,
    sha256: options.Sha256 = None,
    reviewer: options.Reviewer = None,
    note: options.Note = None,
    call: options.CallOf = None,
    source: options.From = None,
    base: options.Base = None,
    expect: options.Expect = None,
) -> int:
    """Make a property of a candidate. The branch must change no production.

    Where seed, fixture, digest or reviewer is missing, nothing changes, and the whole command is printed.
    """
    with open_desk(Path.cwd(), source=source, base=base) as desk:
        path = from_root(desk.git.root, fixture)
        ask = Ask(candidate_id, seed, path, sha256, reviewer, note, call, source, base, expect)
        facts = facts_of(desk, desk.find(candidate_id), ask, seed=secrets.randbelow(10**6))
        entry, ruling = promotion(desk, ask, facts)
        changes = write(desk.git, ruling)
        show(f"promoted {entry.id}: {entry.target}, seed {entry.seed}, {entry.fixture}")
        tell(desk, changes, f"promote/{entry.id}", f"Promote {entry.id}", also=(entry.fixture,))
    return Exit.DONE


def reject(
    candidate_id: options.Id,
    *,
    reason: Annotated[Reason, typer.Option(metavar="|".join(Reason), help="Why not.")],
    reviewer: options.NeededReviewer,
    note: options.Note = None,
    source: options.From = None,
    expect: options.Expect = None,
) -> int:
    """Remember a "no", so that the same is not proposed again."""
    with open_desk(Path.cwd(), source=source) as desk:
        item = desk.find(candidate_id)
        judge_expected(candidate_id, expect, item.digest, source)
        oracle = desk.oracle
        changes = write(desk.git, rejection(item, oracle.inventory, oracle.lock, reason, reviewer, note))
        show(f"rejected {item.id}: {reason.value}")
        tell(desk, changes, f"reject/{item.id}", f"Reject {item.id}")
    return Exit.DONE


def reopen(
    name: Annotated[str, typer.Argument(metavar="ID", help="The id of what was rejected or retired.")],
) -> int:
    """Take a rejection back: the candidate waits again."""
    with open_desk(Path.cwd()) as desk:
        changes = write(desk.git, reopening(name, desk.graves, desk.oracle.inventory, desk.oracle.lock))
        show(f"reopened {name}: it waits in the queue")
        tell(desk, changes, f"reopen/{name}", f"Reopen {name}")
    return Exit.DONE


def amend(
    property_id: options.PropertyId,
    *,
    checks: Annotated[
        str | None, typer.Option(metavar="CHECKS", help="All its checks: 'total, roundtrip: {inverse: f}'.")
    ] = None,
    seed: options.Seed = None,
    fixture: options.Fixture = None,
    sha256: options.Sha256 = None,
    call: options.CallOf = None,
    reviewer: options.NeededReviewer,
    note: options.NeededNote,
    base: options.Base = None,
    expect: options.Expect = None,
) -> int:
    """Change a property that votes. An intended change of behaviour is agreed so, before the code changes."""
    with open_desk(Path.cwd(), base=base) as desk:
        ask = amending.Amendment(
            property_id,
            checks_of(checks) if checks is not None else None,
            checks,
            seed,
            from_root(desk.git.root, fixture),
            sha256,
            call,
            reviewer,
            note,
            expect,
            base,
        )
        entry, ruling = amendment(desk, ask)
        changes = write(desk.git, ruling)
        show(f"amended {entry.id}: {', '.join(use.name for use in entry.checks)}, seed {entry.seed}, {entry.fixture}")
        tell(desk, changes, f"amend/{entry.id}", f"Amend {entry.id}", also=(entry.fixture,))
    return Exit.DONE


def retire(
    property_id: options.PropertyId,
    *,
    reviewer: options.NeededReviewer,
    note: options.NeededNote,
    base: options.Base = None,
    expect: options.Expect = None,
) -> int:
    """Take a property out of the vote for good, and remember why."""
    with open_desk(Path.cwd(), base=base) as desk:
        ruling = amending.retiring(property_id, before_of(desk, property_id), (reviewer, note), expect)
        changes = write(desk.git, ruling)
        show(f"retired {property_id}; to bring it back into the queue: review reopen {property_id}")
        tell(desk, changes, f"retire/{property_id}", f"Retire {property_id}")
        if ruling.inventory and not ruling.inventory.properties:
            say(
                "\nnotice: nothing votes any more, and without a vote gate check allows no patch (but with"
                " --allow-empty): promote another property on this branch"
            )
    return Exit.DONE


def lock(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH…", help="Fixtures; all of them by default.")
    ] = None,
    canonical: Annotated[bool, typer.Option("--canonical", help="Lock the RFC 8785 form, not the bytes.")] = False,
    note: options.Note = None,
    base: options.Base = None,
) -> int:
    """Take over changed fixtures into the lock. The note goes into every property on them."""
    with open_desk(Path.cwd(), base=base) as desk:
        oracle = desk.oracle
        asked = [from_root(desk.git.root, path) for path in paths or ()]
        new = relocking.relock(oracle.inventory, oracle.lock, oracle.fixtures, asked, canonical=canonical)
        if not new.changed and not new.dropped:
            show("the lock is up to date")
            if not oracle.inventory.properties:
                say(f"next: {first_step(oracle)}")
            return Exit.DONE
        for path in new.changed:
            samples_at(desk, path).judge_place()
        standing_of(desk).judge("lock-fixtures", _lock_command(asked, canonical=canonical, note=note))
        words = relocking.judge_note(oracle.inventory, new, note) if new.changed else ""
        changes = write(desk.git, relocking.ruling(oracle.inventory, oracle.lock, new, words))
        for path in new.changed:
            show(f"locked {visible(path)}: {new.lock.entries[path]}")
        for path in new.dropped:
            show(f"dropped {visible(path)}: no property uses it")
        tell(desk, changes, "lock-fixtures", "Rebuild the fixture lock", also=new.changed)
    return Exit.DONE


def freeze(
    property_id: options.PropertyId,
    *,
    days: Annotated[int | None, typer.Option(metavar="N", min=1, help="From how many days on it votes again.")] = None,
    expires_on: Annotated[str | None, typer.Option(metavar="DATE", help="The day on which it votes again.")] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="The lane report that showed the noise.")] = None,
    base: options.Base = None,
) -> int:
    """Take a property that showed noise out of the vote for a while. Without a report, the lane is run now."""
    today = datetime.now(UTC).date()  # noqa: TID251
    with open_desk(Path.cwd(), base=base) as desk:
        oracle = desk.oracle
        entry = amending.found(property_id, oracle.inventory)
        day = freezing.expiry(days, expires_on, today, oracle.policy.freeze_max_days)
        told = {"--expires-on": day, "--report": report, "--base": base}
        standing_of(desk).judge(f"freeze/{property_id}", command_of(["freeze", property_id], told))
        seen = read_report(report) if report else run_now(desk.work, oracle, entry, today)
        new = freezing.frozen(entry, seen, oracle, day, today)
        changes = write(desk.git, freezing.freezing(new, oracle))
        show(f"froze {property_id} until {new.expires_on}: {', '.join(new.repeats)} on the same seed and bytes")
        tell(desk, changes, f"freeze/{property_id}", f"Freeze {property_id} until {new.expires_on}")
    return Exit.DONE


def _lock_command(paths: Sequence[str], *, canonical: bool, note: str | None) -> str:
    return command_of(["lock", *paths, *(["--canonical"] if canonical else [])], {"--note": note})
