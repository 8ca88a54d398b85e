"""From subjects to the messages of a request: blocks, fences, schema; pure, templates come as text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from jinja2 import DictLoader, StrictUndefined
from jinja2.sandbox import SandboxedEnvironment

from inventory.catalogue import CATALOGUE, SHAPES
from inventory.digests import canonical_digest, sha256
from inventory.law_functions import FUNCTIONS
from inventory.redact import MARKER, redact
from propose.budget import Budget, tokens
from propose.subjects import Subject

PER_TARGET = 4
ANSWER_TOKENS_PER_CANDIDATE = 160
_MARK_DIGITS = 16
# What a law says as well is not offered by name: a long list draws small models away from the function itself.
_BEYOND_LAWS = (
    "roundtrip", "no_extra_keys", "lo_le_hi", "output_in_range", "never_raises", "deterministic", "does_not_mutate",
    "returns_type", "matches", "has_keys", "json_serializable",
)  # fmt: skip
RELATIONS = {
    "two calls": "dedent(dedent(text)) == dedent(text)",
    "output against input": "sorted(shuffle(cards, seed)) == sorted(cards)",
    "growth": "total(prices + [0]) == total(prices)",
    "symmetry": "distance(a, b) == distance(b, a)",
    "identity": "distance(a, a) == 0",
    "round trip": "loads(dumps(value)) == value, with another function of the module",
    "inverse": "int(to_hex(number), 16) == number, with a built-in function",
    "bounds": "all(min(values) <= v <= max(values) for v in smooth(values))",
    "order": "all(a <= b for a, b in zip(ranks(items), ranks(items)[1:]))",
    "length": "len(pad(text, width)) == max(len(text), width)",
    "condition": "query not in words or words[search(words, query)] == query",
    "errors": 'raises("ValueError", parse_age(years)) == (years < 0)',
}
_OFFERED = {name: CATALOGUE[name] for name in _BEYOND_LAWS}


@dataclass(frozen=True)
class Part:
    """A titled piece of a block."""

    title: str
    text: str


@dataclass(frozen=True)
class Block:
    """What is sent about one subject, secrets blanked; `blanked` counts them."""

    subject: Subject
    heading: str
    parts: tuple[Part, ...]
    blanked: int

    @property
    def text(self) -> str:
        """Everything in which evidence may be found."""
        return "\n".join(part.text for part in self.parts)

    @property
    def cost(self) -> int:
        """An estimate of its tokens, fences included."""
        fences = "x" * (_MARK_DIGITS + 12) * (len(self.parts) + 2)
        return tokens(self.heading + self.text + fences)


@dataclass(frozen=True)
class Prompt:
    """The messages of one request and what is needed to judge the answer."""

    messages: tuple[dict[str, str], ...]
    blocks: tuple[Block, ...]
    targets: tuple[str, ...]
    schema: dict[str, Any]
    ids: tuple[str, ...]
    budget: Budget
    blanked: int

    @property
    def text(self) -> str:
        return "\n".join(message["content"] for message in self.messages)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the messages."""
        return canonical_digest(list(self.messages))

    @property
    def cost(self) -> int:
        """An estimate of its tokens, from above."""
        return sum(tokens(message["content"]) for message in self.messages)

    def block_of(self, target: str) -> Block | None:
        """The block that holds a target."""
        return next((block for block in self.blocks if target in block.subject.targets), None)


@dataclass(frozen=True)
class Templates:
    """The prompt templates by file name, rendered in a sandbox in which a missing value is an error."""

    sources: Mapping[str, str]

    @property
    def digest(self) -> str:
        """The SHA-256 of all of them."""
        return canonical_digest(dict(self.sources))

    def render(self, name: str, **values: Any) -> str:
        """The text of one template; values are data and never read as a template."""
        environment = SandboxedEnvironment(
            loader=DictLoader(dict(self.sources)),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            autoescape=False,  # the result is no markup
        )
        return environment.get_template(name).render(**values)


def block_of(subject: Subject) -> Block:
    """The block of a subject, every literal that looks like a secret blanked."""
    kind = "target" if subject.targets else "context only, no target"
    redacted = [(title, redact(text)) for title, text in _parts(subject)]
    parts = tuple(Part(title, found.text) for title, found in redacted)
    return Block(subject, f"{subject.label} ({kind})", parts, sum(found.count for _, found in redacted))


def prompt_for(blocks: Sequence[Block], ids: Iterable[str], budget: Budget, templates: Templates) -> Prompt:
    """The prompt for some blocks. `ids` are those that are taken already."""
    targets = tuple(target for block in blocks for target in block.subject.targets)
    schema = answer_schema(targets)
    request = templates.render(
        "request.j2",
        mark=_mark(blocks),
        blocks=blocks,
        targets=tuple((target, block.subject.call) for block in blocks for target in block.subject.targets),
        ids=sorted(ids),
        per_target=PER_TARGET,
        in_all=max(1, min(PER_TARGET * len(targets), budget.answer // ANSWER_TOKENS_PER_CANDIDATE)),
        schema=json.dumps(_without_enums(schema), separators=(",", ":")),
    )
    shapes = {shape: SHAPES[shape] for shape in dict.fromkeys(spec.shape for spec in _OFFERED.values())}
    known = {
        "catalogue": tuple(_OFFERED.values()),
        "functions": ", ".join(FUNCTIONS),
        "shapes": shapes,
        "relations": RELATIONS,
    }
    system = templates.render("system.j2", **known, marker=MARKER)
    found = redact(request)
    messages = ({"role": "system", "content": system}, {"role": "user", "content": found.text})
    blanked = found.count + sum(block.blanked for block in blocks)
    return Prompt(messages, tuple(blocks), targets, schema, tuple(sorted(ids)), budget, blanked)


def ask_again(faults: Iterable[str], templates: Templates) -> dict[str, str]:
    """The message that asks for a better answer; it quotes only our own words."""
    return {"role": "user", "content": templates.render("again.j2", faults=tuple(faults))}


def ask_for_better_laws(reasons: Iterable[str], templates: Templates) -> dict[str, str]:
    """The message that asks for laws in place of those that say too little, with the reason against each."""
    return {"role": "user", "content": templates.render("laws.j2", reasons=tuple(reasons))}


def answer_schema(targets: Sequence[str]) -> dict[str, Any]:
    """The JSON schema of an answer, in the subset that servers agree on."""
    text = {"type": "string"}
    param = _object(name=text, value={"type": "string", "description": "JSON text"})
    check = _object(name={"type": "string", "enum": list(_OFFERED)}, params={"type": "array", "items": param})
    candidate = _object(
        id=text,
        target={**text, "enum": list(targets)} if targets else text,  # servers refuse an empty enum
        evidence=text,
        statement=text,
        relation={**text, "enum": [*RELATIONS, "none"]},
        law=text,
        checks={"type": "array", "items": check},
        breaks_if=text,
        samples={"type": "array", "items": {"type": "string", "description": "JSON text"}},
        new_checks={"type": "array", "items": _object(name=text, statement=text)},
    )
    return _object(candidates={"type": "array", "items": candidate})


def _without_enums(schema: Any) -> Any:
    """The schema as the prompt shows it: targets and checks stand in lists of their own there."""
    if isinstance(schema, dict):
        return {key: _without_enums(value) for key, value in schema.items() if key != "enum"}
    return [_without_enums(item) for item in schema] if isinstance(schema, list) else schema


def _object(**properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _parts(subject: Subject) -> list[tuple[str, str]]:
    if subject.function is None:
        return [("changed lines; the file does not parse", "\n".join(h.text for h in subject.hunks))]
    old, new, present = subject.function.old, subject.function.new, subject.function.present
    parts = [("signature", present.signature)]
    if present.class_header:
        parts.append(("class", present.class_header))
    if present.constants:
        parts.append(("module constants", "\n".join(present.constants)))
    if old:
        parts.append(("before" if new else "before; the function is deleted", old.source))
    if new:
        parts.append(("after" if old else "after; the function is new", new.source))
    return parts


def _mark(blocks: Sequence[Block]) -> str:
    """A word that stands nowhere in the data; the data cannot foresee it, for it depends on all of them."""
    data = "\n".join(block.heading + "\n" + block.text for block in blocks)
    seed = data.encode("utf-8", "replace")
    while (mark := sha256(seed)[:_MARK_DIGITS]) in data:
        seed = mark.encode()
    return mark
