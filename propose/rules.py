"""The embedded proposer: candidates from names, signatures and bodies, without a model; pure.

A rule speaks only where something in the source fires it, and quotes that piece as evidence. What a rule
claims may be wrong, which is for the reviewer to see; what it must not be is noise.
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from inventory.records import Candidate, CheckUse, NewCheck
from propose.functions import Function, Parameter
from propose.pairs import inverse_of
from propose.production import Subject

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
    *("distance", "similarity", "overlap", "overlaps", "hamming", "jaccard", "levenshtein", "dot", "maximum", "minimum"),
)
_ASSOCIATIVE = (
    *("add", "multiply", "mul", "gcd", "lcm", "union", "intersection", "intersect", "xor", "merge", "combine"),
    *("concat", "concatenate", "compose", "maximum", "minimum"),
)
_LOW = ("lo", "low", "lower", "min", "minimum", "min_value", "lower_bound", "floor")
_HIGH = ("hi", "high", "upper", "max", "maximum", "max_value", "upper_bound", "ceil", "ceiling")
_CONTAINERS = ("list", "dict", "set", "Sequence", "Mapping", "MutableMapping", "MutableSequence", "Iterable", "List", "Dict")
_MUTATORS = (
    *("append", "extend", "insert", "remove", "pop", "popitem", "clear", "sort", "reverse", "update", "setdefault"),
    *("add", "discard", "appendleft", "popleft"),
)
_IMPURE = re.compile(
    r"\b(?:open|print|input|exec|eval|random|secrets|time|datetime|date|os|sys|subprocess|socket|requests|urllib|httpx"
    r"|shutil|threading|asyncio|logging|logger|log|uuid|uuid4|urandom|global|nonlocal|session|cursor|conn|request"
    r"|Path|tempfile|environ|click|typer|console)\b(?=\s*[.(\[]|\s+\w)"
)
_NEVER_RAISES = re.compile(r"(?i)\b(?:never|does not|doesn't|must not|will not)\s+(?:raise|throw|fail)")
_PURE_DECORATORS = ("staticmethod", "classmethod", "cache", "lru_cache", "functools.cache", "functools.lru_cache", "overload")
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
    new_checks: tuple[NewCheck, ...] = ()


def propose_by_rules(subjects: Iterable[Subject]) -> list[Candidate]:
    """The candidates for the changed functions that a property can name, in the order given."""
    found: list[Candidate] = []
    for subject in subjects:
        function = subject.function.new if subject.function else None
        if function and subject.targets:
            view = _View(function, tuple(f for f in subject.functions if f.is_callable_by_name))
            found += [_candidate(subject.module, function, finding) for finding in _findings(view)]
    return found


def _findings(view: _View) -> Iterator[Finding]:
    if view.is_opaque:
        return
    said = [finding for rule in _RULES for finding in rule(view)]
    yield from said or _fallback(view)


def _candidate(module: str, function: Function, finding: Finding) -> Candidate:
    fn = finding.fn or function.qualname
    return Candidate(
        id=_id(fn, finding.rule),
        module=module,
        fn=fn,
        checks=finding.checks,
        statement=finding.statement,
        evidence=finding.evidence,
        breaks_if=finding.breaks_if,
        new_checks=finding.new_checks,
    )


def _id(fn: str, rule: str) -> str:
    words = re.sub(r"[^a-z0-9]+", "_", fn.lower()).strip("_")
    return (words if words[:1].isalpha() else f"f_{words}")[: _MAX_ID - len(rule) - 1].rstrip("_") + f"_{rule}"


@dataclass(frozen=True)
class _View:
    """A function as the rules look at it."""

    function: Function
    siblings: tuple[Function, ...] = field(default=())

    @property
    def words(self) -> list[str]:
        return self.function.name.strip("_").lower().split("_")

    @property
    def positional(self) -> list[Parameter]:
        return [p for p in self.function.parameters if p.kind == "positional"]

    @property
    def required(self) -> list[Parameter]:
        return [p for p in self.function.parameters if p.required]

    @cached_property
    def lines(self) -> list[str]:
        return self.function.source.split("\n")

    @cached_property
    def node(self) -> ast.FunctionDef | None:
        try:
            body = ast.parse(textwrap.dedent(self.function.source)).body
        except (SyntaxError, ValueError, RecursionError):
            return None
        return next((n for n in reversed(body) if isinstance(n, ast.FunctionDef)), None)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.node)) if self.node else []

    @property
    def statements(self) -> list[ast.stmt]:
        body = self.node.body if self.node else []
        return body[1:] if self.function.docstring is not None else body

    @property
    def is_opaque(self) -> bool:
        """Nothing that a check could see: no result, no input, an unknown decorator, the outside world."""
        returns = [n for n in self.nodes if isinstance(n, ast.Return) and n.value is not None]
        decorated = any(d.partition("(")[0] not in _PURE_DECORATORS for d in self.function.decorators)
        is_stub = not self.statements or all(isinstance(s, ast.Raise | ast.Pass) for s in self.statements)
        body = "\n".join(ast.unparse(s) for s in self.statements)
        return not (returns and self.positional) or decorated or is_stub or bool(_IMPURE.search(body))

    @property
    def def_line(self) -> str:
        """The `def` line, verbatim."""
        return next(line.strip() for line in reversed(self.lines) if re.match(r"\s*def\s", line))

    def line_of(self, node: ast.AST) -> str:
        """The first line of a node, verbatim."""
        return self.lines[getattr(node, "lineno", 1) - 1].strip()


def _use(name: str, **params: Any) -> CheckUse:
    return CheckUse(name=name, params=params)


def _takes_one(view: _View) -> bool:
    return bool(view.positional) and len(view.required) <= 1


# -- the rules -------------------------------------------------------------------------


def _roundtrip(view: _View) -> Iterator[Finding]:
    names = [f.qualname for f in view.siblings]
    name = view.function.qualname
    inverse = inverse_of(name, names)
    if inverse:
        yield _pair(view, name, inverse, view.def_line)
    for sibling in view.siblings:
        if sibling.qualname != name and inverse_of(sibling.qualname, names) == name and len(_needed(sibling)) <= 1:
            yield _pair(view, sibling.qualname, name, view.def_line)
    if _takes_one(view) and any(p.name == "reverse" and not p.required for p in view.function.parameters):
        yield Finding(
            "roundtrip",
            (_use("roundtrip"),),
            view.def_line,
            f"{name} undoes with reverse=False what it did with reverse=True.",
            "one direction drops or changes a part that the other one writes",
        )


def _pair(view: _View, there: str, back: str, evidence: str) -> Finding:
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


def _idempotent(view: _View) -> Iterator[Finding]:
    if view.words[0] not in _IDEMPOTENT and view.words[-1] not in _IDEMPOTENT or view.words[-1] in ("key", "error"):
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


def _bounded(view: _View) -> Iterator[Finding]:
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
    elif not _named_idempotent(view):
        wish = NewCheck(name="between_named_bounds", statement=f"{low} <= fn({', '.join(names)}) <= {high}")
        yield Finding("in_bounds", (_use("idempotent"),), view.def_line, statement, breaks, new_checks=(wish,))


def _named_idempotent(view: _View) -> bool:
    return any(True for _ in _idempotent(view))


def _ordered(view: _View) -> Iterator[Finding]:
    for returned in (n for n in view.nodes if isinstance(n, ast.Return)):
        if (call := _sorted_call(view, returned.value)) is not None:
            yield from _sorting(view, call)
            return
    if view.words[0] in _SORTING and _takes_one(view) and _is_container(view.positional[0].annotation):
        statement = f"{view.function.qualname} gives back all items of its input."
        breaks = "an item is lost or doubled on the way"
        yield Finding("permutation", (_use("is_permutation"),), view.def_line, statement, breaks)


def _sorted_call(view: _View, value: ast.expr | None) -> ast.Call | None:
    """The call that put the returned value in order: `sorted(…)` itself, or `.sort(…)` on the returned name."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "sorted" and value.args:
        return value
    if not isinstance(value, ast.Name):
        return None
    calls = [n for n in view.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Attribute)]
    sorts = [c for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr == "sort"]
    return next((c for c in sorts if isinstance(c.func, ast.Attribute) and _is_name(c.func.value, value.id)), None)


def _sorting(view: _View, call: ast.Call) -> Iterator[Finding]:
    order = _order(call)
    checks = [] if order is None else [_use("is_sorted", **order)]
    if call.args and any(_is_name(call.args[0], p.name) for p in view.positional):
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
        elif keyword.arg == "key" and (key := _key(keyword.value)) is not None:
            found["key"] = key
        else:
            return None
    return found


def _key(value: ast.expr) -> str | int | None:
    """The field or index that a key function takes: `lambda x: x["k"]`, `lambda x: x.k`, `itemgetter(0)`."""
    if isinstance(value, ast.Lambda):
        body = value.body
        if isinstance(body, ast.Attribute) and isinstance(body.value, ast.Name):
            return body.attr
        return _constant(body.slice) if isinstance(body, ast.Subscript) and isinstance(body.value, ast.Name) else None
    if isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in ("itemgetter", "attrgetter"):
        return _constant(value.args[0]) if len(value.args) == 1 else None
    return None


def _constant(value: ast.expr) -> str | int | None:
    found = value.value if isinstance(value, ast.Constant) else None
    return found if isinstance(found, str) or type(found) is int else None


def _distinct(view: _View) -> Iterator[Finding]:
    if set(view.words) & set(_UNIQUE) and _takes_one(view):
        yield Finding(
            "unique",
            (_use("no_duplicates"), _use("subset_of_input")),
            view.def_line,
            f"{view.function.qualname} gives items of its input, none of them twice.",
            "equal items are told apart, or an item is made up",
        )


def _algebra(view: _View) -> Iterator[Finding]:
    if len(view.required) != 2 or len(view.positional) < 2:  # noqa: PLR2004
        return
    first, second = view.positional[:2]
    if first.annotation != second.annotation:
        return
    name, words = view.function.qualname, set(view.words)
    if words & set(_COMMUTATIVE):
        statement = f"{name} does not care which of its two inputs comes first."
        yield Finding("commutative", (_use("commutative"),), view.def_line, statement, "the two inputs are treated unlike")
    is_closed = view.function.returns is None or view.function.returns == first.annotation
    if words & set(_ASSOCIATIVE) and is_closed:
        statement = f"{name} gives the same however three inputs are grouped."
        yield Finding("associative", (_use("associative"),), view.def_line, statement, "a part of one input gets lost")


def _safe(view: _View) -> Iterator[Finding]:
    line = next((line.strip() for line in view.lines if _NEVER_RAISES.search(line)), None)
    catches = [n for n in view.nodes if isinstance(n, ast.ExceptHandler) and _catches_all(n)]
    is_predicate = view.words[0] in ("is", "has") and view.function.returns == "bool" and _takes_one(view)
    evidence = line or (view.line_of(catches[0]) if catches else view.def_line if is_predicate else None)
    if evidence:
        checks = (_use("never_raises"), _use("returns_type", type="bool")) if is_predicate else (_use("never_raises"),)
        statement = f"{view.function.qualname} gives an answer for every input and never raises."
        yield Finding("never_raises", checks, evidence, statement, "an odd input reaches code that is not ready for it")


def _catches_all(handler: ast.ExceptHandler) -> bool:
    is_wide = handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")
    return is_wide and not any(isinstance(n, ast.Raise) for n in ast.walk(handler))


def _untouched(view: _View) -> Iterator[Finding]:
    for parameter in view.positional:
        if any(_mutates(node, parameter.name) for node in view.nodes):
            return
    copied = next((n for n in view.nodes if any(_copies(n, p.name) for p in view.positional)), None)
    if copied is not None and _takes_one(view):
        statement = f"{view.function.qualname} leaves its input as it was."
        breaks = "it works on the input itself in place of a copy"
        yield Finding("keeps_input", (_use("does_not_mutate"),), view.line_of(copied), statement, breaks)


def _mutates(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _MUTATORS:
        return _is_name(node.func.value, name)
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        return _is_name(node.value, name)
    return isinstance(node, ast.AugAssign) and _is_name(node.target, name)


def _copies(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Call) and len(node.args) == 1 and _is_name(node.args[0], name):
        return ast.unparse(node.func) in ("dict", "list", "set", "copy.copy", "copy.deepcopy", "deepcopy", "copy")
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "copy":
        return _is_name(node.func.value, name)
    if isinstance(node, ast.Dict):
        return any(k is None and _is_name(v, name) for k, v in zip(node.keys, node.values, strict=True))
    return isinstance(node, ast.List) and any(isinstance(e, ast.Starred) and _is_name(e.value, name) for e in node.elts)


def _fallback(view: _View) -> Iterator[Finding]:
    """For a computing function about which nothing else is known: it depends on its input alone, and leaves it."""
    if len(view.statements) < _MIN_STATEMENTS or not _takes_one(view):
        return
    returned = [n for n in view.nodes if isinstance(n, ast.Return) and n.value is not None]
    name = view.function.qualname
    keeps = _is_container(view.positional[0].annotation) and not any(
        _mutates(n, view.positional[0].name) for n in view.nodes
    )
    checks = (_use("deterministic"), _use("does_not_mutate")) if keeps else (_use("deterministic"),)
    statement = f"{name} depends on its input alone" + (" and leaves it as it was." if keeps else ".")
    breaks = "the order of a set, a cache or a default that is kept leaks into the result"
    yield Finding("deterministic", checks, view.line_of(returned[-1]), statement, breaks)


def _is_container(annotation: str | None) -> bool:
    return annotation is not None and annotation.partition("[")[0].rpartition(".")[2] in _CONTAINERS


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


_RULES: tuple[Callable[[_View], Iterator[Finding]], ...] = (
    *(_roundtrip, _idempotent, _bounded, _ordered, _distinct, _algebra, _safe, _untouched),
)
