"""A sample as the parameters of a function, by name, whichever way it becomes a call; pure."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from inventory.functions import Parameter
from inventory.target import BadSample


def bound(fn: str, parameters: Sequence[Parameter], call: str, sample: Any) -> dict[str, Any]:
    """The value of each parameter that the sample gives, or that has a literal as its default.

    `call` is sample, args or kwargs. Where the function needs several arguments, `sample` can only mean that
    a list holds them in order, or a mapping by name. Raises BadSample for a sample that does not fit.
    """
    args, kwargs = _spread(parameters, call, sample)
    names = _positional(fn, parameters, args)
    for name, value in kwargs.items():
        _by_name(fn, parameters, names, (name, value))
    for parameter in parameters:
        if parameter.name not in names:
            _default(fn, parameter, names)
    return names


def _spread(parameters: Sequence[Parameter], call: str, sample: Any) -> tuple[list[Any], dict[str, Any]]:
    several = sum(parameter.required for parameter in parameters) > 1
    if type(sample) is list and (call == "args" or (call == "sample" and several)):
        return sample, {}
    if type(sample) is dict and (call == "kwargs" or (call == "sample" and several)):
        return [], sample
    if call != "sample":
        raise BadSample(f"call: {call} needs a {'list' if call == 'args' else 'mapping'} as sample")
    return [sample], {}


def _positional(fn: str, parameters: Sequence[Parameter], args: list[Any]) -> dict[str, Any]:
    places = [parameter.name for parameter in parameters if parameter.kind == "positional"]
    rest = next((parameter.name for parameter in parameters if parameter.kind == "var_positional"), None)
    if len(args) > len(places) and rest is None:
        raise BadSample(f"{fn} takes {_listed(places)}, and the sample gives {len(args)} arguments")
    names: dict[str, Any] = dict(zip(places, args, strict=False))
    return names if rest is None else names | {rest: args[len(places) :]}


def _by_name(fn: str, parameters: Sequence[Parameter], names: dict[str, Any], given: tuple[str, Any]) -> None:
    name, value = given
    if any(p.name == name and p.kind in ("positional", "keyword") for p in parameters):
        names[name] = value
        return
    rest = next((parameter.name for parameter in parameters if parameter.kind == "var_keyword"), None)
    if rest is None:
        raise BadSample(f"{fn} takes {_listed([p.name for p in parameters])}, and the sample gives {name}")
    names.setdefault(rest, {})[name] = value


def _default(fn: str, parameter: Parameter, names: dict[str, Any]) -> None:
    if parameter.kind == "var_positional":
        names[parameter.name] = []
    elif parameter.kind == "var_keyword":
        names[parameter.name] = {}
    elif parameter.required:
        raise BadSample(f"{fn} needs {parameter.name}, which the sample does not give")
    elif parameter.default is not None:
        try:
            names[parameter.name] = ast.literal_eval(parameter.default)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return  # a law that names it has no value for it


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or "nothing"
