"""The watcher: notes the calls of one function in the processes that load it, and changes nothing else there.

A copy of this file lies as `sitecustomize.py` in a folder of its own that stands first on PYTHONPATH, beside
`target` (the function) and whatever the processes write. It keeps to Python 3.9 and the standard library, and
loads nothing that a bare start of Python would not. It leaves `sys.path` and `sys.modules` as it would have
found them without the folder, and then loads the `sitecustomize` that would have been loaded.

The function is never wrapped: calls are seen through `sys.monitoring` on its code object alone, where other
tools (coverage, debuggers) are not in the way, and before Python 3.12 through the profile hook. What a call is
given is turned into text before it runs. Every process appends to a file of its own, a Python literal a line:

    ("call", ((KIND, NAME, STATE, VALUE), ...), [LINE, ...], END)   STATE: given, default, absent; END: returned,
                                                                    raised, unknown (a generator)
    ("seen", CALLS, ODD, WHY)      how many calls so far, how many of them with other than plain data, the first why
    ("elsewhere", PATH)            a function of this name in a copy of the module that is not the one watched
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, FrameType
    from typing import Any

MAX_CALLS = 300_000
MAX_BYTES = 8 << 20
MAX_TEXT = 1 << 15  # characters of one call
MAX_ITEMS = 2000  # values in one argument
MAX_DEPTH = 20
MAX_LINES = 2_000_000  # executed lines that are looked at, before only calls are
MAX_OPEN = 2000  # calls without an end
_MONITORING: Any = getattr(sys, "monitoring", None)  # since Python 3.12
_TOOLS = (4, 3, 2)  # the numbers of sys.monitoring that debuggers and coverage do not use come first
_GENERATOR = 0x20 | 0x80 | 0x200  # generators, coroutines and both: they start later than they are called
_RETURN_VALUE = 83  # the opcode in Python 3.9 to 3.11
_TYPE_NAME = type.__dict__["__name__"]
_PLAIN = (type(None), bool, int, float, str)


class _Odd(Exception):
    """A value that is not plain data."""


class _Watched:
    """One code object of the target: its parameters, and the defaults of its function."""

    def __init__(self, code: CodeType, bound: int) -> None:
        count, keywords = code.co_argcount, code.co_kwonlyargcount
        names = code.co_varnames
        kinds = ["only"] * code.co_posonlyargcount + ["positional"] * (count - code.co_posonlyargcount)
        kinds += ["keyword"] * keywords
        kinds += ["var_positional"] * bool(code.co_flags & 0x04) + ["var_keyword"] * bool(code.co_flags & 0x08)
        self.code = code
        self.bytecode = code.co_code
        self.parameters = list(zip(kinds, names))[bound:]
        self.starts_later = bool(code.co_flags & _GENERATOR)
        self.start: int | None = None
        self.defaults = _defaults(code)


def _defaults(code: CodeType) -> dict[str, Any]:
    """The default values of the function that was made of `code`, by the names of their parameters."""
    import gc  # noqa: PLC0415  # once, when the first call is seen

    found: dict[str, Any] = {}
    for function in gc.get_referrers(code):
        if type(function) is type(_defaults) and function.__code__ is code:
            values = function.__defaults__ or ()
            found.update(zip(code.co_varnames[code.co_argcount - len(values) : code.co_argcount], values))
            found.update(function.__kwdefaults__ or {})
    return found


class Watcher:
    """Sees the calls of the function `name` that is defined between two lines of the file `path`.

    `tail` is how the path of its module ends in any tree, `bound` how many first parameters a caller never gives.
    """

    def __init__(self, folder: str, path: str, tail: str, name: str, lines: tuple[int, int], bound: int) -> None:
        self._folder, self._path, self._tail, self._name = folder, path, tail, name
        self._lines, self._bound = lines, bound
        self._files: dict[str, bool] = {}
        self._watched: dict[int, _Watched] = {}
        self._stacks: dict[int, list[tuple[int, str | None, set[int]]]] = {}
        self._known: set[str] = set()
        self._calls = self._odd = self._executed = self._written = 0
        self._why = ""
        # Bound now, so that what a test puts in their place meanwhile neither sees us nor is called by us.
        self._open, self._write, self._close, self._real = os.open, os.write, os.close, os.path.realpath
        self._pid_now, self._pid, self._out = os.getpid, os.getpid(), ""
        self._thread = sys.modules["_thread"].get_ident if "_thread" in sys.modules else _no_threads
        self._tool: int | None = None

    def listen(self) -> None:
        """Begin to watch this process and, before Python 3.12, its later threads."""
        import atexit  # noqa: PLC0415  # part of the interpreter itself

        atexit.register(self.end)
        if _MONITORING is None:
            import threading  # noqa: PLC0415  # only where there is no other way to reach threads

            threading.setprofile(self._profile)
            sys.setprofile(self._profile)
            return
        monitoring, events = _MONITORING, _MONITORING.events
        self._tool = next(number for number in _TOOLS if monitoring.get_tool(number) is None)
        monitoring.use_tool_id(self._tool, "invariant-inventory")
        monitoring.register_callback(self._tool, events.PY_START, self._start)
        monitoring.register_callback(self._tool, events.PY_RETURN, self._return)
        monitoring.register_callback(self._tool, events.LINE, self._line)
        monitoring.set_events(self._tool, events.PY_START)

    def end(self) -> None:
        """Write down what no return has shown to be over, and the counts."""
        for stack in list(self._stacks.values()):
            self._drop(stack, 0)
        if self._calls:
            self._say(("seen", self._calls, self._odd, self._why))

    # -- what the interpreter tells ------------------------------------------------------

    def _start(self, code: CodeType, _offset: int) -> Any:
        monitoring = _MONITORING
        try:
            if id(code) not in self._watched:
                if not self._is_target(code):
                    return monitoring.DISABLE
                self._watched[id(code)] = _Watched(code, self._bound)
                self._listen_to(code, monitoring.events.PY_RETURN | monitoring.events.LINE)
            if self._full():
                self._listen_to(code, 0)
                return monitoring.DISABLE
            self._called(self._watched[id(code)], sys._getframe(1))  # noqa: SLF001  # the way that Python offers
        except Exception:  # noqa: BLE001  # whatever goes wrong here must not go wrong there
            return None
        return None

    def _return(self, _code: CodeType, _offset: int, _value: Any) -> Any:
        try:
            self._returned(id(sys._getframe(1)))  # noqa: SLF001  # the way that Python offers
        except Exception:  # noqa: BLE001  # as above
            return None
        return None

    def _line(self, code: CodeType, line: int) -> Any:
        try:
            self._executed += 1
            stack = self._stacks.get(self._thread())
            if stack:
                stack[-1][2].add(line)
            if self._executed > MAX_LINES:
                self._listen_to(code, _MONITORING.events.PY_RETURN)
        except Exception:  # noqa: BLE001  # as above
            return None
        return None

    def _listen_to(self, code: CodeType, events: int) -> None:
        _MONITORING.set_local_events(self._tool or 0, code, events)

    def _profile(self, frame: FrameType, event: str, _value: Any) -> None:
        if frame.f_code.co_name != self._name or event not in ("call", "return"):
            return
        try:
            watched = self._watched_of(frame.f_code)
            if watched is None or self._full():
                return
            if event == "call":
                watched.start = frame.f_lasti if watched.start is None else watched.start
                if frame.f_lasti == watched.start:  # else a generator that goes on
                    self._called(watched, frame)
            elif not watched.starts_later and watched.bytecode[frame.f_lasti] == _RETURN_VALUE:
                stack = self._stacks.get(self._thread())
                if stack:
                    stack[-1][2].add(frame.f_lineno)
                self._returned(id(frame))
        except Exception:  # noqa: BLE001  # as above
            return

    def _watched_of(self, code: CodeType) -> _Watched | None:
        if id(code) not in self._watched and self._is_target(code):
            self._watched[id(code)] = _Watched(code, self._bound)
        return self._watched.get(id(code))

    def _is_target(self, code: CodeType) -> bool:
        if code.co_name != self._name:
            return False
        file = code.co_filename
        if file not in self._files:
            self._files[file] = file == self._path or self._real(file) == self._path
            if not self._files[file] and file.endswith(self._tail):
                self._say(("elsewhere", file))
        return self._files[file] and self._lines[0] <= code.co_firstlineno <= self._lines[1]

    def _full(self) -> bool:
        return self._calls >= MAX_CALLS or self._written >= MAX_BYTES

    # -- calls ---------------------------------------------------------------------------

    def _called(self, watched: _Watched, frame: FrameType) -> None:
        self._notice_fork()
        self._calls += 1
        text: str | None = None
        try:
            text = _text_of(watched, frame)
        except (_Odd, RecursionError) as odd:
            self._odd += 1
            self._why = self._why or str(odd)
        if text in self._known:
            text = None
        elif text is not None:
            self._known.add(text)
        if watched.starts_later:
            self._note(text, set(), "unknown")
            return
        stack = self._stacks.setdefault(self._thread(), [])
        at = next((at for at, entry in enumerate(stack) if entry[0] == id(frame)), None)
        if at is not None:
            self._drop(stack, at)  # its frame is gone, so it and all that it had called ended by raising
        elif len(stack) > MAX_OPEN:
            self._drop(stack, 0)
        stack.append((id(frame), text, set()))

    def _returned(self, frame_id: int) -> None:
        stack = self._stacks.get(self._thread(), [])
        for at in range(len(stack) - 1, -1, -1):
            if stack[at][0] == frame_id:
                self._drop(stack, at + 1)
                _, text, lines = stack.pop()
                self._note(text, lines, "returned")
                return

    def _drop(self, stack: list[tuple[int, str | None, set[int]]], keep: int) -> None:
        for _, text, lines in stack[keep:]:
            self._note(text, lines, "raised")
        del stack[keep:]

    def _note(self, text: str | None, lines: set[int], end: str) -> None:
        if text is not None:
            self._put(
                f"('call', {text}, {sorted(lines)!r}, {end!r})\n('seen', {self._calls}, {self._odd}, {self._why!r})\n"
            )

    def _say(self, row: tuple[Any, ...]) -> None:
        self._put(f"{row!r}\n")

    def _put(self, text: str) -> None:
        """Append to the file of this process; opened each time, for a test may close what it does not know."""
        self._notice_fork()
        self._out = self._out or self._new_file()
        data = text.encode("utf-8", "backslashreplace")
        self._written += len(data)
        out = self._open(self._out, os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC)
        try:
            self._write(out, data)
        finally:
            self._close(out)

    def _notice_fork(self) -> None:
        if self._pid != self._pid_now():
            self._pid, self._out, self._calls, self._odd = self._pid_now(), "", 0, 0  # those were the parent's
            self._stacks.clear()

    def _new_file(self) -> str:
        number = 0
        while True:
            path = f"{self._folder}/{self._pid}-{number}.calls"
            try:
                self._close(self._open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            except FileExistsError:
                number += 1
            else:
                return path


def _no_threads() -> int:
    return 0


# -- what a call was given ---------------------------------------------------------------


def _text_of(watched: _Watched, frame: FrameType) -> str:
    """The arguments of a call as the text of a literal. Raises _Odd for other than plain data."""
    values = frame.f_locals
    parts = []
    for kind, name in watched.parameters:
        value = values[name]
        is_default = name in watched.defaults and value is watched.defaults[name]
        try:
            _check(value, name, [MAX_ITEMS], 0)
            text = repr(value)
        except (_Odd, ValueError):  # ValueError: an integer of too many digits
            if not is_default:
                raise
            parts.append(f"({kind!r}, {name!r}, 'absent', None)")
        else:
            parts.append(f"({kind!r}, {name!r}, {'default' if is_default else 'given'!r}, {text})")
    if sum(map(len, parts)) > MAX_TEXT:
        raise _Odd(f"they are larger than {MAX_TEXT} characters")
    return f"({', '.join(parts)}{',' if parts else ''})"


def _check(value: Any, name: str, room: list[int], depth: int) -> None:
    """Raises _Odd for what is not plain data, or too much of it; no code of the value's own runs."""
    kind = type(value)
    room[0] -= 1
    if room[0] < 0 or depth > MAX_DEPTH:
        raise _Odd(f"`{name}` is too large or nested too deeply")
    if kind in _PLAIN:
        _check_text(value, name)
    elif kind is list or kind is tuple:
        for item in value:
            _check(item, name, room, depth + 1)
    elif kind is dict:
        for key, item in value.items():
            if type(key) is not str:
                raise _Odd(f"`{name}` has a key that is no text")
            _check_text(key, name)
            _check(item, name, room, depth + 1)
    else:
        raise _Odd(f"`{name}` is {_article(_TYPE_NAME.__get__(kind))}")


def _check_text(value: Any, name: str) -> None:
    if type(value) is str:
        if len(value) > MAX_TEXT:
            raise _Odd(f"`{name}` is a text of more than {MAX_TEXT} characters")
        if not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise _Odd(f"`{name}` is a text with half a character")
    elif type(value) is float and value - value != 0:
        raise _Odd(f"`{name}` is not a finite number")
    elif type(value) is int and value.bit_length() > 3000:
        raise _Odd(f"`{name}` is a number of more than 900 digits")


def _article(name: str) -> str:
    return f"an {name}" if name[:1] in "aeiouAEIOU" else f"a {name}"


def main(own: str) -> None:
    """Watch, then load the `sitecustomize` that this one hides; its ImportError passes through."""
    folder = os.path.dirname(own)  # noqa: PTH120  # pathlib is not loaded yet, and not ours to load
    try:
        with open(f"{folder}/target", encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123  # as above
            path, tail, name, first, last, bound = file.read().split("\n")[:6]
        Watcher(folder, path, tail, name, (int(first), int(last)), int(bound)).listen()
        os.close(os.open(f"{folder}/started", os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    except Exception:  # noqa: BLE001, S110  # an unwatched process is better than one that does not start
        pass
    sys.path[:] = [entry for entry in sys.path if entry != folder]
    sys.path_importer_cache.pop(folder, None)
    sys.modules.pop("sitecustomize", None)
    import sitecustomize  # type: ignore[import-not-found]  # noqa: F401, PLC0415


if __name__ == "sitecustomize":
    main(__file__)
