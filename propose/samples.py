"""The samples of a draft: which of them are plain JSON that a file gives back and the target could take; pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from inventory import strict_json
from inventory.functions import Function
from propose.fitting import is_kept

MAX_SAMPLES = 10
_MAX_CHARS = 10_000
_MAX_READ = 50


def read_samples(given: Sequence[Any], function: Function | None) -> tuple[Any, ...]:
    """The samples that can stay, in order, each once; `function` is the target where its source is known."""
    read = [found for item in given[:_MAX_READ] if (found := _sample(item)) is not None]
    kept = [value for (value,) in read if function is None or accepts(function, value)]
    return tuple({json.dumps(value, sort_keys=True): value for value in kept}.values())[:MAX_SAMPLES]


def _sample(item: Any) -> tuple[Any] | None:
    """A sample as a tuple of one, for None is a sample too; None where it is no plain JSON."""
    if isinstance(item, str):
        item, faults = strict_json.load(item, "sample")
        if faults:
            return None
    return (item,) if len(json.dumps(item)) <= _MAX_CHARS and is_kept(item) else None


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
