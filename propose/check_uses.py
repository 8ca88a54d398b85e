"""The checks that a draft names: uses of the catalogue with their parameters, and wishes for new ones; pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from inventory import strict_json
from inventory.catalogue import CATALOGUE, Kind, faults_of, is_builtin
from inventory.digests import canonical
from inventory.errors import CouldNotRun
from inventory.escapes import visible
from inventory.records import LAW, CheckUse
from propose.foreign import MAX_TEXT, DraftFault, is_odd, listed, plain_text, shown, texts_in

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,199}")
_MOST_NAMED = 20
_MOST_WISHED = 10
_FAULT_CHARS = 240


def read_checks(named: Any, wished: Any, siblings: frozenset[str], *, needed: bool = True) -> dict[str, Any]:
    """`checks` that the catalogue has and `new_checks` that it has not; `siblings` are what a parameter may name.

    Raises DraftFault where a check is named wrongly, or none of the catalogue is and one is `needed`.
    """
    uses = [_use(item) for item in listed([] if named is None and not needed else named, _MOST_NAMED)]
    known = list({json.dumps(u.to_data(), sort_keys=True): u for u in uses if is_builtin(u.name)}.values())
    faults = [fault for use in known for fault in (*faults_of(use), *_unknown_functions(use, siblings))]
    if faults:
        raise DraftFault("; ".join(visible(fault[:_FAULT_CHARS]) for fault in faults))
    unknown = [use.name for use in uses if not is_builtin(use.name)]
    if not known and needed:
        raise DraftFault("none of them is in the catalogue" + "".join(f", not even {name}" for name in unknown[:3]))
    made_up = [{"name": name, "statement": f"asked for as a check: {name}"} for name in unknown]
    return {"checks": tuple(known), "new_checks": (*made_up, *_wishes(wished))[:_MOST_WISHED]}


def _unknown_functions(use: CheckUse, siblings: frozenset[str]) -> list[str]:
    function_params = [p.name for p in CATALOGUE[use.name].params if p.kind == "function"]
    named = [use.params[name] for name in function_params if name in use.params]
    return [f"{use.name}: {shown(name)} is no function of that module" for name in named if name not in siblings]


def _wishes(wished: Any) -> list[dict[str, str]]:
    found = []
    for item in listed(wished or [], _MOST_WISHED):
        if not isinstance(item, Mapping) or set(item) != {"name", "statement"}:
            raise DraftFault("new_checks: each needs a name and a statement")
        if not isinstance(item["name"], str) or not _NAME.fullmatch(item["name"]):
            raise DraftFault(f"new_checks: {shown(item['name'])} is no name")
        found.append({"name": item["name"], "statement": plain_text(item["statement"], newline=False)})
    return found


def _use(item: Any) -> CheckUse:
    if isinstance(item, str):
        item = {"name": item}
    if not isinstance(item, Mapping) or not set(item) <= {"name", "params"} or not isinstance(item.get("name"), str):
        raise DraftFault(f"{shown(item)} is no check with name and params")
    name = item["name"]
    if not _NAME.fullmatch(name):
        raise DraftFault(f"{shown(name)} is no name of a check")
    if name == LAW:
        raise DraftFault("a law has a field of its own: law")
    use = CheckUse.model_validate({"name": name, "params": dict(_params(name, item.get("params") or []))})
    try:
        canonical(use.to_data())
    except CouldNotRun as stop:
        raise DraftFault(f"{name}: {stop.why}") from None
    return use


def _params(check: str, params: Any) -> Iterator[tuple[str, Any]]:
    kinds = {p.name: p.kind for p in CATALOGUE[check].params} if is_builtin(check) else {}
    rows = params.items() if isinstance(params, Mapping) else [_pair(row) for row in listed(params, 10)]
    for name, value in rows:
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii():
            raise DraftFault(f"{shown(name)} is no name of a parameter")
        yield name, _value(kinds.get(name), value)


def _pair(row: Any) -> tuple[Any, Any]:
    if not isinstance(row, Mapping) or set(row) != {"name", "value"}:
        raise DraftFault(f"{shown(row)} is no parameter with name and value")
    return row["name"], row["value"]


def _value(kind: Kind | None, value: Any) -> Any:
    """A parameter's value, which travels as JSON text; a bare word stands for itself where a text is wanted."""
    if isinstance(value, str):
        parsed, faults = strict_json.load(value, "value")
        is_text = kind in ("function", "text", "texts", "pattern", "key", None)
        value = value if faults or (is_text and not isinstance(parsed, str | list | int)) else parsed
    if any(is_odd(text) for text in texts_in(value)) or len(json.dumps(value)) > MAX_TEXT:
        raise DraftFault(f"{shown(value)} holds control characters or is too long")
    return value
