"""Pairs of a correct and a buggy version of one function, as a folder, and the converter from QuixBugs' layout.

A pair is a folder with `pair.json` (`module`, `fn`, `samples`: lists of positional arguments), and the two
versions of the code below `correct/` and `buggy/`, each a tree as it lies in a repository.

scripts/pairs QUIXBUGS OUT NAME… writes one pair for each name, from a checkout of QuixBugs.
"""

from __future__ import annotations

import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Pair:
    """One function in two versions; `samples` are lists of positional arguments."""

    folder: Path
    module: str
    fn: str
    samples: tuple[list[Any], ...]

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def target(self) -> str:
        return f"{self.module}:{self.fn}"

    def lay(self, side: str, root: Path) -> None:
        """Copy the code of one side, `correct` or `buggy`, over what lies at `root`."""
        shutil.copytree(self.folder / side, root, dirs_exist_ok=True)


def read_pair(folder: Path) -> Pair:
    """The pair of a folder. Raises SystemExit where it is none."""
    try:
        told = json.loads((folder / "pair.json").read_text())
        return Pair(folder, told["module"], told["fn"], tuple(told["samples"]))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SystemExit(f"error: {folder} holds no pair\nwhy: {error!r}\nnext: see scripts/pairs.py") from None


def from_quixbugs(root: Path, name: str, out: Path) -> Path:
    """Write the pair of one QuixBugs program below `out` and return its folder."""
    folder = out / name
    for side, place in (("correct", "correct_python_programs"), ("buggy", "python_programs")):
        (folder / side).mkdir(parents=True)
        shutil.copy(root / place / f"{name}.py", folder / side / f"{name}.py")
    lines = (root / "json_testcases" / f"{name}.json").read_text().splitlines()
    inputs = [json.loads(line)[0] for line in lines if line.strip()]
    samples = [value if isinstance(value, list) else [value] for value in inputs]
    told = {"module": name, "fn": name, "samples": samples}
    (folder / "pair.json").write_text(json.dumps(told, indent=1) + "\n")
    return folder


def main(argv: list[str]) -> int:
    """Convert; 2 for wrong arguments."""
    if len(argv) < 3:
        sys.stderr.write("usage: scripts/pairs QUIXBUGS OUT NAME…\n")
        return 2
    for name in argv[2:]:
        print(from_quixbugs(Path(argv[0]), name, Path(argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
