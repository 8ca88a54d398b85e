"""What a reviewer typed, made into the records that files hold, and compared with what was seen; pure."""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import ValidationError

from inventory.catalogue import faults_of
from inventory.errors import Refused, WrongUsage
from inventory.records import CheckUse, Property, Record
from inventory.strict_yaml import load
from review.standing import command_of

_R = TypeVar("_R", bound=Record)
_SHORTEST = 12


def written(record: type[_R], data: dict[str, Any]) -> _R:
    """The record of these words. Raises WrongUsage for words that it cannot hold."""
    try:
        return record.model_validate(data)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        raise WrongUsage(
            f"{'.'.join(map(str, detail['loc']))} cannot be written down",
            why=detail["msg"].removeprefix("Value error, "),
            fix="Give it without control characters and within its limits.",
        ) from None


def checks_of(text: str) -> tuple[CheckUse, ...]:
    """Checks as typed, in the form of the inventory: `total, roundtrip: {inverse: render}`.

    Raises WrongUsage for anything else, and for parameters that a built-in check does not take.
    """
    document = load(f"[{text}]", "--checks")
    if document.faults or not isinstance(document.value, list) or not document.value:
        why = document.faults[0].what if document.faults else "no check is named"
        raise _odd_checks(text, why)
    data = {"id": "checks", "module": "a", "fn": "a", "seed": 0, "fixture": "a", "checks": document.value}
    try:
        checks = Property.model_validate(data).checks
    except ValidationError as error:
        raise _odd_checks(text, error.errors()[0]["msg"].removeprefix("Value error, ")) from None
    faults = [fault for use in checks for fault in faults_of(use)]
    if faults:
        raise _odd_checks(text, "; ".join(faults))
    return checks


def judge_expected(name: str, expected: str | None, digest: str | None, source: str | None = None) -> None:
    """Raises Refused where what is there is not what the reviewer saw.

    `expected` is the digest that `review show` told, or its first 12 digits or more; `source` the branch
    that it was read from.
    """
    if expected is None or (digest and len(expected) >= _SHORTEST and digest.startswith(expected)):
        return
    raise Refused(
        f"{name} is not what you expected",
        why=f"expected {expected}, found {digest}",
        fix=f"Look at it again: {command_of(['show', name], {'--from': source})}",
    )


def _odd_checks(text: str, why: str) -> WrongUsage:
    return WrongUsage(
        f"--checks {text!r} cannot be read",
        why=why,
        fix="Name them as the inventory does, a law in quotes of its own: "
        """--checks 'does_not_mutate, roundtrip: {inverse: render}, law: "f(x, 0) == x"' (all of them: gate checks)""",
    )
