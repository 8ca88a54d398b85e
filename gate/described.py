"""What production hands out, as data that can cross the wire: objects by type, data and handle, exceptions by name.

It runs in the subject, beside production, so it keeps to Python 3.9 and the standard library. It asks the classes
of Python itself what an object holds, and not the object: what a derived class claims about itself does not count.
"""

from __future__ import annotations

import builtins
import os
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_TEXT = 500
MAX_ITEMS = 100_000
MAX_KEPT = 100_000
_BUILTINS = dict(vars(builtins))
_mro_of = type.__dict__["__mro__"].__get__  # a metaclass may say something else


class Describer:
    """Describes objects and keeps those that it has given a handle, until they are forgotten.

    `fault` is raised for what cannot be described; `tree` is where the code under test lies.
    """

    def __init__(self, fault: type[Exception], tree: str) -> None:
        self._fault = fault
        self._tree = tree
        self._kept: list[Any] = []
        self._under_way: tuple[Any, ...] = ()

    def forget(self) -> None:
        """Let go of every object that was kept."""
        self._kept.clear()

    def kept(self, tag: str, body: Any, _decoder: Any, _depth: int) -> Any:
        """The object that a handle stands for, as `wire.Decoder` asks for it."""
        if tag != "h":
            raise self._fault(f"the unknown tag {tag}")
        return self._kept[body]

    def describe(self, value: Any, encoder: Any, depth: int) -> Any:
        """An object as its type's name, its data and the handle under which it stays here."""
        kind = type(value)
        if _is_iterator(kind):
            return {"g": [encoder.encode(item, depth) for item in _drained(value, self._fault)]}
        if len(self._kept) >= MAX_KEPT:
            raise self._fault(f"more than {MAX_KEPT} objects for one sample")
        self._kept.append(value)
        handle = len(self._kept) - 1
        if any(value is held for held in self._under_way):
            return {"o": [name_of(kind), None, None, handle]}
        return {"o": [name_of(kind), *self._data(value, kind, encoder, depth), handle]}

    def _data(self, value: Any, kind: type, encoder: Any, depth: int) -> tuple[Any, Any]:
        """Fields and plain base of an object; None for both where they cannot be told."""
        outer = self._under_way
        self._under_way = (*outer, value)
        try:
            base = _base_of(value, kind)
            fields = _fields_of(value, kind)
            told = {name: encoder.encode(item, depth) for name, item in fields.items()} if fields is not None else None
            return told, encoder.encode(base, depth)
        except self._fault:
            return None, None
        finally:
            self._under_way = outer

    def raised(self, error: BaseException) -> dict[str, Any]:
        """An exception as its types' names, its text and the deepest line of the code under test."""
        names = [name_of(kind) for kind in _mro_of(type(error)) if issubclass(kind, BaseException)]
        answer = {"x": names[:20], "t": _text_of(error), "at": _place_of(error, self._tree)}
        if type(error) is ModuleNotFoundError and type(error.name) is str:
            answer["module"] = error.name[:MAX_TEXT]
        return answer


# -- objects ---------------------------------------------------------------------------

_VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()))


def _is_iterator(kind: type) -> bool:
    return kind in _VIEWS or (hasattr(kind, "__next__") and hasattr(kind, "__iter__"))


def _drained(value: Any, fault: type[Exception]) -> list[Any]:
    items = []
    for item in value:
        items.append(item)
        if len(items) > MAX_ITEMS:
            raise fault(f"an iterator of more than {MAX_ITEMS} items")
    return items


# Their own methods, not those of the derived class: what it claims about itself does not count.
_BASES = (
    (bool, lambda value: value is True),
    (int, lambda value: int.__add__(value, 0)),
    (float, lambda value: float.__add__(value, 0.0)),
    (str, lambda value: str.__add__(value, "")),
    (bytes, lambda value: bytes.__add__(value, b"")),
    (dict, lambda value: dict(dict.items(value))),
    (list, lambda value: list(list.__iter__(value))),
    (tuple, lambda value: tuple(tuple.__iter__(value))),
    (set, lambda value: set(set.__iter__(value))),
    (frozenset, lambda value: frozenset(frozenset.__iter__(value))),
)


def _base_of(value: Any, kind: type) -> Any:
    for base, plain in _BASES:
        if issubclass(kind, base):
            return plain(value)
    if kind.__module__.partition(".")[0] == "numpy" and hasattr(kind, "tolist"):
        return value.tolist()
    return None


def _fields_of(value: Any, kind: type) -> dict[str, Any] | None:
    if issubclass(kind, (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
        return None
    enum = sys.modules.get("enum")
    if enum and issubclass(kind, enum.Enum):
        return {"name": value._name_, "value": value._value_}
    names = kind.__dict__.get("_fields", ())
    if issubclass(kind, tuple) and names and all(type(name) is str for name in names):
        return dict(zip(names, tuple.__iter__(value)))  # 3.9 knows no strict
    return _attributes(value, kind)


def _attributes(value: Any, kind: type) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    told = _base_of(value, kind) is not None
    for owner in kind.__mro__[:-1]:
        slots = owner.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else tuple(slots):
            told = True
            if name not in ("__dict__", "__weakref__") and name in owner.__dict__:
                mangled = owner.__dict__[name]
                try:
                    found[name] = mangled.__get__(value, kind)
                except AttributeError:
                    continue
    try:
        own = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return found if told else None
    return {**found, **{name: item for name, item in own.items() if type(name) is str}}


def name_of(kind: type) -> str:
    """The qualified name of a type; those of Python itself are bare. One that claims another's name is told apart."""
    module, name = kind.__dict__.get("__module__", kind.__module__), kind.__qualname__
    if type(module) is not str or type(name) is not str:
        return "?"  # Python gives every class plain ones
    full = name if module == "builtins" else f"{module}.{name}"
    return f"{full} (another of this name)" if _is_another(kind, module, name) else full[:MAX_TEXT]


def _is_another(kind: type, module: str, name: str) -> bool:
    """Whether the type that is known by this name is another: a class may give itself any module and name."""
    found = None
    names = _BUILTINS if module == "builtins" else getattr(sys.modules.get(module), "__dict__", {})
    for part in name.split("."):
        found = names.get(part)
        names = getattr(found, "__dict__", {})
    return issubclass(type(found), type) and found is not kind


# -- exceptions ------------------------------------------------------------------------


def _text_of(error: BaseException) -> str:
    try:
        text = str(error)
    except BaseException as inner:  # noqa: BLE001  # production wrote the class
        text = f"(its text cannot be had: {type(inner).__name__})"
    return text[:MAX_TEXT] if type(text) is str else ""


def _place_of(error: BaseException, tree: str) -> str | None:
    found, trace = None, error.__traceback__
    while trace is not None:
        path = trace.tb_frame.f_code.co_filename
        if path.startswith(tree + os.sep):
            found = f"{path[len(tree) + 1 :]}:{trace.tb_lineno}"
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and type(error.filename) is str and error.filename.startswith(tree + os.sep):
        found = f"{error.filename[len(tree) + 1 :]}:{error.lineno}"
    return found
