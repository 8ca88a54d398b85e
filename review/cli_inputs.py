"""The commands of `review` that find inputs and laws: each writes new files only, and nothing that votes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from inventory.console import say, show
from inventory.counts import counted
from inventory.errors import Exit, WrongUsage
from inventory.escapes import visible
from inventory.progress import progress
from inventory.records import Target, candidate_path
from review import options
from review.desk import open_desk
from review.mining import Mining, id_stem, mined_at
from review.paths import from_root
from review.record import Recording, ended, tally
from review.record import record as recorded_at
from review.recordings import remember_recording
from review.screen import document
from review.standing import add_of


def record(
    target: options.TargetOf,
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND…", help="What to run, behind --.")],
    out: Annotated[str, typer.Option(metavar="PATH", help="Where to write it; nothing may lie there yet.")],
) -> int:
    """Draft a fixture of real calls of one function.

    They are those that a command of yours makes, such as the test suite:
    review record app.window:clamp --out tests/fixtures/clamp.json -- python -m pytest
    """
    with open_desk(Path.cwd()) as desk:
        path = from_root(desk.git.root, out)
        done = recorded_at(desk, target_of(target), path, command)
        remember_recording(desk.git, target_of(target), path, done.draft.call)
    say(ended(done.run.code))
    say(tally(done.seen, done.draft))
    for notice in _notices(done):
        say(f"notice: {notice}")
    show(f"wrote {path}: {len(done.draft.samples)} samples, for --call {done.draft.call}")
    say("\nnext: edit it until every sample is one that you mean, then")
    say(f"  {add_of([path])}")
    say(f"  review mine {target} --samples {shlex.quote(path)} --call {done.draft.call}")
    return Exit.DONE


def mine(
    target: options.TargetOf,
    *,
    samples: Annotated[str | None, typer.Option(metavar="FIXTURE", help="Inputs to try laws on.")] = None,
    call: options.CallOf = None,
    base: options.Base = None,
    as_json: options.Json = False,
) -> int:
    """Find laws of one function that hold on base. The few that notice most faults go to the queue."""
    with open_desk(Path.cwd(), base=base) as desk:
        done = mined_at(desk, target_of(target), from_root(desk.git.root, samples), call, progress)
    if as_json:
        show(document("mining", **done.data()))
    else:
        _tell(done, target_of(target))
    return Exit.DONE


def _tell(done: Mining, target: Target) -> None:
    found = done.mined
    say(f"{done.base}: {len(found.samples)} samples of {visible(done.source.words)}, call {done.source.call}")
    loud = f" ({found.loud} more raise or hang, which any call shows)" if found.loud else ""
    say(f"{found.tried} laws tried, {len(found.held)} hold; {len(found.mutants)} mutants tell them apart{loud}")
    if found.untried:
        say(f"not tried: {counted(found.untried, 'more law')}, with inputs on which it does not end")
    if done.known:
        say(f"{done.known} of them are promoted or proposed already")
    for one in done.written:
        show(f"wrote {one.path}: {visible(one.held.conjecture.text)}  ({len(one.held.kills)} mutants)")
        if one.candidate.statement:
            say(f"  {visible(one.candidate.statement)}")
    if not done.written:
        show("wrote nothing: " + ("they notice all that others do" if done.known else "none notices a mutant"))
        if not done.known:
            say(_by_hand(target, [parameter.name for parameter in found.function.parameters]))
        return
    say("\nnext: look at each of them")
    for one in done.written:
        say(f"  review show {one.candidate.id}")


def _by_hand(target: Target, parameters: list[str]) -> str:
    """What somebody writes for whom no law was found."""
    name = f"{id_stem(target)}_law"
    return (
        f"\nnext: add samples that differ more, or write a law yourself, as {candidate_path(name)}:\n"
        f"  id: {name}\n  module: {target.module}\n  fn: {target.fn}\n  checks:\n"
        f'    - law: "..."    # over {target.fn.rpartition(".")[2]} and {", ".join(parameters) or "nothing else"}'
    )


def target_of(text: str) -> Target:
    """The target that is named as `module:function`. Raises WrongUsage."""
    module, _, name = text.partition(":")
    try:
        return Target(module=module, fn=name)
    except ValueError:
        raise WrongUsage(
            f"{text!r} names no function", why="a target is MODULE:FN, such as app.window:clamp", fix=_meant(text)
        ) from None


def _meant(text: str) -> str:
    """What somebody who wrote a path, or a dot for the colon, may have meant."""
    path, colon, name = text.removeprefix("./").removeprefix("src/").partition(":")
    dotted = path.removesuffix(".py").replace("/", ".")
    if not colon and path.endswith(".py"):
        return f"Name the function as well: {dotted}:FUNCTION"
    module, name = (dotted, name) if colon else dotted.rpartition(".")[::2]
    try:
        return f"Did you mean {Target(module=module, fn=name)}?"
    except ValueError:
        return "Name the module as an import does, a colon, and the function."


def _notices(done: Recording) -> list[str]:
    draft, told = done.draft, []
    if draft.all_raised:
        told.append("every call ended in an exception")
    if draft.blanked:
        told.append(f"{draft.blanked} secrets are blanked in it")
    if draft.tuples:
        told.append(f"{draft.tuples} samples had tuples, which are lists in JSON")
    if done.function.decorators:
        names = ", ".join(
            f"@{name}" for name in done.function.decorators if name not in ("staticmethod", "classmethod")
        )
        told += [f"it is decorated by {names}: these are the arguments that arrive behind that"] if names else []
    return told
