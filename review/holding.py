"""Which of many properties hold on a tree, each tried once, and few of those on which the code hangs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event

from gate.verdicts import PropertyResult, Verdict
from inventory.oracle import Fixture, Oracle
from inventory.progress import Tick
from inventory.records import CheckUse, Property
from inventory.tree import Tree
from review.trial import alone, run_once

BARE_CALL = CheckUse(name="never_raises")
_SLOWER = 5  # how many times longer than the function a law may take, the import of its module included
_LIMIT_S = 1  # at least
_SHARE = 60  # properties: to begin a lane takes as long as some hundred of them do
_AT_ONCE = 2
_FIRST_WAVE = 6
_MOST_HUNG = 3


def quicker(oracle: Oracle, took_s: float, least_s: int = _LIMIT_S) -> Oracle:
    """The same oracle with no more time than a law needs on a function that took `took_s` for the samples."""
    limit = min(oracle.policy.time_limit_s, max(least_s, math.ceil(_SLOWER * took_s)))
    return replace(oracle, policy=oracle.policy.model_copy(update={"time_limit_s": limit}))


def hold(
    tree: Tree, oracle: Oracle, entries: Sequence[Property], fixture: Fixture, told: Tick
) -> tuple[PropertyResult | None, ...]:
    """How each property does on a tree, tried once."""
    found = run_shared(tree, oracle, entries, fixture, told)
    return tuple(found.get(entry.id) for entry in entries)


def hold_by_group(
    tree: Tree, oracle: Oracle, groups: Sequence[Sequence[Property]], fixture: Fixture, told: Tick
) -> dict[str, PropertyResult]:
    """How properties do, tried once, where those of one group hang together; what was not tried is left out.

    The first of each group is tried before the others, for one that hangs speaks for its group. When _MOST_HUNG
    have hung, the code hangs wherever one looks, and no further group is tried.
    """
    found: dict[str, PropertyResult] = {}
    fine: list[Sequence[Property]] = []
    for wave in _waves(groups):
        found |= run_shared(tree, oracle, [group[0] for group in wave], fixture, told)
        fine += [group for group in wave if not _hung(found[group[0].id], oracle)]
        if sum(_hung(result, oracle) for result in found.values()) >= _MOST_HUNG:
            break
    return found | run_shared(tree, oracle, [entry for group in fine for entry in group[1:]], fixture, told)


def run_shared(
    code: Tree, oracle: Oracle, entries: Sequence[Property], fixture: Fixture, told: Tick
) -> dict[str, PropertyResult]:
    """How each property does, by its id, in shares of which two run at once."""
    count = max(math.ceil(len(entries) / _SHARE), min(_AT_ONCE, len(entries)))
    shares = [entries[len(entries) * n // count : len(entries) * (n + 1) // count] for n in range(count)]
    found: dict[str, PropertyResult] = {}
    lanes: list[Callable[[], None]] = []  # how to end each
    is_over = Event()

    def begun(abandon: Callable[[], None]) -> None:
        lanes.append(abandon)
        if is_over.is_set():
            abandon()

    def run(share: Sequence[Property]) -> Iterable[PropertyResult]:
        return run_once(code, alone(oracle, share, fixture), begun).results

    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            for done, results in enumerate(pool.map(run, shares), 1):
                found |= {result.prop_id: result for result in results}
                told(done, len(shares))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            is_over.set()  # before the lanes are counted: one that begins later ends itself
            for abandon in lanes:
                abandon()
            raise
    return found


def _waves(groups: Sequence[Sequence[Property]]) -> Iterator[Sequence[Sequence[Property]]]:
    """A few first, then twice as many each time: little is lost where all hang, and little where none does."""
    at, size = 0, _FIRST_WAVE
    while at < len(groups):
        yield groups[at : at + size]
        at, size = at + size, 2 * size


def _hung(result: PropertyResult, oracle: Oracle) -> bool:
    took = max((repeat.seconds for repeat in result.repeats), default=0.0)
    return result.status is not Verdict.PASS and took >= oracle.policy.time_limit_s
