"""A revision that names no commit: why, and what to give instead; pure."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from inventory.counts import counted
from inventory.errors import CouldNotRun, WrongUsage

ABSENT = re.compile(r"0+")  # the id of no object
_ANCESTOR = re.compile(r"(.+?)((?:~\d*|\^\d*)+)")
_OTHER_PARENT = re.compile(r"\^0*([2-9]|1\d)")
_LONGEST_TYPED = 200
_ALIKE = 0.7  # the ratio of difflib from which a name is taken for what was meant


@dataclass(frozen=True)
class Reach:
    """How far the history reaches where a revision names no commit.

    `line` counts the commits from the one that the revision starts at back along first parents; None where that
    is no commit either, or the revision names no ancestor. `names` are the branches and tags that are there.
    """

    shallow: bool
    remote: bool
    line: int | None
    names: tuple[str, ...] = ()


def refuse_odd(asked: str, what: str) -> None:
    """Raises WrongUsage for a text that can be no revision, CouldNotRun for one that CI gives in place of one."""
    if not asked.strip():
        raise CouldNotRun(
            f"the {what} is empty",
            why="a CI variable that is not set for this kind of event gives an empty text",
            fix=f"Name the {what}, for example origin/main.",
        )
    if asked.startswith("-") or not asked.isprintable() or any(c in asked for c in " :\\") or ".." in asked:
        raise WrongUsage(
            f"{asked!r} is no {what}", why="it looks like an option, a range or a path", fix="Give a branch or commit."
        )
    if ABSENT.fullmatch(asked) and len(asked) in (40, 64):
        raise CouldNotRun(
            f"the {what} is the null commit",
            why="CI gives it for a branch that has just been made",
            fix=f"Name the {what}, for example origin/main.",
        )


def start_of(asked: str) -> str | None:
    """What an ancestor is counted from: HEAD for HEAD~3^; None for a text that names none."""
    found = _ANCESTOR.fullmatch(asked)
    return found[1] if found else None


def no_commit(asked: str, what: str, reach: Reach) -> CouldNotRun:
    """The error for a `what`, such as base, that git does not know."""
    told = f"the {what} {asked!r} does not name a commit here"
    if reach.line is not None and not reach.shallow:
        return CouldNotRun(told, why=_beyond(asked, reach.line), fix=_nearer(asked, reach.line))
    far = asked.startswith("origin/")
    unknown = f"git does not know {asked!r}" if far else f"git knows neither {asked!r} nor 'origin/{asked}'"
    meant = _meant(asked, reach.names)
    if reach.shallow or reach.remote:
        return CouldNotRun(
            told,
            why=unknown + ("; this clone is shallow" if reach.shallow else ""),
            fix=f"{meant}Fetch it first; in CI, check out with the whole history (fetch-depth: 0).",
        )
    return CouldNotRun(
        told,
        why=f"{unknown}, and no remote is set",
        fix=f"{meant}Give a branch or commit that is here: git branch, git log",
    )


def _meant(asked: str, names: tuple[str, ...]) -> str:
    """The question for the name that is most like what was typed; empty where none is like it."""
    start = start_of(asked) or asked
    here = {short for name in names for short in (name, name.removeprefix("origin/"))} - {
        "HEAD"
    }  # main finds origin/main
    if start in here or start == "HEAD" or len(start) > _LONGEST_TYPED:
        return ""
    like = difflib.get_close_matches(start, sorted(here), n=1, cutoff=_ALIKE)
    return f"Did you mean {like[0]}{asked.removeprefix(start)}? If not: " if like else ""


def _leaves_the_line(asked: str) -> bool:
    """Whether the way to an ancestor leads over another parent of a merge than the first."""
    return _OTHER_PARENT.search(asked.removeprefix(start_of(asked) or "")) is not None


def _beyond(asked: str, line: int) -> str:
    start = start_of(asked)
    if _leaves_the_line(asked):
        return f"{start} is here, but no merge on the way has such a parent"
    if line == 1:
        return f"{start} is the first commit; nothing comes before it"
    return f"the history of {start} has {counted(line, 'commit')}, counted by first parents, and all of it is here"


def _nearer(asked: str, line: int) -> str:
    start = start_of(asked)
    if _leaves_the_line(asked):
        return f"See which parents there are: git log --graph {start}"
    if line == 1:
        return "Commit the change on top of it, then give the commit before the change."
    return f"Give {start}~{line - 1}, its first commit, or a later one."
