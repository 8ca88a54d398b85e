"""The subject: runs production code in the user's interpreter and answers the judge's calls, nothing else.

Started as `python -S … -c BOOT FD SIZE`, where FD is a socket to the judge, which first sends SIZE bytes: this file
and its PARTS as code objects of this interpreter. It uses nothing else of ours and keeps to Python 3.9 and the
standard library. It holds no sample but the one in hand, no expectation and no check, and what it says is only
believed as data.

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
    from types import CodeType
    from typing import Any

PARTS = ("wire", "described", "sensor", "clocks")
BOOT = """\
import sys
sys.path[:] = filter(None, sys.path)  # the working folder is the code under test
import marshal, os
fd, size = map(int, sys.argv[1:])
program = b""
while len(program) < size:
    program += os.read(fd, size - len(program)) or sys.exit()
subject, *parts = marshal.loads(program)
names = {"__name__": "subject", "__file__": subject.co_filename}
exec(subject, names)
names["main"](parts, fd)
"""


def main(codes: list[CodeType], fd: int) -> None:
    """Serve the judge until it hangs up."""
    if os.getpid() == 1:
        _stay_below_init(fd)
    wire, described, sensor, clocks = parts = [_module(code) for code in codes]
    sys.modules["__main__"] = types.ModuleType("__main__")
    sys.argv = [""]
    os.write(fd, wire.READY)
    call_id, body, _ = wire.receive(fd)
    setup = wire.unpack(body)
    setup["tree"] = os.path.realpath(setup["tree"])
    _limit(setup)
    watch = sensor.Sensor(setup["tree"], frozenset({__file__, *(part.__file__ for part in parts)}))
    clocks.Clocks(watch, setup["clock_ns"]).replace()
    watch.listen()
    describer = described.Describer(wire.WireFault, setup["tree"])
    answer, module = _opened(setup, watch, describer)
    wire.send(fd, wire.answer(call_id, {**answer, "s": watch.news()}))
    if module is not None:
        server = Server(wire, fd, module, describer, watch, setup["seat"])
        _serve_properties(wire, fd, server, watch, profile=setup["profile"])


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


def _module(code: CodeType) -> Any:
    module = types.ModuleType(os.path.basename(code.co_filename)[:-3])  # noqa: PTH119  # pathlib costs too much here
    module.__file__ = code.co_filename
    exec(code, module.__dict__)  # noqa: S102  # our own, as the judge sent it
    return module


def _opened(setup: dict[str, Any], watch: Any, describer: Any) -> tuple[dict[str, Any], Any]:
    if setup["profile"]:
        watch.arm()
    try:
        return watch.watched(_open, setup)  # type: ignore[no-any-return]  # what `_open` returns
    except BaseException as error:  # noqa: BLE001  # whatever production raises while it is imported is its answer
        return describer.raised(error), None


# -- before production is imported -----------------------------------------------------


def _limit(setup: dict[str, Any]) -> None:
    import resource  # noqa: PLC0415  # after the judge has spoken

    if setup["processors"]:
        _runs_on(setup["processors"])
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


def _runs_on(processors: list[int]) -> bool:
    """Whether the system lets this thread run on these processors alone."""
    try:
        os.sched_setaffinity(0, processors)
    except OSError:
        return False
    return True


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
    library = list(sys.path)
    import site  # noqa: PLC0415  # started with -S, so that what it adds can be told from the standard library

    site.main()
    sys.path[:] = library + roots + [entry for entry in sys.path if entry not in library]


def _is_forkable() -> bool:
    return hasattr(os, "fork") and len(sys._current_frames()) == 1  # noqa: SLF001  # threads without importing threading


# -- properties ------------------------------------------------------------------------


def _serve_properties(wire: Any, fd: int, server: Server, watch: Any, *, profile: bool) -> None:
    while True:
        try:
            call_id, body, ahead = wire.receive(fd)
        except EOFError:
            return
        if profile:
            watch.arm()
        if not wire.unpack(body)["fork"]:
            server.serve(ahead)
            return
        state = random.getstate()
        child = os.fork()
        if not child:
            random.setstate(state)  # a fork seeds it anew, which production has not asked for
            try:
                server.serve(ahead)
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        wire.send(fd, wire.answer(call_id, {"z": status}))


class Server:
    """Answers the calls of one property."""

    def __init__(self, wire: Any, fd: int, module: Any, describer: Any, watch: Any, seat: list[int]) -> None:
        self._wire = wire
        self._seat = seat
        self._free = sorted(os.sched_getaffinity(0)) if seat else []  # as production has left it when it was imported
        self._fd = fd
        self._module = module
        self._describer = describer
        self._watch = watch
        self._generators = watch.generators()
        self._decoder = wire.Decoder(describer.kept, iter_of)
        self._functions: dict[str, Callable[..., Any]] = {}

    def serve(self, ahead: bytes) -> None:
        """Answer until the judge ends the property or hangs up; at the end say what was drawn.

        `ahead` is what of the first call was read together with the beginning of the property.
        """
        wire, fd = self._wire, self._fd
        while True:
            try:
                call_id, body, ahead = self._received(ahead)
            except EOFError:
                return
            message = wire.unpack(body)
            if "f" not in message:
                wire.send(fd, wire.answer(call_id, {"drawn": self._watch.drawn(self._generators)}))
                return
            if message.get("n"):
                self._describer.forget()
            answer = self._answer(message)
            seen = self._watch.news()
            try:
                wire.send(fd, wire.answer(call_id, {**answer, "s": seen} if seen else answer))
            except wire.WireFault as fault:
                wire.send(fd, wire.answer(call_id, {"r": str(fault), "s": seen}))

    def _received(self, ahead: bytes) -> tuple[bytes, bytes, bytes]:
        """What the judge sends next, awaited on its processor; production runs wherever the kernel wants."""
        self._keep_to(self._seat)
        try:
            return self._wire.receive(self._fd, ahead)  # type: ignore[no-any-return]  # what `receive` returns
        finally:
            self._keep_to(self._free)

    def _keep_to(self, processors: list[int]) -> None:
        if self._seat and not _runs_on(processors):
            self._seat = []

    def _answer(self, message: dict[str, Any]) -> dict[str, Any]:
        wire = self._wire
        decoder = self._decoder
        args = [decoder.decode(item) for item in message["a"]]
        kwargs = {name: decoder.decode(item) for name, item in message["k"].items()}
        try:
            value = self._called(self._function(message["f"]), args, kwargs)
            encoder = wire.Encoder(self._describer.describe)
            answer: dict[str, Any] = {"v": encoder.encode(value)}
            if message.get("m"):
                answer["a"] = [encoder.encode(item) for item in args]
                answer["k"] = {name: encoder.encode(item) for name, item in kwargs.items()}
        except wire.WireFault as fault:
            return {"r": str(fault)}
        except BaseException as error:  # noqa: BLE001  # SystemExit and the like are answers as well
            answer = self._describer.raised(error)
        return answer

    def _called(self, function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]) -> Any:
        """What a function returns; of a coroutine its result."""
        value = self._watch.watched(function, *args, **kwargs)
        if type(value) is not types.CoroutineType:
            return value
        import asyncio  # noqa: PLC0415  # only where production has already done so

        return self._watch.watched(asyncio.run, value)

    def _function(self, name: str) -> Callable[..., Any]:
        if name not in self._functions:
            found = self._module
            for part in name.split("."):
                found = getattr(found, part)
            self._functions[name] = found
        return self._functions[name]


def iter_of(items: Any) -> Any:
    """What the items of a generator become when the judge hands them back."""
    return iter(list(items))
