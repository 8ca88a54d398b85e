"""The embedded proposer: candidates from names, signatures and bodies, without a model; pure.

A rule speaks only where something in the source fires it, and quotes that piece as evidence. What a rule
claims may be wrong, which is for the reviewer to see; what it must not be is noise.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from inventory.functions import Function, Parameter
from inventory.law_lint import lint
from inventory.law_names import Scope
from inventory.law_syntax import LawFault, parse_law
from inventory.records import LAW, Candidate, CheckUse
from propose.fitting import Unfit, fitted
from propose.pairs import inverse_of
from propose.subjects import Subject
from propose.views import View, catches_all, copies, is_container, is_name, mutates, sort_key, sorted_call

_MAX_ID = 64
_IDEMPOTENT = (
    *("normalize", "normalise", "canonical", "canonicalize", "canonicalise", "clean", "cleanup", "strip", "trim"),
    *("dedupe", "dedup", "deduplicate", "unique", "sort", "slugify", "slug", "clamp", "sanitize", "sanitise"),
    *("simplify", "collapse", "squeeze", "standardize", "standardise", "tidy", "casefold", "uniq", "truncate"),
)
_SORTING = ("sort", "sorted", "order", "ordered", "rank", "ranked", "toposort")
_UNIQUE = ("dedupe", "dedup", "deduplicate", "unique", "uniq", "distinct")
_COMMUTATIVE = (
    *("add", "sum", "multiply", "mul", "gcd", "lcm", "union", "intersection", "intersect", "xor", "equal", "equals"),
    *("distance", "similarity", "overlap", "overlaps", "hamming", "jaccard", "levenshtein", "dot"),
    *("maximum", "minimum"),
)
_ASSOCIATIVE = (
    *("add", "multiply", "mul", "gcd", "lcm", "union", "intersection", "intersect", "xor", "merge", "combine"),
    *("concat", "concatenate", "compose", "maximum", "minimum"),
)
_DISTANCES = ("distance", "levenshtein", "hamming")
_SHORTENING = ("truncate", "shorten", "abbreviate", "ellipsize", "elide", "limit", "clip")
_LIMITS = ("limit", "width", "length", "max_length", "max_len", "maxlen", "size", "n")
_CUTTING = ("chunk", "chunks", "chunked", "batch", "batched", "batches", "slices", "pieces", "partition")
_SIZES = ("size", "n", "chunk_size", "batch_size", "length", "count", "width")
_LOW = ("lo", "low", "lower", "min", "minimum", "min_value", "lower_bound", "floor")
_HIGH = ("hi", "high", "upper", "max", "maximum", "max_value", "upper_bound", "ceil", "ceiling")
_NEVER_RAISES = re.compile(r"(?i)\b(?:never|does not|doesn't|must not|will not)\s+(?:raise|throw|fail)")
_MIN_STATEMENTS = 2
_BOUNDED = 3


@dataclass(frozen=True)
class Finding:
    """What one rule has to say: the checks, the piece of source that fired it, and the claim in words."""

    rule: str
    checks: tuple[CheckUse, ...]
    evidence: str
    statement: str
    breaks_if: str
    fn: str = ""  # the target where it is another function of the module
    law: str = ""


def propose_by_rules(subjects: Iterable[Subject]) -> list[Candidate]:
    """The candidates for the changed functions that a property can name, in the order given."""
    found: list[Candidate] = []
    for subject in subjects:
        function = subject.function.new if subject.function else None
        if function and subject.targets:
            view = View(function, tuple(f for f in subject.functions if f.is_callable_by_name))
            for finding in _findings(view):
                with suppress(Unfit):  # a name, a line or a key that no file could hold
                    found.append(_candidate(subject.module, function, finding))
    return list({(c.module, c.fn, c.checks): c for c in reversed(found)}.values())[::-1]


def _findings(view: View) -> Iterator[Finding]:
    if view.is_opaque:
        return
    said = [finding for rule in _RULES for finding in rule(view) if _says_something(finding, view)]
    yield from said or _fallback(view)


def _says_something(finding: Finding, view: View) -> bool:
    """Whether nothing speaks against its law: a function with a body of one line may say it itself."""
    scope = Scope(view.function.qualname, tuple(p.name for p in view.function.parameters))
    try:
        return not finding.law or not lint(parse_law(finding.law), scope, view.function)
    except LawFault:
        return False


def _candidate(module: str, function: Function, finding: Finding) -> Candidate:
    fn = finding.fn or function.qualname
    return fitted(
        {
            "id": _id(fn, finding.rule),
            "module": module,
            "fn": fn,
            "checks": (*finding.checks, *([_use(LAW, **{LAW: finding.law})] if finding.law else [])),
            "statement": finding.statement,
            "evidence": finding.evidence,
            "breaks_if": finding.breaks_if,
        }
    )


def _id(fn: str, rule: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "_", fn.lower()).strip("_")
    return (words if words[:1].isalpha() else f"f_{words}")[: _MAX_ID - len(rule) - 1].rstrip("_") + f"_{rule}"


def _use(name: str, **params: Any) -> CheckUse:
    return CheckUse(name=name, params=params)


def _ask(view: View, **instead: str) -> str:
    """The call of the function with its needed parameters, some of them with another value."""
    given = [instead.get(p.name, p.name) for p in view.required]
    return f"{view.function.qualname}({', '.join(given)})"


def _takes_one(view: View) -> bool:
    return bool(view.positional) and len(view.required) <= 1


# -- the rules -------------------------------------------------------------------------


def _roundtrip(view: View) -> Iterator[Finding]:
    names = [f.qualname for f in view.siblings]
    name = view.function.qualname
    inverse = inverse_of(name, names)
    if inverse:
        yield _pair(name, inverse, view.def_line)
    for sibling in view.siblings:
        if sibling.qualname != name and inverse_of(sibling.qualname, names) == name and len(_needed(sibling)) <= 1:
            yield _pair(sibling.qualname, name, view.def_line)
    if _takes_one(view) and any(p.name == "reverse" and not p.required for p in view.function.parameters):
        yield Finding(
            "roundtrip",
            (_use("roundtrip"),),
            view.def_line,
            f"{name} undoes with reverse=False what it did with reverse=True.",
            "one direction drops or changes a part that the other one writes",
        )


def _pair(there: str, back: str, evidence: str) -> Finding:
    return Finding(
        "roundtrip",
        (_use("roundtrip", inverse=back),),
        evidence,
        f"{back} gives back what {there} was given.",
        f"{there} drops or changes a part that {back} needs",
        fn=there,
    )


def _needed(function: Function) -> list[Parameter]:
    return [p for p in function.parameters if p.required]


def _idempotent(view: View) -> Iterator[Finding]:
    is_named = view.words[0] in _IDEMPOTENT or view.words[-1] in _IDEMPOTENT
    if not is_named or view.words[-1] in ("key", "error") or view.positional[0].name in _LOW:
        return
    first, returns = view.positional[0], view.function.returns
    if first.annotation and returns and first.annotation != returns and not _related(first.annotation, returns):
        return
    yield Finding(
        "idempotent",
        (_use("idempotent"),),
        view.def_line,
        f"{view.function.qualname} changes nothing in what it has already put in form.",
        "a second pass finds something left to change",
    )


def _related(given: str, returned: str) -> bool:
    return given.partition("[")[0].lower() == returned.partition("[")[0].lower()


def _bounded(view: View) -> Iterator[Finding]:
    names = [p.name for p in view.positional]
    if len(names) != _BOUNDED or len(view.required) != _BOUNDED:
        return
    low, high = next((n for n in names if n in _LOW), None), next((n for n in names if n in _HIGH), None)
    if low is None or high is None:
        return
    statement = f"The result of {view.function.qualname} lies between {low} and {high}."
    breaks = "a comparison is turned around, or a bound is left out"
    if names[:2] == [low, high]:
        checks = (_use("lo_le_hi"), _use("output_in_range"))
        yield Finding("bounds", checks, view.def_line, statement, breaks)
    else:
        claim = f"{low} > {high} or {low} <= {_ask(view)} <= {high}"
        yield Finding("in_bounds", (), view.def_line, statement, breaks, law=claim)


def _ordered(view: View) -> Iterator[Finding]:
    for returned in (n for n in view.nodes if isinstance(n, ast.Return)):
        if (call := sorted_call(view, returned.value)) is not None:
            yield from _sorting(view, call)
            return
    if view.words[0] in _SORTING and _takes_one(view) and is_container(view.positional[0].annotation):
        statement = f"{view.function.qualname} gives back all items of its input."
        breaks = "an item is lost or doubled on the way"
        yield Finding("permutation", (_use("is_permutation"),), view.def_line, statement, breaks)


def _sorting(view: View, call: ast.Call) -> Iterator[Finding]:
    order = _order(call)
    checks = [] if order is None else [_use("is_sorted", **order)]
    if call.args and any(is_name(call.args[0], p.name) for p in view.positional):
        checks.append(_use("is_permutation"))
    if checks and _takes_one(view):
        statement = f"The result of {view.function.qualname} is in order" + (
            " and holds all items of the input." if len(checks) > 1 else "."
        )
        yield Finding("sorted", tuple(checks), view.line_of(call), statement, "the key or the direction changes")


def _order(call: ast.Call) -> dict[str, Any] | None:
    """The parameters of `is_sorted` that say what a call sorts by; None where they cannot."""
    found: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg == "reverse" and isinstance(keyword.value, ast.Constant):
            found |= {"reverse": True} if keyword.value.value is True else {}
        elif keyword.arg == "key" and (key := sort_key(keyword.value)) is not None:
            found["key"] = key
        else:
            return None
    return found


def _distinct(view: View) -> Iterator[Finding]:
    if set(view.words) & set(_UNIQUE) and _takes_one(view):
        yield Finding(
            "unique",
            (_use("no_duplicates"), _use("subset_of_input")),
            view.def_line,
            f"{view.function.qualname} gives items of its input, none of them twice.",
            "equal items are told apart, or an item is made up",
        )


def _algebra(view: View) -> Iterator[Finding]:
    if len(view.required) != 2 or len(view.positional) < 2:
        return
    first, second = view.positional[:2]
    if first.annotation != second.annotation:
        return
    name, words = view.function.qualname, set(view.words)
    if words & set(_COMMUTATIVE):
        statement = f"{name} does not care which of its two inputs comes first."
        yield Finding(
            "commutative", (_use("commutative"),), view.def_line, statement, "the two inputs are treated unlike"
        )
    is_closed = view.function.returns is None or view.function.returns == first.annotation
    if words & set(_ASSOCIATIVE) and is_closed:
        statement = f"{name} gives the same however three inputs are grouped."
        yield Finding("associative", (_use("associative"),), view.def_line, statement, "a part of one input gets lost")


def _same_is_none(view: View) -> Iterator[Finding]:
    if len(view.required) != 2 or not set(view.words) & set(_DISTANCES):
        return
    first, second = (p.name for p in view.required)
    claim = f"{_ask(view, **{second: first})} == 0 and {_ask(view)} >= 0"
    statement = f"{view.function.qualname} is 0 between a thing and itself, and never negative."
    yield Finding("distance", (), view.def_line, statement, "equal parts are counted as different", law=claim)


def _limited(view: View) -> Iterator[Finding]:
    limit = next((p.name for p in view.required[1:] if p.name in _LIMITS), None)
    if limit is None or not set(view.words) & set(_SHORTENING):
        return
    first = view.required[0].name
    claim = f"len({_ask(view)}) <= max({limit}, 0) and (len({first}) > {limit} or {_ask(view)} == {first})"
    statement = f"{view.function.qualname} gives at most {limit}, and leaves alone what is short enough."
    yield Finding("limited", (), view.def_line, statement, "the limit is off by one, or what fits is cut", law=claim)


def _pieces(view: View) -> Iterator[Finding]:
    size = next((p.name for p in view.required[1:] if p.name in _SIZES), None)
    if size is None or len(view.required) != 2 or not set(view.words) & set(_CUTTING):
        return
    first = view.required[0].name
    claim = f"[item for part in {_ask(view)} for item in part] == list({first})"
    statement = f"The pieces of {view.function.qualname} put together are its input."
    yield Finding("pieces", (), view.def_line, statement, "the last, shorter piece is lost", law=claim)


def _safe(view: View) -> Iterator[Finding]:
    line = next((line.strip() for line in view.lines if _NEVER_RAISES.search(line)), None)
    catches = [n for n in view.nodes if isinstance(n, ast.ExceptHandler) and catches_all(n)]
    is_predicate = view.words[0] in ("is", "has") and view.function.returns == "bool" and _takes_one(view)
    evidence = line or (view.line_of(catches[0]) if catches else view.def_line if is_predicate else None)
    if evidence:
        checks = (_use("never_raises"), _use("returns_type", type="bool")) if is_predicate else (_use("never_raises"),)
        statement = f"{view.function.qualname} gives an answer for every input and never raises."
        yield Finding("never_raises", checks, evidence, statement, "an odd input reaches code that is not ready for it")


def _untouched(view: View) -> Iterator[Finding]:
    for parameter in view.positional:
        if any(mutates(node, parameter.name) for node in view.nodes):
            return
    copied = next((n for n in view.nodes if any(copies(n, p.name) for p in view.positional)), None)
    if copied is not None and _takes_one(view):
        statement = f"{view.function.qualname} leaves its input as it was."
        breaks = "it works on the input itself in place of a copy"
        yield Finding("keeps_input", (_use("does_not_mutate"),), view.line_of(copied), statement, breaks)


def _fallback(view: View) -> Iterator[Finding]:
    """For a computing function about which nothing else is known: it depends on its input alone, and leaves it."""
    if len(view.statements) < _MIN_STATEMENTS or not _takes_one(view):
        return
    returned = [n for n in view.nodes if isinstance(n, ast.Return) and n.value is not None]
    name = view.function.qualname
    keeps = is_container(view.positional[0].annotation) and not any(
        mutates(n, view.positional[0].name) for n in view.nodes
    )
    checks = (_use("deterministic"), _use("does_not_mutate")) if keeps else (_use("deterministic"),)
    statement = f"{name} depends on its input alone" + (" and leaves it as it was." if keeps else ".")
    breaks = "the order of a set, a cache or a default that is kept leaks into the result"
    yield Finding("deterministic", checks, view.line_of(returned[-1]), statement, breaks)


_RULES: tuple[Callable[[View], Iterator[Finding]], ...] = (
    *(
        _roundtrip,
        _idempotent,
        _bounded,
        _ordered,
        _distinct,
        _algebra,
        _same_is_none,
        _limited,
        _pieces,
        _safe,
        _untouched,
    ),
)
