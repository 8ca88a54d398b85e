"""A tree to read files from: one commit, or the work tree as a snapshot; never the disk itself."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from inventory.git import Git
from inventory.objects import Entry


@dataclass(frozen=True)
class Tree:
    """The files of one commit or snapshot. `label` is how messages call it."""

    git: Git
    id: str
    label: str

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """Path -> entry of every file, links and submodules included."""
        return {entry.path: entry for entry in self.git.entries(self.id)}

    def __contains__(self, path: object) -> bool:
        return path in self.entries

    def read(self, path: str) -> bytes | None:
        """The bytes of the blob at `path`; of a symbolic link, its target. None where there is no blob."""
        return self.read_many((path,)).get(path)

    def read_many(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Like `read` for several paths in one call of git; absent ones are left out."""
        found = {p: e for p in paths if (e := self.entries.get(p)) and e.kind == "blob"}
        blobs = self.git.blobs(e.id for e in found.values())
        return {path: blobs[entry.id] for path, entry in found.items()}

    def under(self, folder: str) -> list[str]:
        """The paths below a folder, sorted."""
        return sorted(p for p in self.entries if p.startswith(f"{folder}/"))


def commit_tree(git: Git, commit: str, label: str = "") -> Tree:
    """The tree of a commit, given by its full id."""
    return Tree(git, commit, label or commit[:12])


def with_files(tree: Tree, files: Mapping[str, bytes], git: Git | None = None) -> Tree:
    """The tree with some files put in; its objects go where those of `git` go (the tree's own, if not given).

    An index of its own is used, so neither the work tree nor the repository's index is touched.
    """
    git = git or tree.git
    with tempfile.TemporaryDirectory(prefix="inventory-tree-") as folder:
        aside = Git(git.root, {**git.extra, "GIT_INDEX_FILE": f"{folder}/index"})
        aside.run("read-tree", tree.id)
        rows = []
        for path, data in files.items():
            blob = aside.run("hash-object", "-w", "--stdin", "--no-filters", stdin=data).decode().strip()
            rows.append(f"100644 {blob}\t{path}\0")
        aside.run("update-index", "-z", "--index-info", stdin="".join(rows).encode())
        return Tree(git, aside.run("write-tree").decode().strip(), tree.label)


@contextmanager
def work_tree(git: Git) -> Iterator[Tree]:
    """The work tree as it lies on disk now, ignored files aside; valid inside the `with`."""
    with git.snapshot() as (aside, tree_id):
        yield Tree(aside, tree_id, "the work tree")
