"""The commands of `review` that decide nothing: the queue, one candidate or property, a rehearsal, a draft."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inventory.console import say, show
from inventory.counts import counted
from inventory.errors import Exit, WrongUsage
from inventory.progress import progress
from inventory.records import Call
from review import options, screen
from review.amend import entry_digest
from review.decide import draft_of, reviewer_of
from review.desk import open_desk
from review.page import page
from review.paths import from_root
from review.promote import Ask
from review.queue import State, narrowed
from review.rehearse import promotion_line, rehearse, rehearse_all
from review.standing import add_of, command_of
from review.view import view_of


def list_(
    source: options.From = None,
    state: Annotated[
        list[State] | None, typer.Option(metavar="|".join(State), help="Only those in this state; may be given again.")
    ] = None,
    target: Annotated[str | None, typer.Option(metavar="TEXT", help="Only those whose module:fn holds TEXT.")] = None,
    as_json: options.Json = False,
) -> int:
    """List the candidates that wait. Those to look at first stand at the top, the broken ones at the end."""
    with open_desk(Path.cwd(), source=source) as desk:
        for notice in desk.notices:
            say(f"notice: {notice}")
        items = narrowed(desk.queue, state, target)
        if as_json:
            show(screen.document("queue", candidates=[screen.item_data(item) for item in items]))
            return Exit.DONE
        show(screen.list_text(items) if items or not desk.queue else "none of the queue fits")
        if not desk.queue:
            say(f"next: {desk.way_on()}")
        if items:
            say(f"\n{screen.next_steps(items, source)}")
    return Exit.DONE


def show_(candidate_id: options.AnyId, *, source: options.From = None, as_json: options.Json = False) -> int:
    """Show one candidate with its function, or one property. Each check stands there with its law."""
    with open_desk(Path.cwd(), source=source) as desk:
        entry = desk.oracle.inventory.find(candidate_id)
        if entry and not desk.waits(candidate_id):
            data, digest = entry.model_dump(mode="json", exclude_defaults=True), entry_digest(entry)
            show(screen.document("property", property=data, digest=digest) if as_json else screen.property_text(entry))
            return Exit.DONE
        item = desk.find(candidate_id)
        if as_json:
            show(screen.document("candidate", **screen.candidate_data(item)))
            return Exit.DONE
        show(page(view_of(desk, item, Ask(item.id, source=source))))
    return Exit.DONE


def check(
    candidate_id: Annotated[str | None, typer.Argument(metavar="ID", help="The id of a candidate.")] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="Rehearse every pending candidate and sort them.")] = False,
    seed: options.Seed = None,
    fixture: options.Fixture = None,
    call: options.CallOf = None,
    source: options.From = None,
    base: options.Base = None,
    as_json: options.Json = False,
) -> int:
    """Rehearse a promotion on this tree and on base. Nothing is written. Exit code 3 where it could not be judged."""
    if every:
        if candidate_id or seed is not None or fixture or call:
            raise WrongUsage(
                "--all takes every candidate with the samples that are known for it",
                why="an id, a seed, a fixture or a call speaks of one candidate",
                fix="review check --all, or: review check ID --seed N --fixture PATH",
            )
        return _check_all(source, base, as_json=as_json)
    if candidate_id is None:
        raise WrongUsage("which candidate?", why="neither an id nor --all is given", fix="review list shows the ids.")
    with open_desk(Path.cwd(), source=source, base=base) as desk:
        item = desk.find(candidate_id)
        ask = Ask(candidate_id, seed, from_root(desk.git.root, fixture), call=call, source=source, base=base)
        done = rehearse(desk, item, ask)
        if done.trials:
            desk.remember(item, done.finding)
        if as_json:
            show(screen.document("rehearsal", **screen.check_data(item, done)))
        else:
            show(screen.check_text(item, done))
            if line := promotion_line(item, ask, done, reviewer_of(desk)):
                say(f"\nnext, when you mean every sample of {done.samples}:\n  {line}")
    if not done.judged and item.candidate:
        return Exit.COULD_NOT_RUN
    return Exit.DONE if done.passed else Exit.NO


def _check_all(source: str | None, base: str | None, *, as_json: bool) -> int:
    with open_desk(Path.cwd(), source=source, base=base) as desk:
        pending = [desk.find(item.id) for item in desk.queue if item.state is State.PENDING]
        rehearsed = []
        with progress("rehearsing") as tick:
            for one in rehearse_all(desk, pending, source):
                rehearsed.append(one)
                tick(len(rehearsed), len(pending))
        desk.remember_all((item, done.finding) for item, done in rehearsed if done.trials)
        admitted = sorted(rehearsed, key=lambda one: (one[1].finding.rank, one[0].id))
        if as_json:
            show(screen.document("admission", candidates=[screen.admission_data(*one) for one in admitted]))
        else:
            show(screen.admission_text(admitted))
            show_them = command_of(["show", "ID"], {"--from": source})
            say(f"\nnothing was written; this is advice: look at the first ones with {show_them}")
    return Exit.DONE


def fixture(
    candidate_id: options.Id,
    *,
    out: Annotated[str, typer.Option(metavar="PATH", help="Where to write it; nothing may lie there yet.")],
    source: options.From = None,
) -> int:
    """Draft a fixture to edit. It holds the samples that a candidate suggests, and values of its function's types."""
    with open_desk(Path.cwd(), source=source) as desk:
        item, path = desk.find(candidate_id), from_root(desk.git.root, out)
        draft = draft_of(desk, item, path)
        desk.write_draft(path, draft.samples)
        made = len(draft.samples) - draft.suggested
        show(
            f"wrote {path}: {counted(draft.suggested, 'sample')} suggested by the candidate, {made} made from the types"
        )
        ask = Ask(candidate_id, fixture=path, call=draft.call if draft.call != Call.SAMPLE else None, source=source)
        say("\nnext: edit it until every sample is one that you mean, then")
        say(f"  {add_of([path])}")
        say(f"  {ask.command()}")
    return Exit.DONE
