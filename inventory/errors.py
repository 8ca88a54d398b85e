"""Errors a user can act on, and the exit code each of them stands for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Exit(IntEnum):
    """The exit codes of every command; no other value ever leaves a process."""

    DONE = 0
    NO = 1
    USAGE = 2
    COULD_NOT_RUN = 3
    ENDPOINT = 4
    ANSWER = 5
    INTERRUPTED = 130


@dataclass(frozen=True, order=True)
class Fault:
    """One thing that is wrong at one place of one file; `line` counts from 1, 0 means the whole file."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}" if self.line else self.path
        return f"{place}: {self.what}"


class Stop(Exception):
    """A command cannot go on: what happened, why, and one next step.

    `faults` lists every fault of a file at once, so that a user mends them in one go.
    Subclasses fix the exit code; raise one of those.
    """

    exit_code = Exit.COULD_NOT_RUN

    def __init__(self, what: str, *, why: str, fix: str, faults: Iterable[Fault] = ()) -> None:
        super().__init__(what)
        self.what = what
        self.why = why
        self.fix = fix
        self.faults = tuple(faults)


class Refused(Stop):
    """The answer is no: the request was understood and is declined."""

    exit_code = Exit.NO


class Overtaken(Refused):
    """A file is not in the state that the command saw when it decided."""


class WrongUsage(Stop):
    """The command line asks for something that does not exist or does not fit together."""

    exit_code = Exit.USAGE


class CouldNotRun(Stop):
    """The repository, a file or the environment does not allow an answer."""

    exit_code = Exit.COULD_NOT_RUN


class EndpointFailed(Stop):
    """The model endpoint is unreachable or refused the request."""

    exit_code = Exit.ENDPOINT


class UnusableAnswer(Stop):
    """The model endpoint answered, but nothing in the answer can be used."""

    exit_code = Exit.ANSWER
