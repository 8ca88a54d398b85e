"""What a function answered to some samples: those that are alike, and how laws may call it on them; pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from inventory.functions import Function, Parameter
from inventory.law_binding import bound
from review.kinds import Signature, answers_of, kind_of, looks_like_json, sizes_of
from review.varied import most_different

_NONE = "None"  # as the lane shows it
_Kinds = tuple[tuple[str, str], ...]  # of the parameters, by name


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
    """The most different of the largest group that gives the same parameters, with values of the same kinds.

    Answers of None belong to each group with the same parameters: a function may have no answer to some inputs.
    """
    groups: dict[tuple[_Kinds, tuple[str, bool] | None], list[Asked]] = defaultdict(list)
    for one in all_asked:
        kinds = tuple((name, kind_of([value])) for name, value in one.given.items())
        groups[kinds, None if one.value == _NONE else answers_of([one.value], [one.type])[:2]].append(one)
    (kinds, _), group = max(groups.items(), key=lambda item: (item[0][1] is not None, len(item[1])))
    group += [one for one in groups.get((kinds, None), ()) if one not in group]
    return tuple(group[at] for at in most_different([one.sample for one in group], limit, max_bytes))


def signature_of(function: Function, some: Sequence[Asked]) -> Signature:
    """How laws call the function: with what the samples must give, and what differs between them."""
    plain = [parameter for parameter in _plain(function) if all(parameter.name in one.given for one in some)]
    used = [p.name for p in plain if p.required or len({repr(one.given[p.name]) for one in some}) > 1]
    kinds = {name: kind_of(one.given[name] for one in some) for name in used}
    places = [parameter.name for parameter in _plain(function) if parameter.kind == "positional"]
    leading = [name for at, name in enumerate(places) if all(before in kinds for before in places[: at + 1])]
    answers = [one for one in some if one.value != _NONE] or some
    values = [one.value for one in answers]
    kind, listed, keys = answers_of(values, [one.type for one in answers])
    return Signature(
        function.qualname,
        kinds,
        by_name=frozenset(kinds) - frozenset(leading),
        answer=kind,
        listed=listed,
        keys=keys,
        optional=len(answers) < len(some),
        sizes=sizes_of(values),
        is_json=looks_like_json(values),
    )


def _plain(function: Function) -> list[Parameter]:
    return [parameter for parameter in function.parameters if parameter.kind in ("positional", "keyword")]
