"""Judges one draft of a model: a candidate, or every reason why not; pure. A draft is hostile until it passed."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from inventory import strict_json
from inventory.catalogue import CATALOGUE, Kind, faults_of, is_builtin
from inventory.digests import canonical
from inventory.errors import CouldNotRun
from inventory.escapes import visible
from inventory.functions import Function
from inventory.records import Candidate, CheckUse
from propose.prompt import PER_TARGET, Prompt

MAX_TEXT = 2000
MAX_SAMPLES = 10
_MAX_SAMPLE_CHARS = 10_000
_FIELDS = ("id", "target", "checks", "statement", "evidence", "breaks_if", "samples", "new_checks")
_REVIEWER_ONLY = ("seed", "fixture", "sha256", "reviewed_by", "status")
_YAML_WORDS = ("yes", "off", "null", "true", "false")
_LABEL_CHARS = 60


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


class _Fault(ValueError):
    """One reason against a draft."""


def judge_draft(draft: Any, prompt: Prompt) -> Taken | Rejected:
    """The candidate in a draft, judged alone against what was sent."""
    reader = _Reader(draft if isinstance(draft, dict) else {}, prompt)
    faults = [] if isinstance(draft, dict) else ["it is no JSON object"]
    faults += reader.odd_keys()
    values: dict[str, Any] = {}
    for name, read in reader.fields():
        try:
            values |= read()
        except _Fault as fault:
            faults.append(f"{name}: {fault}")
    if faults:
        return Rejected(_label(draft), tuple(faults))
    try:
        candidate = Candidate.model_validate(values)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        return Rejected(_label(draft), tuple(f"{d['loc'][0] if d['loc'] else 'draft'}: {d['msg']}" for d in found))
    given = draft.get("samples") or []
    return Taken(candidate, len(given) - len(candidate.samples) if isinstance(given, list) else 0)


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
    draft: dict[str, Any]
    prompt: Prompt

    def odd_keys(self) -> list[str]:
        odd = [key for key in self.draft if key not in _FIELDS]
        reserved = [f"{key} is for a reviewer to say" for key in odd if key in _REVIEWER_ONLY]
        unknown = [f"unknown key {_shown(key)}" for key in odd if key not in _REVIEWER_ONLY]
        return (reserved + unknown)[:5]

    def fields(self) -> Iterator[tuple[str, Any]]:
        yield "id", self.id
        yield "target", self.target
        yield "checks", self.checks
        yield "statement", lambda: self.text("statement")
        yield "breaks_if", lambda: self.text("breaks_if")
        yield "evidence", self.evidence
        yield "samples", self.samples

    def id(self) -> dict[str, Any]:
        value = self.draft.get("id")
        if not isinstance(value, str) or not re.fullmatch(r"[a-z][a-z0-9_]{2,63}", value):
            raise _Fault(f"{_shown(value)} is not 3 to 64 of a-z, 0-9 and _, a letter first")
        if value in _YAML_WORDS:
            raise _Fault(f"{value} is a word of YAML")
        return {"id": value}

    def target(self) -> dict[str, Any]:
        value = self.draft.get("target")
        if value not in self.prompt.targets:
            raise _Fault(f"{_shown(value)} is no target that was sent")
        module, _, fn = str(value).partition(":")
        return {"module": module, "fn": fn}

    def checks(self) -> dict[str, Any]:
        uses = [_use(item) for item in _list(self.draft.get("checks"), 20)]
        known = list({json.dumps(u.to_data(), sort_keys=True): u for u in uses if is_builtin(u.name)}.values())
        faults = [fault for use in known for fault in (*faults_of(use), *self._unknown_functions(use))]
        if faults:
            raise _Fault("; ".join(_plain(fault) for fault in faults))
        wished = [
            {"name": u.name, "statement": f"asked for as a check: {u.name}"} for u in uses if not is_builtin(u.name)
        ]
        if not known:
            raise _Fault("none of them is in the catalogue" + "".join(f", not even {w['name']}" for w in wished[:3]))
        return {"checks": tuple(known), "new_checks": (*wished, *self._new_checks())[:10]}

    def _unknown_functions(self, use: CheckUse) -> list[str]:
        function_params = [p.name for p in CATALOGUE[use.name].params if p.kind == "function"]
        named = [use.params[name] for name in function_params if name in use.params]
        siblings = self._siblings()
        return [f"{use.name}: {_shown(name)} is no function of that module" for name in named if name not in siblings]

    def _siblings(self) -> frozenset[str]:
        block = self.prompt.block_of(str(self.draft.get("target")))
        return frozenset(block.subject.siblings) if block else frozenset()

    def _new_checks(self) -> list[dict[str, str]]:
        found = []
        for item in _list(self.draft.get("new_checks") or [], 10):
            if not isinstance(item, Mapping) or set(item) != {"name", "statement"}:
                raise _Fault("new_checks: each needs a name and a statement")
            if not isinstance(item["name"], str) or not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,199}", item["name"]):
                raise _Fault(f"new_checks: {_shown(item['name'])} is no name")
            found.append({"name": item["name"], "statement": _checked(item["statement"], newline=False)})
        return found

    def text(self, name: str) -> dict[str, Any]:
        value = self.draft.get(name)
        return {} if value is None or value == "" else {name: _checked(value)}

    def evidence(self) -> dict[str, Any]:
        block = self.prompt.block_of(str(self.draft.get("target")))
        if block is None:
            return {}
        value = _checked(self.draft.get("evidence"))
        found = find_verbatim(value, block.text)
        if found is None:
            raise _Fault(f"{_shown(value)} is not in what was sent about this target")
        return {"evidence": found}

    def samples(self) -> dict[str, Any]:
        block = self.prompt.block_of(str(self.draft.get("target")))
        function = block.subject.function.new if block and block.subject.function else None
        given = self.draft.get("samples") or []
        if not isinstance(given, list):
            raise _Fault("it is no list")
        read = [found for item in given[:50] if (found := _sample(item)) is not None]
        kept = [value for (value,) in read if function is None or accepts(function, value)]
        unique = {json.dumps(value, sort_keys=True): value for value in kept}
        return {"samples": tuple(unique.values())[:MAX_SAMPLES]}


def find_verbatim(quote: str, text: str) -> str | None:
    """The piece of `text` that a quote stands for, white space aside; None where there is none."""
    words = quote.split()
    if not any(c.isalnum() for c in quote) or len("".join(words)) < 3:
        return None
    if quote in text:
        return quote.strip("\n")
    found = re.search(r"\s+".join(map(re.escape, words)), text)
    return found.group() if found else None


def accepts(function: Function, sample: Any) -> bool:
    """Whether some form of call (`fn(sample)`, `fn(*sample)`, `fn(**sample)`, a check's own) fits the signature."""
    positional = [p for p in function.parameters if p.kind == "positional"]
    has_var = any(p.kind == "var_positional" for p in function.parameters)
    needs_keyword = any(p.kind == "keyword" and p.required for p in function.parameters)
    needed = sum(p.required for p in positional)
    fits_one = needed <= 1 and (len(positional) >= 1 or has_var) and not needs_keyword
    if isinstance(sample, dict):
        return fits_one or _fits_keywords(function, sample) or ({"lo", "hi", "x"} <= sample.keys() and needed == 3)
    if isinstance(sample, list):
        fits_many = needed <= len(sample) and (has_var or len(sample) <= len(positional)) and not needs_keyword
        return fits_one or fits_many or (len(sample) == 3 and needed == 2)
    return fits_one


def _fits_keywords(function: Function, sample: dict[str, Any]) -> bool:
    named = {p.name: p for p in function.parameters if p.kind in ("positional", "keyword")}
    takes_any = any(p.kind == "var_keyword" for p in function.parameters)
    return (takes_any or sample.keys() <= named.keys()) and all(n in sample for n, p in named.items() if p.required)


def _use(item: Any) -> CheckUse:
    if isinstance(item, str):
        item = {"name": item}
    if not isinstance(item, Mapping) or not set(item) <= {"name", "params"} or not isinstance(item.get("name"), str):
        raise _Fault(f"{_shown(item)} is no check with name and params")
    name = item["name"]
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]{0,199}", name):
        raise _Fault(f"{_shown(name)} is no name of a check")
    use = CheckUse.model_validate({"name": name, "params": dict(_params(name, item.get("params") or []))})
    try:
        canonical(use.to_data())
    except CouldNotRun as stop:
        raise _Fault(f"{name}: {stop.why}") from None
    return use


def _params(check: str, params: Any) -> Iterator[tuple[str, Any]]:
    kinds = {p.name: p.kind for p in CATALOGUE[check].params} if is_builtin(check) else {}
    rows = params.items() if isinstance(params, Mapping) else [_pair(row) for row in _list(params, 10)]
    for name, value in rows:
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
            raise _Fault(f"{_shown(name)} is no name of a parameter")
        yield name, _value(kinds.get(name), value)


def _pair(row: Any) -> tuple[Any, Any]:
    if not isinstance(row, Mapping) or set(row) != {"name", "value"}:
        raise _Fault(f"{_shown(row)} is no parameter with name and value")
    return row["name"], row["value"]


def _value(kind: Kind | None, value: Any) -> Any:
    """A parameter's value, which travels as JSON text; a bare word stands for itself where a text is wanted."""
    if isinstance(value, str):
        parsed, faults = strict_json.load(value, "value")
        is_text = kind in ("function", "text", "texts", "pattern", "key", None)
        value = value if faults or (is_text and not isinstance(parsed, str | list | int)) else parsed
    if any(_is_odd(text) for text in _texts(value)) or len(json.dumps(value)) > MAX_TEXT:
        raise _Fault(f"{_shown(value)} holds control characters or is too long")
    return value


def _sample(item: Any) -> tuple[Any] | None:
    """A sample as a tuple of one, for None is a sample too; None where it is no plain JSON."""
    if isinstance(item, str):
        item, faults = strict_json.load(item, "sample")
        if faults:
            return None
    text = json.dumps(item)
    is_plain = len(text) <= _MAX_SAMPLE_CHARS and not any(_is_surrogate(t) for t in _texts(item))
    return (item,) if is_plain else None


def _texts(value: Any) -> Iterator[str]:
    pending = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, str):
            yield item
        elif isinstance(item, Mapping):
            pending += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            pending += item


def _list(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise _Fault(f"it must be a list of at most {most}")
    return value


def _checked(value: Any, *, newline: bool = True) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Fault("it must be a text")
    if len(value) > MAX_TEXT:
        raise _Fault(f"{_shown(value)} is longer than {MAX_TEXT} characters")
    if _is_odd(value.replace("\n", "").replace("\t", "") if newline else value):
        raise _Fault(f"{_shown(value)} holds control or invisible characters")
    return value


def _is_odd(text: str) -> bool:
    return any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for c in text)


def _is_surrogate(text: str) -> bool:
    return any("\ud800" <= c <= "\udfff" for c in text)


def _label(draft: Any) -> str:
    return _shown(draft.get("id") if isinstance(draft, dict) else draft)


def _plain(text: str) -> str:
    return visible(text[: 4 * _LABEL_CHARS])


def _shown(value: Any) -> str:
    """A foreign value for a message: short, on one line, escapes visible."""
    text = repr(value) if not isinstance(value, str) else value
    return "'" + visible(text[:_LABEL_CHARS]) + "'" + ("…" if len(text) > _LABEL_CHARS else "")
