"""Enumerates what could be true of a function: relations and named checks that fit the kinds of its values; pure."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

from inventory.functions import Function
from inventory.law_lint import lint
from inventory.law_names import Scope
from inventory.law_syntax import Law, LawFault, parse_law
from inventory.records import LAW, CheckUse
from review.kinds import OTHER, Signature
from review.relations import NAMED, ONE, OTHERS, lines
from review.relations_of_two import OTHERS_OF_TWO, TWO

_MOST_OTHERS = 12
_MOST_GIVEN = 4
_LETTERS = "yzwvuabcdefghijklmnopqrst"


@dataclass(frozen=True)
class Conjecture:
    """One thing that could be true. `relation` is what it is an instance of; smaller `size` reads more easily.

    `about` are the parameters that stand for its x and k. `elsewhere` are its calls with other inputs than the
    samples, or of other functions: those that nobody knows to end. `by_number` are laws with a number that was seen.
    """

    use: CheckUse
    relation: str
    size: int
    siblings: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    elsewhere: frozenset[str] = frozenset()
    by_number: bool = False

    @property
    def text(self) -> str:
        """A law as it stands, or the name of a check."""
        return self.use.law or self.use.name


def conjectures(signature: Signature, function: Function, others: Sequence[Function]) -> tuple[Conjecture, ...]:
    """Everything that is tried of a function, in a fixed order, nothing twice; `others` are those of its module."""
    found: dict[str, Conjecture] = {}
    for conjecture in (*_named(signature), *_laws(signature, function, others)):
        found.setdefault(f"{conjecture.text} {conjecture.siblings}", conjecture)
    return tuple(found.values())


# -- named checks ------------------------------------------------------------------------


def _named(signature: Signature) -> Iterator[Conjecture]:
    name, first = next(iter(signature.given.items()), ("", ""))
    about = (name,)
    for check in (*NAMED["any"], *NAMED.get(signature.answer, ())):
        if first == "list" or check not in ("is_permutation", "same_length", "subset_of_input"):
            yield Conjecture(CheckUse(name=check), check, 1, about=about)
    if first == signature.answer != OTHER:
        twice = frozenset({f"{signature.name}({signature.name}({name}))"})
        yield from (Conjecture(CheckUse(name=c), c, 1, about=about, elsewhere=twice) for c in NAMED["same"])
    if signature.is_json:
        yield Conjecture(CheckUse(name="json_text"), "json_text", 1, about=about)
    if signature.answer == "mapping" and signature.keys:
        yield Conjecture(CheckUse(name="has_keys", params={"keys": list(signature.keys)}), "has_keys", 2, about=about)
    if signature.answer == "list":
        yield Conjecture(CheckUse(name="is_sorted", params={"reverse": True}), "is_sorted reverse", 2, about=about)


# -- laws --------------------------------------------------------------------------------


def _laws(signature: Signature, function: Function, others: Sequence[Function]) -> Iterator[Conjecture]:
    parameters = tuple(p.name for p in function.parameters)
    for relation, roles, other in _instances(signature, function, others):
        text = _written(_guarded(_Filled(signature, roles, other).visit(_parsed(relation)), signature))
        siblings = (other,) if other else ()
        try:
            law = parse_law(text)
        except LawFault:
            continue
        if not lint(law, Scope(function.qualname, parameters, siblings), function):
            use, about = CheckUse(name=LAW, params={LAW: text}), tuple(roles.values())
            elsewhere = _elsewhere(law, signature, siblings)
            by_number = relation in signature.sizes
            yield Conjecture(use, relation, len(text), siblings, about, elsewhere, by_number)


def _guarded(law: ast.expr, signature: Signature) -> ast.expr:
    """The law, of those inputs to which the function has an answer."""
    if not signature.optional:
        return law
    none = ast.Compare(_Filled(signature, {}, "").call([]), [ast.Is()], [ast.Constant(None)])
    return ast.BoolOp(ast.Or(), [none, law])


def _elsewhere(law: Law, signature: Signature, siblings: Sequence[str]) -> frozenset[str]:
    names = {signature.name, *siblings}
    calls = {ast.unparse(call) for call in law.calls if ast.unparse(call.func) in names}
    return frozenset(calls - {ast.unparse(_Filled(signature, {}, "").call([]))})


def _instances(
    signature: Signature, function: Function, others: Sequence[Function]
) -> Iterator[tuple[str, Mapping[str, str], str]]:
    given, answer = dict(list(signature.given.items())[:_MOST_GIVEN]), signature.answer
    near = [other.qualname for other in others if other.is_callable_by_name and other.qualname != function.qualname]
    for x, kind in given.items():
        yield from ((relation, {"x": x}, "") for relation in lines(ONE.get((kind, answer), "")))
    for x in list(given)[:1]:
        yield from ((relation, {"x": x}, "") for relation in signature.sizes)
    for x, k in permutations(given, 2):
        relations = TWO.get((given[x], given[k], answer), "")
        yield from ((relation, {"x": x, "k": k}, "") for relation in lines(relations))
    for other in near[:_MOST_OTHERS]:
        for x in list(given)[:1]:
            yield from ((relation, {"x": x}, other) for relation in OTHERS)
        for x, k in list(permutations(given, 2))[:1]:
            yield from ((relation, {"x": x, "k": k}, other) for relation in OTHERS_OF_TWO)


_PARSED: dict[str, ast.expr] = {}


def _parsed(relation: str) -> ast.expr:
    if relation not in _PARSED:
        _PARSED[relation] = ast.parse(relation, mode="eval").body
    return copy.deepcopy(_PARSED[relation])


class _Filled(ast.NodeTransformer):
    """Puts the names of a function and its parameters in the place of F, x and k."""

    def __init__(self, signature: Signature, roles: Mapping[str, str], other: str) -> None:
        self._signature, self._roles, self._other = signature, roles, other
        taken = {*signature.given, *roles.values(), *signature.name.split("."), *other.split(".")}
        self._free = [letter for letter in _LETTERS if letter not in taken]
        self._local: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> ast.AST:  # as ast names it
        if node.id in self._roles:
            return ast.Name(self._roles[node.id], node.ctx)
        if node.id in _LETTERS:
            return ast.Name(self._local.setdefault(node.id, self._free[len(self._local)]), node.ctx)
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:  # as ast names it
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "F":
            call = self.call(node.args)
            return ast.Call(ast.Name("list", ast.Load()), [call], []) if self._signature.listed else call
        if isinstance(node.func, ast.Name) and node.func.id == "G":
            return ast.Call(_dotted(self._other), node.args, [])
        return node

    def call(self, args: Sequence[ast.expr]) -> ast.Call:
        """The function called with these in the place of x and k, and the parameters themselves elsewhere."""
        instead = dict(zip(self._roles.values(), args, strict=False))
        values: list[tuple[str, Any]] = [
            (name, instead.get(name, ast.Name(name, ast.Load()))) for name in self._signature.given
        ]
        by_name = self._signature.by_name
        positional = [value for name, value in values if name not in by_name]
        keywords = [ast.keyword(name, value) for name, value in values if name in by_name]
        return ast.Call(_dotted(self._signature.name), positional, keywords)


def _written(node: ast.expr) -> str:
    """The text of a law; unlike ast.unparse, without a second pair of brackets around a lone generator."""
    lone = _Lone()
    text = ast.unparse(lone.visit(node))
    for name, inner in reversed(lone.texts.items()):
        text = text.replace(name, inner)
    return text


class _Lone(ast.NodeTransformer):
    def __init__(self) -> None:
        self.texts: dict[str, str] = {}

    def visit_Call(self, node: ast.Call) -> ast.AST:  # as ast names it
        self.generic_visit(node)
        if len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp) and not node.keywords:
            name = f"LONE_{len(self.texts)}_GENERATOR"
            self.texts[name] = ast.unparse(node.args[0])[1:-1]
            node.args = [ast.Name(name, ast.Load())]
        return node


def _dotted(name: str) -> ast.expr:
    return ast.parse(name, mode="eval").body
