"""From the calls that were seen to a draft fixture: one call shape, secrets blanked, the most different first; pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inventory.records import Call
from inventory.redact import blanked
from review.calls import Argument, Seen, SeenCall, plain
from review.varied import most_different

MAX_SAMPLES = 40
MAX_BYTES = 256 << 10


@dataclass(frozen=True)
class Recorded:
    """The samples of a draft, how they become calls, and the account of what was left out or changed.

    `distinct` calls had plain data; `unfit` of them cannot be written in the shape of the others, `raised` ended
    in an exception (left out unless all did). `blanked` values of the samples were secrets, `tuples` of the
    samples had tuples, which are lists in JSON.
    """

    samples: tuple[Any, ...]
    call: Call
    distinct: int
    unfit: int
    raised: int
    all_raised: bool
    blanked: int
    tuples: int


def recorded(seen: Seen) -> Recorded:
    """A draft of the calls seen; the same calls give the same draft, in whatever order they came."""
    call = _shape(seen.calls)
    merged: dict[str, _Sample] = {}
    unfit = set()
    widest = _Widest.of(seen.calls)
    for one in seen.calls:
        found = _sample(one, call, widest)
        if found is None:
            unfit.add(repr(one.arguments))
            continue
        text = json.dumps(found.value, sort_keys=True)
        merged[text] = merged[text].joined(found) if text in merged else found
    returned = [sample for sample in merged.values() if sample.returned]
    kept = returned or list(merged.values())
    did = {at: [f"line {line}" for line in sample.lines] for at, sample in enumerate(kept)}
    chosen = [kept[at] for at in most_different([s.value for s in kept], MAX_SAMPLES, MAX_BYTES, did)]
    return Recorded(
        samples=tuple(sample.value for sample in chosen),
        call=call,
        distinct=len(merged) + len(unfit),
        unfit=len(unfit),
        raised=len(merged) - len(returned),
        all_raised=bool(merged) and not returned,
        blanked=sum(sample.blanked for sample in chosen),
        tuples=sum(sample.has_tuple for sample in chosen),
    )


@dataclass(frozen=True)
class _Sample:
    value: Any
    lines: frozenset[int]
    returned: bool
    blanked: int
    has_tuple: bool

    def joined(self, other: _Sample) -> _Sample:
        tuples = self.has_tuple or other.has_tuple
        returned = self.returned or other.returned
        return _Sample(self.value, self.lines | other.lines, returned, self.blanked, tuples)


@dataclass(frozen=True)
class _Widest:
    """What any call gave: how many positional arguments, and which names; others give their defaults there."""

    count: int
    names: frozenset[str]

    @classmethod
    def of(cls, calls: Sequence[SeenCall]) -> _Widest:
        given = [[a for a in _positional(call) if a.state == "given"] for call in calls]
        last = [
            max((at for at, a in enumerate(_positional(call), 1) if a.state == "given"), default=0) for call in calls
        ]
        keywords = [a.name for call in calls for a in call.arguments if a.kind == "keyword" and a.state == "given"]
        return cls(max(last, default=0), frozenset([*keywords, *(a.name for some in given for a in some)]))


def _positional(call: SeenCall) -> list[Argument]:
    return [argument for argument in call.arguments if argument.kind in ("only", "positional")]


def _of_kind(call: SeenCall, kind: str) -> list[Argument]:
    return [argument for argument in call.arguments if argument.kind == kind]


def _shape(calls: Sequence[SeenCall]) -> Call:
    """One argument each: sample. Else a list where it says as much as a mapping would, else a mapping."""
    widest = _Widest.of(calls)
    lists = [found for call in calls if (found := _as_list(call, widest)) is not None]
    if len(lists) == len(calls) and all(len(found) == 1 for found in lists):
        return Call.SAMPLE
    mappings = [call for call in calls if _as_mapping(call, widest) is not None]
    return Call.ARGS if len(lists) >= len(mappings) else Call.KWARGS


def _sample(call: SeenCall, shape: Call, widest: _Widest) -> _Sample | None:
    pairs = _as_pairs(call, shape, widest)
    if pairs is None:
        return None
    clean = [(name, *blanked(plain(value), name)) for name, value in pairs]
    values = [value for _, value, _ in clean]
    whole = {name: value for name, value, _ in clean} if shape is Call.KWARGS else values
    return _Sample(
        values[0] if shape is Call.SAMPLE else whole,
        call.lines,
        call.end != "raised",
        sum(count for _, _, count in clean),
        any(_has_tuple(value) for _, value in pairs),
    )


def _as_pairs(call: SeenCall, shape: Call, widest: _Widest) -> list[tuple[str, Any]] | None:
    if shape is not Call.KWARGS:
        return _as_list(call, widest)
    named = _as_mapping(call, widest)
    return None if named is None else list(named.items())


def _as_list(call: SeenCall, widest: _Widest) -> list[tuple[str, Any]] | None:
    """The arguments by position with their names; None where a name is needed to give them."""
    if any(a.state == "given" for a in _of_kind(call, "keyword")) or any(
        a.value for a in _of_kind(call, "var_keyword")
    ):
        return None
    more = [(a.name, item) for a in _of_kind(call, "var_positional") for item in a.value]
    found: list[tuple[str, Any]] = []
    arguments = _positional(call)
    last = len(arguments) if more else max((n for n, a in enumerate(arguments, 1) if a.state == "given"), default=0)
    for number, argument in enumerate(arguments[: max(last, widest.count)], 1):
        if argument.state == "absent":
            if number < last:
                return None
            break
        found.append((argument.name, argument.value))
    return found + more


def _as_mapping(call: SeenCall, widest: _Widest) -> dict[str, Any] | None:
    """The arguments by name; None where some have none."""
    if any(a.state == "given" for a in _of_kind(call, "only")) or any(
        a.value for a in _of_kind(call, "var_positional")
    ):
        return None
    named = [a for a in call.arguments if a.kind in ("positional", "keyword") and a.name in widest.names]
    more = [pair for a in _of_kind(call, "var_keyword") for pair in a.value.items()]
    return dict([*((a.name, a.value) for a in named if a.state != "absent"), *more])


def _has_tuple(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_has_tuple, value.values()))
    return isinstance(value, tuple) or (isinstance(value, list) and any(map(_has_tuple, value)))
