"""What of the repository a subject must not find on the disk, as a table of mounts that are laid over it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from inventory.git import Git
from inventory.oracle import Oracle

_FOLDER = "none {} tmpfs ro,size=4k,mode=755 0 0"
_FILE = "/dev/null {} none bind 0 0"
_ESCAPED = {letter: f"\\{ord(letter):03o}" for letter in " \t\n\\#"}


def mounts_over(git: Git, oracle: Oracle) -> str:
    """Lines for `mount -a -T`: empty folders over git's and the oracle's, nothing in the place of each fixture."""
    folders = list(_folders(git))
    inside = tuple(f"{folder}/" for folder in folders)
    files = [path for path in (f"{git.root}/{name}" for name in oracle.fixtures) if not path.startswith(inside)]
    lines = [_FOLDER.format(_escaped(folder)) for folder in folders if Path(folder).is_dir()]
    lines += [
        _FILE.format(_escaped(path)) for path in sorted(set(map(os.path.realpath, files))) if Path(path).is_file()
    ]
    return "".join(f"{line}\n" for line in lines)


def _folders(git: Git) -> Iterator[str]:
    common = git.run("rev-parse", "--git-common-dir").decode("utf-8", "surrogateescape").strip("\n")
    yield os.path.realpath(git.root / common)
    yield os.path.realpath(git.root / "invariants")


def _escaped(path: str) -> str:
    return "".join(_ESCAPED.get(letter, letter) for letter in path)
