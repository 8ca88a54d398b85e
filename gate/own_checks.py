"""The checks that a repository wrote itself, compiled from the bytes of the oracle and never imported by name.

In `invariants/checks.py` these names are there without an import: `check` (a decorator that registers a
function under a name), `expect`, `expect_same`, `same`, `difference`, `shown`, `Raised` and `BadSample`.
A check is what `@check("name")` registers, what a dict `CHECKS` of the file holds, and every public
function of the file that takes at least a function and a sample.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from inventory.checks import BUILTIN, Check, expect, expect_same
from inventory.target import BadSample, Raised
from inventory.values import difference, same, shown

PATH = "invariants/checks.py"
_NAME = "invariants.checks"


class ChecksFault(Exception):
    """The file of the repository's checks, or a check of it, cannot be used; the text says why."""


class Checks:
    """Every check by its name: the built-in ones and the repository's own."""

    def __init__(self, source: bytes) -> None:
        self._fault: str | None = None
        self._lines: list[str] = []
        try:
            self._lines = source.decode("utf-8").splitlines()
            self._own = _load(source)
        except ChecksFault as fault:
            self._own, self._fault = {}, str(fault)
        except UnicodeDecodeError:
            self._own, self._fault = {}, f"{PATH} is not UTF-8"

    def find(self, name: str) -> Check:
        """The check of a name. Raises ChecksFault where there is none, or two."""
        if name in self._own and name in BUILTIN:
            raise ChecksFault(f"the check {name} of {PATH} has the name of a built-in one")
        found = self._own.get(name) or BUILTIN.get(name)
        if found is None:
            raise ChecksFault(self._fault or f"there is no check {name}: neither built in nor in {PATH}")
        return found

    def law_of(self, name: str) -> str:
        """The first line of the docstring of a check of the repository."""
        return (self._own[name].__doc__ or "").strip().partition("\n")[0] if name in self._own else ""

    def in_words(self, error: BaseException) -> str:
        """What an exception of a check says, and the line of the repository's file that raised it."""
        trace, number = error.__traceback__, 0
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == PATH:
                number = trace.tb_lineno
            trace = trace.tb_next
        if not 0 < number <= len(self._lines):
            return str(error)
        return f"{str(error) or self._lines[number - 1].strip()} ({PATH}:{number})"


def _load(source: bytes) -> dict[str, Check]:
    registered: dict[str, Check] = {}
    names: dict[str, Any] = {
        "__name__": _NAME,
        "check": _decorator(registered),
        **{helper.__name__: helper for helper in (expect, expect_same, same, difference, shown, Raised, BadSample)},
    }
    given = dict(names)
    try:
        exec(compile(source, PATH, "exec", dont_inherit=True), names)  # noqa: S102  # the human oracle
    except BaseException as error:  # noqa: BLE001  # a file of a human may raise anything
        raise ChecksFault(f"{PATH} cannot be loaded: {type(error).__name__}: {error}") from None
    listed = names.get("CHECKS")
    found = {str(k): v for k, v in listed.items() if callable(v)} if isinstance(listed, dict) else {}
    public = {name: value for name, value in names.items() if value is not given.get(name) and _is_check(name, value)}
    return public | found | registered


def _decorator(registered: dict[str, Check]) -> Callable[..., Any]:
    def check(name: str | Check) -> Any:
        def register(function: Check) -> Check:
            registered[name if isinstance(name, str) else function.__name__] = function
            return function

        return register if isinstance(name, str) else register(name)

    return check


def _is_check(name: str, value: object) -> bool:
    if name.startswith("_") or not inspect.isfunction(value) or value.__module__ != _NAME:
        return False
    parameters = inspect.signature(value).parameters.values()
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters) >= 2
