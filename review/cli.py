"""The command line of `review`: reads the desk, asks the pure rules, writes through the ledger, and tells."""

from __future__ import annotations

import os
import secrets
import shlex
from pathlib import Path
from typing import Annotated

import typer

from inventory.commands import start
from inventory.console import say, show
from inventory.errors import Exit
from inventory.escapes import visible
from inventory.git import Git
from inventory.records import Call
from inventory.targets import module_path
from review import relock as relocking
from review import screen, setup
from review.decide import decide, facts_of, rehearse
from review.desk import Desk, open_desk
from review.ledger import write
from review.promote import Ask
from review.reject import Reason, rejection
from review.ruling import Change
from review.source import signature_of

app = typer.Typer(no_args_is_help=False, add_completion=False, rich_markup_mode=None, help="Rule on candidates.")

_Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a candidate.")]
_From = Annotated[str | None, typer.Option("--from", metavar="REF", help="Read candidates from this branch or commit.")]
_Base = Annotated[str | None, typer.Option("--base", metavar="REF", help="What this branch is compared with.")]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
_Seed = Annotated[int | None, typer.Option(min=0, max=2**63 - 1, help="Fixes the order of the samples.")]
_Fixture = Annotated[str | None, typer.Option(metavar="PATH", help="The samples: a JSON list, or JSON Lines.")]
_Call = Annotated[Call | None, typer.Option(help="How a sample becomes a call.")]
_Reviewer = Annotated[str | None, typer.Option(metavar="WHO", help="Who takes the decision.")]
_Note = Annotated[str | None, typer.Option(metavar="TEXT", help="Why.")]


def main() -> int:
    """Run `review` and return its exit code."""
    return start("review", app)


@app.callback(invoke_without_command=True)
def queue(context: typer.Context) -> int:
    """Rule on candidates. Without a command: the queue, and the commands to type."""
    return Exit.DONE if context.invoked_subcommand else list_()


@app.command("list")
def list_(source: _From = None, as_json: _Json = False) -> int:
    """List the candidates that wait, the broken ones included."""
    with open_desk(Path.cwd(), source=source) as desk:
        if as_json:
            show(screen.document("queue", candidates=[screen.item_data(item) for item in desk.queue]))
            return Exit.DONE
        show(screen.list_text(desk.queue))
        if desk.queue:
            say(f"\n{screen.next_steps(desk.queue, source)}")
    return Exit.DONE


@app.command("show")
def show_(candidate_id: _Id, *, source: _From = None, as_json: _Json = False) -> int:
    """Show one candidate with its function and the law of each check."""
    with open_desk(Path.cwd(), source=source) as desk:
        item = desk.find(candidate_id)
        if as_json:
            show(screen.document("candidate", **screen.item_data(item)))
            return Exit.DONE
        place = module_path(desk.work, desk.oracle.policy, item.candidate.module) if item.candidate else None
        text = desk.work.read(place) if place else None
        signature = signature_of(text, item.candidate.fn) if text is not None and item.candidate else None
        show(screen.show_text(item, place, signature))
    return Exit.DONE


@app.command()
def check(
    candidate_id: _Id,
    *,
    seed: _Seed = None,
    fixture: _Fixture = None,
    call: _Call = None,
    source: _From = None,
    base: _Base = None,
    as_json: _Json = False,
) -> int:
    """Rehearse a promotion on this tree and on base; nothing is written."""
    with open_desk(Path.cwd(), source=source, base=base) as desk:
        item = desk.find(candidate_id)
        ask = Ask(candidate_id, seed, _path(desk.git, fixture), call=call, source=source, base=base)
        done = rehearse(desk, item, ask)
        if as_json:
            trials = [{"on": trial.on, "result": trial.result.model_dump(mode="json")} for trial in done.trials]
            show(screen.document("rehearsal", candidate=screen.item_data(item), samples=done.samples, trials=trials))
        else:
            show(screen.check_text(item, done.samples, done.trials))
    return Exit.DONE if done.passed else Exit.NO


@app.command()
def promote(
    candidate_id: _Id,
    *,
    seed: _Seed = None,
    fixture: _Fixture = None,
    sha256: Annotated[str | None, typer.Option(metavar="HEX", help="The digest of the fixture you looked at.")] = None,
    reviewer: _Reviewer = None,
    note: _Note = None,
    call: _Call = None,
    source: _From = None,
    base: _Base = None,
) -> int:
    """Make a property of a candidate, on a branch that changes no production."""
    with open_desk(Path.cwd(), source=source, base=base) as desk:
        path = _path(desk.git, fixture)
        ask = Ask(candidate_id, seed, path, sha256, reviewer, note, call, source, base)
        facts = facts_of(desk, desk.find(candidate_id), ask, seed=secrets.randbelow(10**6))
        entry, ruling = decide(desk, ask, facts)
        changes = write(desk.git, ruling)
        show(f"promoted {entry.id}: {entry.target}, seed {entry.seed}, {entry.fixture}")
        _tell(desk, changes, f"promote/{entry.id}", f"Promote {entry.id}", also=(entry.fixture,))
    return Exit.DONE


@app.command()
def reject(
    candidate_id: _Id,
    *,
    reason: Annotated[Reason, typer.Option(help="Why not.")],
    reviewer: Annotated[str, typer.Option(metavar="WHO", help="Who takes the decision.")],
    note: _Note = None,
    source: _From = None,
) -> int:
    """Remember a "no", so that the same is not proposed again."""
    with open_desk(Path.cwd(), source=source) as desk:
        item = desk.find(candidate_id)
        oracle = desk.oracle
        changes = write(desk.git, rejection(item, oracle.inventory, oracle.lock, reason, reviewer, note))
        show(f"rejected {item.id}: {reason.value}")
        _tell(desk, changes, f"reject/{item.id}", f"Reject {item.id}")
    return Exit.DONE


@app.command()
def lock(
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH…", help="Fixtures; all of them by default.")
    ] = None,
    canonical: Annotated[bool, typer.Option("--canonical", help="Lock the RFC 8785 form, not the bytes.")] = False,
    note: _Note = None,
) -> int:
    """Take over changed fixtures into the lock, with the note in every property on them."""
    with open_desk(Path.cwd()) as desk:
        oracle = desk.oracle
        asked = [found for path in paths or () if (found := _path(desk.git, path))]
        new = relocking.relock(oracle.inventory, oracle.lock, oracle.fixtures, asked, canonical=canonical)
        if not new.changed and not new.dropped:
            show("the lock is up to date")
            return Exit.DONE
        words = relocking.judge_note(oracle.inventory, new, note) if new.changed else ""
        changes = write(desk.git, relocking.ruling(oracle.inventory, oracle.lock, new, words))
        for path in new.changed:
            show(f"locked {visible(path)}: {new.lock.entries[path]}")
        for path in new.dropped:
            show(f"dropped {visible(path)}: no property uses it")
        _tell(desk, changes, "lock-fixtures", "Rebuild the fixture lock", also=new.changed)
    return Exit.DONE


@app.command()
def init(
    owner: Annotated[str, typer.Option(metavar="WHO", help="Who owns the oracle: @user, @organisation/team, e-mail.")],
) -> int:
    """Lay an empty inventory, its owner lines and a workflow; never over what is there."""
    for laid in setup.lay(Git.open(Path.cwd()), owner):
        show(f"{laid.path}: {laid.what}")
    say(
        "\nnext: commit these files on the default branch, then in the settings of the forge\n"
        "  - make the job `gate` a required check\n"
        "  - require a review by code owners, and let nobody push to the default branch directly"
    )
    return Exit.DONE


def _path(git: Git, given: str | None) -> str | None:
    """A path as typed in the current folder, or from the root where there is no such file, as one from the root."""
    if given is None:
        return None
    here = Path(os.path.normpath(Path.cwd() / given))
    known = here.is_relative_to(git.root) and (here.exists() or here.is_symlink())
    return here.relative_to(git.root).as_posix() if known else os.path.normpath(given)


def _tell(desk: Desk, changes: tuple[Change, ...], branch: str, message: str, also: tuple[str, ...] = ()) -> None:
    """What was written, and the git commands for a pull request of its own."""
    for change in changes:
        say(f"{'removed' if change.new is None else 'wrote'} {change.path}")
    paths = [change.path for change in changes if change.new is not None or change.path not in desk.untracked]
    say("\nnext: a pull request of its own")
    if desk.git.branch() in (None, "main", "master"):
        say(f"  git switch --create {shlex.quote(branch)}")
    say(f"  git add --all {shlex.join([*paths, *also])}")
    say(f"  git commit --message {shlex.quote(message)}")
    say("  git push --set-upstream origin HEAD")
