"""Tells what was written, and the git commands that make a pull request of its own of it."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from inventory.console import say
from review.desk import Desk
from review.ruling import Change


def tell(desk: Desk, changes: Iterable[Change], branch: str, message: str, also: tuple[str, ...] = ()) -> None:
    """What these changes did, and the next steps; `also` are paths of fixtures that belong to them."""
    known = tuple(changes)
    for change in known:
        say(f"{'removed' if change.new is None else 'wrote'} {change.path}")
    paths = [change.path for change in known if change.new is not None or change.path not in desk.untracked]
    say("\nnext: a pull request of its own")
    if desk.git.branch() in (None, "main", "master"):
        say(f"  git switch --create {shlex.quote(branch)}")
    say(f"  git add --all {shlex.join(dict.fromkeys([*paths, *also]))}")
    say(f"  git commit --message {shlex.quote(message)}")
    say("  git push --set-upstream origin HEAD")
