"""Front door: puts our own folder first on the import path, then starts one of the three commands.

`propose`, `review` and `gate` are common names in other people's repositories. With `PYTHONPATH=.`,
or when started by `python -m`, Python would look there first; so every entry that the caller's
environment put on the path goes, and a module that was already taken from there stops us. So does an
environment in which another distribution laid files of its own into one of our packages.
"""

from __future__ import annotations

import os
import sys

_COMMANDS = ("propose", "review", "gate")
_PACKAGES = ("inventory", "prompts", *_COMMANDS)


def propose() -> None:
    """The console script `propose`."""
    _start("propose")


def review() -> None:
    """The console script `review`."""
    _start("review")


def gate() -> None:
    """The console script `gate`."""
    _start("gate")


def main() -> None:
    """`invariant-inventory propose|review|gate …`, and the same as `python -I -m invariant_inventory …`."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name == "--version":
        name = "gate"
    elif name in _COMMANDS:
        del sys.argv[1]
    else:
        asked = name in ("--help", "-h")
        usage = "usage: invariant-inventory propose|review|gate …\n       invariant-inventory --version\n"
        (sys.stdout if asked else sys.stderr).write(usage)
        sys.exit(0 if asked else 2)
    _start(name)


def _start(name: str) -> None:
    _fill_closed_streams()
    _guard_import_path()
    _guard_packages()
    from importlib import import_module

    try:
        sys.exit(import_module(f"{name}.cli").main())
    except KeyboardInterrupt:  # while modules are still being loaded
        sys.stderr.write(f"{name}: interrupted\n")
        sys.exit(130)


def _fill_closed_streams() -> None:
    """A stream that the caller closed leads nowhere, so that no file of ours gets its number and what it prints."""
    while os.open(os.devnull, os.O_RDWR) < 2:
        pass
    sys.stdin = sys.stdin or os.fdopen(0, "r", closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", closefd=False)


def _guard_import_path() -> None:
    home = os.path.dirname(os.path.realpath(__file__))
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep) if "PYTHONPATH" in os.environ else []
    foreign = {os.path.realpath(entry or os.curdir) for entry in (*named, os.curdir)}
    foreign -= {home, os.path.dirname(os.path.realpath(os.__file__))}
    sys.path[:] = [home, *(p for p in sys.path if os.path.realpath(p or os.curdir) not in foreign | {home})]
    for module in list(sys.modules.values()):
        source = getattr(module, "__file__", None)
        if source and os.path.dirname(os.path.realpath(source)) in foreign:
            sys.stderr.write(
                f"error: {source} was loaded in place of a module of Python itself\n"
                "why: PYTHONPATH or the current folder comes before the standard library\n"
                "next: unset PYTHONPATH, or start with: python -I -m invariant_inventory\n"
            )
            sys.exit(3)


def _guard_packages() -> None:
    """Stop where our packages are not as they were installed; a source tree and an editable one have no record."""
    home = os.path.dirname(os.path.realpath(__file__))
    record = _record(home)
    if record is None:
        return
    for package in _PACKAGES:
        for name in sorted(os.listdir(os.path.join(home, package))):
            path = f"{package}/{name}"
            if not name.endswith((".pyc", "__pycache__")) and _size(os.path.join(home, path)) != record.get(path):
                owner = _owner(home, path)
                sys.stderr.write(
                    f"error: {os.path.join(home, path)} is not a file of invariant-inventory\n"
                    f"why: {owner or 'something else'} put it there, so another package of the name {package} is "
                    "mixed with ours\n"
                    "next: install invariant-inventory in an environment of its own: pipx install, or uv tool install\n"
                )
                sys.exit(3)


def _record(home: str) -> dict[str, str] | None:
    """Path -> size of every file that was installed as ours; None where nothing was."""
    for name in os.listdir(home):
        if name.startswith("invariant_inventory-") and name.endswith(".dist-info"):
            rows = _rows(os.path.join(home, name))
            return {row[0]: row[2] for row in rows} if any(row[0] == "gate/cli.py" for row in rows) else None
    return None


def _rows(folder: str) -> list[list[str]]:
    try:
        with open(os.path.join(folder, "RECORD"), encoding="utf-8") as lines:
            return [row for row in (line.rstrip("\n").rsplit(",", 2) for line in lines) if len(row) == 3]
    except OSError:
        return []


def _size(path: str) -> str:
    return str(os.lstat(path).st_size) if os.path.isfile(path) else ""


def _owner(home: str, path: str) -> str | None:
    """The distribution that says it installed a file."""
    folders = [n for n in os.listdir(home) if n.endswith(".dist-info") and not n.startswith("invariant_inventory-")]
    return next(
        (n.removesuffix(".dist-info") for n in folders if any(r[0] == path for r in _rows(os.path.join(home, n)))), None
    )


if __name__ == "__main__":
    main()
