"""A warm start of our commands: one process that has imported them all and forks for each run.

What a test starts is a process of its own all the same, with its arguments, streams, folder and environment;
it only finds the modules imported, which takes longer than most commands do. Tests of how a process of ours
starts (the front door, `PYTHON…` variables) start one from nothing instead.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

_BOOT = "import sys; sys.path.insert(0, sys.argv[1]); from tests.warm import serve; serve(int(sys.argv[2]))"
_HOME = str(Path(__file__).resolve().parent.parent)
_MODULES = ("propose.cli", "propose.client", "review.cli", "gate.cli")
_MEASURED = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}


class Warm(threading.local):
    """The tests' side: a server for each thread, started when it is first needed."""

    def __init__(self) -> None:
        self._door: socket.socket | None = None

    def run(
        self, command: Sequence[str], cwd: Path, env: Mapping[str, str], stdin: bytes, limit_s: int
    ) -> tuple[int, bytes, bytes]:
        """Exit code, stdout and stderr of a command. Raises TimeoutExpired as subprocess does."""
        door = self._door = self._door or _started()
        with contextlib.ExitStack() as stack:
            streams = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
            streams[0].write(stdin)
            streams[0].seek(0)
            asked = json.dumps({"command": list(command), "cwd": str(cwd), "env": dict(env)}) + "\n"
            socket.send_fds(door, [b"\n"], [stream.fileno() for stream in streams])
            door.sendall(asked.encode())
            pid = int(_line(door))
            door.settimeout(limit_s)
            try:
                status = int(_line(door))
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                door.settimeout(None)
                _line(door)
                raise subprocess.TimeoutExpired(list(command), limit_s) from None
            door.settimeout(None)
            told = [os.pread(stream.fileno(), os.fstat(stream.fileno()).st_size, 0) for stream in streams[1:]]
        return os.waitstatus_to_exitcode(status), told[0], told[1]


def _started() -> socket.socket:
    ours, theirs = socket.socketpair()
    env = {name: value for name, value in os.environ.items() if not name.startswith(("COVERAGE_", "PYTHON"))}
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, _HOME, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            cwd=_HOME,
            env=env | {"LC_ALL": "C.UTF-8"} | _MEASURED,
            stdin=subprocess.DEVNULL,
        )
    atexit.register(_end, ours, process)
    return ours


def _end(door: socket.socket, process: subprocess.Popen[bytes]) -> None:
    door.close()
    process.wait()


def _line(door: socket.socket) -> bytes:
    """The next line, and not a byte of what comes after it."""
    line = b""
    while b"\n" not in line:
        seen = door.recv(1 << 16, socket.MSG_PEEK)
        if not seen:
            raise EOFError("the other side ended")
        line += door.recv(len(seen.partition(b"\n")[0]) + 1)
    return line


# -- the process that forks --------------------------------------------------------------


def serve(number: int) -> None:
    """Fork for each command, until the tests are over."""
    for name in _MODULES:
        importlib.import_module(name)
    if _MEASURED:
        _measure_no_more()
    gc.freeze()
    door = socket.socket(fileno=number)
    while True:
        _, fds, _, _ = socket.recv_fds(door, 1, 3)
        if not fds:
            os._exit(0)  # whatever was measured is kept already
        asked = json.loads(_line(door))
        pid = os.fork()
        if not pid:
            door.close()
            _become(asked["command"], asked["cwd"], asked["env"], fds)
            return
        for fd in fds:
            os.close(fd)
        door.sendall(f"{pid}\n".encode())
        _, status = os.waitpid(pid, 0)
        door.sendall(f"{status}\n".encode())


def _measure_no_more() -> None:
    """Keep what the imports came to; each fork measures for itself, if it is to be measured."""
    coverage = importlib.import_module("coverage")
    measuring = coverage.Coverage.current()
    if measuring:
        measuring.stop()
        measuring.save()


def _become(command: list[str], cwd: str, env: dict[str, str], fds: list[int]) -> None:
    """What the front door is in a process that was started for this command alone."""
    for target, fd in enumerate(fds):
        os.dup2(fd, target)
        os.close(fd)
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    if _MEASURED.keys() & env.keys():
        importlib.import_module("coverage").process_startup(force=True)
    sys.argv = ["", *command]
    importlib.import_module("invariant_inventory").main()
