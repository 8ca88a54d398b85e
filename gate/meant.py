"""The way to a change that is meant: the commands of `review` that agree to it first, whole, to be typed; pure."""

from __future__ import annotations

import shlex

from inventory.records import CheckUse, Property
from inventory.strict_yaml_dump import dump

_WHO_AND_WHY = "--reviewer WHO --note TEXT"


def ways(entry: Property) -> str:
    """A line for a property that shall say something else, with its present checks to edit, and one for its end."""
    checks = shlex.quote(", ".join(map(_typed, entry.checks)))
    return f"review amend {entry.id} --checks {checks} {_WHO_AND_WHY}\nreview retire {entry.id} {_WHO_AND_WHY}"


def way_of_moved(module: str, fn: str, prop_id: str) -> str:
    """The next edit for a target that is not in its place: no amendment names another one."""
    return (
        f"put {module}:{fn} back; if it moved, an import of it there will do, until a PR of its own has promoted"
        " a candidate for its new place and retired this property; if it is gone for good, retire it first:\n"
        f"review retire {prop_id} {_WHO_AND_WHY}"
    )


def _typed(use: CheckUse) -> str:
    data = use.to_data()
    if isinstance(data, str):
        return data
    [(name, value)] = data.items()
    return f"{name}: {dump(value, flow=True)}"
