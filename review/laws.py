"""The laws of a candidate or property before a reviewer: their reading in words, their names, what speaks against them.

Pure: the function of the target comes with its source.
"""

from __future__ import annotations

from inventory.functions import Function
from inventory.law_lint import objections
from inventory.law_names import Scope, siblings_of
from inventory.law_syntax import parse_law
from inventory.law_words import names_of, reading
from inventory.records import Candidate, CheckUse, Property

Claimant = Candidate | Property


def against(record: Claimant, function: Function | None) -> tuple[str, ...]:
    """Every reason against the laws of a record; () where it has none."""
    texts = _texts(record)
    if not texts:
        return tuple(f"siblings lists {name}, and there is no law to call it" for name in record.siblings)
    if function is None:
        return (f"{record.fn} is not defined in {record.module} itself, so its parameters are not known",)
    return objections(texts, _scope(record, function), function)


def readings(record: Claimant, function: Function | None) -> tuple[str, ...]:
    """What each law says in plain words, as far as it has a known shape."""
    scope = _scope(record, function)
    return tuple(told for text in _texts(record) if (told := reading(parse_law(text), scope)))


def names(record: Claimant, function: Function | None) -> tuple[str, ...]:
    """Each name that the laws use, with its meaning."""
    scope = _scope(record, function)
    pairs = [pair for text in _texts(record) for pair in names_of(parse_law(text), scope, function)]
    return tuple(f"{name}: {meaning}" for name, meaning in dict.fromkeys(pairs))


def called_by(checks: tuple[CheckUse, ...], fn: str, functions: tuple[str, ...]) -> tuple[str, ...]:
    """The functions of the module, other than the target, that some laws call."""
    laws = [parse_law(use.law) for use in checks if use.law]
    return tuple(dict.fromkeys(name for law in laws for name in siblings_of(law, fn, functions)))


def _texts(record: Claimant) -> list[str]:
    return [use.law for use in record.checks if use.law]


def _scope(record: Claimant, function: Function | None) -> Scope:
    known = tuple(parameter.name for parameter in function.parameters) if function else ()
    return Scope(record.fn, known, record.siblings)
