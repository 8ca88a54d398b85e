"""The user's interpreter, in which production code runs: how it is found, asked what it is, and started."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePath
from typing import Any

from gate.ruling import WAYS
from gate.subject import BOOT, PARTS
from gate.verdicts import Environment
from inventory.digests import canonical_digest
from inventory.errors import CouldNotRun

OLDEST = (3, 9)
_HERE = Path(__file__).resolve().parent
_PROGRAM = tuple(str(_HERE / f"{name}.py") for name in ("subject", *PARTS))  # what the subject is made of
_LIMIT_S = 30
_PROBE = """
import base64, json, marshal, os, site, sys
above = os.path.dirname(os.path.abspath(sys.executable))
own = [p for p in (above, os.path.dirname(above)) if os.path.isfile(p + "/pyvenv.cfg")][:1]
told = "".join(open(own[0] + "/pyvenv.cfg").read().lower().split()) if own else ""
shared = [] if "site-packages=false" in told else [sys.base_prefix, sys.base_exec_prefix]
sys.prefix = (own or [sys.prefix])[0]
folders = [p for p in site.getsitepackages(own + shared) if os.path.isdir(p)]
names = {n for p in folders for n in os.listdir(p) if n.endswith((".dist-info", ".egg-info"))}
codes = [compile(open(p, "rb").read(), p, "exec") for p in sys.argv[1:] if sys.version_info >= OLDEST]
print(json.dumps({
    "path": sys.executable, "version": list(sys.version_info[:3]), "name": sys.implementation.name,
    "platform": sys.platform + "-" + os.uname().machine, "packages": sorted(names),
    "program": base64.b64encode(marshal.dumps(codes)).decode(),
}), flush=True)
""".replace("OLDEST", str(OLDEST))


@dataclass(frozen=True)
class Interpreter:
    """A Python that can run the subject. `notice` tells a person how it was chosen when nobody named it."""

    path: str
    version: tuple[int, int, int]
    environment: Environment
    program: str  # the subject's files as code objects of this interpreter, so that they are compiled once; base64
    notice: str | None = None

    def bare(self) -> tuple[str, ...]:
        """The interpreter as the subject wants it: without site-packages, compiled files or a folder on its path."""
        safe = ("-P",) if self.version >= (3, 11, 0) else ()  # older ones drop their own folder themselves
        return (self.path, *safe, "-S", "-s", "-B")

    def command(self) -> tuple[str, ...]:
        """How the subject is started, up to the socket's number and the size of its program."""
        return (*self.bare(), "-c", BOOT)


def find_interpreter(asked: str | None, policy: str | None, root: Path, tracked: Collection[str] = ()) -> Interpreter:
    """The interpreter asked for, else the policy's, else the repository's environment, else python3.

    `asked` and `policy` are paths (relative ones from `root`) or names on PATH; `tracked` are the paths of
    the tree that is judged. Raises CouldNotRun where there is none, where it cannot run the subject, or where it
    is part of that tree: whoever brings the interpreter answers in the place of the code.
    """
    path, notice = _choose(asked or policy, root)
    _refuse_tracked(path, root, tracked)
    told = _probe(path, Path(path).stat().st_mtime_ns)
    version = (told["version"][0], told["version"][1], told["version"][2])
    if version < OLDEST:
        raise CouldNotRun(
            f"{path} is Python {_dotted(version)}",
            why=f"the code under test runs on Python {_dotted(OLDEST)} or newer",
            fix=f"Name another one by {WAYS}.",
        )
    real = str(told["path"] or path)  # what is on PATH may be a shell script that looks for one
    _refuse_tracked(real, root, tracked)
    return Interpreter(real, version, _environment(real, told), told["program"], notice)


def _choose(named: str | None, root: Path) -> tuple[str, str | None]:
    if named:
        found = str(root / named) if os.sep in named else shutil.which(named)
        if not found or not os.access(found, os.X_OK):
            raise CouldNotRun(
                f"there is no interpreter {named}", why="it is no program that can be run", fix=f"Name one by {WAYS}."
            )
        return found, None
    for folder in filter(None, (os.environ.get("VIRTUAL_ENV"), str(root / ".venv"))):
        candidate = Path(folder, "bin", "python")
        if os.access(candidate, os.X_OK):
            return str(candidate), None
    found = shutil.which("python3")
    if not found:
        raise CouldNotRun("no python3 on PATH", why="production code needs one", fix=f"Name one by {WAYS}.")
    return (
        found,
        "no --python, policy.yaml, VIRTUAL_ENV or .venv names an interpreter: production runs in python3 of PATH",
    )


def _refuse_tracked(path: str, root: Path, tracked: Collection[str]) -> None:
    """Neither a program of the tree nor a link that leads to one."""
    _refuse_inner(PurePath(os.path.relpath(os.path.abspath(path), root)), tracked)  # noqa: PTH100  # with its links
    _refuse_inner(PurePath(os.path.relpath(os.path.realpath(path), os.path.realpath(root))), tracked)


def _refuse_inner(inner: PurePath, tracked: Collection[str]) -> None:
    if ".." in inner.parts:
        return
    above = {parent.as_posix() for parent in (inner, *inner.parents)}
    environment = inner.parent.parent.as_posix()
    found = [t for t in tracked if t in above or (environment != "." and t.startswith(f"{environment}/"))]
    if found:
        raise CouldNotRun(
            f"the interpreter {inner} is part of the tree that is judged",
            why=f"the repository tracks {found[0]}, so a patch could change who answers",
            fix="Take it out of the repository and ignore it, or give another one: --python PATH",
        )


@cache  # for as long as its file stays the same: mining runs many lanes
def _probe(path: str, _changed_ns: int) -> dict[str, Any]:
    try:
        # without its `site`, which runs what an environment leads to, be it in the tree that is judged
        command = [path, "-I", "-S", "-c", _PROBE, *_PROGRAM]
        done = subprocess.run(command, capture_output=True, timeout=_LIMIT_S, check=False)
        told: dict[str, Any] = json.loads(done.stdout)
    except (OSError, subprocess.TimeoutExpired, ValueError):
        raise CouldNotRun(
            f"{path} is no Python that can be used",
            why="it did not say what it is",
            fix=f"Name another one by {WAYS}.",
        ) from None
    return told


def _environment(path: str, told: dict[str, Any]) -> Environment:
    python = f"{told['name']} {_dotted(told['version'])}"
    packages = canonical_digest(told["packages"])
    platform = str(told["platform"])
    return Environment(
        python=python,
        executable=path,
        platform=platform,
        packages=packages,
        fingerprint=canonical_digest([python, platform, packages]),
    )


def _dotted(version: object) -> str:
    return ".".join(map(str, version)) if isinstance(version, (list, tuple)) else "?"
