"""Tells what was written, and the git commands that make a pull request of its own of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator

from inventory.console import say
from inventory.escapes import visible
from inventory.oracle import ORACLE_FILES
from inventory.owners import owners_of
from inventory.reading import read_owners
from review.desk import Desk
from review.ruling import Change
from review.standing import add_of


def tell(desk: Desk, changes: Iterable[Change], branch: str, message: str, also: tuple[str, ...] = ()) -> None:
    """What these changes did, and the next steps; `also` are paths of fixtures that belong to them."""
    known = tuple(changes)
    for change in known:
        say(f"{'removed' if change.new is None else 'wrote'} {change.path}")
    paths = [change.path for change in known if change.new is not None or change.path not in desk.untracked]
    for words in _unowned(desk, paths, also):
        say(f"notice: {visible(words)}")
    say("\nnext: a pull request of its own")
    if desk.git.branch() in (None, "main", "master"):
        say(f"  git switch --create {shlex.quote(branch)}")
    say(f"  {add_of(dict.fromkeys([*paths, *also]), '--all')}")
    say(f"  git commit --message {shlex.quote(message)}")
    say("  git push --set-upstream origin HEAD")


def _unowned(desk: Desk, written: Iterable[str], fixtures: Iterable[str]) -> Iterator[str]:
    """What follows where no CODEOWNERS file gives an owner to an oracle file that was written, or to its fixtures."""
    owners = read_owners(desk.work)
    oracle, samples = ([p for p in paths if not owners_of(owners, p)] for paths in (written, fixtures))
    oracle = [path for path in oracle if path in ORACLE_FILES]
    if oracle and desk.oracle.policy.owners == "required":
        yield f"nobody owns {', '.join(oracle)} by CODEOWNERS, and the gate blocks that: review init --owner WHO"
    if samples:
        them = ", ".join(samples)
        yield f"nobody owns {them} by CODEOWNERS, so nobody is asked to review a change: add a line for /{samples[0]}"
