"""The commands of `review` that find inputs and laws: each writes new files only, and nothing that votes."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from inventory.console import say, show
from inventory.errors import Exit, WrongUsage
from inventory.records import Target
from review import options
from review.desk import open_desk
from review.paths import from_root
from review.record import Recording, counted, ended
from review.record import record as recorded_at
from review.recordings import remember_recording


def record(
    target: options.TargetOf,
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND…", help="What to run, behind --.")],
    out: Annotated[str, typer.Option(metavar="PATH", help="Where to write it; nothing may lie there yet.")],
) -> int:
    """Draft a fixture of real calls: run a command of yours, such as the test suite, with one function watched."""
    with open_desk(Path.cwd()) as desk:
        path = from_root(desk.git.root, out)
        done = recorded_at(desk, target_of(target), path, command)
        remember_recording(desk.git, target_of(target), path, done.draft.call)
    say(ended(done.run.code))
    say(counted(done.seen, done.draft))
    for notice in _notices(done):
        say(f"notice: {notice}")
    show(f"wrote {path}: {len(done.draft.samples)} samples, for --call {done.draft.call}")
    say("\nnext: edit it until every sample is one that you mean, then")
    say(f"  git add {shlex.quote(path)}")
    say(f"  review promote ID --fixture {shlex.quote(path)} --call {done.draft.call} …")
    return Exit.DONE


def target_of(text: str) -> Target:
    """The target that is named as `module:function`. Raises WrongUsage."""
    module, _, name = text.partition(":")
    try:
        return Target(module=module, fn=name)
    except ValueError:
        raise WrongUsage(
            f"{text!r} names no function", why="a target is MODULE:FN", fix="Such as app.window:clamp."
        ) from None


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
