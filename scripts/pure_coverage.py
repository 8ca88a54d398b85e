"""Reports the coverage of the pure core and fails below its threshold.

The list of pure modules is the one that the import contract `pure` in pyproject.toml keeps.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
THRESHOLD = 97


def main() -> int:
    """Run `coverage report` on the pure modules and return its exit code."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    [modules] = [contract["source_modules"] for contract in contracts if contract["id"] == "pure"]
    files = ",".join(module.replace(".", "/") + ".py" for module in modules)
    command = [sys.executable, "-m", "coverage", "report", f"--include={files}", f"--fail-under={THRESHOLD}"]
    print("\nThe pure core:")
    sys.stdout.flush()
    return subprocess.run(command, cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
