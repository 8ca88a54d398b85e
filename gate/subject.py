"""The subject: runs production code in the user's interpreter and answers the judge's calls, nothing else.

Started as `python -S … subject.py FOLDER FD`, where FOLDER holds `wire.py`, `sensor.py` and `clocks.py` and
FD is a socket to the judge. It uses nothing else of ours and keeps to Python 3.9 and the standard library. It
holds no sample but the one in hand, no expectation and no check, and what it says is only believed as data.

After `open` it has limited itself, laid out the import path (standard library, code under test,
site-packages) and imported the module. Each `begin` forks a process that serves the calls of one
property, so that properties of one module share what its import did and nothing after it.
"""

from __future__ import annotations

import os
import random
import sys
import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_TEXT = 500
MAX_ITEMS = 100_000
MAX_KEPT = 100_000
_NO_CALL = b"0" * 16


def main(folder: str, fd: int) -> None:
    """Serve the judge until it hangs up."""
    if os.getpid() == 1:
        _stay_below_init(fd)
    wire, sensor, clocks = (_load(f"{folder}/{name}.py") for name in ("wire", "sensor", "clocks"))
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = [""]
    call_id, body = wire.read_frame(fd)
    setup = wire.parse(body)
    setup["tree"] = os.path.realpath(setup["tree"])
    _limit(setup)
    watch = sensor.Sensor(setup["tree"], frozenset({__file__, clocks.__file__, sensor.__file__, wire.__file__}))
    clocks.Clocks(watch, setup["clock_ns"]).replace()
    watch.listen()
    answer, module = _opened(setup, watch)
    wire.write_frame(fd, call_id, {**answer, "s": watch.news()})
    if module is not None:
        _serve_properties(wire, fd, module, setup, watch)


def _stay_below_init(fd: int) -> None:
    """Leave process 1 of a namespace, whom signals of its own kind cannot end, to wait for all others."""
    child = os.fork()
    if child:
        os.close(fd)
        ended, status = os.wait()
        while ended != child:
            ended, status = os.wait()
        code = os.waitstatus_to_exitcode(status)
        os._exit(code if code >= 0 else 128 - code)


def _load(path: str) -> Any:
    module = types.ModuleType(os.path.basename(path)[:-3])  # noqa: PTH119  # pathlib costs more than it is worth here
    module.__file__ = path
    with open(path, "rb") as file:  # noqa: PTH123  # as above
        exec(compile(file.read(), path, "exec"), module.__dict__)  # noqa: S102  # our own file, by its path
    return module


def _opened(setup: dict[str, Any], watch: Any) -> tuple[dict[str, Any], Any]:
    if setup["profile"]:
        watch.arm()
    watch.on()
    try:
        return _open(setup)
    except BaseException as error:  # noqa: BLE001  # whatever production raises while it is imported is its answer
        return _raised(error, setup["tree"]), None
    finally:
        watch.off()


# -- before production is imported -----------------------------------------------------


def _limit(setup: dict[str, Any]) -> None:
    import resource  # noqa: PLC0415  # after the judge has spoken

    if setup["one_cpu"] and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    megabyte = 1 << 20
    for name, value in (
        ("RLIMIT_AS", setup["memory_mb"] * megabyte),
        ("RLIMIT_FSIZE", setup["file_mb"] * megabyte),
        ("RLIMIT_NPROC", setup["processes"]),
        ("RLIMIT_CPU", setup["cpu_s"]),
        ("RLIMIT_CORE", 0),
    ):
        limit = getattr(resource, name)
        _, hard = resource.getrlimit(limit)
        within = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(limit, (within, within))
        except (ValueError, OSError):
            continue  # a system that knows no such limit has the time limit left


def _open(setup: dict[str, Any]) -> tuple[dict[str, Any], Any]:
    if sys.flags.optimize:
        return {"r": "this interpreter runs with -O, which takes the asserts out of production"}, None
    _lay_out_path(setup["roots"])
    import importlib  # noqa: PLC0415  # the path must be laid out first

    module = importlib.import_module(setup["module"])
    source = os.path.realpath(getattr(module, "__file__", None) or "")
    if not source.startswith(setup["tree"] + os.sep):
        return {
            "r": f"the module {setup['module']} is not in this repository: it came from {source or 'nowhere'}"
        }, None
    return {"v": {"forkable": _is_forkable()}}, module


def _lay_out_path(roots: list[str]) -> None:
    """Standard library, then the code under test, then site-packages: a `json.py` in the root never shadows."""
    own = os.path.dirname(os.path.realpath(__file__))  # noqa: PTH120  # as above
    library = [entry for entry in sys.path if os.path.realpath(entry or ".") != own]
    sys.path[:] = library
    import site  # noqa: PLC0415  # started with -S, so that what it adds can be told from the standard library

    site.main()
    sys.path[:] = library + roots + [entry for entry in sys.path if entry not in library]


def _is_forkable() -> bool:
    return hasattr(os, "fork") and len(sys._current_frames()) == 1  # noqa: SLF001  # threads without importing threading


# -- properties ------------------------------------------------------------------------


def _serve_properties(wire: Any, fd: int, module: Any, setup: dict[str, Any], watch: Any) -> None:
    server = Server(wire, fd, module, setup["tree"], watch)
    while True:
        try:
            call_id, body = wire.read_frame(fd)
        except EOFError:
            return
        if setup["profile"]:
            watch.arm()
        if not wire.parse(body)["fork"]:
            server.serve()
            return
        state = random.getstate()
        child = os.fork()
        if not child:
            random.setstate(state)  # a fork seeds it anew, which production has not asked for
            try:
                server.serve()
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        wire.write_frame(fd, call_id, {"z": status})


class Server:
    """Answers the calls of one property."""

    def __init__(self, wire: Any, fd: int, module: Any, tree: str, watch: Any) -> None:
        self._wire = wire
        self._fd = fd
        self._module = module
        self._tree = tree
        self._watch = watch
        self._generators = watch.generators()
        self._decoder = wire.Decoder(self._kept_object, iter_of)
        self._kept: list[Any] = []
        self._functions: dict[str, Callable[..., Any]] = {}

    def serve(self) -> None:
        """Answer until the judge ends the property or hangs up; at the end say what was drawn."""
        wire, fd = self._wire, self._fd
        while True:
            try:
                call_id, body = wire.read_frame(fd)
            except EOFError:
                return
            message = wire.parse(body)
            if "f" not in message:
                wire.write_frame(fd, call_id, {"drawn": self._watch.drawn(self._generators)})
                return
            if message.get("n"):
                self._kept.clear()
            answer = self._answer(message)
            seen = self._watch.news()
            try:
                wire.write_frame(fd, call_id, {**answer, "s": seen} if seen else answer)
            except wire.WireFault as fault:
                wire.write_frame(fd, call_id, {"r": str(fault), "s": seen})

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        wire = self._wire
        decoder = self._decoder
        args = [decoder.decode(item) for item in message["a"]]
        kwargs = {name: decoder.decode(item) for name, item in message["k"].items()}
        try:
            value = self._called(message["f"], args, kwargs)
            encoder = wire.Encoder(self._describe)
            answer = {"v": encoder.encode(value)}
            if message.get("m"):
                answer["a"] = [encoder.encode(item) for item in args]
                answer["k"] = {name: encoder.encode(item) for name, item in kwargs.items()}
        except wire.WireFault as fault:
            return {"r": str(fault)}
        except BaseException as error:  # noqa: BLE001  # SystemExit and the like are answers as well
            return _raised(error, self._tree)
        return answer

    def _called(self, name: str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        function = self._function(name)
        self._watch.on()
        try:
            return _settled(function(*args, **kwargs))
        finally:
            self._watch.off()

    def _function(self, name: str) -> Callable[..., Any]:
        if name not in self._functions:
            found = self._module
            for part in name.split("."):
                found = getattr(found, part)
            self._functions[name] = found
        return self._functions[name]

    # -- objects -----------------------------------------------------------------------

    def _kept_object(self, tag: str, body: Any, _decoder: Any, _depth: int) -> Any:
        if tag != "h":
            raise self._wire.WireFault(f"the unknown tag {tag}")
        return self._kept[body]

    def _describe(self, value: Any, encoder: Any, depth: int) -> Any:
        """An object as its type's name, its data and the handle under which it stays here."""
        kind = type(value)
        if _is_iterator(kind):
            return {"g": [encoder.encode(item, depth) for item in _drained(value, self._wire.WireFault)]}
        if len(self._kept) >= MAX_KEPT:
            raise self._wire.WireFault(f"more than {MAX_KEPT} objects for one sample")
        self._kept.append(value)
        handle = len(self._kept) - 1
        if any(value is held for held in self._under_way):
            return {"o": [_name_of(kind), None, None, handle]}
        return {"o": [_name_of(kind), *self._data(value, kind, encoder, depth), handle]}

    _under_way: tuple[Any, ...] = ()

    def _data(self, value: Any, kind: type, encoder: Any, depth: int) -> tuple[Any, Any]:
        """Fields and plain base of an object; None for both where they cannot be told."""
        outer = self._under_way
        self._under_way = (*outer, value)
        try:
            base = _base_of(value, kind)
            fields = _fields_of(value, kind)
            told = {name: encoder.encode(item, depth) for name, item in fields.items()} if fields is not None else None
            return told, encoder.encode(base, depth)
        except self._wire.WireFault:
            return None, None
        finally:
            self._under_way = outer


def iter_of(items: Any) -> Any:
    """What the items of a generator become when the judge hands them back."""
    return iter(list(items))


def _settled(value: Any) -> Any:
    """The result of a coroutine; anything else as it is."""
    if type(value) is not types.CoroutineType:
        return value
    import asyncio  # noqa: PLC0415  # only where production has already done so

    return asyncio.run(value)


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


def _name_of(kind: type) -> str:
    module, name = kind.__dict__.get("__module__", kind.__module__), kind.__qualname__
    full = name if module == "builtins" else f"{module}.{name}"
    return full[:MAX_TEXT]


# -- exceptions ------------------------------------------------------------------------


def _raised(error: BaseException, tree: str) -> dict[str, Any]:
    """An exception as its types' names, its text and the deepest line of the code under test."""
    names = [_name_of(kind) for kind in type(error).__mro__ if issubclass(kind, BaseException)]
    answer = {"x": names[:20], "t": _text_of(error), "at": _place_of(error, tree)}
    if type(error) is ModuleNotFoundError and type(error.name) is str:
        answer["module"] = error.name[:MAX_TEXT]
    return answer


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


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
