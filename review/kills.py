"""Which mutants of a function each of several properties notices, shown by the lane."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
_SHARE = 60  # properties: to begin a lane takes as long as some hundred of them do
_AT_ONCE = 2
_ANY = 3600.0  # nothing is known, so what the policy allows


@dataclass(frozen=True)
class Kills:
    """The mutants that tell properties apart, and for each property the numbers of those it notices.

    `loud` is how many raise or hang where the function answers: whatever calls the function notices these.
    """

    mutants: tuple[Mutant, ...]
    noticed: tuple[frozenset[int], ...]
    loud: int


@dataclass(frozen=True)
class Field:
    """A module at `path` of a tree, the mutants of a function in it, and how the function did by itself."""

    tree: Tree
    path: str
    mutants: Sequence[Mutant]
    took_s: float


def kills_of(
    field: Field, aside: Git, oracle: Oracle, entries: Sequence[Property], fixture: Fixture, told: Tick
) -> Kills:
    """Try properties that hold on the function on each of its mutants, modules beside the real one in one tree.

    First the bare call, once for each mutant, so that a mutant that hangs does not hang for every property.
    `aside` is where new git objects may go; `mutants` begins with a control, which has no fault.
    """
    places = [_place(field.path, entries[0].module, number) for number in range(len(field.mutants))]
    files = {path: mutant.source for (path, _), mutant in zip(places, field.mutants, strict=True)}
    code = with_files(field.tree, files, aside)
    modules = [module for _, module in places]
    quick = _quick(oracle, field.took_s)
    bare = entries[0].model_copy(update={"checks": (_BARE_CALL,), "siblings": ()})
    found = _run_shared(code, quick, [_on(bare, "bare", n, modules) for n in range(len(modules))], fixture, told)
    quiet = [n for n in range(1, len(modules)) if _passes(found, "bare", n)]
    rows = [_on(entry, str(row), n, modules) for n in (0, *quiet) for row, entry in enumerate(entries)]
    found = _run_shared(code, quick, rows, fixture, told) if quiet else {}
    noticed = [frozenset(at for at, n in enumerate(quiet) if _noticed(found, row, n)) for row in range(len(entries))]
    return Kills(tuple(field.mutants[n] for n in quiet), tuple(noticed), len(modules) - 1 - len(quiet))


def hold(
    tree: Tree, oracle: Oracle, entries: Sequence[Property], fixture: Fixture, told: Tick, took_s: float = _ANY
) -> tuple[PropertyResult | None, ...]:
    """How each property does on a tree, tried once; `took_s` is what the function alone took for the samples."""
    found = _run_shared(tree, _quick(oracle, took_s), entries, fixture, told)
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


def _passes(found: dict[str, PropertyResult], row: str, number: int) -> bool:
    result = found.get(_id(row, number))
    return result is not None and result.status is Verdict.PASS


def _noticed(found: dict[str, PropertyResult], row: int, number: int) -> bool:
    """Whether a property is red on a mutant, or a check of it raises on what only the mutant answers."""
    seen, control = found.get(_id(str(row), number)), found.get(_id(str(row), 0))
    if seen is None or control is None or control.status is not Verdict.PASS:
        return False
    return blamed_on_production(seen, control).status is Verdict.INVARIANT_MISS


def _quick(oracle: Oracle, took_s: float) -> Oracle:
    limit = min(oracle.policy.time_limit_s, math.ceil(_SLOWER * took_s) or 1)
    return replace(oracle, policy=oracle.policy.model_copy(update={"time_limit_s": limit}))


def _place(path: str, module: str, number: int) -> tuple[str, str]:
    """The path and the module of a mutant: in the folder of the real one, so that relative imports still hold."""
    folder, _, name = path.rpartition("/")
    stem = f"{name.removesuffix('.py')}__mutant_{number}"
    package = module if name == "__init__.py" else module.rpartition(".")[0]
    return f"{folder}/{stem}.py".lstrip("/"), f"{package}.{stem}".lstrip(".")
