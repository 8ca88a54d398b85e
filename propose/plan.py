"""What a run of `propose` is about: the range of commits, their production part, and what exists already."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inventory.candidates import read_known
from inventory.git import Git
from inventory.identity import Known
from inventory.objects import Resolved
from inventory.patch import patch_of
from inventory.reading import read_policy
from inventory.tree import Tree, commit_tree, work_tree
from propose.budget import Budget, Packing, pack, ranked
from propose.production import read_production
from propose.prompt import Block, Prompt, Templates, block_of, prompt_for
from propose.subjects import ProductionDiff, Subject


@dataclass(frozen=True)
class Range:
    """The commits between the point where a branch started and its head; `chosen` says how base was found."""

    base: Resolved
    head: Resolved
    start: str
    chosen: str


@dataclass(frozen=True)
class Plan:
    """Everything that is known before anything is asked or written."""

    span: Range
    production: ProductionDiff
    known: Known
    is_dirty: bool

    @property
    def subjects(self) -> list[Subject]:
        """What may be asked about, the most worthwhile first."""
        return ranked(self.production.subjects)


@dataclass(frozen=True)
class Batch:
    """The prompts for some subjects, and what did not fit."""

    prompts: tuple[Prompt, ...]
    packing: Packing


def find_range(git: Git, base: str | None, head: str | None) -> Range:
    """The range to look at; what is None is chosen here. Raises Stop where one cannot be resolved, an empty one too."""
    head_found = git.head() if head is None else git.resolve(head, what="head")
    base_found = git.default_base() if base is None else git.resolve(base, what="base")
    chosen = f"{base_found.name}, for no --base was given" if base is None else f"--base {base}"
    return Range(base_found, head_found, git.merge_base(base_found.id, head_found.id), chosen)


def make_plan(git: Git, span: Range, shelf: Tree | None = None) -> Plan:
    """Read the range by base's policy. What exists already is read from `shelf`, else from the work tree."""
    policy = read_policy(commit_tree(git, span.start, f"base {span.start[:12]}"))
    patch = patch_of(span.start, span.head.id, git.changes(span.start, span.head.id), policy)
    production = read_production(git, patch, policy)
    with work_tree(git) as tree:
        is_dirty = bool(git.head().id == span.head.id and tree.git.changes(span.head.id, tree.id))
        return Plan(span, production, read_known(shelf or tree), is_dirty)


def make_batch(plan: Plan, subjects: Sequence[Subject], budget: Budget, templates: Templates) -> Batch:
    """Pack subjects into prompts; the same subjects always give the same bytes."""
    blocks = {id(subject): block_of(subject) for subject in subjects}
    overhead = prompt_for((), plan.known.ids, budget, templates).cost
    costs = [(s, blocks[id(s)].cost + _share_of_targets(blocks[id(s)])) for s in subjects]
    packing = pack(costs, overhead, budget)
    rows = [[blocks[id(subject)] for subject in row] for row in packing.requests]
    prompts = tuple(prompt_for(row, _ids_for(row, plan.known), budget, templates) for row in rows)
    return Batch(prompts, packing)


def _share_of_targets(block: Block) -> int:
    """A target stands in the list of targets and twice in the schema's neighbourhood."""
    return sum(len(target) for target in block.subject.targets)


def _ids_for(row: Sequence[Block], known: Known) -> list[str]:
    modules = {block.subject.module for block in row}
    return [name for name, module in known.ids.items() if module in modules]
