"""Where a candidate's function stands in a tree: file, line and signature, read without importing it; pure."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Signature:
    """The head of a function as it stands in its file; `line` counts from 1."""

    line: int
    text: str


def signature_of(source: bytes, name: str) -> Signature | None:
    """The signature of a function by its dotted name; None where the source does not define it itself."""
    try:
        body: Sequence[ast.stmt] = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError):
        return None
    *classes, fn = name.split(".")
    for part in classes:
        body = next((n.body for n in body if isinstance(n, ast.ClassDef) and n.name == part), [])
    found = next((n for n in body if isinstance(n, (ast.FunctionDef, ast.AsyncFunctionDef)) and n.name == fn), None)
    return Signature(found.lineno, _head(found)) if found else None


def _head(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    prefix = "async def" if isinstance(function, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"{prefix} {function.name}({ast.unparse(function.args)}){returns}"
