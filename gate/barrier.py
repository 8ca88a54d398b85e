"""How far the kernel lets a subject be kept apart: the programs before its interpreter, tried before they are used.

The levels are those of a policy's `isolation`. process: a process of its own, with limits. user: another user's
process besides, where we are root. namespace: a process that sees no network, no process but its own and no
shared memory of others; as another user where we are root and that user can read what the subject needs.
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
folder, *needed = sys.argv[1:]
for path in needed:
    open(path, "rb").close()
open(folder + "/written", "w").close()
apart = [k for k in ("net", "pid", "ipc", "mnt") if os.path.exists("/proc/self/ns/" + k)]
print(json.dumps({
    "uid": os.getuid(),
    "apart": {k: os.readlink("/proc/self/ns/" + k) for k in apart},
    "proc": os.path.exists("/proc/self") and os.readlink("/proc/self") == str(os.getpid()),
}))
"""
_APART = ("--net", "--pid", "--ipc", "--mount-proc", "--fork", "--kill-child")
_NAMED = '"$0" "$1" && shift && exec "$@"'
_NO_RIGHTS = ("--no-new-privs", "--inh-caps=-all", "--bounding-set=-all")
_AS_NOBODY = (f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *_NO_RIGHTS)
# user of the subject -> what unshare and setpriv are told, best first
_OF_ROOT = {NOBODY: ((), _AS_NOBODY), None: ((), _NO_RIGHTS)}
_PLAIN = {
    None: (
        ("--user", "--map-current-user", "--keep-caps"),
        ("--no-new-privs", "--inh-caps=-all", "--ambient-caps=-all"),
    )
}


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


def strongest(python: Sequence[str], needed: Sequence[Path], host: str | None) -> Barrier:
    """The strongest barrier through which an interpreter really starts and reads the files that it needs.

    `host` is the name that the host should have behind it; where that cannot be had it keeps its own.
    """
    wanted = (barrier for name in dict.fromkeys((host, None)) for barrier in _candidates(name))
    return next((barrier for barrier in wanted if _works(barrier, python, needed)), Barrier("process"))


def _candidates(host: str | None) -> Iterator[Barrier]:
    found = {name: path for name in ("unshare", "setpriv", "hostname") if (path := shutil.which(name))}
    if {"unshare", "setpriv", *(("hostname",) if host else ())} <= found.keys():
        for uid, (outer, inner) in _PLAIN.items() if os.geteuid() else _OF_ROOT.items():
            named = ("/bin/sh", "-c", _NAMED, found["hostname"], host) if host else ()
            uts = ("--uts",) if host else ()
            prefix = (found["unshare"], *outer, *uts, *_APART, *named, found["setpriv"], *inner)
            yield Barrier("namespace", prefix, uid, host)
    if "setpriv" in found and not host and not os.geteuid():
        yield Barrier("user", (found["setpriv"], *_AS_NOBODY), NOBODY)


def _works(barrier: Barrier, python: Sequence[str], needed: Sequence[Path]) -> bool:
    """Whether a process behind the barrier can do its work and is where the barrier's level says."""
    folder = Path(tempfile.mkdtemp(prefix="gate-"))
    try:
        if barrier.uid is not None:
            os.chown(folder, barrier.uid, barrier.uid)
        command = [*barrier.prefix, *python, "-c", _PROBE, str(folder), *map(str, needed)]
        done = subprocess.run(command, cwd=folder, env={}, capture_output=True, timeout=_LIMIT_S, check=False)
        told = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        return False
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    ours = {kind: str(Path("/proc/self/ns", kind).readlink()) for kind in told["apart"]}
    apart = told["proc"] and len(ours) == 4 and all(ours[kind] != link for kind, link in told["apart"].items())
    return bool((apart or barrier.level == "user") and barrier.uid in (None, told["uid"]))
