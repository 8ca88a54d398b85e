"""The strength of properties of one function: which of its mutants the lane shows each of them to notice."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gate.results import blamed_on_production
from gate.verdicts import LaneReport, PropertyResult, Verdict
from inventory.counts import counted
from inventory.git import Git
from inventory.oracle import Fixture, Oracle
from inventory.records import CheckUse, Property
from inventory.targets import module_path
from inventory.tree import Tree, with_files
from review.mutants import Mutant, mutants_of
from review.trial import alone, run_once

_LIMIT_S = 1  # for a mutant, beyond what the function itself took, the import of its module included
_MAX_SAMPLES = 50
_BARE_CALL = CheckUse(name="never_raises")


@dataclass(frozen=True)
class Strength:
    """How many mutants a property killed, and those that survived; `why` says why nothing could be measured.

    Mutants that raise or hang where the function answers are left out, `loud` of them: whatever calls the
    function notices these, so they tell no property from another.
    `unjudged` are mutants that were neither red nor green: they count as not killed, so that the score of
    two properties of one function on one fixture is of the same mutants.
    """

    killed: int = 0
    survived: tuple[Mutant, ...] = ()
    unjudged: tuple[Mutant, ...] = ()
    loud: int = 0
    why: str = ""

    @property
    def total(self) -> int:
        return self.killed + len(self.survived) + len(self.unjudged)

    @property
    def vacuous(self) -> bool:
        """Whether there were mutants and it noticed none."""
        return self.total > 0 and self.killed == 0

    @property
    def score(self) -> float:
        """From 0 to 1; 0 where nothing could be measured."""
        return self.killed / self.total if self.total else 0.0


def strengths_of(
    tree: Tree, aside: Git, oracle: Oracle, tried: Sequence[tuple[Property, PropertyResult]], fixture: Fixture
) -> tuple[Strength, ...]:
    """Try properties of one function on its mutants, each a module beside the real one in a tree of its own.

    `tried` are the properties that hold, each with how it did; `aside` is where new git objects may go. A
    mutant is killed when the property is red on it, or when its answers make a check raise, as in `gate check`.
    """
    (first, result), *_ = tried
    path = module_path(tree, oracle.policy, first.module)
    source = tree.read(path) if path else None
    if path is None or source is None:
        return _all(tried, f"the source of {first.module} is not in this tree")
    mutants = mutants_of(source, first.fn, _answers(result))
    if len(mutants) < 2:
        return _all(tried, f"{first.fn} is not defined as a function in {path}")
    grid = _Grid(path, mutants, (first.model_copy(update={"checks": (_BARE_CALL,)}), *(entry for entry, _ in tried)))
    took_s = max(repeat.seconds for _, r in tried for repeat in r.repeats)
    code = with_files(tree, grid.files(), aside)
    return grid.read(run_once(code, _quick(oracle, grid.entries(), fixture, took_s)))


def _all(tried: Sequence[object], why: str) -> tuple[Strength, ...]:
    return tuple(Strength(why=why) for _ in tried)


@dataclass(frozen=True)
class _Grid:
    """Every property on every mutant; the first property is the bare call, the first mutant has no fault."""

    path: str
    mutants: Sequence[Mutant]
    properties: Sequence[Property]

    def files(self) -> dict[str, bytes]:
        """The mutants as files beside the real module."""
        module = self.properties[0].module
        return {_place(self.path, module, number)[0]: mutant.source for number, mutant in enumerate(self.mutants)}

    def entries(self) -> list[Property]:
        """One property for each field of the grid."""
        return [
            entry.model_copy(update={"id": _id(row, number), "module": _place(self.path, entry.module, number)[1]})
            for number in range(len(self.mutants))
            for row, entry in enumerate(self.properties)
        ]

    def read(self, report: LaneReport) -> tuple[Strength, ...]:
        """The strength of each property but the bare call."""
        found = {result.prop_id: result for result in report.results}
        bare = [_status(found, _id(0, number)) for number in range(len(self.mutants))]
        loud = {n for n, status in enumerate(bare) if status is not bare[0]} if bare[0] is Verdict.PASS else set()
        return tuple(self._row(found, row, loud) for row in range(1, len(self.properties)))

    def _row(self, found: dict[str, PropertyResult], row: int, loud: set[int]) -> Strength:
        if _status(found, _id(row, 0)) is not Verdict.PASS:
            said = found[_id(row, 0)].detail if _id(row, 0) in found else "the lane said nothing about it"
            return Strength(why=f"an unchanged copy of the module, beside it, does not pass: {said}")
        quiet = [(n, _id(row, n)) for n in range(1, len(self.mutants)) if n not in loud]
        seen = [(self.mutants[n], _noticed(found.get(name), found[_id(row, 0)])) for n, name in quiet]
        killed, survived, unjudged = (tuple(m for m, s in seen if s is wanted) for wanted in (True, False, None))
        why = (
            "" if killed or survived else f"none of {counted(len(self.mutants) - 1, 'mutant')} answers as can be judged"
        )
        return Strength(len(killed), survived, unjudged, len(loud), why)


def _noticed(seen: PropertyResult | None, control: PropertyResult) -> bool | None:
    """Whether it is red, or a check raises on what it answers and not on the control's; None: could not be judged."""
    status = blamed_on_production(seen, control).status if seen else None
    return {Verdict.INVARIANT_MISS: True, Verdict.PASS: False}.get(status) if status else None


def _id(row: int, number: int) -> str:
    return f"mutant_{number}_{row}"


def _status(found: dict[str, PropertyResult], name: str) -> Verdict:
    return found[name].status if name in found else Verdict.PROTOCOL_ERROR


def _place(path: str, module: str, number: int) -> tuple[str, str]:
    """The path and the module of a mutant: in the folder of the real one, so that relative imports still hold."""
    folder, _, name = path.rpartition("/")
    stem = f"{name.removesuffix('.py')}__mutant_{number}"
    package = module if name == "__init__.py" else module.rpartition(".")[0]
    return f"{folder}/{stem}.py".lstrip("/"), f"{package}.{stem}".lstrip(".")


def _quick(oracle: Oracle, entries: Sequence[Property], fixture: Fixture, took_s: float) -> Oracle:
    some = replace(fixture, samples=(fixture.samples or ())[:_MAX_SAMPLES])
    limit = min(oracle.policy.time_limit_s, math.ceil(_LIMIT_S + 2 * took_s))
    return alone(replace(oracle, policy=oracle.policy.model_copy(update={"time_limit_s": limit})), entries, some)


def _answers(result: PropertyResult) -> list[object]:
    """The first answers of the real function, as far as they can be written down."""
    for repeat in result.repeats[:1]:
        for text in repeat.values[:1]:
            try:
                return [ast.literal_eval(text)]
            except (ValueError, SyntaxError):
                return []
    return []
