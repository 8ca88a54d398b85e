"""The judge's end of one subject process: it starts it, asks, waits within a budget, and kills what is left."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import threading
import time
from base64 import b64decode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate import wire

MAX_OUTPUT = 16 << 10
_MOMENT_S = 0.001


class SubjectLost(BaseException):
    """The subject ended, fell silent or broke the wire; red, and no check can catch it by `except Exception`."""


class NotStarted(Exception):
    """The interpreter did not come to run the subject, of production nothing at all: a fault of the environment."""


class OutOfTime(BaseException):
    """The time of a property is used up; raised by the alarm wherever the judge is."""


@dataclass(frozen=True)
class Launch:
    """How a subject is started, the same for every one of a lane but for the repeat's hash seed."""

    command: tuple[str, ...]  # barrier, interpreter with its flags and what it runs first
    program: str  # what it gets over the wire then; base64
    uid: int | None  # as whom it runs, where that is not us
    env: Mapping[str, str]
    scratch: str  # where each subject gets a folder of its own
    cwd: str | None  # None: its own folder
    home: str  # below its own folder
    umask: int
    processors: tuple[int, ...]  # on which it may run; empty where the system does not say
    tree: str
    roots: tuple[str, ...]
    memory_mb: int
    file_mb: int
    processes: int
    cpu_s: int
    watched: tuple[str, ...]  # modules in which its sensor watches calls of C functions, too


class Session:
    """One subject process with one module imported, under one clock: pinned to `clock_ns`, or the real one."""

    def __init__(self, launch: Launch, module: str, clock_ns: int | None) -> None:
        self._folder = Path(launch.scratch, secrets.token_hex(8))
        self._folder.mkdir()
        home = self._folder / launch.home
        home.mkdir(exist_ok=True)
        if launch.uid is not None:
            os.chown(self._folder, launch.uid, launch.uid)
            os.chown(home, launch.uid, launch.uid)
        self._program = b64decode(launch.program)
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [*launch.command, str(theirs.fileno()), str(len(self._program))],
                pass_fds=[theirs.fileno()],
                env={**launch.env, "HOME": str(home), "TMPDIR": str(self._folder)},
                cwd=launch.cwd or self._folder,
                umask=launch.umask,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                process_group=0,
            )
        self._socket = ours
        self._fd = ours.fileno()
        self._ids = _ids()
        self._ahead = b""
        self._begun = b""
        self._output = bytearray()
        self._drain = threading.Thread(target=self._drain_output, daemon=True)
        self._drain.start()
        self.serves = (module, clock_ns)
        self.roots = launch.roots
        self.digest = hashlib.blake2b(digest_size=8)
        self.waited = 0.0
        self.waiting = False
        self.usable = True
        self._imported: dict[str, Any] | None = None
        self._opened_in_vain: str | None = None
        self._forkable = False
        seat = processors()
        self._setup = {
            "module": module,
            "tree": launch.tree,
            "roots": list(launch.roots),
            "memory_mb": launch.memory_mb,
            "file_mb": launch.file_mb,
            "processes": launch.processes,
            "cpu_s": launch.cpu_s,
            "processors": list(launch.processors),
            "seat": seat if len(seat) < len(launch.processors) else [],
            "profile": module in launch.watched,
            "clock_ns": clock_ns,
        }

    @property
    def serves_on(self) -> bool:
        """Whether it can take another property of its module, if only to say that the import went wrong."""
        return self.usable or self._opened_in_vain is not None

    @property
    def pid(self) -> int:
        return self._process.pid

    def imported(self) -> dict[str, Any]:
        """The subject's answer to having imported the module, which happens once.

        Raises SubjectLost or OutOfTime, and does so again for each property that comes after; NotStarted before.
        """
        if self._opened_in_vain:
            raise SubjectLost(self._opened_in_vain)
        if self._imported is None:
            try:
                self._start()
                self._imported = self.ask(self._setup)
            except (SubjectLost, OutOfTime) as lost:
                self._opened_in_vain = str(lost) or "no answer within its time, while the module was imported"
                raise
            told = self._imported.get("v")
            self._forkable = isinstance(told, dict) and told.get("forkable") is True
        return self._imported

    def _start(self) -> None:
        """Hand over the program, and wait until the subject says that it runs. Raises NotStarted."""
        self.usable, self.waiting = False, True
        try:
            with contextlib.suppress(OSError):
                wire.send(self._fd, self._program)
                self.usable = os.read(self._fd, len(wire.READY)) == wire.READY
        except OutOfTime:
            raise NotStarted("it did not say so within the time of a property") from None
        finally:
            self.waiting = False
        if not self.usable:
            raise NotStarted(self._how_it_ended())

    def begin(self) -> None:
        """Start to serve one property, in a fork where the subject can. Raises SubjectLost."""
        self._begun = self._send({"fork": self._forkable})
        self.usable = self._forkable

    def end(self) -> dict[str, Any]:
        """What the property's process says when it ends. Raises SubjectLost when it does something else."""
        last = self.ask({})
        if self._forkable:
            call_id, body = self._receive()
            if call_id != self._begun or self._parse(body) != {"z": 0}:
                raise SubjectLost("it did something else than to end when its property was over")
        return last

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to one message. Raises SubjectLost for silence, death, and anything that is no answer to it."""
        call_id = self._send(message)
        got_id, body = self._receive()
        if got_id != call_id:
            raise SubjectLost(self._ended(body) if got_id == self._begun else "it answered what was not asked")
        message = self._parse(body)
        self.digest.update(_types_in(message["x"]) if "x" in message else body)
        return message

    def output(self) -> str:
        """What production printed since the last time, cut to MAX_OUTPUT bytes."""
        text = bytes(self._output).decode("utf-8", "replace")
        self._output.clear()
        return text

    def close(self) -> None:
        """Kill the process with everything that it started."""
        self._socket.close()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        _kill_orphans()
        self._drain.join(timeout=1)
        shutil.rmtree(self._folder, ignore_errors=True)

    # -- frames --------------------------------------------------------------------------

    def _send(self, message: Mapping[str, Any]) -> bytes:
        call_id = next(self._ids)
        self._write(wire.request(call_id, message))
        return call_id

    def _write(self, data: bytes) -> None:
        try:
            wire.send(self._fd, data)
        except OSError:
            raise SubjectLost(self._how_it_ended()) from None

    def _receive(self) -> tuple[bytes, bytes]:
        started, self.waiting = time.monotonic(), True
        try:
            call_id, body, self._ahead = wire.receive(self._fd, self._ahead)
        except (EOFError, OSError):
            raise SubjectLost(self._how_it_ended()) from None
        except wire.WireFault as fault:
            raise SubjectLost(f"it broke the wire: {fault}") from None
        finally:
            self.waiting = False
            self.waited += time.monotonic() - started
        return call_id, body

    def _parse(self, body: bytes) -> dict[str, Any]:
        try:
            message = parse(body)
        except wire.WireFault as fault:
            raise SubjectLost(f"it broke the wire: {fault}") from None
        if not isinstance(message, dict):
            raise SubjectLost("it broke the wire: no object")
        return message

    def _ended(self, body: bytes) -> str:
        try:
            return _in_words(os.waitstatus_to_exitcode(self._parse(body)["z"]))
        except (LookupError, TypeError, ValueError, OverflowError):
            return "it broke the wire"

    def _how_it_ended(self) -> str:
        try:
            return _in_words(self._process.wait(timeout=1))
        except subprocess.TimeoutExpired:
            return "its process closed the wire"

    def _drain_output(self) -> None:
        stream = self._process.stdout
        if stream is None:
            return
        with stream:
            while data := os.read(stream.fileno(), 1 << 16):
                self._output += data[: max(MAX_OUTPUT - len(self._output), 0)]


def _ids() -> Iterator[bytes]:
    """Ids of calls: none can be guessed from those before. Drawn many at once, for each draw asks the kernel."""
    while True:
        block = secrets.token_bytes(256 * wire.ID_BYTES)
        yield from (block[at : at + wire.ID_BYTES] for at in range(0, len(block), wire.ID_BYTES))


def _types_in(names: Any) -> bytes:
    """What tells exceptions apart: their types. Raises SubjectLost for what is no list of names."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise SubjectLost("it broke the wire: a malformed exception")
    return json.dumps(names).encode()


def parse(body: bytes) -> Any:
    """The JSON of an answer. Raises WireFault when it is none."""
    try:
        text = body.decode("ascii")
        value, end = _from_json(text)
    except (ValueError, RecursionError) as error:
        raise wire.WireFault(f"no JSON: {type(error).__name__}") from None
    if end != len(text):
        raise wire.WireFault("more than one value in a message")
    return value


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


_from_json = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode


def _in_words(code: int) -> str:
    code = 128 - code if code > 128 else code  # as process 1 of a namespace passes a signal on
    if code < 0:
        with contextlib.suppress(ValueError):
            return f"its process was ended by {signal.Signals(-code).name}"
    return f"its process ended with exit code {code}"


def processors() -> list[int]:
    """Those on which this thread may run; none where the system does not say."""
    return sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []


def _kill_orphans(limit_s: float = 2.0) -> None:
    """Kill what the subject left behind: orphans become children of the judge (see `shield`)."""
    until = time.monotonic() + limit_s
    while not _all_ended() and time.monotonic() < until:
        time.sleep(_MOMENT_S)  # most are about to end, and to look for them takes longer
        if not _all_ended():
            for child in _children():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(child, signal.SIGKILL)


def _all_ended() -> bool:
    """Whether there is no child left; those that have ended are put away."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return True
    return False


def _children() -> Sequence[int]:
    own = str(os.getpid())
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            with contextlib.suppress(OSError):
                if (folder / "stat").read_bytes().rpartition(b")")[2].split()[1].decode() == own:
                    found.append(int(folder.name))
    return found


def shield() -> None:
    """Adopt the orphans among this process's descendants, and let none of them read its memory (Linux)."""
    with contextlib.suppress(OSError, AttributeError):
        import ctypes  # noqa: PLC0415  # only the judge needs it

        system = ctypes.CDLL(None)
        system.prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
        system.prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
