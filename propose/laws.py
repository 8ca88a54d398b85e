"""The law that a draft claims: read, linted against its target, with the functions that it calls; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from inventory.functions import Function
from inventory.law_lint import lint
from inventory.law_names import Scope, siblings_of
from inventory.law_syntax import LawFault, parse_law
from inventory.records import LAW, CheckUse
from propose.foreign import DraftFault, plain_text, shown

MARK = f"{LAW}: "  # opens each reason against a law, so that a model can be asked for a better one


@dataclass(frozen=True)
class LawTarget:
    """What a law may speak of: the function as its source has it, and those of its module that can be called."""

    function: Function | None
    functions: tuple[str, ...] = ()


def read_law(given: Any, target: LawTarget) -> tuple[CheckUse, tuple[str, ...]] | None:
    """The law of a draft and the siblings that it calls; None where it claims none.

    Raises DraftFault with every reason against the law.
    """
    if given is None or (isinstance(given, str) and not given.strip()):
        return None
    text = plain_text(given, newline=False).strip()
    if target.function is None:
        raise DraftFault("the signature of this target is not known, so a law has no names for its parameters")
    try:
        law = parse_law(text)
    except LawFault as fault:
        raise DraftFault(f"{shown(text)}: {fault}") from None
    fn, siblings = target.function, siblings_of(law, target.function.qualname, target.functions)
    scope = Scope(fn.qualname, tuple(parameter.name for parameter in fn.parameters), siblings)
    reasons = lint(law, scope, fn)
    if reasons:
        raise DraftFault(f"{shown(text)}: {'; '.join(reasons)}")
    return CheckUse(name=LAW, params={LAW: text}), siblings


def against_laws(reasons: Iterable[str]) -> tuple[str, ...]:
    """Those of some reasons that speak against a law."""
    return tuple(reason.removeprefix(MARK) for reason in reasons if reason.startswith(MARK))
