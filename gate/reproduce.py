"""Runs one property again, on the work tree and beside it on base, down to one sample."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from gate.beside import MAX_INPUT, Answer, Beside, answers_of
from gate.lane import LaneSettings
from gate.lane_text import fact_text
from gate.sides import Seen, run_sides
from gate.verdicts import SCHEMA_VERSION, PropertyResult
from inventory.errors import CouldNotRun, WrongUsage
from inventory.git import Git
from inventory.oracle import Oracle, first_step
from inventory.patch import patch_of
from inventory.reading import read_oracle
from inventory.records import Property
from inventory.tree import Tree, commit_tree, work_tree
from inventory.values import shown


@dataclass(frozen=True)
class Reproduced:
    """One property run again: `facts` are names and texts in the order in which a reader asks for them."""

    result: PropertyResult
    sample: int | None
    blocks: bool  # although every check passes, for what base beside head shows
    facts: tuple[tuple[str, str], ...]

    def as_text(self) -> str:
        """The verdict first, then the facts, foreign text made visible."""
        head = f"{self.result.status:<15} {self.result.prop_id}  {self.result.module}:{self.result.fn}"
        return "\n".join((head, *(fact_text(name, text, 10) for name, text in self.facts)))

    def as_data(self) -> dict[str, Any]:
        """The same as one JSON document."""
        told = {name.replace(" ", "_"): text for name, text in self.facts}
        about = {"schema_version": SCHEMA_VERSION, "kind": "reproduced", "prop_id": self.result.prop_id}
        return about | {"status": self.result.status.value, "sample": self.sample} | told


def reproduce(git: Git, name: str, sample: int | None, base_asked: str | None, settings: LaneSettings) -> Reproduced:
    """Run the property `name` on its whole fixture, or on the sample at one place of it (from 0).

    With a base its oracle votes where `gate check` would let it, and its answers stand beside the others.
    Raises WrongUsage for an unknown property or sample, CouldNotRun where an oracle cannot be read.
    """
    with work_tree(git) as tree:
        base = _base(git, base_asked) if base_asked is not None else None
        oracle = _oracle(tree, base)
        entry = _entry(oracle, name)
        if sample is not None:
            oracle = _with_one(oracle, entry, sample)
        seen = run_sides(tree, base, oracle, settings, only=(entry,))
    return _reproduced(entry, oracle, seen, sample, base_asked)


def _base(git: Git, asked: str) -> Tree:
    start = git.merge_base(git.resolve(asked, what="base").id, git.head().id)
    return commit_tree(git, start, f"base ({start[:12]})")


def _oracle(tree: Tree, base: Tree | None) -> Oracle:
    """Base's where production changed since, as in `gate check`; else the one that lies there."""
    if base is None:
        return _whole(read_oracle(tree))
    old = read_oracle(base)
    changed = patch_of(base.id, tree.id, tree.git.changes(base.id, tree.id), old.policy)
    return _whole(old if changed.production else read_oracle(tree))


def _whole(oracle: Oracle) -> Oracle:
    if oracle.faults:
        raise CouldNotRun(
            "the oracle does not hold together",
            why="every fixture is locked, and every lock entry is a fixture's",
            fix="Rebuild the lock with a note: review lock",
            faults=oracle.faults,
        )
    return oracle


def _entry(oracle: Oracle, name: str) -> Property:
    found = oracle.inventory.find(name)
    if found is None:
        known = ", ".join(entry.id for entry in oracle.inventory.properties[:10])
        raise WrongUsage(
            f"there is no property {name}",
            why=f"the inventory has {known or 'none'}",
            fix="Give its id." if known else first_step(oracle),
        )
    return found


def _with_one(oracle: Oracle, entry: Property, sample: int) -> Oracle:
    fixture = oracle.fixtures[entry.fixture]
    samples = fixture.samples or ()
    if not 0 <= sample < len(samples):
        raise WrongUsage(
            f"{entry.fixture} has no sample {sample}",
            why=f"it holds {len(samples)}, counted from 0",
            fix=f"Run the whole property: gate reproduce {entry.id}",
        )
    return replace(oracle, fixtures=oracle.fixtures | {entry.fixture: replace(fixture, samples=(samples[sample],))})


# -- what is told --------------------------------------------------------------------------


def _reproduced(entry: Property, oracle: Oracle, seen: Seen, sample: int | None, base_asked: str | None) -> Reproduced:
    [result] = seen.lane.results if seen.lane else ()
    place = result.red.sample if result.red else 0 if sample is not None else None
    told = place if sample is None else sample
    found = seen.beside.get(entry.id)
    samples = oracle.fixtures[entry.fixture].samples or ()
    happened = result.detail if sample is None else result.detail.replace(" on sample 0:", f" on sample {sample}:", 1)
    facts = [("happened", happened)]
    if place is not None:
        facts += [("input", shown(samples[place], MAX_INPUT) + f"   (sample {told} of {entry.fixture})")]
        facts += _values(result, found, place)
    elif found:
        facts += _off(found)
    if found and (changed := found.in_words()):
        facts.append(("changed", changed))
    facts.append(("again", _again(entry, told, base_asked)))
    if result.next_edit:
        facts.append(("next", result.next_edit))
    return Reproduced(result, told, found is not None and found.blocks, tuple(facts))


def _values(result: PropertyResult, found: Beside | None, place: int) -> Iterator[tuple[str, str]]:
    if found:
        yield "base value", _value(answers_of(found.base.repeats), place)
    yield "head value", (result.red and result.red.value) or _value(answers_of(result.repeats), place)
    if result.red:
        yield "law", f"{result.red.law or 'as the check says'} ({result.red.check})"
        if result.red.at:
            yield "at", result.red.at
    if found:
        yield "on base", f"{found.base.status}: {found.base.detail}"


def _value(answers: list[Answer | None], place: int) -> str:
    answer = answers[place] if place < len(answers) else None
    return answer.value if answer else "none, or one that changes between repeats"


def _off(found: Beside) -> Iterator[tuple[str, str]]:
    """The first input on which base and head part although every check passes."""
    for one in (*found.changed, *found.off)[:1]:
        where = "a sample" if found.changed else "no sample, but like one"
        yield "input", f"{one.input}   ({where})"
        yield "base value", one.base
        yield "head value", one.head


def _again(entry: Property, sample: int | None, base_asked: str | None) -> str:
    words = ["gate", "reproduce", entry.id]
    words += ["--sample", str(sample)] if sample is not None else []
    return shlex.join(words + (["--base", base_asked] if base_asked is not None else []))
