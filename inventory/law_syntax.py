"""A law as text and as a tree: one expression of a small part of Python, let in by an allow-list; pure.

What stands on no list below is refused with its column, so a construct that a later Python brings is refused, too.
"""

from __future__ import annotations

import ast
import math
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

MAX_CHARS = 500
MAX_NODES = 300
MAX_DEPTH = 24
MAX_LITERAL_BITS = 512


class LawFault(ValueError):
    """A law cannot be evaluated; `column` counts from 1."""

    def __init__(self, what: str, column: int = 1) -> None:
        super().__init__(what)
        self.what = what
        self.column = column

    def __str__(self) -> str:
        return f"column {self.column} of the law: {self.what}"


@dataclass(frozen=True)
class Law:
    """One law: its text as written, and its tree, of which every node stands on a list below."""

    text: str
    tree: ast.expr = field(compare=False, repr=False)

    @cached_property
    def normal(self) -> str:
        """The text without what does not count: white space, quotes, needless brackets."""
        return ast.unparse(self.tree)

    @cached_property
    def calls(self) -> tuple[ast.Call, ...]:
        return tuple(node for node in ast.walk(self.tree) if isinstance(node, ast.Call))


@lru_cache(maxsize=512)
def parse_law(text: str) -> Law:
    """The law of a text. Raises LawFault for anything that is none, and nothing else, whatever the text."""
    _judge_text(text)
    tree = _parsed(text)
    _judge_size(tree)
    _judge(tree, ())
    return Law(text, tree)


def dotted(node: ast.expr) -> str | None:
    """`Codec.parse` for the nodes that spell it; None for anything but names with dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else None


def column_of(node: ast.AST) -> int:
    """Where a node begins, counted from 1."""
    return int(getattr(node, "col_offset", 0)) + 1


# -- before anything is parsed -------------------------------------------------------------


def _judge_text(text: str) -> None:
    if len(text) > MAX_CHARS:
        raise LawFault(f"a law has at most {MAX_CHARS} characters, this one has {len(text)}")
    for at, char in enumerate(text, start=1):
        if not " " <= char <= "~":
            raise LawFault(f"the character U+{ord(char):04X}: a law is one line of ASCII (in a text write \\u00e9)", at)
    if not text.strip():
        raise LawFault("a law says something")


def _parsed(text: str) -> ast.expr:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # `1if x` and "\d" mean something today and nothing tomorrow
        try:
            tree = ast.parse(text.strip(), mode="eval").body
            if "#" in text:
                ast.parse(f"({text.strip()})", mode="eval")  # which a comment would leave open
        except SyntaxError as error:
            shift = len(text) - len(text.lstrip())
            raise LawFault(
                f"no expression of Python: {error.msg}", (error.offset or len(text.strip()) + 1) + shift
            ) from None
        except (ValueError, MemoryError, RecursionError, Warning) as error:
            raise LawFault(f"no expression of Python: {str(error) or type(error).__name__}") from None
    return _shifted(tree, len(text) - len(text.lstrip()))


def _shifted(tree: ast.expr, by: int) -> ast.expr:
    for node in ast.walk(tree) if by else ():
        if hasattr(node, "col_offset"):
            node.col_offset += by
    return tree


def _judge_size(tree: ast.expr) -> None:
    count, level = 0, [tree]
    for depth in range(MAX_DEPTH + 1):
        count += len(level)
        following = [child for node in level for child in _parts(node)]
        if count > MAX_NODES:
            raise LawFault(f"more than {MAX_NODES} parts: two laws say it better")
        if not following:
            return
        if depth == MAX_DEPTH:
            raise LawFault(f"nested more than {MAX_DEPTH} deep", column_of(following[0]))
        level = following


def _parts(node: ast.AST) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        else:
            yield from _parts(child)


# -- what may stand in a law -----------------------------------------------------------------

_PLAIN = (
    *(ast.BoolOp, ast.UnaryOp, ast.IfExp, ast.Subscript, ast.List, ast.Tuple),
    *(ast.Set, ast.ListComp, ast.SetComp, ast.DictComp, ast.Load, ast.Store, ast.cmpop, ast.boolop, ast.unaryop),
)
_OPERATORS = (
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift),
    *(ast.BitAnd, ast.BitOr, ast.BitXor),
)
_REFUSED = {
    ast.Lambda: "a lambda may only be the key of sorted, min or max",
    ast.JoinedStr: "a formatted text is no part of a law",
    ast.FormattedValue: "a formatted text is no part of a law",
    ast.NamedExpr: "a law assigns nothing",
    ast.Starred: "a star is no part of a law: write the arguments out",
    ast.Await: "a law waits for nothing",
    ast.Yield: "a law yields nothing",
    ast.YieldFrom: "a law yields nothing",
    ast.Attribute: "a law reads no attribute: only methods of plain data are called",
    ast.GeneratorExp: "a generator may only be the one argument of a call",
    ast.MatMult: "@ is no operator of plain data",
}
_KEYED = ("sorted", "min", "max")


def _judge(node: ast.AST, above: Sequence[ast.AST]) -> None:
    """Raises LawFault at the first node that may not stand where it does; the depth is bounded by then."""
    special = _SPECIAL.get(type(node))
    if special is not None:
        special(node, above)
    elif not isinstance(node, (*_PLAIN, *_OPERATORS)):
        raise _refusal(node, above)
    for child in ast.iter_child_nodes(node):
        _judge(child, (*above, node))


def _refusal(node: ast.AST, above: Sequence[ast.AST]) -> LawFault:
    what = _REFUSED.get(type(node), f"{type(node).__name__} is no part of a law")
    placed = next((n for n in (node, *reversed(above)) if hasattr(n, "col_offset")), node)
    return LawFault(what, column_of(placed))


def _judge_constant(node: ast.Constant, _above: Sequence[ast.AST]) -> None:
    value = node.value
    if value is not None and type(value) not in (bool, int, float, str):
        raise LawFault(f"a {type(value).__name__} is no literal of a law", column_of(node))
    if type(value) is int and value.bit_length() > MAX_LITERAL_BITS:
        raise LawFault("a number too large to read", column_of(node))
    if type(value) is float and not math.isfinite(value):
        raise LawFault("a number too large for a float", column_of(node))


def _judge_name(node: ast.Name, _above: Sequence[ast.AST]) -> None:
    if node.id.startswith("__"):
        raise LawFault(f"{node.id} is no name of a law", column_of(node))


def _judge_attribute(node: ast.Attribute, above: Sequence[ast.AST]) -> None:
    called = isinstance(above[-1], ast.Call) and above[-1].func is node if above else False
    inner = isinstance(above[-1], ast.Attribute) and dotted(node) is not None if above else False
    if not (called or inner):
        raise _refusal(node, above)
    if node.attr.startswith("_") and (node.attr.startswith("__") or dotted(node) is None):
        raise LawFault(f"{node.attr} is no name of a law", column_of(node))


def _judge_call(node: ast.Call, _above: Sequence[ast.AST]) -> None:
    if not isinstance(node.func, (ast.Name, ast.Attribute)):
        raise LawFault("only a name or a method can be called", column_of(node.func))
    for keyword in node.keywords:
        if keyword.arg is None:
            raise LawFault(_REFUSED[ast.Starred], column_of(keyword.value))


def _judge_keyword(node: ast.keyword, _above: Sequence[ast.AST]) -> None:
    if (node.arg or "").startswith("__"):
        raise LawFault(f"{node.arg} is no name of a law", column_of(node))


def _judge_lambda(node: ast.Lambda, above: Sequence[ast.AST]) -> None:
    keyword, call = (above[-1], above[-2]) if len(above) > 1 else (None, None)
    is_key = isinstance(keyword, ast.keyword) and keyword.arg == "key" and isinstance(call, ast.Call)
    if not is_key or not isinstance(call.func, ast.Name) or call.func.id not in _KEYED:  # type: ignore[union-attr]
        raise _refusal(node, above)
    if ast.unparse(node.args) != "".join(a.arg for a in node.args.args) or len(node.args.args) != 1:
        raise LawFault("a key takes exactly one item", column_of(node))


def _judge_arguments(node: ast.arguments | ast.arg, _above: Sequence[ast.AST]) -> None:
    """Those of a key, which were judged with it."""


def _judge_generator(node: ast.GeneratorExp, above: Sequence[ast.AST]) -> None:
    if not above or not isinstance(above[-1], ast.Call) or above[-1].args != [node]:
        raise _refusal(node, above)


def _judge_slice(node: ast.Slice, above: Sequence[ast.AST]) -> None:
    if not isinstance(above[-1], ast.Subscript):
        raise LawFault("one part of a value is taken at a time", column_of(node))


def _judge_comprehension(node: ast.comprehension, _above: Sequence[ast.AST]) -> None:
    names = node.target.elts if isinstance(node.target, ast.Tuple) else [node.target]
    if node.is_async or not all(isinstance(name, ast.Name) for name in names):
        raise LawFault("a comprehension names its items with plain names", column_of(node.target))


def _judge_dict(node: ast.Dict, _above: Sequence[ast.AST]) -> None:
    if None in node.keys:
        raise LawFault(_REFUSED[ast.Starred], column_of(node))


def _judge_binary(node: ast.BinOp, _above: Sequence[ast.AST]) -> None:
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        raise LawFault(_REFUSED[ast.JoinedStr], column_of(node))


def _judge_compare(node: ast.Compare, _above: Sequence[ast.AST]) -> None:
    for op, right in zip(node.ops, node.comparators, strict=True):
        told = isinstance(right, ast.Constant) and (right.value is None or type(right.value) is bool)
        if isinstance(op, (ast.Is, ast.IsNot)) and not told:
            raise LawFault("`is` compares with None, True or False only: write == or !=", column_of(right))


_SPECIAL: dict[type[ast.AST], Callable[[Any, Sequence[ast.AST]], None]] = {
    ast.Constant: _judge_constant,
    ast.Name: _judge_name,
    ast.Attribute: _judge_attribute,
    ast.Call: _judge_call,
    ast.keyword: _judge_keyword,
    ast.Lambda: _judge_lambda,
    ast.arguments: _judge_arguments,
    ast.arg: _judge_arguments,
    ast.GeneratorExp: _judge_generator,
    ast.comprehension: _judge_comprehension,
    ast.Slice: _judge_slice,
    ast.Dict: _judge_dict,
    ast.BinOp: _judge_binary,
    ast.Compare: _judge_compare,
}
