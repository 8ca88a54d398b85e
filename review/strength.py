"""The strength of a property: which mutants of its function the lane shows it to notice."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gate.verdicts import PropertyResult, Verdict
from inventory.git import Git
from inventory.oracle import Fixture, Oracle
from inventory.records import Property
from inventory.targets import module_path
from inventory.tree import Tree, with_files
from review.mutants import Mutant, mutants_of
from review.trial import alone, run_once

_LIMIT_S = 1  # for a mutant, beyond what the function itself took, the import of its module included
_MAX_SAMPLES = 50


@dataclass(frozen=True)
class Strength:
    """How many mutants a property killed, and those that survived; `why` says why nothing could be measured."""

    killed: int = 0
    survived: tuple[Mutant, ...] = ()
    why: str = ""

    @property
    def total(self) -> int:
        return self.killed + len(self.survived)

    @property
    def vacuous(self) -> bool:
        """Whether there were mutants and it noticed none."""
        return self.total > 0 and self.killed == 0

    @property
    def score(self) -> float:
        """From 0 to 1; 0 where nothing could be measured."""
        return self.killed / self.total if self.total else 0.0


def strength_of(
    tree: Tree, aside: Git, oracle: Oracle, entry: Property, tried: tuple[Fixture, PropertyResult]
) -> Strength:
    """Try `entry` on mutants of its function, each a module beside the real one in a tree of its own.

    `tried` is the fixture and how the property did on it; `aside` is where new git objects may go.
    A mutant is killed when the property is red on it. What is not red and not green counts for nothing.
    """
    fixture, result = tried
    path = module_path(tree, oracle.policy, entry.module)
    source = tree.read(path) if path else None
    if path is None or source is None:
        return Strength(why=f"the source of {entry.module} is not in this tree")
    mutants = mutants_of(source, entry.fn, _answers(result))
    if len(mutants) < 2:
        return Strength(why=f"{entry.fn} is not defined as a function in {path}")
    places = [_place(path, entry.module, number) for number in range(len(mutants))]
    entries = [
        entry.model_copy(update={"id": f"mutant_{number}", "module": module})
        for number, (_, module) in enumerate(places)
    ]
    code = with_files(tree, {place: m.source for (place, _), m in zip(places, mutants, strict=True)}, aside)
    report = run_once(code, _quick(oracle, entries, fixture, max(repeat.seconds for repeat in result.repeats)))
    verdicts = [found.status if (found := report.find(e.id)) else Verdict.PROTOCOL_ERROR for e in entries]
    if verdicts[0] is not Verdict.PASS:
        said = found.detail if (found := report.find(entries[0].id)) else "the lane said nothing about it"
        return Strength(why=f"an unchanged copy of the module, beside it, does not pass: {said}")
    return Strength(
        verdicts[1:].count(Verdict.INVARIANT_MISS),
        tuple(m for m, verdict in zip(mutants[1:], verdicts[1:], strict=True) if verdict is Verdict.PASS),
    )


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
