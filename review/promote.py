"""Promotion: from a candidate and a reviewer's words to a property, or to a refusal with the way out; pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

from inventory.errors import Refused
from inventory.functions import Function
from inventory.oracle import Fixture
from inventory.records import Call, Candidate, Inventory, Lock, Property, candidate_path
from review.draft import call_for
from review.laws import against
from review.queue import Item, State
from review.samples import Samples, judge_digest
from review.standing import Standing, command_of
from review.words import judge_expected, written


@dataclass(frozen=True)
class Ask:
    """What the reviewer typed; None where nothing was."""

    id: str
    seed: int | None = None
    fixture: str | None = None
    sha256: str | None = None
    reviewer: str | None = None
    note: str | None = None
    call: Call | None = None
    source: str | None = None  # --from
    base: str | None = None
    expect: str | None = None

    def command(self) -> str:
        """The command line that asks this, quoted for a shell."""
        return command_of(
            ["promote", self.id],
            {
                "--seed": self.seed, "--fixture": self.fixture, "--sha256": self.sha256, "--reviewer": self.reviewer,
                "--note": self.note, "--call": self.call, "--from": self.source, "--base": self.base,
                "--expect": self.expect,
            },
        )  # fmt: skip

    def draft_command(self, path: str) -> str:
        """The command line that drafts a fixture for the candidate at `path`."""
        return command_of(["fixture", self.id], {"--out": path, "--from": self.source})


@dataclass(frozen=True)
class Facts:
    """What a promotion is judged on. `seed` and `reviewer` are offered where the reviewer gave none.

    `adds_candidate` tells whether this branch itself brought the candidate.
    """

    item: Item
    inventory: Inventory
    lock: Lock
    standing: Standing
    base_has_target: bool
    adds_candidate: bool
    samples: Samples | None
    seed: int
    reviewer: str
    function: Function | None = None  # of the target in the work tree
    source: str | None = None  # the branch that the candidate was read from, where it was another one
    start: str = ""  # how the fixture comes to be where there is none


def promoted(ask: Ask, facts: Facts) -> Property:
    """The property that this promotion makes.

    Raises Refused with the first thing in its way, WrongUsage for words that no property can hold.
    """
    candidate = judge_candidate(facts)
    judge_expected(ask.id, ask.expect, facts.item.digest, ask.source)
    if ask.fixture and facts.samples:
        facts.samples.judge_place()
    judge_standing(ask, candidate, facts)
    _judge_words(ask, facts)
    return _property(ask, candidate, facts.item.digest)


# -- what may stand in the way ---------------------------------------------------------


def judge_candidate(facts: Facts) -> Candidate:
    """The candidate of an item that can be promoted. Raises Refused."""
    item = facts.item
    if item.candidate is None or item.state is State.INVALID:
        raise Refused(
            f"{item.path} is no valid candidate",
            why="only a file without faults can be promoted",
            fix=f"Mend {item.path}, or remove it.",
            faults=item.faults,
        )
    if item.state in (State.DUPLICATE, State.REJECTED):
        raise Refused(
            f"{item.id} is {'a duplicate' if item.state is State.DUPLICATE else item.state}",
            why=item.why,
            fix=f"{_change(item.became)}Take it out of the queue: {_reject(item.id, 'duplicate', facts.source)}"
            if item.state is State.DUPLICATE
            else f"Remove {item.path}; or take the rejection back first: review reopen {item.id}",
        )
    if facts.inventory.find(item.id):
        raise Refused(
            f"the id {item.id} is taken",
            why="another property of the inventory has it",
            fix=f"Rename {item.path} and the id in it.",
        )
    if item.state is State.PENDING:
        judge_laws(item.id, item.candidate, facts.function, facts.source)
    return item.candidate


def judge_laws(name: str, record: Candidate | Property, function: Function | None, source: str | None = None) -> None:
    """Raises Refused where a law cannot be evaluated, or says too little to vote."""
    reasons = against(record, function)
    if reasons:
        raise Refused(
            f"a law of {name} cannot vote",
            why="\n".join(reasons),
            fix=f"Write a better one in {candidate_path(name)}, or: {_reject(name, 'wrong', source)}"
            if isinstance(record, Candidate)
            else f"Give better ones: review amend {name} --checks ...",
        )


def _change(became: str | None) -> str:
    """The way on where a candidate is a property already; the note and the checks are the reviewer's."""
    words = {"--checks": "CHECKS", "--reviewer": "WHO", "--note": "TEXT"}
    return f"Change the property: {command_of(['amend', became], words)}\n" if became else ""


def _reject(name: str, reason: str, source: str | None) -> str:
    return command_of(["reject", name], {"--reason": reason, "--reviewer": "WHO", "--from": source})


def judge_standing(ask: Ask, candidate: Candidate, facts: Facts) -> None:
    """Raises Refused where this branch is no place to promote the candidate, with the way to one that is."""
    standing, branch = facts.standing, f"promote/{ask.id}"
    away = replace(ask, source=ask.source or (standing.name if facts.adds_candidate else None)).command()
    standing.judge(branch, away)
    if facts.adds_candidate:
        raise Refused(
            f"this branch proposes {ask.id}",
            why=f"its commits brought the candidate, which {standing.base} does not have;"
            " propose and promote stay apart",
            fix=f"Promote on a branch of its own:\n{standing.way_to(branch, away)}",
        )
    if not facts.base_has_target:
        raise Refused(
            f"{candidate.target} is not on {standing.base}",
            why="a property votes on code that is merged; before that, its own patch would be its judge",
            fix=f"Merge the code first, then bring this branch up to date and promote: {ask.command()}",
        )


def _judge_words(ask: Ask, facts: Facts) -> None:
    if ask.fixture is None or facts.samples is None:
        raise _fixture_missing(ask, facts)
    facts.samples.judge(_complete(ask, facts).command(), facts.start)
    given = {"--seed": ask.seed, "--sha256": ask.sha256, "--reviewer": ask.reviewer}
    missing = [name for name, value in given.items() if value is None]
    command = _complete(ask, facts).command()
    if missing:
        raise Refused(
            f"a promotion needs {' and '.join(missing)}",
            why="a human picks the seed, and the digest says which samples were looked at"
            f" (there are {facts.samples.count})",
            fix=f"Look at {ask.fixture}, then{_about(ask.seed)}:\n{command}",
        )
    judge_digest(facts.samples, ask.sha256, command)


def _about(seed: int | None) -> str:
    return " (any seed will do, this one was drawn just now)" if seed is None else ""


def _complete(ask: Ask, facts: Facts) -> Ask:
    """What the reviewer would have to type, as far as it can be known."""
    fixture = facts.samples.fixture if facts.samples else None
    return replace(
        ask,
        seed=facts.seed if ask.seed is None else ask.seed,
        fixture=ask.fixture or (fixture.path if fixture else None),
        sha256=_digest(fixture) if fixture else ask.sha256,
        reviewer=ask.reviewer or facts.reviewer,
        call=ask.call or _looks_like(fixture, facts),
    )


def _digest(fixture: Fixture) -> str | None:
    """What a reviewer can have looked at: a file that is none, or no fixture, is yet to be written."""
    return None if fixture.fault else fixture.actual


def _looks_like(fixture: Fixture | None, facts: Facts) -> Call | None:
    """The call that the samples look meant for, where it is not the default."""
    found = call_for(facts.function, fixture.samples or () if fixture else ())
    return None if found is Call.SAMPLE else found


def _fixture_missing(ask: Ask, facts: Facts) -> Refused:
    why = "a property votes on samples that a human has looked at"
    known = facts.samples.fixture if facts.samples else None
    if known and known.matches:
        return Refused(
            "a promotion needs --fixture",
            why=why,
            fix=f"Another property of this function has {known.path}; look at it, then:\n"
            f"{_complete(ask, facts).command()}",
        )
    path = f"tests/fixtures/{ask.id}.json"
    return Refused(
        "a promotion needs --fixture",
        why=why,
        fix=f"Draft one, for example with {ask.draft_command(path)}, edit it, then (it will tell the digest):\n"
        f"{replace(_complete(ask, facts), fixture=path, sha256=None).command()}",
    )


def _property(ask: Ask, candidate: Candidate, digest: str | None) -> Property:
    return written(
        Property,
        {
            "id": candidate.id,
            "module": candidate.module,
            "fn": candidate.fn,
            "seed": ask.seed,
            "fixture": ask.fixture,
            "checks": candidate.checks,
            "siblings": candidate.siblings,
            "call": ask.call or Call.SAMPLE,
            "note": ask.note,
            "promoted_from": digest,
            "reviewed_by": ask.reviewer,
        },
    )
