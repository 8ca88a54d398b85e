"""What the names of a law stand for: the function, its parameters, other functions of the module, words; pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from inventory.law_functions import FUNCTIONS, TYPES
from inventory.law_methods import METHODS
from inventory.law_syntax import Law, LawFault, column_of, dotted

_NONE: frozenset[str] = frozenset()
_RAISES = 'raises("ValueError", f(x))'


@dataclass(frozen=True)
class Scope:
    """The names that a law may use: those of the function `target`, of its parameters, and of its siblings."""

    target: str
    parameters: tuple[str, ...]
    siblings: tuple[str, ...] = ()

    @cached_property
    def functions(self) -> dict[str, str]:
        """How a function may be spelled -> its name in the module; the last part alone will do for a dotted one."""
        short = {name.rpartition(".")[2]: name for name in (*reversed(self.siblings), self.target)}
        return short | {name: name for name in (*self.siblings, self.target)}

    def function(self, func: ast.expr, local: frozenset[str] = _NONE) -> str | None:
        """The function of the module that a call names; None where it names something else."""
        spelled = dotted(func)
        if spelled is None or spelled.partition(".")[0] in local:
            return None
        return self.functions.get(spelled)

    def word(self, func: ast.expr, local: frozenset[str] = _NONE) -> str | None:
        """The built-in function that a call names, unless a parameter or an item has that name."""
        if not isinstance(func, ast.Name) or func.id in local or func.id in self.parameters:
            return None
        return func.id if func.id in FUNCTIONS else None


def faults_of_names(law: Law, scope: Scope) -> tuple[str, ...]:
    """Everything that keeps a law from being evaluated with these names, each with its column."""
    return tuple(dict.fromkeys(str(fault) for fault in _Walk(scope).faults(law.tree, _NONE)))


def siblings_of(law: Law, target: str, functions: tuple[str, ...]) -> tuple[str, ...]:
    """The functions of the module, other than the target, that a law calls."""
    scope = Scope(target, (), tuple(name for name in functions if name != target))
    called = {name for call in law.calls if (name := scope.function(call.func))}
    return tuple(name for name in scope.siblings if name in called)


@dataclass(frozen=True)
class _Walk:
    scope: Scope

    def faults(self, node: ast.AST, local: frozenset[str]) -> Iterator[LawFault]:
        if isinstance(node, ast.Call):
            yield from self._call(node, local)
        elif isinstance(node, ast.Name):
            yield from self._value(node, local)
        elif isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            yield from self._comprehension(node, local)
        elif isinstance(node, ast.Lambda):
            yield from self.faults(node.body, local | {node.args.args[0].arg})
        else:
            for child in ast.iter_child_nodes(node):
                yield from self.faults(child, local)

    def _value(self, node: ast.Name, local: frozenset[str]) -> Iterator[LawFault]:
        if node.id in local or node.id in self.scope.parameters:
            return
        known = ", ".join(self.scope.parameters) or "none"
        if node.id in self.scope.functions or node.id in FUNCTIONS:
            yield LawFault(f"{node.id} is a function: call it", column_of(node))
        else:
            what = f"{node.id} is no parameter of {self.scope.target} (it has {known})"
            yield LawFault(what, column_of(node))

    def _call(self, node: ast.Call, local: frozenset[str]) -> Iterator[LawFault]:
        func, scope = node.func, self.scope
        word = scope.word(func, local)
        values: list[ast.expr] = [*node.args, *(keyword.value for keyword in node.keywords)]
        if scope.function(func, local):
            pass
        elif word:
            yield from _arguments(node, word, is_method=False)
            values = self._special(node, word, values)
            yield from _odd_special(node, word)
        elif isinstance(func, ast.Attribute) and func.attr in METHODS:
            yield from _arguments(node, func.attr, is_method=True)
            values.append(func.value)
        else:
            yield LawFault(self._unknown(func, local), column_of(func))
        for value in values:
            yield from self.faults(value, local)

    def _special(self, node: ast.Call, word: str, values: list[ast.expr]) -> list[ast.expr]:
        """The arguments that are values: a type, or the built-in function of a key, is none."""
        if word == "isinstance":
            return values[:1]
        if word == "raises":
            return values[1:]
        keys = [k.value for k in node.keywords if k.arg == "key" and self.scope.word(k.value)]
        return [value for value in values if value not in keys]

    def _unknown(self, func: ast.expr, local: frozenset[str]) -> str:
        spelled = dotted(func)
        if spelled in local or spelled in self.scope.parameters:
            return f"{spelled} is a value here, not a function"
        if isinstance(func, ast.Attribute) and dotted(func.value) in (None, *local, *self.scope.parameters):
            return f".{func.attr} is no method that a law may call"
        listed = ", ".join((self.scope.target, *self.scope.siblings))
        return f"{spelled} is neither one of {listed} nor a function that a law may call"

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, local: frozenset[str]
    ) -> Iterator[LawFault]:
        for loop in node.generators:
            yield from self.faults(loop.iter, local)
            local |= {name.id for name in ast.walk(loop.target) if isinstance(name, ast.Name)}
            for condition in loop.ifs:
                yield from self.faults(condition, local)
        parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        for part in parts:
            yield from self.faults(part, local)


def _arguments(node: ast.Call, name: str, *, is_method: bool) -> Iterator[LawFault]:
    word = METHODS[name] if is_method else FUNCTIONS[name]
    if not word.least <= len(node.args) <= word.most:
        some = f"{word.least}" if word.least == word.most else f"{word.least} to {word.most}"
        yield LawFault(f"{name} takes {some} arguments, not {len(node.args)}", column_of(node))
    for keyword in node.keywords:
        if keyword.arg not in word.keywords:
            yield LawFault(f"{name} has no argument {keyword.arg} in a law", column_of(keyword))


def _odd_special(node: ast.Call, word: str) -> Iterator[LawFault]:
    if word == "isinstance" and len(node.args) == 2 and types_of(node.args[1]) is None:
        yield LawFault(f"the types are {', '.join(TYPES)}", column_of(node.args[1]))
    if word == "raises" and len(node.args) == 2:
        named, call = node.args
        if not (isinstance(named, ast.Constant) and isinstance(named.value, str) and named.value):
            yield LawFault(f"raises wants the name of an exception as text: {_RAISES}", column_of(named))
        if not isinstance(call, ast.Call):
            yield LawFault(f"raises wants a call: {_RAISES}", column_of(call))


def types_of(node: ast.expr) -> tuple[type, ...] | None:
    """The types that the second argument of `isinstance` names; None where it names anything else."""
    names = node.elts if isinstance(node, ast.Tuple) else [node]
    found = [TYPES[name.id] for name in names if isinstance(name, ast.Name) and name.id in TYPES]
    return tuple(kind for kinds in found for kind in kinds) if len(found) == len(names) else None
