"""Evaluates a law by walking its tree: no code of Python is ever compiled, and every step is paid for; pure."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from inventory.law_budget import CALL, STEP, Budget, Senseless, content, items
from inventory.law_functions import FUNCTIONS
from inventory.law_methods import METHODS
from inventory.law_names import Scope, types_of
from inventory.law_operators import SIGNS, binary, compare, cut, part, truth, unary
from inventory.target import Raised
from inventory.values import Structure, shown

Names = Mapping[str, Any]
Call = Callable[[str, tuple[Any, ...], dict[str, Any]], Any]
_ODD = (ArithmeticError, ValueError, TypeError, LookupError, RecursionError, MemoryError)


class Evaluation:
    """One law on one sample. `call` asks a function of the module by name and raises Raised where that raises.

    `answered` are the calls so far, as text and what came of them; `missed` is the last comparison
    that did not hold: its operator, both sides and the names. Values raise Senseless where an operation
    does not fit them, Overspent where the law asks for too much.
    """

    def __init__(self, scope: Scope, call: Call, budget: Budget) -> None:
        self._scope = scope
        self._call_of = call
        self._budget = budget
        self.answered: dict[str, str] = {}
        self.missed: tuple[str, Any, Any, Names] | None = None

    def value(self, node: ast.AST, names: Names) -> Any:
        """What a node of a judged law comes to, with these names."""
        self._budget.spend(STEP)
        return _HOW[type(node)](self, node, names)

    def truth(self, node: ast.AST, names: Names) -> bool:
        """Whether a node counts as true."""
        return truth(self.value(node, names))

    # -- plain parts -----------------------------------------------------------------------

    def _constant(self, node: ast.Constant, _names: Names) -> Any:
        return node.value

    def _name(self, node: ast.Name, names: Names) -> Any:
        return names[node.id]

    def _list(self, node: ast.List, names: Names) -> Any:
        return [self.value(item, names) for item in node.elts]

    def _tuple(self, node: ast.Tuple, names: Names) -> Any:
        return tuple(self.value(item, names) for item in node.elts)

    def _set(self, node: ast.Set, names: Names) -> Any:
        return _done(node, FUNCTIONS["set"].work, self._budget, [self.value(item, names) for item in node.elts])

    def _dict(self, node: ast.Dict, names: Names) -> Any:
        pairs = zip(node.keys, node.values, strict=True)
        found = [(self.value(k, names), self.value(v, names)) for k, v in pairs if k]
        return _done(node, FUNCTIONS["dict"].work, self._budget, found)

    # -- operators -------------------------------------------------------------------------

    def _boolean(self, node: ast.BoolOp, names: Names) -> Any:
        found: Any = None
        for value in node.values:
            found = self.value(value, names)
            if truth(found) is isinstance(node.op, ast.Or):
                return found
        return found

    def _binary(self, node: ast.BinOp, names: Names) -> Any:
        left, right = self.value(node.left, names), self.value(node.right, names)
        return _done(node, binary, node.op, left, right, self._budget)

    def _unary(self, node: ast.UnaryOp, names: Names) -> Any:
        return _done(node, unary, node.op, self.value(node.operand, names), self._budget)

    def _compare(self, node: ast.Compare, names: Names) -> bool:
        left = self.value(node.left, names)
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.value(comparator, names)
            if not _done(node, compare, op, left, right, self._budget):
                self.missed = (SIGNS[type(op)], left, right, names)
                return False
            left = right
        return True

    def _choice(self, node: ast.IfExp, names: Names) -> Any:
        return self.value(node.body if self.truth(node.test, names) else node.orelse, names)

    def _subscript(self, node: ast.Subscript, names: Names) -> Any:
        value = self.value(node.value, names)
        if isinstance(node.slice, ast.Slice):
            ends = (node.slice.lower, node.slice.upper, node.slice.step)
            bounds = [None if end is None else self.value(end, names) for end in ends]
            return _done(node, cut, value, bounds, self._budget)
        return _done(node, part, value, self.value(node.slice, names), self._budget)

    # -- comprehensions --------------------------------------------------------------------

    def _listed(self, node: ast.ListComp | ast.GeneratorExp, names: Names) -> Any:
        return self._budget.listed(self.value(node.elt, inner) for inner in self.loops(node.generators, names))

    def _set_listed(self, node: ast.SetComp, names: Names) -> Any:
        found = self._budget.listed(self.value(node.elt, inner) for inner in self.loops(node.generators, names))
        return _done(node, FUNCTIONS["set"].work, self._budget, found)

    def _dict_listed(self, node: ast.DictComp, names: Names) -> Any:
        inners = self.loops(node.generators, names)
        found = self._budget.listed((self.value(node.key, n), self.value(node.value, n)) for n in inners)
        return _done(node, FUNCTIONS["dict"].work, self._budget, found)

    def loops(self, generators: list[ast.comprehension], names: Names) -> Iterator[Names]:
        """The names of each turn of a comprehension."""
        if not generators:
            yield names
            return
        first, *rest = generators
        for item in self._budget.paid(items(self.value(first.iter, names))):
            inner = {**names, **_bound(first.target, item)}
            if all(self.truth(condition, inner) for condition in first.ifs):
                yield from self.loops(rest, inner)

    # -- calls -----------------------------------------------------------------------------

    def _call(self, node: ast.Call, names: Names) -> Any:
        local = frozenset(names) - {*self._scope.parameters}
        function = self._scope.function(node.func, local)
        if function:
            return self._ask(node, function, names)
        word = self._scope.word(node.func, local)
        if word:
            return self._word(node, word, names)
        if not isinstance(node.func, ast.Attribute):
            raise TypeError("a law with a call of nothing was let through")
        args = [self.value(arg, names) for arg in (node.func.value, *node.args)]
        return _done(node, METHODS[node.func.attr].work, self._budget, *args)

    def _ask(self, node: ast.Call, function: str, names: Names) -> Any:
        args = tuple(self.value(arg, names) for arg in node.args)
        kwargs = {str(k.arg): self.value(k.value, names) for k in node.keywords}
        self._budget.spend(CALL)
        self._budget.weigh(args, kwargs)
        listed = [shown(arg, 120) for arg in args] + [f"{name}={shown(arg, 120)}" for name, arg in kwargs.items()]
        told = f"{function}({', '.join(listed)})"
        try:
            found = self._call_of(function, args, kwargs)
        except Raised as raised:
            self.answered[told] = f"raised {raised}"[:200]
            raise
        self.answered[told] = f"= {shown(found, 200)}"
        return found

    def _word(self, node: ast.Call, word: str, names: Names) -> Any:
        if word == "raises":
            return self._raises(node, names)
        first = self.value(node.args[0], names) if node.args and not _is_lazy(node, word) else None
        if word == "isinstance":
            plain = content(first) if isinstance(first, Structure) else first
            return type(plain) in (types_of(node.args[1]) or ())
        if _is_lazy(node, word):
            return self._quantified(node, names, stop=word == "any")
        args = [first, *(self.value(arg, names) for arg in node.args[1:])] if node.args else []
        kwargs = {str(k.arg): self._keyword(k, names) for k in node.keywords}
        return _done(node, FUNCTIONS[word].work, self._budget, *args, **kwargs)

    def _quantified(self, node: ast.Call, names: Names, *, stop: bool) -> bool:
        """`all` and `any` of a generator, which end with the first item that decides."""
        generator = node.args[0]
        if not isinstance(generator, ast.GeneratorExp):
            raise TypeError("only a generator is gone through item by item")
        for inner in self.loops(generator.generators, names):
            found = self.value(generator.elt, inner)
            if truth(found) is stop:
                if not stop and not isinstance(generator.elt, ast.Compare):
                    self.missed = ("is", found, True, inner)
                return stop
        return not stop

    def _raises(self, node: ast.Call, names: Names) -> bool:
        named = node.args[0]
        try:
            self.value(node.args[1], names)
        except Raised as raised:
            if not isinstance(named, ast.Constant) or not raised.is_a(str(named.value)):
                raise
            return True
        return False

    def _keyword(self, keyword: ast.keyword, names: Names) -> Any:
        node = keyword.value
        if keyword.arg != "key":
            return self.value(node, names)
        if isinstance(node, ast.Lambda):
            item = node.args.args[0].arg
            return lambda value: self.value(node.body, {**names, item: value})
        work = FUNCTIONS[node.id].work if isinstance(node, ast.Name) and node.id in FUNCTIONS else None
        if work is None:
            raise Senseless(f"{ast.unparse(node)} is no key")
        return lambda value: work(self._budget, value)


def _is_lazy(node: ast.Call, word: str) -> bool:
    return word in ("all", "any") and isinstance(node.args[0], ast.GeneratorExp)


def _bound(target: ast.expr, item: Any) -> dict[str, Any]:
    if isinstance(target, ast.Name):
        return {target.id: item}
    names = [name.id for name in ast.walk(target) if isinstance(name, ast.Name)]
    found = list(items(item))
    if len(found) != len(names):
        raise Senseless(f"{shown(item, 80)} has {len(found)} items, not {len(names)}")
    return dict(zip(names, found, strict=True))


def _done(node: ast.AST, work: Callable[..., Any] | None, *args: Any, **kwargs: Any) -> Any:
    """What some work on plain data comes to. Raises Senseless for whatever Python raises; the subject is not asked."""
    if work is None:
        raise Senseless(f"{ast.unparse(node)} cannot be worked out")
    try:
        return work(*args, **kwargs)
    except Raised:
        raise
    except _ODD as error:
        raise Senseless(f"{ast.unparse(node)}: {str(error) or type(error).__name__}") from None


_HOW: dict[type[ast.AST], Callable[[Evaluation, Any, Names], Any]] = {
    ast.Constant: Evaluation._constant,  # noqa: SLF001  # the table of the class itself
    ast.Name: Evaluation._name,  # noqa: SLF001
    ast.List: Evaluation._list,  # noqa: SLF001
    ast.Tuple: Evaluation._tuple,  # noqa: SLF001
    ast.Set: Evaluation._set,  # noqa: SLF001
    ast.Dict: Evaluation._dict,  # noqa: SLF001
    ast.BoolOp: Evaluation._boolean,  # noqa: SLF001
    ast.BinOp: Evaluation._binary,  # noqa: SLF001
    ast.UnaryOp: Evaluation._unary,  # noqa: SLF001
    ast.Compare: Evaluation._compare,  # noqa: SLF001
    ast.IfExp: Evaluation._choice,  # noqa: SLF001
    ast.Subscript: Evaluation._subscript,  # noqa: SLF001
    ast.ListComp: Evaluation._listed,  # noqa: SLF001
    ast.GeneratorExp: Evaluation._listed,  # noqa: SLF001
    ast.SetComp: Evaluation._set_listed,  # noqa: SLF001
    ast.DictComp: Evaluation._dict_listed,  # noqa: SLF001
    ast.Call: Evaluation._call,  # noqa: SLF001
}
