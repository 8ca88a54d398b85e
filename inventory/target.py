"""The function under test as a check sees it: it is called by name through `send`, wherever it runs."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, Protocol

from inventory.functions import Parameter


class Raised(Exception):
    """The function under test raised: the names of the exception's types, most derived first, and its text.

    `names` are qualified (`app.codec.ParseError`); those of Python itself are bare (`ValueError`).
    `at` is the line of production that raised, as file:line, where it is known.
    """

    names: tuple[str, ...] = ()
    text = ""
    at: str | None = None
    within = ""  # the call that raised, as a law names it

    def __str__(self) -> str:
        name = self.names[0] if self.names else "an exception"
        told = f"{name}: {self.text}" if self.text else name
        return f"{told}, in {self.within}" if self.within else told

    def is_a(self, name: str) -> bool:
        """Whether the exception is of the type `name`, given qualified or as the last part alone."""
        return any(name in (known, known.rpartition(".")[2]) for known in self.names)

    @classmethod
    def of(cls, names: tuple[str, ...], text: str = "", at: str | None = None) -> Raised:
        """One that a check may also catch by the type of Python itself: `except ValueError`."""
        made = _class_for(next((name for name in names if name in _CATCHABLE), ""))
        raised = made.__new__(made)
        raised.names, raised.text, raised.at = names, text, at
        return raised


_UNFIT = (Warning, BaseExceptionGroup, MemoryError)  # cannot be made as a Raised
_CATCHABLE = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(kind, _UNFIT)
}


@cache
def _class_for(name: str) -> type[Raised]:
    return type(f"Raised{name}", (Raised, _CATCHABLE[name]), {}) if name else Raised


class BadSample(Exception):
    """A sample does not have the form that the property or the check asks for: the fixture is at fault."""


class BadCheck(Exception):
    """A check cannot judge a sample: the check itself is at fault."""


class Answer(NamedTuple):
    """What one call came to: its value, and the arguments as the call left them."""

    value: Any
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] | None = None


class Send(Protocol):
    """Calls the function `name` where it runs. `after` asks for the arguments as the call left them, too."""

    def __call__(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], *, after: bool = False) -> Answer: ...


@dataclass(frozen=True)
class Around:
    """What a law may name: the parameters of the function, None where they are not known, and other functions."""

    parameters: tuple[Parameter, ...] | None = None
    siblings: tuple[str, ...] = ()


NOTHING = Around()


class Function:
    """`fn` in `check(fn, sample)`.

    Calling it passes the arguments on as they are. `on(sample)` makes of a sample the call that the
    property asks for: fn(sample), fn(*sample) or fn(**sample). A call raises Raised when production does.
    """

    def __init__(self, send: Send, name: str, call: str = "sample", around: Around = NOTHING) -> None:
        self._send = send
        self._call = call
        self.name = name
        self.around = around

    @property
    def call(self) -> str:
        """How a sample becomes a call: sample, args or kwargs."""
        return self._call

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._send(self.name, args, kwargs).value

    def on(self, sample: Any) -> Any:
        """The value for a sample."""
        args, kwargs = self._arguments(sample)
        return self(*args, **kwargs)

    def again(self, value: Any, sample: Any) -> Any:
        """The value of the same call with its first argument replaced by `value`."""
        args, kwargs = self._arguments(sample)
        if args:
            return self(value, *args[1:], **kwargs)
        first = next(iter(kwargs), None)
        return self(**(kwargs | {first: value})) if first is not None else self(value)

    def first(self, sample: Any) -> Any:
        """The first argument of the call that a sample becomes: what the output is compared with."""
        args, kwargs = self._arguments(sample)
        return args[0] if args else next(iter(kwargs.values()), None)

    def after(self, sample: Any) -> Any:
        """The sample as it reads once the call is over."""
        args, kwargs = self._arguments(sample)
        answer = self._send(self.name, args, kwargs, after=True)
        if self._call == "args":
            return list(answer.args)
        return dict(answer.kwargs or {}) if self._call == "kwargs" else answer.args[0]

    def named(self, name: str) -> Function:
        """Another function of the same module, called in the same way."""
        return Function(self._send, name, self._call)

    def _arguments(self, sample: Any) -> tuple[tuple[Any, ...], dict[str, Any]]:
        if self._call == "args":
            if not isinstance(sample, list):
                raise BadSample("call: args needs a list as sample")
            return tuple(sample), {}
        if self._call == "kwargs":
            if not isinstance(sample, dict):
                raise BadSample("call: kwargs needs a mapping as sample")
            return (), sample
        return (sample,), {}
