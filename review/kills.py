"""Which mutants of a function each of several properties notices, shown by the lane."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from gate.results import blamed_on_production
from gate.verdicts import PropertyResult, Verdict
from inventory.git import Git
from inventory.oracle import Fixture, Oracle
from inventory.progress import Tick
from inventory.records import CheckUse, Property
from inventory.tree import Tree, with_files
from review.mutants import Mutant
from review.trial import alone, run_once

_SLOWER = 5  # how many times longer than the function a law on a mutant may take, the import of its module included
_BARE_CALL = CheckUse(name="never_raises")
_LIMIT_S = 2  # at least, for a machine that does other things is slow at times; on base twice as much
_SHARE = 60  # properties: to begin a lane takes as long as some hundred of them do
_AT_ONCE = 2
_ANY = 3600.0  # nothing is known, so what the policy allows


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
    quick = _quick(oracle, field.took_s)
    bare = entries[0].model_copy(update={"checks": (_BARE_CALL,), "siblings": ()})
    rows = [_on(bare, "bare", number, modules) for number in range(len(modules))]
    quiet = _quiet(_run_shared(code, quick, rows, fixture, told), len(modules))
    rows = [_on(entry, str(row), n, modules) for n in (0, *quiet) for row, entry in enumerate(entries)]
    found = _run_shared(code, quick, rows, fixture, told)
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


def hold(
    tree: Tree, oracle: Oracle, entries: Sequence[Property], fixture: Fixture, told: Tick, took_s: float = _ANY
) -> tuple[PropertyResult | None, ...]:
    """How each property does on a tree, tried once; `took_s` is what the function alone took for the samples."""
    found = _run_shared(tree, _quick(oracle, took_s, 2 * _LIMIT_S), entries, fixture, told)
    return tuple(found.get(entry.id) for entry in entries)


def _run_shared(
    code: Tree, oracle: Oracle, entries: Sequence[Property], fixture: Fixture, told: Tick
) -> dict[str, PropertyResult]:
    """The same as `_run`, in shares of which two run at once."""
    count = max(math.ceil(len(entries) / _SHARE), min(_AT_ONCE, len(entries)))
    shares = [entries[len(entries) * n // count : len(entries) * (n + 1) // count] for n in range(count)]
    found: dict[str, PropertyResult] = {}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            for done, results in enumerate(pool.map(lambda share: _run(code, oracle, share, fixture), shares), 1):
                found |= results
                told(done, len(shares))
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return found


def _run(code: Tree, oracle: Oracle, entries: Sequence[Property], fixture: Fixture) -> dict[str, PropertyResult]:
    return {result.prop_id: result for result in run_once(code, alone(oracle, entries, fixture)).results}


def _on(entry: Property, row: str, number: int, modules: Sequence[str]) -> Property:
    return entry.model_copy(update={"id": _id(row, number), "module": modules[number]})


def _id(row: str, number: int) -> str:
    return f"mutant_{number}_{row}"


def _quick(oracle: Oracle, took_s: float, least_s: int = _LIMIT_S) -> Oracle:
    limit = min(oracle.policy.time_limit_s, max(least_s, math.ceil(_SLOWER * took_s)))
    return replace(oracle, policy=oracle.policy.model_copy(update={"time_limit_s": limit}))


def _place(path: str, module: str, number: int) -> tuple[str, str]:
    """The path and the module of a mutant: in the folder of the real one, so that relative imports still hold."""
    folder, _, name = path.rpartition("/")
    stem = f"{name.removesuffix('.py')}__mutant_{number}"
    package = module if name == "__init__.py" else module.rpartition(".")[0]
    return f"{folder}/{stem}.py".lstrip("/"), f"{package}.{stem}".lstrip(".")
