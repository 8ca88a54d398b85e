"""Times `gate check` without a lane on a long history and a wide patch, beside git's own diff and a bare Python.

The repository has 60,000 commits; the patch changes 1,000 files. The inventory is empty, so no code runs:
what is timed is finding the patch, giving each path its role, reading both oracles and asking the table.
Each command is timed as a whole process, in turn, several times; the medians are compared. Bytecode is kept
in a folder of its own, as an installed tool has it.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COMMITS, FILES, RUNS = 60_000, 1_000, 7


def main() -> int:
    """Run the benchmark and print its table."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        repo = Path(folder) / "repo"
        _repository(repo)
        times = _timed(repo, _commands(), _installed(Path(folder) / "bytecode"))
    bare = times["python -c pass"]
    print(f"{COMMITS} commits, a patch of {FILES} files, medians of {RUNS} runs")
    for name, seconds in times.items():
        print(f"{name:<22} {seconds:6.3f} s   {seconds / bare:6.1f} x python -c pass")
    return 0


def _commands() -> dict[str, list[str]]:
    gate = [sys.executable, str(ROOT / "invariant_inventory.py"), "gate", "check", "--base", "main", "--allow-empty"]
    return {
        "python -c pass": [sys.executable, "-c", "pass"],
        "git diff --raw": ["git", "diff", "--raw", "--no-renames", "main", "HEAD"],
        "gate check": gate,
    }


def _installed(bytecode: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": str(bytecode)}


def _timed(repo: Path, commands: dict[str, list[str]], env: dict[str, str]) -> dict[str, float]:
    seen: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(RUNS + 1):
        for name, command in commands.items():
            started = time.perf_counter()
            done = subprocess.run(command, cwd=repo, env=env, capture_output=True, check=False)
            seen[name].append(time.perf_counter() - started)
            if done.returncode:
                raise SystemExit(f"{name} ended with {done.returncode}: {done.stderr.decode()}")
    return {name: statistics.median(found[1:]) for name, found in seen.items()}  # the first run warms up


def _repository(root: Path) -> None:
    """Made by one stream, for 60,000 commits one by one would take an hour."""
    env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(root)], env=env, check=True)
    stream = b"".join(_stream())
    subprocess.run(["git", "fast-import", "--quiet"], cwd=root, env=env, input=stream, check=True)
    subprocess.run(["git", "checkout", "--quiet", "-f", "patch"], cwd=root, env=env, check=True)


def _stream() -> Iterator[bytes]:
    files = "".join(
        f"M 100644 inline app/m{n:04}.py\n{_data(f'def f(x):{chr(10)}    return x + {n}')}" for n in range(FILES)
    )
    yield _commit("main", 0, files)
    for number in range(1, COMMITS):
        yield _commit("main", number, f"M 100644 inline notes.md\n{_data(str(number))}")
    edits = "".join(
        f"M 100644 inline app/m{n:04}.py\n{_data(f'def f(x):{chr(10)}    return x - {n}')}" for n in range(FILES)
    )
    yield _commit("patch", COMMITS, edits, start="from refs/heads/main\n")


def _commit(branch: str, number: int, files: str, start: str = "") -> bytes:
    who = f"committer Ada <ada@example.org> {1_700_000_000 + number} +0000\n"
    return f"commit refs/heads/{branch}\n{who}{_data(f'step {number}')}{start}{files}\n".encode()


def _data(text: str) -> str:
    return f"data {len(text)}\n{text}\n"


if __name__ == "__main__":
    sys.exit(main())
