"""The lane: one run of the inventory on one host, from two trees (code and oracle) to a report."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from gate.barrier import Barrier, strongest
from gate.bench import Bench, setup_of
from gate.codebase import Codebase, laid_out
from gate.conditions import Conditions, conditions_of
from gate.hidden import mounts_over
from gate.interpreter import Interpreter, find_interpreter
from gate.neighbours import Neighbour, neighbours_of
from gate.results import misplaced, result_of, unjudged
from gate.ruling import Case
from gate.session import Launch, processors
from gate.signatures import Signatures
from gate.verdicts import LaneReport, Outcome, Red, Repeat, Sighting, Verdict, verdict_of
from inventory.oracle import Oracle
from inventory.records import Property
from inventory.targets import Modules
from inventory.tree import Tree

MORE_ON_RED = 5
JUDGES = 2
MOST_TIME = 3  # in time limits: what has used more in its repeats is not repeated further
FILE_LIMIT_MB = 64
PROCESS_LIMIT = 2048  # of the user as whom the subject runs; nothing limits those of root


@dataclass(frozen=True)
class LaneSettings:
    """What a caller may choose. `repeats` None leaves it to the policy; `today` decides which freezes hold."""

    today: date
    python: str | None = None
    repeats: int | None = None
    lane: str = "merge"


def run_lane(code: Tree, oracle: Oracle, settings: LaneSettings, only: Sequence[Property] | None = None) -> LaneReport:
    """Judge every property of the oracle, or `only` some, on the code of a tree.

    Raises CouldNotRun where there is no interpreter for the subject. What cannot be judged is a result, too.
    """
    with Lane.ready(code, oracle, settings, only) as lane:
        return lane.report(code)


def _case(entry: Property, oracle: Oracle, signatures: Signatures, *, backwards: bool) -> Case:
    return Case(
        id=entry.id,
        module=entry.module,
        fn=entry.fn,
        call=entry.call.value,
        seed=entry.seed,
        checks=tuple((use.name, dict(use.params)) for use in entry.checks),
        parameters=signatures.parameters(entry),
        siblings=entry.siblings,
        samples=oracle.fixtures[entry.fixture].samples or (),
        clock_ns=entry.clock_ns,
        nonfinite=entry.nonfinite,
        backwards=backwards,
    )


def _asking(case: Case, neighbours: Sequence[Neighbour]) -> Case:
    samples = tuple(neighbour.sample for neighbour in neighbours)
    return replace(case, id=_asks(case.id), samples=samples, asks=True)


def _asks(name: str) -> str:
    return f"{name}?"  # no id of a property ends so


@dataclass(frozen=True)
class Lane:
    """One oracle with its judges, ready to judge the code of any tree; each tree is laid out once."""

    oracle: Oracle
    settings: LaneSettings
    entries: tuple[Property, ...]
    interpreter: Interpreter
    barrier: Barrier
    faults: Mapping[str, str]  # id -> why a property cannot even be tried
    neighbours: Mapping[str, tuple[Neighbour, ...]]  # id -> what can be asked beside the samples
    benches: list[Bench]
    _stack: ExitStack
    _codebases: dict[str, Codebase]

    @classmethod
    @contextmanager
    def ready(
        cls,
        code: Tree,
        oracle: Oracle,
        settings: LaneSettings,
        only: Sequence[Property] | None = None,
        *,
        asks: bool = False,
        trusted: Tree | None = None,
    ) -> Iterator[Lane]:
        """A lane until the block ends; with `asks` its judges know the neighbours of the samples, too.

        Laws name parameters as the `trusted` tree has them, else as `code` has.
        Raises CouldNotRun where there is no interpreter for the subject, or no isolation as the policy wants it.
        """
        entries = tuple(oracle.inventory.properties if only is None else only)
        conditions = conditions_of(settings.lane)
        signatures = Signatures([*([trusted] if trusted else []), code], oracle.policy, entries)
        found = {entry.id: unjudged(entry, oracle) or signatures.fault_of(entry) for entry in entries}
        faults = {name: fault for name, fault in found.items() if fault}
        judged = [entry for entry in entries if entry.id not in faults]
        cases = [_case(entry, oracle, signatures, backwards=conditions.backwards) for entry in judged]
        neighbours = {case.id: neighbours_of(case.samples, case.seed) for case in cases} if asks else {}
        cases += [_asking(case, neighbours[case.id]) for case in cases if neighbours.get(case.id)]
        setup = setup_of(cases, oracle.checks_source, oracle.policy.time_limit_s)
        with ExitStack() as stack:
            judges = min(JUDGES, settings.repeats or oracle.policy.repeats)
            made = [Bench(cases, setup, oracle.policy.time_limit_s) for _ in range(judges)]
            benches = [stack.enter_context(bench) for bench in made]  # they start while the rest is looked for
            interpreter = find_interpreter(settings.python, oracle.policy.python, code.git.root, code.entries)
            mounts = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="gate-"))) / "mounts"
            mounts.write_text(mounts_over(code.git, oracle), "utf-8", "surrogateescape")
            barrier = strongest(interpreter.bare(), mounts, conditions.host)
            barrier.demand(oracle.policy.isolation)
            yield cls(oracle, settings, entries, interpreter, barrier, faults, neighbours, benches, stack, {})

    @property
    def conditions(self) -> Conditions:
        return conditions_of(self.settings.lane)

    @property
    def repeats(self) -> int:
        return self.settings.repeats or self.oracle.policy.repeats

    def report(self, code: Tree, *, more_on_red: int = MORE_ON_RED) -> LaneReport:
        """The verdict of every property on the code of a tree; red is followed by `more_on_red` repeats."""
        ids = [entry.id for entry in self.entries if entry.id not in self.faults]
        seen = self._all(self._laid_out(code), ids, more_on_red)
        today, interpreter = self.settings.today, self.interpreter
        results = tuple(
            result_of(entry, self.oracle, seen.get(entry.id, ()), self.faults.get(entry.id), today)
            for entry in self.entries
        )
        places = Modules(code, self.oracle.policy)
        results = tuple(
            misplaced(result) if result.red and places.locate(entry.target) is None else result
            for entry, result in zip(self.entries, results, strict=True)
        )
        return LaneReport(
            lane=self.settings.lane,
            commit=None,
            dirty=False,
            tree=code.git.tree_of(code.id),
            oracle_digest=self.oracle.digest,
            lock_digest=self.oracle.lock_digest,
            environment=interpreter.environment,
            isolation=self.barrier.level,
            conditions=self.conditions.told(self.oracle.policy.env, self.barrier.host),
            repeats=self.repeats,
            results=results,
            notices=tuple(filter(None, (interpreter.notice,))),
        )

    def ask(self, code: Tree, ids: Sequence[str]) -> dict[str, list[Repeat]]:
        """What the code of a tree answers to the neighbours of these properties, whatever the checks say to it."""
        asking = {_asks(name): name for name in ids if self.neighbours.get(name)}
        seen = self._all(self._laid_out(code), list(asking), 0) if asking else {}
        return {asking[name]: repeats for name, repeats in seen.items()}

    def abandon(self) -> None:
        """End the judges for good, from any thread: a report that is under way ends in CouldNotRun."""
        for bench in self.benches:
            bench.abandon()

    def _laid_out(self, code: Tree) -> Codebase:
        tree_id = code.git.tree_of(code.id)
        if tree_id not in self._codebases:
            self._codebases[tree_id] = self._stack.enter_context(laid_out(code, self.oracle))
        return self._codebases[tree_id]

    def _all(self, codebase: Codebase, ids: Sequence[str], more_on_red: int) -> dict[str, list[Repeat]]:
        """Every property `repeats` times; what is red by then is tried again, until it shows noise."""
        seen: dict[str, list[Repeat]] = {name: [] for name in ids}
        numbers = list(range(1, self.repeats + more_on_red + 1))
        for first in (numbers[: self.repeats], *_pairs(numbers[self.repeats :])):
            if wanted := [name for name, found in seen.items() if self._goes_on(found)]:
                self._round(codebase, first, wanted, seen)
        return {name: sorted(found, key=lambda repeat: repeat.number) for name, found in seen.items()}

    def _goes_on(self, found: Sequence[Repeat]) -> bool:
        """Whether a property is to be repeated: what hangs does so a few times, and noise would have shown by then."""
        if not found:
            return True
        spent = sum(repeat.seconds for repeat in found)
        return verdict_of(found) is Verdict.INVARIANT_MISS and spent < MOST_TIME * self.oracle.policy.time_limit_s

    def _round(self, codebase: Codebase, numbers: Sequence[int], ids: list[str], seen: dict[str, list[Repeat]]) -> None:
        benches = self.benches

        def work(index: int) -> list[tuple[str, Repeat]]:
            share = numbers[index :: len(benches)]
            return [
                (told["id"], _repeat(number, told))
                for number in share
                for told in benches[index].judge(self._launch(codebase, number), ids)
            ]

        with ThreadPoolExecutor(len(benches)) as pool:
            try:
                found = [told for rulings in pool.map(work, range(len(benches))) for told in rulings]
            except BaseException:
                self.abandon()  # an interrupt need not wait for what still runs
                raise
        tampering = self._tampering(codebase)
        for name, repeat in found:
            seen[name].append(repeat.model_copy(update=tampering))

    def _tampering(self, codebase: Codebase) -> dict[str, Any]:
        """What befalls every repeat of a round in which production changed its own files: none of them counts."""
        touched = codebase.touched()
        if not touched:
            return {}
        self._codebases.clear()  # whoever comes next gets files as they are in git
        return {"outcome": Outcome.FAULT, "fault": f"production changed its own files: {', '.join(touched[:5])}"}

    def _launch(self, codebase: Codebase, number: int) -> Launch:
        """The environment of a subject is made from nothing; the hash seed differs between repeats."""
        conditions, policy = self.conditions, self.oracle.policy
        seed = {"PYTHONHASHSEED": str(conditions.first_hash_seed + number - 1)}
        return Launch(
            command=(*self.barrier.prefix, *self.interpreter.command()),
            program=self.interpreter.program,
            uid=self.barrier.uid,
            env={**conditions.env, **seed, **policy.env},
            scratch=str(codebase.scratch),
            cwd=str(codebase.root) if conditions.in_tree else None,
            home=conditions.home,
            umask=conditions.umask,
            processors=tuple(processors()[:1] if conditions.one_cpu else processors()),
            tree=str(codebase.root),
            roots=codebase.roots,
            memory_mb=policy.memory_limit_mb,
            file_mb=FILE_LIMIT_MB,
            processes=PROCESS_LIMIT,
            cpu_s=2 * policy.time_limit_s + 10,
            watched=self._watched(number),
        )

    def _watched(self, number: int) -> tuple[str, ...]:
        """The modules in which a repeat watches calls of C functions, which takes time: the first ones share them."""
        sharing = min(self.repeats, JUDGES)
        modules = sorted({entry.module for entry in self.entries})
        return tuple(modules[number - 1 :: sharing]) if number <= sharing else ()


def _pairs(numbers: Sequence[int]) -> list[Sequence[int]]:
    return [numbers[at : at + JUDGES] for at in range(0, len(numbers), JUDGES)]


def _repeat(number: int, told: Mapping[str, Any]) -> Repeat:
    colours = "".join(told["colours"])
    seen = tuple(Sighting(**row) for row in told["seen"])
    fault = told["fault"] or "; ".join(map(str, seen)) or None
    outcome = Outcome.FAULT if fault else Outcome.GREEN if set(colours) == {"g"} else Outcome.RED
    return Repeat(
        number=number,
        outcome=outcome,
        seconds=told["seconds"],
        red=Red(**told["red"]) if told["red"] else None,
        fault=fault,
        suspect=Red(**told["suspect"]) if told.get("suspect") else None,
        seen=seen,
        drawn=told["drawn"],
        drawn_at=told["drawn_at"],
        output=told["output"],
        colours=colours,
        digests=tuple(told["digests"]),
        values=tuple(told["values"]),
        types=tuple(told["types"]),
    )
