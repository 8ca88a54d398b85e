"""The cases of `cases/diff_cases.json`: odd paths, contents, states and settings of git, and how to lay them out."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from tests.repo import Repo

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cases" / "diff_cases.json").read_text())


def lay(repo: Repo, files: dict[str, Any]) -> None:
    """Lay the files of a case into the work tree: text or base64, links and modes as it writes them."""
    for path, content in files.items():
        target = repo.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.is_symlink() or target.exists():
            target.unlink()
        if content is None:
            continue
        if "symlink" in content:
            target.symlink_to(content["symlink"])
            continue
        target.write_bytes(base64.b64decode(content["base64"]) if "base64" in content else content["text"].encode())
        target.chmod(int(content.get("mode", "0o644"), 8))
