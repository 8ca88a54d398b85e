"""The check `law`: one law judged on one sample, with words for what was asked and answered; pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from inventory.law_binding import bound
from inventory.law_budget import Budget, Overspent, Senseless
from inventory.law_eval import Evaluation
from inventory.law_names import Scope, faults_of_names
from inventory.law_syntax import Law, LawFault, parse_law
from inventory.target import BadCheck, BadSample, Function, Raised
from inventory.values import NotPlain, difference, shown

_MOST_CALLS = 4
_LOCAL = 60


def law(fn: Function, sample: Any, law: str) -> None:
    """An expression over the function and its parameters, read like algebra, is true."""
    parameters = fn.around.parameters
    if parameters is None:
        fn.on(sample)  # which is red where the function is gone
        raise BadCheck(f"the parameters of {fn.name} are not known")
    scope = Scope(fn.name, tuple(parameter.name for parameter in parameters), fn.around.siblings)
    judge(_read(law, scope), scope, fn, bound(fn.name, parameters, fn.call, sample))


def judge(law: Law, scope: Scope, fn: Function, names: Mapping[str, Any]) -> None:
    """Judge a law on the values of its parameters.

    Raises AssertionError where it does not hold, or where it makes no sense on what production answered; Raised
    where production raises; BadSample for a sample that gives too little; BadCheck where the law itself is at fault.
    """
    evaluation = Evaluation(scope, lambda name, args, kwargs: fn.named(name)(*args, **kwargs), Budget())
    try:
        found = evaluation.value(law.tree, names)
    except Raised as raised:
        raised.within = next(reversed(evaluation.answered), "")
        raise
    except Senseless as senseless:
        raise _fault(law, str(senseless), evaluation) from None
    except NotPlain as refused:
        raise AssertionError(f"{law.text}: {refused}{_calls(evaluation)}") from None
    except Overspent as overspent:
        raise BadCheck(f"{law.text}: {overspent}") from None
    except KeyError as unknown:
        raise BadSample(f"the sample gives no {unknown.args[0]}, which the law names") from None
    if type(found) is not bool:
        raise _fault(law, f"it gives {shown(found, 80)}, neither True nor False", evaluation)
    if not found:
        raise AssertionError(f"{law.text} is false{_why(evaluation, names)}{_calls(evaluation)}")


def _read(text: str, scope: Scope) -> Law:
    try:
        law = parse_law(text)
    except LawFault as fault:
        raise BadCheck(str(fault)) from None
    faults = faults_of_names(law, scope)
    if faults:
        raise BadCheck(f"{law.text}: {'; '.join(faults)}")
    return law


def _fault(law: Law, why: str, evaluation: Evaluation) -> Exception:
    """What makes no sense once production has answered is a miss, as a wrong answer is; before, the law's own fault."""
    kind = AssertionError if evaluation.answered else BadCheck
    return kind(f"{law.text}: {why}{_calls(evaluation)}")


def _why(evaluation: Evaluation, given: Mapping[str, Any]) -> str:
    if evaluation.missed is None:
        return ""
    sign, left, right, names = evaluation.missed
    found = difference(left, right) if sign == "==" else None
    local = [f"{name} = {shown(value, _LOCAL)}" for name, value in names.items() if name not in given]
    where = f" with {', '.join(local)}" if local else ""
    return f": {found or f'{shown(left, 120)} {sign} {shown(right, 120)} does not hold'}{where}"


def _calls(evaluation: Evaluation) -> str:
    """The last few calls and their values."""
    answered = [f"{call} {value}" for call, value in evaluation.answered.items()]
    kept = answered[-_MOST_CALLS:]
    more = f"; and {len(answered) - len(kept)} more before" if len(answered) > len(kept) else ""
    return "".join(f"; {told}" for told in kept) + more
