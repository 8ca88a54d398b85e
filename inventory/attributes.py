"""Which paths a commit's own `.gitattributes` mark as not to be shown, whatever is checked out now."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable

from inventory.git import Git


def marked_binary(git: Git, commit: str, paths: Iterable[str]) -> frozenset[str]:
    """The paths with `-diff` (of which `binary` is a kind) by the attributes of a commit, read in its own index."""
    wanted = b"".join(os.fsencode(path) + b"\0" for path in paths)
    with tempfile.TemporaryDirectory(prefix="inventory-attributes-") as folder:
        aside = Git(git.root, {"GIT_INDEX_FILE": f"{folder}/index"})
        aside.run("read-tree", commit)
        rows = aside.run("check-attr", "--cached", "-z", "--stdin", "diff", stdin=wanted).split(b"\0")[:-1]
    return frozenset(os.fsdecode(path) for path, value in zip(rows[::3], rows[2::3], strict=True) if value == b"unset")
