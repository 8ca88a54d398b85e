"""Whether a candidate fits its file: what is written must be read back as the same; pure.

A candidate that a file cannot give back would stop every later command at that file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from inventory import codec, strict_yaml, strict_yaml_dump
from inventory.digests import claim_of
from inventory.errors import CouldNotRun
from inventory.records import Candidate


class Unfit(ValueError):
    """No candidate can be made of some values; `reasons` in words."""

    def __init__(self, *reasons: str) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons


def fitted(values: Mapping[str, Any]) -> Candidate:
    """The candidate of these values. Raises Unfit where there is none, or its file would not give it back."""
    try:
        candidate = Candidate.model_validate(values)
        claim_of(candidate)
        read = codec.parse_candidate(codec.dump_candidate(candidate), "")
    except ValidationError as error:
        details = error.errors(include_url=False, include_input=False)
        raise Unfit(*(f"{d['loc'][0] if d['loc'] else 'draft'}: {d['msg']}" for d in details)) from None
    except CouldNotRun as stop:
        raise Unfit("; ".join([stop.what, *(fault.what for fault in stop.faults[:3])])) from None
    if read != candidate:
        raise Unfit("its file would not give it back")
    return candidate


def is_kept(sample: Any) -> bool:
    """Whether the file of a candidate gives this sample back, and others can: no lone surrogate stands in it."""
    try:
        json.dumps(sample, ensure_ascii=False).encode()
        read = strict_yaml.load(strict_yaml_dump.dump({"samples": [sample]}), "")
    except (ValueError, RecursionError):
        return False
    return not read.faults and read.value == {"samples": [sample]}
