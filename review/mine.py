"""Mining: laws of one function, enumerated, held against a tree, and kept where they notice what no other does."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from gate.neighbours import neighbours_of
from gate.verdicts import PropertyResult, Sighting, Verdict
from inventory.digests import sha256
from inventory.errors import CouldNotRun, Refused
from inventory.functions import Function
from inventory.git import Git
from inventory.oracle import Fixture, Oracle
from inventory.progress import Tick
from inventory.records import Call, CheckUse, Policy, Property, Target
from inventory.target import BadSample
from inventory.targets import Modules
from inventory.tree import Tree
from review.asked import Asked, alike, asked, signature_of
from review.cover import Held
from review.grammar import Conjecture, conjectures
from review.holding import BARE_CALL, hold, hold_by_group, quicker
from review.kills import Field, kills_of
from review.kinds import NOTHING, literal
from review.mutants import Mutant, mutants_of
from review.varied import most_different

MAX_SAMPLES = 20
_MOST_ASKED = 200
_MAX_BYTES = 64 << 10
_SEED = 0
_LEAST_S = 2  # of processor time for a law on base
_NONE: frozenset[int] = frozenset()
Step = Callable[[str], AbstractContextManager[Tick]]  # says what comes next, and takes how far it is


class Unanswered(Refused):
    """The function answers to none of the samples, as they were put to it."""


@dataclass(frozen=True)
class Ground:
    """Where to mine: a tree, the oracle that says how it is run, a function in it, and inputs."""

    tree: Tree
    oracle: Oracle
    target: Target
    samples: Sequence[Any]
    call: Call


@dataclass(frozen=True)
class Mined:
    """What holds of a function: the laws tried, those that hold with the mutants they notice, and the mutants.

    `samples` are the inputs used: different ones that are alike in kind, and that the function answers. `untried`
    laws call it with inputs on which it hangs. `loud` mutants raise or hang where it answers; whatever calls it
    notices these, so they are none of `mutants`.
    """

    function: Function
    samples: tuple[Any, ...]
    tried: int
    untried: int = 0
    held: tuple[Held, ...] = ()
    mutants: tuple[Mutant, ...] = ()
    loud: int = 0


def mine(ground: Ground, aside: Git, step: Step) -> Mined:
    """Find what holds of a function. `aside` is where new git objects may go; `review.cover` says what to keep.

    Raises Refused where the tree has no such function, Unanswered where it answers to none of the inputs, and
    CouldNotRun where it cannot be run.
    """
    found = find(ground.tree, ground.oracle.policy, ground.target)
    with step("asking") as told:
        some, took_s = _ask(ground, found.function, told)
    quick = replace(ground, oracle=quicker(ground.oracle, took_s, _LEAST_S))
    samples = tuple(one.sample for one in some)
    tried = conjectures(signature_of(found.function, some), found.function, found.others)
    used, entries = _fixture(samples), [_entry(ground, n, c.use, c.siblings) for n, c in enumerate(tried)]
    with step("trying on base") as told:
        results = _by_inputs(quick, tried, entries, used, told)
    mined = Mined(found.function, samples, len(results), untried=len(tried) - len(results))
    holding = [n for n, e in enumerate(entries) if e.id in results and results[e.id].status is Verdict.PASS]
    with step("trying on the other samples") as told:
        everywhere = _right_on(quick, [entries[n] for n in holding], _left(ground, samples), told)
    holding = [n for n, (right, of) in zip(holding, everywhere, strict=True) if right == of]
    with step("trying beside") as told:
        others = tuple(neighbour.sample for neighbour in neighbours_of(samples, _SEED))
        beside = _right_on(quick, [entries[n] for n in holding], others, told)
    held = [Held(tried[n], _NONE, right, of) for n, (right, of) in zip(holding, beside, strict=True)]
    likely = [at for at, one in enumerate(held) if one.is_likely]
    first = [value for value in (literal(some[0].value),) if value is not NOTHING]
    mutants = mutants_of(found.source, ground.target.fn, first)
    if not likely or len(mutants) < 2:
        return replace(mined, held=tuple(held))
    field = Field(ground.tree, found.path, mutants, took_s)
    with step("trying on mutants") as told:
        kills = kills_of(field, aside, ground.oracle, [entries[holding[at]] for at in likely], used, told)
    for at, row in zip(likely, kills.rows, strict=True):
        held[at] = replace(held[at], kills=row.kills)
    return replace(mined, held=tuple(held), mutants=kills.mutants, loud=kills.loud)


def _by_inputs(
    ground: Ground, tried: Sequence[Conjecture], entries: Sequence[Property], used: Fixture, told: Tick
) -> dict[str, PropertyResult]:
    """How the laws do that were tried: those that call the function with the same other inputs hang together."""
    groups: dict[frozenset[str], list[Property]] = defaultdict(list)
    for conjecture, entry in zip(tried, entries, strict=True):
        groups[conjecture.elsewhere].append(entry)
    return hold_by_group(ground.tree, ground.oracle, list(groups.values()), used, told)


def _different(ground: Ground) -> tuple[Any, ...]:
    return tuple(ground.samples[at] for at in most_different(ground.samples, _MOST_ASKED, _MAX_BYTES))


def _left(ground: Ground, used: Sequence[Any]) -> tuple[Any, ...]:
    """The samples that differ but for those used: told apart by their text, for True == 1 == 1.0."""
    known = {repr(sample) for sample in used}
    return tuple(sample for sample in _different(ground) if repr(sample) not in known)


def _right_on(
    ground: Ground, entries: Sequence[Property], others: tuple[Any, ...], told: Tick
) -> list[tuple[int, int]]:
    """For each law on how many of these inputs it is right, and how many of them the function answers.

    The bare call comes first, so that an input on which the function hangs does not hang for every law.
    """
    [bare] = (
        hold(ground.tree, ground.oracle, [_entry(ground, 0, BARE_CALL)], _fixture(others), told) if others else [None]
    )
    answered = tuple(other for other, colour in zip(others, _colours(bare), strict=False) if colour == "g")
    if not answered or not entries:
        return [(0, 0) for _ in entries]
    results = hold(ground.tree, ground.oracle, entries, _fixture(answered), told)
    return [(_colours(result).count("g"), len(answered)) for result in results]


def _colours(result: PropertyResult | None) -> str:
    return result.repeats[0].colours if result and result.repeats and not result.repeats[0].fault else ""


@dataclass(frozen=True)
class Found:
    """A function, its file, and the functions beside it."""

    path: str
    source: bytes
    function: Function
    others: Sequence[Function]


def find(tree: Tree, policy: Policy, target: Target) -> Found:
    """The function as this tree defines it. Raises Refused where it does not."""
    modules = Modules(tree, policy)
    path, function = modules.path(target.module), modules.function(target)
    source = tree.read(path) if path else None
    if path is None or source is None or function is None:
        raise Refused(
            f"{tree.label} has no function {target}",
            why="laws are mined on the code that a branch starts from, and "
            + (f"{path} does not define it there" if path else f"no file of that is the module {target.module}"),
            fix=f"{modules.way_to(target)} Where it is new: mine it once it is merged, or give --base REF.",
        )
    return Found(path, source, function, modules.functions(target.module))


def _ask(ground: Ground, function: Function, told: Tick) -> tuple[tuple[Asked, ...], float]:
    """The samples to mine on with the function's answers, and the seconds it took for all of them."""
    samples = _different(ground)
    [result] = hold(ground.tree, ground.oracle, [_entry(ground, 0, BARE_CALL)], _fixture(samples), told)
    if result is None or not result.repeats or result.status is Verdict.PROTOCOL_ERROR:
        raise CouldNotRun(
            f"{ground.target} could not be run on {ground.tree.label}",
            why=result.detail if result else "the lane said nothing about it",
            fix=_way_out(ground.target, result.sighting if result else None),
        )
    repeat = result.repeats[0]
    rows = zip(samples, repeat.values, repeat.types, repeat.colours, strict=True)
    good = [(sample, value, kind) for sample, value, kind, colour in rows if colour == "g"]
    if not good:
        raise _unanswered(ground, f"{repeat.red.check}: {repeat.red.detail}" if repeat.red else result.detail)
    try:
        return alike(asked(function, ground.call.value, good), MAX_SAMPLES, _MAX_BYTES), repeat.seconds
    except BadSample as bad:
        raise _unanswered(ground, str(bad)) from None


_INSTEAD = {"clock": "its time", "entropy": "its generator or seed", "network": "what it fetches"}


def _way_out(target: Target, seen: Sighting | None) -> str:
    if seen is None:
        return f"Mend that, then: review mine {target}"
    if seen.importing:
        return "Mine a function of another module, or first move that line into a function."
    return f"Mine another function, or first give this one {_INSTEAD[seen.kind]} as an argument."


def _unanswered(ground: Ground, why: str) -> Unanswered:
    return Unanswered(
        f"{ground.target} answers to none of its samples on {ground.tree.label}",
        why=why,
        fix="Give other ones: --samples FIXTURE, and --call where a sample holds several arguments.",
    )


def _entry(ground: Ground, number: int, use: CheckUse, siblings: tuple[str, ...] = ()) -> Property:
    return Property(
        id=f"law_{number}",
        module=ground.target.module,
        fn=ground.target.fn,
        seed=_SEED,
        fixture=_PATH,
        checks=(use,),
        siblings=siblings,
        call=ground.call,
    )


_PATH = "samples.json"


def _fixture(samples: tuple[Any, ...]) -> Fixture:
    return Fixture(_PATH, None, samples, sha256(repr(samples).encode("utf-8", "backslashreplace")), None)
