"""Whether a law is worth a reviewer's time, told without running it: each reason says what to write instead; pure."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import pairwise

from inventory.functions import Function
from inventory.law_functions import FUNCTIONS
from inventory.law_names import Scope, faults_of_names
from inventory.law_syntax import Law, parse_law


def lint(law: Law, scope: Scope, function: Function | None = None) -> tuple[str, ...]:
    """Every reason against a law of this scope; `function` is the target where its source is known.

    A law that cannot be evaluated is judged no further.
    """
    return faults_of_names(law, scope) or tuple(reason for rule in _RULES for reason in rule(law, scope, function))


def objections(texts: Sequence[str], scope: Scope, function: Function | None = None) -> tuple[str, ...]:
    """Every reason against the laws of one candidate or property, each with its law; parsable texts only."""
    laws = [parse_law(text) for text in texts]
    told = [f"{law.text}: {reason}" for law in laws for reason in lint(law, scope, function)]
    called = {scope.function(call.func) for law in laws for call in law.calls}
    idle = [name for name in scope.siblings if name not in called]
    return (*told, *(f"siblings lists {name}, which no law calls: leave it out" for name in idle))


def parts_of(node: ast.expr, kind: type[ast.boolop] = ast.And) -> list[ast.expr]:
    """The parts of a conjunction (or, with ast.Or, of a disjunction), or the node alone."""
    return node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, kind) else [node]


def asks(node: ast.AST, scope: Scope) -> list[ast.Call]:
    """The calls of the target in a tree."""
    calls = (n for n in ast.walk(node) if isinstance(n, ast.Call))
    return [call for call in calls if scope.function(call.func) == scope.target]


# -- the rules -------------------------------------------------------------------------------


def _silent(law: Law, scope: Scope, _function: Function | None) -> Iterator[str]:
    if not asks(law.tree, scope):
        yield f"it never calls {scope.target}: say something about what {_call(scope)} gives"


def _alike(law: Law, scope: Scope, _function: Function | None) -> Iterator[str]:
    for node in ast.walk(law.tree):
        is_close = isinstance(node, ast.Call) and scope.word(node.func) == "close"
        if isinstance(node, ast.Compare) or is_close:
            sides = [ast.unparse(side) for side in ast.iter_child_nodes(node) if isinstance(side, ast.expr)][is_close:]
            same = next((a for a, b in pairwise(sides) if a == b), None)
            if same is not None:
                yield f"both sides are {same}: that holds whatever {scope.target} does"
                return


def _decided(law: Law, scope: Scope, _function: Function | None) -> Iterator[str]:
    for node in ast.walk(law.tree):
        constant = next((value for value in _deciding(node) if _is_fixed(value, scope)), None)
        if constant is not None:
            yield f"{ast.unparse(constant)} decides a part of it by itself: leave it out"
            return
        if isinstance(node, ast.comprehension) and ast.unparse(node.iter) in _NOTHING:
            yield f"it goes through {ast.unparse(node.iter)}, which has no items: that says nothing"
            return
    if any(map(_never_negative, ast.walk(law.tree))):
        yield f"a length is never negative: that holds whatever {scope.target} does"


_NOTHING = ("[]", "()", "{}", "''")


def _deciding(node: ast.AST) -> Sequence[ast.expr]:
    """The parts of a node that choose what else of it counts."""
    if isinstance(node, ast.BoolOp):
        return node.values
    if isinstance(node, ast.IfExp):
        return [node.test]
    return node.ifs if isinstance(node, ast.comprehension) else []


def _is_fixed(node: ast.expr, scope: Scope) -> bool:
    """Whether a node is the same for every sample; `or []` is let in, for it stands for a missing answer."""
    names = [n.id for n in ast.walk(node) if isinstance(n, ast.Name)]
    known = {*scope.parameters, *scope.functions}
    return not _is_display(node) and all(name in FUNCTIONS and name not in known for name in names)


def _is_display(node: ast.AST) -> bool:
    return isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.Dict))


def _never_negative(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return False
    left, right = node.left, node.comparators[0]
    size, bound = (left, right) if isinstance(node.ops[0], ast.GtE) else (right, left)
    is_order = isinstance(node.ops[0], (ast.GtE, ast.LtE))
    is_size = isinstance(size, ast.Call) and isinstance(size.func, ast.Name) and size.func.id in ("len", "abs")
    return is_order and is_size and isinstance(bound, ast.Constant) and bound.value == 0


def _copied(law: Law, scope: Scope, function: Function | None) -> Iterator[str]:
    bodies = {ast.unparse(body) for body in _bodies(function, scope)} if function else set()
    for part in parts_of(law.tree):
        if isinstance(part, ast.Compare) and len(part.ops) == 1 and isinstance(part.ops[0], ast.Eq):
            sides = (part.left, part.comparators[0])
            for side, other in (sides, sides[::-1]):
                if _is_plain_ask(side, scope) and ast.unparse(other) in bodies:
                    yield (
                        f"{ast.unparse(other)} is the body of {scope.target} written again:"
                        " say what must hold however it is computed"
                    )
                    return


def _is_plain_ask(node: ast.expr, scope: Scope) -> bool:
    """Whether a node is the target called with its own parameters, in order."""
    if not isinstance(node, ast.Call) or scope.function(node.func) != scope.target or node.keywords:
        return False
    names = [arg.id for arg in node.args if isinstance(arg, ast.Name)]
    return len(names) == len(node.args) and tuple(names) == scope.parameters[: len(names)]


def _bodies(function: Function, scope: Scope) -> Iterator[ast.expr]:
    """The whole body as one expression, where it is one, and every returned one that does not call the target."""
    with suppress(SyntaxError, ValueError, RecursionError):
        [*_, node] = ast.parse(textwrap.dedent(function.source)).body
        statements = [s for s in getattr(node, "body", []) if not _is_text(s)]
        whole = _as_expression(statements)
        if whole is not None:
            yield whole
        for found in ast.walk(node):
            value = found.value if isinstance(found, ast.Return) else None
            if value is not None and not isinstance(value, (ast.Name, ast.Constant)) and not asks(value, scope):
                yield value


def _as_expression(statements: Sequence[ast.stmt]) -> ast.expr | None:
    """`if c: return a` and `return b` as `a if c else b`; None for a body that says more."""
    if not statements:
        return None
    first, rest = statements[0], statements[1:]
    if isinstance(first, ast.Return):
        return first.value
    if not isinstance(first, ast.If):
        return None
    body, otherwise = _as_expression(first.body), _as_expression(first.orelse or rest)
    return ast.IfExp(first.test, body, otherwise) if body and otherwise else None


def _is_text(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _typed(law: Law, scope: Scope, _function: Function | None) -> Iterator[str]:
    if all(_is_type_test(part) for either in parts_of(law.tree) for part in parts_of(either, ast.Or)):
        yield f"it tests only the type of what {_call(scope)} gives, or that there is something: say what value it has"


def _is_type_test(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return _is_type_test(node.operand)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        sides = (node.left, node.comparators[0])
        return any(isinstance(side, ast.Constant) and side.value is None for side in sides)
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance"


def _example(law: Law, scope: Scope, _function: Function | None) -> Iterator[str]:
    calls = asks(law.tree, scope)
    if not calls or not scope.parameters:
        return
    given = [[*call.args, *(keyword.value for keyword in call.keywords)] for call in calls]
    if all(args and all(map(_is_literal, args)) for args in given):
        yield f"{ast.unparse(calls[0])} is an example, not a law: write {_call(scope)}, which every sample fills in"
    elif not any(isinstance(n, ast.Name) and n.id in scope.parameters for n in ast.walk(law.tree)):
        yield f"it names no parameter, so every sample says the same: write {_call(scope)}"


def _is_literal(node: ast.expr) -> bool:
    allowed = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.expr_context)
    return all(isinstance(n, allowed) for n in ast.walk(node))


def _whatever_goes_wrong(law: Law, scope: Scope, _function: Function | None) -> Iterator[str]:
    for call in law.calls:
        named = call.args[0] if scope.word(call.func) == "raises" else None
        if isinstance(named, ast.Constant) and named.value in ("Exception", "BaseException"):
            yield f"{named.value} is every mistake as well: name the exception that is meant"
            return


def _call(scope: Scope) -> str:
    return f"{scope.target}({', '.join(scope.parameters)})"


_RULES: tuple[Callable[[Law, Scope, Function | None], Iterator[str]], ...] = (
    *(_silent, _alike, _decided, _copied, _typed, _example, _whatever_goes_wrong),
)
