"""Times `review list` on ten thousand candidates, as a whole process: the first look, and every later one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CANDIDATES = 10_000
_TEXT = "id: {0}\nmodule: app.window\nfn: clamp\nchecks:\n  - deterministic\n  - check_{0}\n"


def main() -> int:
    """Run the benchmark and print its table."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        root = Path(folder) / "repo"
        _repository(root)
        env = os.environ | {"XDG_CACHE_HOME": f"{folder}/cache"}
        times = [_timed(root, env) for _ in range(4)]
    print(f"review list on {CANDIDATES} candidates")
    print(f"the first look     {times[0]:6.2f} s")
    print(f"every later one    {min(times[1:]):6.2f} s (the best of three)")
    return 0


def _timed(root: Path, env: dict[str, str]) -> float:
    command = [sys.executable, str(ROOT / "invariant_inventory.py"), "review", "list"]
    started = time.perf_counter()
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(done.stderr.decode())
    return time.perf_counter() - started


def _repository(root: Path) -> None:
    proposed = root / "invariants" / "proposed"
    proposed.mkdir(parents=True)
    (root / "app").mkdir()
    (root / "app" / "window.py").write_text("def clamp(): ...\n")
    for number in range(CANDIDATES):
        name = f"cand_{number:05}"
        (proposed / f"{name}.yaml").write_text(_TEXT.format(name))
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for command in (["init", "--quiet", "-b", "main"], ["add", "--all"], [*who, "commit", "--quiet", "-m", "start"]):
        subprocess.run(["git", *command], cwd=root, check=True)


if __name__ == "__main__":
    sys.exit(main())
