"""Judges one draft of a model: a candidate, or every reason why not; pure. A draft is hostile until it passed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from inventory.records import LAW, Candidate
from propose.check_uses import read_checks
from propose.fitting import Unfit, fitted
from propose.foreign import DraftFault, plain_text, shown
from propose.laws import LawTarget, read_law
from propose.prompt import PER_TARGET, Block, Prompt
from propose.samples import read_samples

_FIELDS = ("id", "target", "evidence", "statement", "relation", "law", "checks", "breaks_if", "samples", "new_checks")
_REVIEWER_ONLY = ("seed", "fixture", "sha256", "reviewed_by", "status")
_CHECKS = "checks"
_YAML_WORDS = ("yes", "off", "null", "true", "false")


@dataclass(frozen=True)
class Rejected:
    """A draft that was not taken: how messages call it (made visible), and why."""

    label: str
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class Taken:
    """A candidate without provenance, and how many of its samples were dropped."""

    candidate: Candidate
    dropped_samples: int


def judge_draft(draft: Any, prompt: Prompt) -> Taken | Rejected:
    """The candidate in a draft, judged alone against what was sent."""
    if not isinstance(draft, dict):
        return Rejected(shown(draft), ("it is no JSON object",))
    reader = _Reader(draft, prompt.block_of(str(draft.get("target"))), prompt.targets)
    label, faults, values = shown(draft.get("id")), reader.odd_keys(), dict[str, Any]()
    for name, read in reader.fields():
        try:
            for key, value in read().items():
                values[key] = (*values.get(key, ()), *value) if key == _CHECKS else value
        except DraftFault as fault:
            faults.append(f"{name}: {fault}")
    if LAW in {use.name for use in values.get("checks", ())}:  # the law stands by itself, whatever lies beside it
        faults = [fault for fault in faults if not fault.startswith(f"{_CHECKS}: ")]
    if faults:
        return Rejected(label, tuple(faults))
    try:
        candidate = fitted(values)
    except Unfit as unfit:
        return Rejected(label, unfit.reasons)
    return Taken(candidate, len(draft.get("samples") or []) - len(candidate.samples))


def limited(taken: list[Taken]) -> tuple[list[Taken], list[Rejected]]:
    """The first few of each target; a model that floods one function is cut short."""
    counts: dict[str, int] = {}
    kept: list[Taken] = []
    over: list[Rejected] = []
    for one in taken:
        target = str(one.candidate.target)
        counts[target] = counts.get(target, 0) + 1
        if counts[target] <= PER_TARGET:
            kept.append(one)
        else:
            over.append(Rejected(one.candidate.id, (f"more than {PER_TARGET} for {target}",)))
    return kept, over


@dataclass(frozen=True)
class _Reader:
    """The fields of one draft; `block` is what was sent about its target."""

    draft: dict[str, Any]
    block: Block | None
    targets: tuple[str, ...]

    def odd_keys(self) -> list[str]:
        odd = [key for key in self.draft if key not in _FIELDS]
        reserved = [f"{key} is for a reviewer to say" for key in odd if key in _REVIEWER_ONLY]
        unknown = [f"unknown key {shown(key)}" for key in odd if key not in _REVIEWER_ONLY]
        return (reserved + unknown)[:5]

    def fields(self) -> Iterator[tuple[str, Any]]:
        yield "id", self.id
        yield "target", self.target
        yield _CHECKS, self.checks
        yield LAW, self.law
        yield "statement", lambda: self.text("statement")
        yield "breaks_if", lambda: self.text("breaks_if")
        yield "evidence", self.evidence
        yield "samples", self.samples

    def id(self) -> dict[str, Any]:
        value = self.draft.get("id")
        if not isinstance(value, str) or not re.fullmatch(r"[a-z][a-z0-9_]{2,63}", value):
            raise DraftFault(f"{shown(value)} is not 3 to 64 of a-z, 0-9 and _, a letter first")
        if value in _YAML_WORDS:
            raise DraftFault(f"{value} is a word of YAML")
        return {"id": value}

    def target(self) -> dict[str, Any]:
        value = self.draft.get("target")
        if value not in self.targets:
            raise DraftFault(f"{shown(value)} is no target that was sent")
        module, _, fn = str(value).partition(":")
        return {"module": module, "fn": fn}

    def checks(self) -> dict[str, Any]:
        siblings = frozenset(self.block.subject.siblings if self.block else ())
        has_law = bool(self.draft.get("law"))
        return read_checks(self.draft.get("checks"), self.draft.get("new_checks"), siblings, needed=not has_law)

    def law(self) -> dict[str, Any]:
        subject = self.block.subject if self.block else None
        changed = subject.function if subject else None
        siblings = subject.siblings if subject else ()
        found = read_law(self.draft.get("law"), LawTarget(changed.new if changed else None, siblings))
        return {"checks": (found[0],), "siblings": found[1]} if found else {}

    def text(self, name: str) -> dict[str, Any]:
        value = self.draft.get(name)
        return {} if value is None or value == "" else {name: plain_text(value)}

    def evidence(self) -> dict[str, Any]:
        if self.block is None:
            return {}
        value = plain_text(self.draft.get("evidence"))
        found = find_verbatim(value, self.block.text)
        if found is None:
            raise DraftFault(f"{shown(value)} is not in what was sent about this target")
        return {"evidence": found}

    def samples(self) -> dict[str, Any]:
        given = self.draft.get("samples") or []
        if not isinstance(given, list):
            raise DraftFault("it is no list")
        changed = self.block.subject.function if self.block else None
        return {"samples": read_samples(given, changed.new if changed else None)}


def find_verbatim(quote: str, text: str) -> str | None:
    """The piece of `text` that a quote stands for, white space aside; None where there is none."""
    words = quote.split()
    if not any(c.isalnum() for c in quote) or len("".join(words)) < 3:
        return None
    if quote in text:
        return quote.strip("\n")
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.group() if found else None
