"""Which mutants of a function each of several properties notices, shown by the lane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.results import blamed_on_production
from gate.verdicts import PropertyResult, Verdict
from inventory.git import Git
from inventory.oracle import Fixture, Oracle
from inventory.progress import Tick
from inventory.records import Property
from inventory.tree import Tree, with_files
from review.holding import BARE_CALL, quicker, run_shared
from review.mutants import Mutant


@dataclass(frozen=True)
class Row:
    """One property on the mutants that tell properties apart: whether it notices each; None: could not be judged.

    `why` says why it could not be tried: what an unchanged copy of the module does.
    """

    noticed: tuple[bool | None, ...] = ()
    why: str = ""

    @property
    def kills(self) -> frozenset[int]:
        """The numbers of the mutants that it notices."""
        return frozenset(at for at, noticed in enumerate(self.noticed) if noticed)


@dataclass(frozen=True)
class Kills:
    """The mutants that tell properties apart, and a row for each property.

    `loud` is how many raise or hang where the function answers: whatever calls the function notices these.
    """

    mutants: tuple[Mutant, ...]
    rows: tuple[Row, ...]
    loud: int


@dataclass(frozen=True)
class Field:
    """A module at `path` of a tree, the mutants of a function in it, and how long the function took by itself."""

    tree: Tree
    path: str
    mutants: Sequence[Mutant]
    took_s: float


def kills_of(
    field: Field, aside: Git, oracle: Oracle, entries: Sequence[Property], fixture: Fixture, told: Tick
) -> Kills:
    """Try properties that hold on the function on each of its mutants, modules beside the real one in one tree.

    First the bare call, once for each mutant, so that a mutant that hangs does not hang for every property.
    `aside` is where new git objects may go; `mutants` begins with a control, which has no fault. A property notices
    a mutant when it is red on it, or when its answers make a check raise, as in `gate check`.
    """
    places = [_place(field.path, entries[0].module, number) for number in range(len(field.mutants))]
    files = {path: mutant.source for (path, _), mutant in zip(places, field.mutants, strict=True)}
    code = with_files(field.tree, files, aside)
    modules = [module for _, module in places]
    quick = quicker(oracle, field.took_s)
    bare = entries[0].model_copy(update={"checks": (BARE_CALL,), "siblings": ()})
    rows = [_on(bare, "bare", number, modules) for number in range(len(modules))]
    quiet = _quiet(run_shared(code, quick, rows, fixture, told), len(modules))
    rows = [_on(entry, str(row), n, modules) for n in (0, *quiet) for row, entry in enumerate(entries)]
    found = run_shared(code, quick, rows, fixture, told)
    mutants = tuple(field.mutants[n] for n in quiet)
    return Kills(mutants, tuple(_row(found, row, quiet) for row in range(len(entries))), len(modules) - 1 - len(quiet))


def _quiet(found: Mapping[str, PropertyResult], count: int) -> list[int]:
    """The mutants that answer as the control does; all of them where the control itself has no answer."""
    passes = [(one := found.get(_id("bare", n))) is not None and one.status is Verdict.PASS for n in range(count)]
    return [n for n in range(1, count) if passes[n] or not passes[0]]


def _row(found: Mapping[str, PropertyResult], row: int, quiet: Sequence[int]) -> Row:
    control = found.get(_id(str(row), 0))
    if control is None or control.status is not Verdict.PASS:
        said = control.detail if control else "the lane said nothing about it"
        return Row(why=f"an unchanged copy of the module, beside it, does not pass: {said}")
    return Row(tuple(_noticed(found.get(_id(str(row), n)), control) for n in quiet))


def _noticed(seen: PropertyResult | None, control: PropertyResult) -> bool | None:
    """Whether it is red, or a check raises on what it answers and not on the control's; None: could not be judged."""
    status = blamed_on_production(seen, control).status if seen else None
    return {Verdict.INVARIANT_MISS: True, Verdict.PASS: False}.get(status) if status else None


def _on(entry: Property, row: str, number: int, modules: Sequence[str]) -> Property:
    return entry.model_copy(update={"id": _id(row, number), "module": modules[number]})


def _id(row: str, number: int) -> str:
    return f"mutant_{number}_{row}"


def _place(path: str, module: str, number: int) -> tuple[str, str]:
    """The path and the module of a mutant: in the folder of the real one, so that relative imports still hold."""
    folder, _, name = path.rpartition("/")
    stem = f"{name.removesuffix('.py')}__mutant_{number}"
    package = module if name == "__init__.py" else module.rpartition(".")[0]
    return f"{folder}/{stem}.py".lstrip("/"), f"{package}.{stem}".lstrip(".")
