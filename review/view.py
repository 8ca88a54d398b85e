"""Everything about one candidate that a ruling needs in view, gathered from the desk."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from inventory.catalogue import is_builtin
from inventory.errors import Stop
from inventory.functions import Function
from inventory.oracle import Fixture
from inventory.records import Candidate, Property, Tombstone
from review.decide import facts_of
from review.desk import Desk
from review.nearest import nearest
from review.promote import Ask, judge_candidate, judge_standing
from review.queue import Item
from review.source import Line, context_of, function_of


@dataclass(frozen=True)
class View:
    """One candidate in its surroundings. `missing` are the things that a promotion still needs."""

    item: Item
    place: str | None = None
    function: Function | None = None
    context: tuple[Line, ...] = ()
    nearest: Property | None = None
    graves: tuple[Tombstone, ...] = ()
    fixture: Fixture | None = None
    missing: tuple[str, ...] = ()


def view_of(desk: Desk, item: Item, ask: Ask | None = None) -> View:
    """The view of one candidate; `ask` tells what a promotion would be given."""
    candidate = item.candidate
    if candidate is None:
        return View(item)
    place = desk.modules.path(candidate.module) or _elsewhere(desk, candidate)
    source = (desk.work.read(place) or desk.source.read(place) or b"") if place else b""
    fixture, in_the_way = _standing(desk, item, ask or Ask(item.id))
    return View(
        item,
        place,
        function_of(source, candidate.fn),
        context_of(source, candidate.evidence or ""),
        nearest(candidate, desk.oracle.inventory),
        desk.graves_of(candidate.target),
        fixture,
        (*_unwritten(candidate, desk.oracle.checks_source), *in_the_way),
    )


def _elsewhere(desk: Desk, candidate: Candidate) -> str | None:
    """The path of a module that only the branch of the candidate has."""
    tail = candidate.module.replace(".", "/")
    return next((p for p in (f"{tail}.py", f"{tail}/__init__.py", f"src/{tail}.py") if p in desk.source), None)


def _standing(desk: Desk, item: Item, ask: Ask) -> tuple[Fixture | None, tuple[str, ...]]:
    """The fixture at hand, and what is in the way of a promotion besides what the reviewer has to give."""
    found: list[str] = []
    fixture = None
    try:
        facts = facts_of(desk, item, ask, seed=0)
        fixture = facts.samples.fixture if facts.samples else None
        judge_standing(ask, judge_candidate(facts), facts)
    except Stop as stop:
        found.append(stop.what)
    known = fixture.path if fixture else f"a draft: {ask.draft_command('PATH')}"
    return fixture, (*found, f"a seed, a fixture ({known}) and its digest")


def _unwritten(candidate: Candidate, checks_source: bytes) -> tuple[str, ...]:
    """The checks that are neither built in nor, as far as the text tells, written in this repository."""
    try:
        nodes = list(ast.walk(ast.parse(checks_source)))
    except (SyntaxError, ValueError, RecursionError):
        nodes = []
    known = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    known |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    return tuple(
        f"the check {use.name}, which nobody has written in invariants/checks.py"
        for use in candidate.checks
        if not is_builtin(use.name) and use.name not in known
    )
