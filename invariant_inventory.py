"""Front door: puts our own folder first on the import path, then starts one of the three commands.

`propose`, `review` and `gate` are common names in other people's repositories. With `PYTHONPATH=.`,
or when started by `python -m`, Python would look there first; so every entry that the caller's
environment put on the path goes, and a module that was already taken from there stops us.
"""

from __future__ import annotations

import os
import sys


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
    """`python -m invariant_inventory propose|review|gate …`, for use with `python -I`."""
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if name not in ("propose", "review", "gate"):
        sys.stderr.write("usage: python -I -m invariant_inventory propose|review|gate …\n")
        sys.exit(2)
    del sys.argv[1]
    _start(name)


def _start(name: str) -> None:
    _fill_closed_streams()
    _guard_import_path()
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


if __name__ == "__main__":
    main()
