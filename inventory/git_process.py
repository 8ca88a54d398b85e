"""How git is started: a scrubbed environment and pinned options, so that no configuration changes an answer.

Nothing that a repository, a user or a hook has configured may change what is read, so every option that
git lets a configuration decide is given on the command line.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from inventory.errors import CouldNotRun

_PINNED = (
    "-c", "core.quotePath=true",
    "-c", "core.fsmonitor=false",
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.attributesFile=/dev/null",
    "-c", "core.warnAmbiguousRefs=true",
    "-c", "core.precomposeUnicode=false",
    "-c", "diff.orderFile=/dev/null",
    "-c", "advice.graftFileDeprecated=false",
    "-c", "log.diffMerges=separate",
    "-c", "log.follow=false",
    "-c", "log.showSignature=false",
    "-c", "commit.gpgSign=false",
    "-c", "gc.auto=0",
)  # fmt: skip
_TIMEOUT_S = 300


def run_git(
    cwd: Path, args: Sequence[str], extra: Mapping[str, str], stdin: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Run git in `cwd` and wait for it. Raises CouldNotRun where it is missing or does not end."""
    try:
        return subprocess.run(
            ["git", *_PINNED, *args],
            cwd=cwd,
            env=_environment() | dict(extra),
            input=stdin,
            capture_output=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except FileNotFoundError:
        if not cwd.is_dir():
            raise CouldNotRun(
                f"no such folder: {cwd}", why="it was not there to start git in", fix="Start inside a repository."
            ) from None
        raise CouldNotRun("git is not installed", why="no git on PATH", fix="Install git 2.31 or newer.") from None
    except subprocess.TimeoutExpired:
        raise CouldNotRun(
            f"git {args[0]} did not end", why=f"no answer in {_TIMEOUT_S} s", fix="Look at the repository: git fsck"
        ) from None


def _environment() -> dict[str, str]:
    """The caller's environment without a word of git's, plus what makes answers the same everywhere."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    return kept | {
        "LC_ALL": "C",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_GRAFT_FILE": "/dev/null",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_NO_LAZY_FETCH": "1",
    }


def said(done: subprocess.CompletedProcess[bytes]) -> str:
    """Git's own words about a failure, in one line."""
    lines = done.stderr.decode("utf-8", "replace").split("\n")
    return "; ".join([line.strip() for line in lines if line.strip()][:3])
