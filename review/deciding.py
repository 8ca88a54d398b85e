"""What a reviewer is asked for a decision in the interactive session; nothing is prefilled but a name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from inventory.catalogue import CATALOGUE
from inventory.functions import Function
from inventory.records import Call, Candidate
from review.basis import start_of
from review.decide import draft_of, facts_of, promotion, samples_at
from review.desk import Desk
from review.ledger import write
from review.page import fixture_page
from review.paths import from_root
from review.promote import Ask, judge_candidate, judge_standing
from review.queue import Item
from review.reject import Reason, rejection
from review.ruling import Change
from review.samples import draft_path, suggested_fixture
from review.standing import add_of
from review.terminal import Terminal

_REASONS = {reason.value[0]: reason for reason in Reason if reason is not Reason.UNWANTED} | {
    "u": Reason.UNSTABLE, "c": Reason.UNCLEAR, "n": Reason.UNWANTED
}  # fmt: skip
_SEED_DIGITS = 19  # any number below is one that a file may hold
_T = TypeVar("_T")
_CALLS = {"1": Call.SAMPLE, "2": Call.ARGS, "3": Call.KWARGS}


@dataclass(frozen=True)
class Decided:
    """A decision that is saved: its kind and the changes that it made."""

    kind: str
    changes: tuple[Change, ...]


Decide = Callable[[Terminal, Desk, Item, Ask], Decided | None]


def promote(terminal: Terminal, desk: Desk, item: Item, ask: Ask) -> Decided | None:
    """Ask for everything that a promotion needs, show the fixture, try it, and have the id typed; None: given up.

    Raises Refused with what stands in the way, before anything is asked where that is known.
    """
    facts = facts_of(desk, item, ask, seed=0)
    candidate = judge_candidate(facts)
    judge_standing(ask, candidate, facts)
    seed = _asked(terminal, "seed (any whole number; it fixes the order of the samples):", _seed)
    if seed is None:
        return None
    path = _fixture_path(terminal, desk, candidate)
    if not path:
        return None
    samples = samples_at(desk, path)
    samples.judge_place()
    digest = samples.judge(f"p, and {path} once more", start_of(desk, ask, path))
    call = _call(terminal, desk, candidate)
    reviewer = desk.git.author() or terminal.ask("your name:")
    if not call or not reviewer:
        return None
    full = replace(ask, seed=seed, fixture=path, call=call, reviewer=reviewer)
    terminal.show(fixture_page(samples.fixture, terminal.width))
    terminal.show(f"  reviewer   {reviewer}\ntrying it …")
    full = replace(full, sha256=digest)
    _, ruling = promotion(desk, full, facts_of(desk, item, full, seed=0))
    typed = _asked(
        terminal, f"green twice. Type the id, {item.id}, to promote it on these samples:", {item.id: True}.get
    )
    if not typed:
        return None
    return Decided("promoted", write(desk.git, ruling))


def reject(terminal: Terminal, desk: Desk, item: Item, ask: Ask) -> Decided | None:
    """Ask for the reason and a note; None: given up."""
    del ask
    terminal.show("why: " + "  ".join(f"{letter} {reason.value}" for letter, reason in _REASONS.items()))
    reason = _REASONS.get(terminal.key().name)
    if reason is None:
        return None
    reviewer = desk.git.author() or terminal.ask("your name:")
    note = terminal.ask(f"{reason.value}; a note, if any (Esc gives up):")
    if not reviewer or note is None:
        return None
    oracle = desk.oracle
    ruling = rejection(item, oracle.inventory, oracle.lock, reason, reviewer, note or None)
    return Decided("rejected", write(desk.git, ruling))


def draft(terminal: Terminal, desk: Desk, item: Item) -> None:
    """Offer a first fixture to edit where there is none yet."""
    path = draft_path(item.id)
    found = draft_of(desk, item, path)
    made = len(found.samples) - found.suggested
    terminal.show(f"no fixture yet; {found.suggested} samples that it suggests and {made} of the types are a start")
    if terminal.ask(f"y writes {path}:") != "y":
        terminal.show("nothing was written")
        return
    desk.write_draft(path, found.samples)
    terminal.show(
        f"wrote {path}. Edit it in another window until\nevery sample is one that you mean, then:\n"
        f"  {add_of([path])}\nand here: o shows it, t tries it, p promotes on it"
    )


def _asked(terminal: Terminal, question: str, meant: Callable[[str], _T | None]) -> _T | None:
    """What an answer means, asked anew until it means something; None: given up by Esc or an empty line."""
    while typed := terminal.ask(question):
        if (found := meant(typed)) is not None:
            return found
        terminal.show("that is none; Esc gives up")
    return None


def _seed(typed: str) -> int | None:
    return int(typed) if typed.isdecimal() and len(typed) < _SEED_DIGITS else None


def _fixture_path(terminal: Terminal, desk: Desk, candidate: Candidate) -> str | None:
    known = suggested_fixture(desk.oracle.inventory, candidate.target)
    own = draft_path(candidate.id)
    offers = {str(n): path for n, path in enumerate(filter(None, (known, own if own in desk.work else None)), start=1)}
    for number, path in offers.items():
        terminal.show(f"  {number}  {path}")
    hint = "a path, or its number above" if offers else "a path; none yet: Esc, then o drafts one"
    typed = terminal.ask(f"fixture ({hint}):")
    return offers.get(typed) or from_root(Path(desk.git.root), typed) if typed else None


def _call(terminal: Terminal, desk: Desk, candidate: Candidate) -> Call | None:
    """How a sample becomes a call; asked only where more than one way makes sense."""
    if not _may_differ(desk.function(candidate.target), candidate):
        return Call.SAMPLE
    return _asked(terminal, "a sample becomes  1 fn(sample)  2 fn(*sample)  3 fn(**sample):", _CALLS.get)


def _may_differ(function: Function | None, candidate: Candidate) -> bool:
    generic = any(use.name not in CATALOGUE or CATALOGUE[use.name].shape == "call" for use in candidate.checks)
    return generic and (function is None or sum(p.required for p in function.parameters) != 1)
