"""How far the kernel lets a subject be kept apart: the programs before its interpreter, tried before they are used.

The levels are those of a policy's `isolation`. process: a process of its own, with limits. user: another user's
process besides, where we are root. namespace: a process that sees no network, no process but its own and no
shared memory of others; as another user where we are root and that user can start the interpreter.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

from inventory.errors import CouldNotRun
from inventory.records import Isolation

NOBODY = 65534
LEVELS: tuple[Isolation, ...] = get_args(Isolation)  # weakest first
_LIMIT_S = 20
_PROBE = """
import json, os, sys
open(sys.argv[1] + "/written", "w").close()
apart = [k for k in ("net", "pid", "ipc", "mnt") if os.path.exists("/proc/self/ns/" + k)]
print(json.dumps({
    "uid": os.getuid(),
    "apart": {k: os.readlink("/proc/self/ns/" + k) for k in apart},
    "proc": os.path.exists("/proc/self") and os.readlink("/proc/self") == str(os.getpid()),
}))
"""
_APART = ("--net", "--pid", "--ipc", "--mount-proc", "--fork", "--kill-child")
_PREPARE = 'unset PWD OLDPWD SHLVL _; "$1" -a -T "$2" && { [ -z "$4" ] || "$3" "$4"; } && shift 4 && exec "$@"'
_NO_RIGHTS = ("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all")
_AS_NOBODY = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *_NO_RIGHTS)


@dataclass(frozen=True)
class Barrier:
    """A way to start a subject; `uid` is whom its own folder must belong to, None for us."""

    level: Isolation
    prefix: tuple[str, ...] = ()
    uid: int | None = None
    host: str | None = None  # the host's name behind it, where that is another

    def demand(self, wanted: Isolation) -> None:
        """Raises CouldNotRun where a policy wants more than this."""
        if LEVELS.index(self.level) < LEVELS.index(wanted):
            raise CouldNotRun(
                f"the code under test cannot be kept apart by {wanted}",
                why=f"policy.yaml accepts nothing weaker, and this machine reaches {self.level}",
                fix="Run where the kernel lets unshare (util-linux) make namespaces, or accept less in policy.yaml.",
            )


def strongest(python: Sequence[str], mounts: Path, host: str | None) -> Barrier:
    """The strongest barrier through which an interpreter really starts.

    `mounts` is a table of what is laid over the disk behind it (see `gate.hidden`), `host` the name that
    the host should have there; where that cannot be had it keeps its own.
    """
    wanted = (barrier for name in dict.fromkeys((host, None)) for barrier in _candidates(mounts, name))
    return next((barrier for barrier in wanted if _works(barrier, python)), Barrier("process"))


def _candidates(mounts: Path, host: str | None) -> Iterator[Barrier]:
    found = {name: shutil.which(name) for name in ("unshare", "setpriv", "mount", "hostname")}
    unshare, setpriv, mount = (found[name] for name in ("unshare", "setpriv", "mount"))
    if unshare and setpriv and mount and (found["hostname"] or not host):
        outer = (*_APART, *(("--uts",) if host else ()))
        prepare = ("/bin/sh", "-c", _PREPARE, "sh", mount, str(mounts), found["hostname"] or "", host or "")
        if os.geteuid():
            own = ("--user", f"--map-user={os.geteuid()}", f"--map-group={os.getegid()}")
            inner = (unshare, *own, setpriv, "--no-new-privs")
            yield Barrier("namespace", (unshare, "--user", "--map-root-user", *outer, *prepare, *inner), host=host)
        else:
            yield Barrier("namespace", (unshare, *outer, *prepare, setpriv, *_AS_NOBODY), NOBODY, host)
            yield Barrier("namespace", (unshare, *outer, *prepare, setpriv, *_NO_RIGHTS), host=host)
    if setpriv and not host and not os.geteuid():
        yield Barrier("user", (setpriv, *_AS_NOBODY), NOBODY)


def _works(barrier: Barrier, python: Sequence[str]) -> bool:
    """Whether a process behind the barrier can do its work and is where the barrier's level says."""
    folder = Path(tempfile.mkdtemp(prefix="gate-"))
    try:
        if barrier.uid is not None:
            os.chown(folder, barrier.uid, barrier.uid)
        command = [*barrier.prefix, *python, "-c", _PROBE, str(folder)]
        done = subprocess.run(command, cwd=folder, env={}, capture_output=True, timeout=_LIMIT_S, check=False)
        told = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    ours = {kind: str(Path("/proc/self/ns", kind).readlink()) for kind in told["apart"]}
    apart = told["proc"] and len(ours) == 4 and all(ours[kind] != link for kind, link in told["apart"].items())
    return bool((apart or barrier.level == "user") and barrier.uid in (None, told["uid"]))
