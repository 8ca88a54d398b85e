"""What a function answered to some samples: those that are alike, and how laws may call it on them; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inventory.functions import Function, Parameter
from inventory.law_binding import bound
from review.kinds import Signature, answers_of, kind_of
from review.varied import most_different


@dataclass(frozen=True)
class Asked:
    """One sample, the parameters that it gives, and the answer with its type, both as the lane shows them."""

    sample: Any
    given: Mapping[str, Any]
    value: str
    type: str


def asked(function: Function, call: str, answers: Sequence[tuple[Any, str, str]]) -> tuple[Asked, ...]:
    """Samples with what came of them. Raises BadSample where one does not fit the function."""
    plain = {parameter.name for parameter in _plain(function)}
    rows = [(bound(function.qualname, function.parameters, call, sample), sample, *told) for sample, *told in answers]
    return tuple(Asked(s, {n: v for n, v in given.items() if n in plain}, v, t) for given, s, v, t in rows)


def alike(all_asked: Sequence[Asked], limit: int, max_bytes: int) -> tuple[Asked, ...]:
    """The most different of the largest group that gives the same parameters, with values of the same kinds."""
    groups: dict[object, list[Asked]] = defaultdict(list)
    for one in all_asked:
        kinds = tuple((name, kind_of([value])) for name, value in one.given.items())
        groups[kinds, answers_of([one.value], [one.type])[:2]].append(one)
    group = max(groups.values(), key=len)
    return tuple(group[at] for at in most_different([one.sample for one in group], limit, max_bytes))


def signature_of(function: Function, some: Sequence[Asked]) -> Signature:
    """How laws call the function: with what the samples must give, and what differs between them."""
    plain = [parameter for parameter in _plain(function) if all(parameter.name in one.given for one in some)]
    used = [p.name for p in plain if p.required or len({repr(one.given[p.name]) for one in some}) > 1]
    kinds = {name: kind_of(one.given[name] for one in some) for name in used}
    places = [parameter.name for parameter in _plain(function) if parameter.kind == "positional"]
    leading = [name for at, name in enumerate(places) if all(before in kinds for before in places[: at + 1])]
    kind, listed, keys = answers_of([one.value for one in some], [one.type for one in some])
    return Signature(function.qualname, kinds, frozenset(kinds) - frozenset(leading), kind, listed, keys)


def _plain(function: Function) -> list[Parameter]:
    return [parameter for parameter in function.parameters if parameter.kind in ("positional", "keyword")]
