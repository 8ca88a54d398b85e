"""Promotion: from a candidate and a reviewer's words to a property, or to a refusal with the way out; pure."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace

from pydantic import ValidationError

from inventory.errors import Refused, WrongUsage
from inventory.oracle import Fixture
from inventory.records import Call, Candidate, Inventory, Lock, Property, Target
from review.queue import Item, State


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

    def command(self) -> str:
        """The command line that asks this, quoted for a shell."""
        options = {
            "--seed": self.seed, "--fixture": self.fixture, "--sha256": self.sha256, "--reviewer": self.reviewer,
            "--note": self.note, "--call": self.call, "--from": self.source, "--base": self.base,
        }  # fmt: skip
        given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
        return shlex.join(["review", "promote", self.id, *given])


@dataclass(frozen=True)
class Standing:
    """Where the reviewer stands: the branch, as far as it matters for a promotion."""

    name: str  # of the branch, or the id of the commit
    base: str
    production: tuple[str, ...]
    uncommitted: bool  # some of it lies in the work tree only, and would come along to another branch
    base_has_target: bool
    adds_candidate: bool


@dataclass(frozen=True)
class Facts:
    """What a promotion is judged on. `seed` and `reviewer` are offered where the reviewer gave none."""

    item: Item
    inventory: Inventory
    lock: Lock
    standing: Standing
    fixture: Fixture | None
    fixture_untracked: bool
    seed: int
    reviewer: str


def promoted(ask: Ask, facts: Facts) -> Property:
    """The property that this promotion makes.

    Raises Refused with the first thing in its way, WrongUsage for words that no property can hold.
    """
    candidate = _judge_candidate(facts)
    _judge_standing(ask, candidate, facts.standing)
    _judge_words(ask, facts)
    return _property(ask, candidate, facts.item.digest)


def locked(lock: Lock, fixture: Fixture) -> Lock:
    """The lock with the fixture's entry."""
    return Lock(entries={**lock.entries, fixture.path: fixture.actual or ""})


def suggested_fixture(inventory: Inventory, target: Target) -> str | None:
    """The fixture of another property on the same target; the reviewer may well need a better one."""
    return next((entry.fixture for entry in inventory.properties if entry.target == target), None)


# -- what may stand in the way ---------------------------------------------------------


def _judge_candidate(facts: Facts) -> Candidate:
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
            f"{item.id} is {item.state}",
            why=item.why,
            fix=f"Look at it: review show {item.id}",
        )
    if facts.inventory.find(item.id):
        raise Refused(
            f"the id {item.id} is taken",
            why="another property of the inventory has it",
            fix=f"Rename {item.path} and the id in it.",
        )
    return item.candidate


def _judge_standing(ask: Ask, candidate: Candidate, at: Standing) -> None:
    way_out = _on_a_branch_of_its_own(ask, at)
    if at.production:
        raise Refused(
            f"this branch changes production: {_some(at.production)}",
            why=f"a property that arrives with the code it judges is no oracle (compared with {at.base})",
            fix=f"Promote on a branch of its own, once the code is merged:\n{way_out}",
        )
    if at.adds_candidate:
        raise Refused(
            f"this branch proposes {ask.id}",
            why=f"its commits brought the candidate, which {at.base} does not have: propose and promote stay apart",
            fix=f"Promote on a branch of its own:\n{way_out}",
        )
    if not at.base_has_target:
        raise Refused(
            f"{candidate.target} is not on {at.base}",
            why="a property votes on code that is merged; before that, its own patch would be its judge",
            fix=f"Merge the code first, then bring this branch up to date and promote: {ask.command()}",
        )


def _on_a_branch_of_its_own(ask: Ask, at: Standing) -> str:
    again = replace(ask, source=ask.source or (at.name if at.adds_candidate else None))
    steps = ["git stash"] if at.uncommitted else []
    steps += [shlex.join(["git", "switch", "--create", f"promote/{ask.id}", at.base]), again.command()]
    return "\n".join(steps)


def _judge_words(ask: Ask, facts: Facts) -> None:
    if ask.fixture is None or facts.fixture is None:
        raise _fixture_missing(ask, facts)
    fixture = facts.fixture
    if fixture.fault or fixture.samples is None or fixture.actual is None:
        raise Refused(
            f"the fixture {fixture.path} cannot be used",
            why=fixture.fault or "it holds no samples",
            fix=f"Write a JSON list of inputs there, by hand, then: {ask.command()}",
        )
    if facts.fixture_untracked:
        raise Refused(
            f"git does not track the fixture {fixture.path}",
            why="a lock entry for a file that is in no commit would block everybody",
            fix=f"git add {shlex.quote(fixture.path)}\n{_complete(ask, facts).command()}",
        )
    if fixture.locked is not None and not fixture.matches:
        raise Refused(
            f"the fixture {fixture.path} is not what the lock trusts",
            why="other properties vote on it, and its bytes have changed",
            fix=f"Restore it, or say why first: review lock {shlex.quote(fixture.path)} --note WHY",
        )
    _judge_completeness(ask, facts, fixture.actual, len(fixture.samples))


def _judge_completeness(ask: Ask, facts: Facts, digest: str, samples: int) -> None:
    given = {"--seed": ask.seed, "--sha256": ask.sha256, "--reviewer": ask.reviewer}
    missing = [name for name, value in given.items() if value is None]
    command = _complete(ask, facts).command()
    if missing:
        raise Refused(
            f"a promotion needs {' and '.join(missing)}",
            why=f"a human picks the seed, and the digest says which samples were looked at (there are {samples})",
            fix=f"Look at {ask.fixture}, then{_about(ask.seed)}:\n{command}",
        )
    if ask.sha256 != digest:
        raise Refused(
            f"{ask.fixture} has another digest than the one given",
            why=f"given {ask.sha256}, found {digest}",
            fix=f"Look at its samples (there are {samples}), then:\n{command}",
        )


def _about(seed: int | None) -> str:
    return " (any seed will do, this one was drawn just now)" if seed is None else ""


def _complete(ask: Ask, facts: Facts) -> Ask:
    """What the reviewer would have to type, as far as it can be known."""
    return replace(
        ask,
        seed=facts.seed if ask.seed is None else ask.seed,
        fixture=ask.fixture or (facts.fixture.path if facts.fixture else None),
        sha256=facts.fixture.actual if facts.fixture and facts.fixture.actual else ask.sha256,
        reviewer=ask.reviewer or facts.reviewer,
    )


def _fixture_missing(ask: Ask, facts: Facts) -> Refused:
    why = "a property votes on samples that a human has looked at"
    if facts.fixture and facts.fixture.matches:
        return Refused(
            "a promotion needs --fixture",
            why=why,
            fix=f"Another property of this function has {facts.fixture.path}; look at it, then:\n"
            f"{_complete(ask, facts).command()}",
        )
    path = f"tests/fixtures/{ask.id}.json"
    return Refused(
        "a promotion needs --fixture",
        why=why,
        fix=f"Write a JSON list of inputs, for example {path}, then (it will tell the digest):\n"
        f"{replace(_complete(ask, facts), fixture=path, sha256=None).command()}",
    )


def _property(ask: Ask, candidate: Candidate, digest: str | None) -> Property:
    try:
        return Property.model_validate(
            {
                "id": candidate.id,
                "module": candidate.module,
                "fn": candidate.fn,
                "seed": ask.seed,
                "fixture": ask.fixture,
                "checks": candidate.checks,
                "call": ask.call or Call.SAMPLE,
                "note": ask.note,
                "promoted_from": digest,
                "reviewed_by": ask.reviewer,
            }
        )
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        raise WrongUsage(
            f"--{detail['loc'][0]} cannot be written down",
            why=detail["msg"].removeprefix("Value error, "),
            fix="Give it without control characters and within its limits.",
        ) from None


def _some(paths: tuple[str, ...]) -> str:
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more
