"""The one door to git: what may be asked of a repository, full ids in and plain values out."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from inventory.errors import CouldNotRun
from inventory.git_process import run_git, said
from inventory.objects import Change, Entry, Resolved
from inventory.revisions import ABSENT, Reach, no_commit, refuse_odd, start_of

_DIFF = ("--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative", "--no-color", "--ignore-submodules=none")
# Who "makes" a commit that nobody will ever see: the user's own name may not be configured.
_NOBODY = {f"GIT_{who}_{what}": "invariant-inventory" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
_FETCH_WHOLE = "Fetch it whole: git fetch --refetch --filter=blob:limit=1g, or clone anew without --filter."


@dataclass(frozen=True)
class Git:
    """One repository. Open it with `Git.open`; `extra` serves only `snapshot`."""

    root: Path
    extra: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def open(cls, start: Path) -> Git:
        """The repository whose work tree holds `start`.

        Raises CouldNotRun where there is none, or where git itself is missing or refuses it.
        """
        try:
            done = run_git(start, ("rev-parse", "--show-toplevel"), {})
        except NotADirectoryError as error:
            raise CouldNotRun(f"no such folder: {start}", why=str(error), fix="Start it inside a repository.") from None
        if done.returncode:
            why = said(done) or f"git found no work tree at {start}"
            raise CouldNotRun(
                "this is not the work tree of a git repository",
                why=why,
                fix="Trust it as git says there, or start as the one who owns it."
                if "dubious ownership" in why
                else "Change into the repository, or make one with: git init",
            )
        return cls(Path(os.fsdecode(done.stdout.rstrip(b"\n"))))

    # -- revisions -----------------------------------------------------------------

    def resolve(self, asked: str, *, what: str = "revision") -> Resolved:
        """The commit that `asked` names, tried once more below `origin/` as CI clones need it.

        Raises WrongUsage for a text that can be no revision, CouldNotRun when git does not know it or has no commit.
        """
        refuse_odd(asked, what)
        for name in (asked, f"origin/{asked}"):
            done = self._try("rev-parse", "--verify", "--end-of-options", f"{name}^{{commit}}")
            if b"is ambiguous" in done.stderr:
                raise CouldNotRun(
                    f"the {what} {asked!r} is ambiguous",
                    why=said(done),
                    fix="Give the full name, such as refs/heads/NAME, or a commit id.",
                )
            if done.returncode == 0:
                return Resolved(asked, name, done.stdout.decode().strip())
        self.head()  # without a commit there is nothing to fetch
        raise no_commit(asked, what, self._reach(asked))

    def _reach(self, asked: str) -> Reach:
        start, line = start_of(asked), None
        for name in (start, f"origin/{start}") if start else ():
            done = self._try("rev-list", "--count", "--first-parent", "--end-of-options", name, "--")
            if done.returncode == 0:
                line = int(done.stdout)
                break
        return Reach(self._is_shallow(), bool(self.run("remote")), line, self._names())

    def _names(self) -> tuple[str, ...]:
        """The branches, here and at remotes, and the tags."""
        kinds = ("refs/heads", "refs/remotes", "refs/tags")
        return tuple(os.fsdecode(self.run("for-each-ref", "--format=%(refname:lstrip=2)", *kinds)).splitlines())

    def merge_base(self, base: str, head: str, *besides: str) -> str:
        """The commit where `head` left `base`, or one of `besides` where it left that later; all are full ids.

        Raises CouldNotRun where there is none.
        """
        done = self._try("merge-base", "--all", head, base, *besides)
        found = done.stdout.decode().split()
        if len(found) == 1:
            return found[0]
        shallow = "; this clone is shallow" if self._is_shallow() else ""
        raise CouldNotRun(
            "base and head have " + ("several merge bases" if found else "no common commit"),
            why=f"git merge-base found {len(found)} for {base[:12]} and {head[:12]}" + shallow,
            fix="Merge base into the branch once."
            if found
            else "Fetch the whole history: git fetch --unshallow (in CI: fetch-depth: 0).",
        )

    def default_base(self) -> Resolved:
        """Where HEAD most likely started: origin/HEAD, main or master, here or at origin, by which HEAD left last.

        A local main that is ahead of origin is nearer than origin/HEAD. The branch that is checked out is no base of
        its own while there is another.
        """
        if found := list(self._defaults()):
            here = self.branch()
            others = [one for one in found if one.name != here] or found
            return min(others, key=lambda one: self._ahead_of(one.id)) if len({o.id for o in others}) > 1 else others[0]
        raise CouldNotRun(
            "there is no base to compare with",
            why="neither origin/HEAD nor a branch main or master exists here",
            fix="Name it: --base REF",
        )

    def _ahead_of(self, commit: str) -> int:
        """How many commits HEAD has that `commit` does not have."""
        done = self._try("rev-list", "--count", f"{commit}..HEAD")
        return int(done.stdout) if done.returncode == 0 else 0

    def default_ids(self) -> tuple[str, ...]:
        """The commits of all branches that are usually a base."""
        return tuple(dict.fromkeys(found.id for found in self._defaults()))

    def _defaults(self) -> Iterator[Resolved]:
        for name in ("origin/HEAD", "main", "master", "origin/main", "origin/master"):
            done = self._try("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
            if done.returncode == 0:
                yield Resolved(name, name, done.stdout.decode().strip())

    def head(self) -> Resolved:
        """The commit that is checked out. Raises CouldNotRun in a repository without commits."""
        done = self._try("rev-parse", "--verify", "--quiet", "HEAD^{commit}")
        if done.returncode:
            raise CouldNotRun(
                "this repository has no commit yet",
                why="HEAD does not name a commit",
                fix="Make a first commit, then start again.",
            )
        return Resolved("HEAD", "HEAD", done.stdout.decode().strip())

    def branch(self) -> str | None:
        """The branch that is checked out; None on a detached head."""
        done = self._try("symbolic-ref", "--quiet", "--short", "HEAD")
        return os.fsdecode(done.stdout.strip()) or None

    def recent_branches(self, limit: int, folder: str) -> tuple[Resolved, ...]:
        """The newest branches, here and at remotes, that hold a folder; of those that hold the same, the first."""
        form = "--format=%(if)%(symref)%(then)%(else)%(objectname) %(refname:short)%(end)"
        raw = self.run("for-each-ref", "--sort=-committerdate", f"--count={limit}", form, "refs/heads", "refs/remotes")
        rows = [os.fsdecode(row).split(" ", 1) for row in raw.splitlines() if row]
        asked = "".join(f"{commit}:{folder}\n" for commit, _ in rows).encode()
        trees = self.run("cat-file", "--batch-check=%(objecttype) %(objectname)", stdin=asked).decode().splitlines()
        found = {
            tree: Resolved(name, name, commit) for (commit, name), tree in reversed([*zip(rows, trees, strict=True)])
        }
        return tuple(found[tree] for tree in dict.fromkeys(trees) if tree.startswith("tree "))

    def remote(self) -> str | None:
        """The remote that a branch is pushed to: origin, else the first; None where there is none."""
        names = os.fsdecode(self.run("remote")).split()
        return "origin" if "origin" in names else next(iter(names), None)

    # -- trees and blobs -----------------------------------------------------------

    def tree_of(self, commit: str) -> str:
        """The id of the tree of a commit; a tree is its own."""
        return self.run("rev-parse", "--verify", f"{commit}^{{tree}}").decode().strip()

    def entries(self, treeish: str) -> tuple[Entry, ...]:
        """Every file of a commit or tree, in git's order."""
        raw = self.run("ls-tree", "-r", "-z", "--full-tree", treeish)
        return tuple(_entry(row) for row in raw.split(b"\0") if row)

    def blobs(self, ids: Iterable[str]) -> dict[str, bytes]:
        """The bytes of each blob, straight from the object store: no attribute, filter or link is followed."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        raw = self.run("cat-file", "--batch", "--buffer", stdin="".join(f"{i}\n" for i in wanted).encode())
        return dict(zip(wanted, _batch(raw, wanted), strict=True))

    def sizes(self, ids: Iterable[str]) -> dict[str, int]:
        """The size in bytes of each blob, without reading it."""
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            return {}
        raw = self.run(
            "cat-file",
            "--batch-check=%(objectname) %(objectsize)",
            "--buffer",
            stdin="".join(f"{i}\n" for i in wanted).encode(),
        )
        rows = [row.split() for row in raw.decode().splitlines()]
        missing = [row[0] for row in rows if not row[1].isdigit()]
        if missing:
            raise _missing_object(missing[0])
        return {row[0]: int(row[1]) for row in rows}

    # -- differences ---------------------------------------------------------------

    def changes(self, old: str, new: str) -> tuple[Change, ...]:
        """The paths that differ between two commits or trees, renames split in two."""
        raw = self.run("diff-tree", "-r", "--raw", "-z", "--no-abbrev", *_DIFF, old, new)
        fields = raw.split(b"\0")[:-1]
        return tuple(_change(meta, path) for meta, path in zip(fields[::2], fields[1::2], strict=True))

    def numstat(self, old: str, new: str) -> dict[str, tuple[int, int] | None]:
        """Added and removed lines of each changed path; None where git takes the file for binary."""
        raw = self.run("diff-tree", "-r", "--numstat", "-z", *_DIFF, old, new)
        rows = (row.split(b"\t", 2) for row in raw.split(b"\0") if row)
        return {os.fsdecode(p): None if a == b"-" else (int(a), int(r)) for a, r, p in rows}

    def renames(self, old: str, new: str) -> tuple[tuple[str, str], ...]:
        """Pairs of paths that git takes for one file that moved: at least half of its lines stayed."""
        args = (*(a for a in _DIFF if a != "--no-renames"), "--find-renames=50%", "-l0", "--diff-filter=R")
        fields = self.run("diff-tree", "-r", "--name-status", "-z", *args, old, new).split(b"\0")[:-1]
        return tuple((os.fsdecode(a), os.fsdecode(b)) for a, b in zip(fields[1::3], fields[2::3], strict=True))

    def patch_text(self, old: str, new: str, path: str) -> str:
        """The unified diff of one path without context, for hunks only: never trust a name in it."""
        raw = self.run(
            "diff-tree", "-r", "-p", "--unified=0", "--src-prefix=a/", "--dst-prefix=b/",
            "--diff-algorithm=myers", "--inter-hunk-context=0", *_DIFF, old, new, "--", path,
        )  # fmt: skip
        return raw.decode("utf-8", "replace")

    def added_blobs(self, old: str, new: str, folder: str) -> tuple[str, ...]:
        """The ids of all blobs that any commit after `old`, up to `new`, gave a path below `folder`."""
        raw = self.run("log", "-m", "--format=", "--raw", "-z", "--no-abbrev", *_DIFF, f"{old}..{new}", "--", folder)
        metas = (row for row in raw.split(b"\0") if row.lstrip(b"\n").startswith(b":"))
        ids = (meta.split()[3].decode() for meta in metas)
        return tuple(dict.fromkeys(i for i in ids if not ABSENT.fullmatch(i)))

    def dirty(self) -> tuple[str, ...]:
        """The paths of the work tree or index that differ from HEAD, untracked ones included, ignored ones not."""
        raw = self.run(
            "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=none"
        )
        return tuple(os.fsdecode(row[3:]) for row in raw.split(b"\0") if row)

    def attributes(self, paths: Sequence[str], names: Sequence[str]) -> tuple[tuple[str, str, str], ...]:
        """Path, attribute and value of each of the `names` for each path, by the files of the work tree."""
        if not paths:
            return ()
        raw = self.run("check-attr", "-z", "--stdin", *names, stdin="\0".join(paths).encode("utf-8", "surrogateescape"))
        fields = [os.fsdecode(part) for part in raw.split(b"\0")[:-1]]
        return tuple(zip(fields[::3], fields[1::3], fields[2::3], strict=True))

    # -- the work tree -------------------------------------------------------------

    @contextmanager
    def snapshot(self) -> Iterator[tuple[Git, str]]:
        """The work tree as a tree id, line endings and filters applied as a commit would.

        The objects go to a folder that is removed afterwards; repository and index stay untouched.
        Read the tree through the `Git` that comes with it. Files that git ignores are not part of it, and neither
        is a virtual environment that nobody tracks: before Python 3.13 it does not ignore itself.
        """
        out = [f":(exclude,top,literal){folder}" for folder in self._environments()]
        with self._beside() as aside:
            (_with_magic(aside) if out else aside).run("add", "--all", *(["--", ":(top)", *out] if out else ()))
            yield aside, aside.run("write-tree").decode().strip()

    @contextmanager
    def staged(self, parent: str) -> Iterator[tuple[Git, str]]:
        """What is staged as a commit on `parent`, by its id; like `snapshot`, it leaves no trace."""
        with self._beside() as aside:
            tree = aside.run("write-tree").decode().strip()
            yield aside, aside.run("commit-tree", tree, "-p", parent, stdin=b"what is staged\n").decode().strip()

    def _environments(self) -> list[str]:
        """The folders of virtual environments that git neither tracks nor ignores."""
        asked = ("ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--", ":(top,glob)**/pyvenv.cfg")
        raw = _with_magic(self).run(*asked)
        return [folder for row in raw.split(b"\0") if (folder := os.fsdecode(row).rpartition("/")[0])]

    @contextmanager
    def _beside(self) -> Iterator[Git]:
        """The same repository with a copy of its index, and with a place of its own for new objects."""
        index, objects = self.private_path("index"), os.fspath(self.private_path("objects"))
        with tempfile.TemporaryDirectory(prefix="inventory-snapshot-") as folder:
            extra = {
                "GIT_INDEX_FILE": f"{folder}/index",
                "GIT_OBJECT_DIRECTORY": f"{folder}/objects",
                "GIT_ALTERNATE_OBJECT_DIRECTORIES": objects,
            }
            (Path(folder) / "objects").mkdir()
            if index.exists():
                # With its time stamp: git reads a file anew when the index is not younger than the file.
                shutil.copy2(index, extra["GIT_INDEX_FILE"])
            yield Git(self.root, {**extra, **_NOBODY})

    def untracked(self) -> frozenset[str]:
        """The paths of the work tree that git neither tracks nor ignores."""
        raw = self.run("ls-files", "-z", "--others", "--exclude-standard", "--full-name")
        return frozenset(os.fsdecode(path) for path in raw.split(b"\0") if path)

    def author(self) -> str | None:
        """The name that git would sign a commit with, as configured; None where none is."""
        done = self._try("config", "--get", "user.name")
        return done.stdout.decode("utf-8", "replace").strip() or None

    def private_path(self, name: str) -> Path:
        """Where git keeps, or would keep, `name` for this work tree: inside the git directory, never tracked."""
        raw = self.run("rev-parse", "--path-format=absolute", "--git-path", name)
        return Path(os.fsdecode(raw.rstrip(b"\n")))

    # -- the process ---------------------------------------------------------------

    def run(self, *args: str, stdin: bytes = b"") -> bytes:
        """What git prints. Raises CouldNotRun with git's own words when it fails."""
        done = self._try(*args, stdin=stdin)
        if done.returncode:
            why = said(done) or f"it ended with {done.returncode}"
            raise CouldNotRun(
                f"git {args[0]} failed",
                why=why,
                fix=_FETCH_WHOLE
                if "promisor remote" in why
                else "Mend what git names; where it names nothing, look at the repository with: git fsck",
            )
        return done.stdout

    def succeeds(self, *args: str) -> bool:
        """Whether git ends without an error; what it prints is not looked at."""
        return self._try(*args).returncode == 0

    def _try(self, *args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return run_git(self.root, args, self.extra, stdin)

    def _is_shallow(self) -> bool:
        return self._try("rev-parse", "--is-shallow-repository").stdout.strip() == b"true"


def _with_magic(git: Git) -> Git:
    """The same, for paths that are patterns of ours; elsewhere every path means itself."""
    return Git(git.root, {**git.extra, "GIT_LITERAL_PATHSPECS": "0"})


def _entry(row: bytes) -> Entry:
    meta, path = row.split(b"\t", 1)
    mode, kind, object_id = meta.decode().split()
    return Entry(os.fsdecode(path), mode, kind, object_id)


def _change(meta: bytes, path: bytes) -> Change:
    old_mode, new_mode, old_id, new_id, _status = meta.decode().lstrip(":").split()
    return Change(
        os.fsdecode(path),
        old_mode,
        new_mode,
        None if old_mode == "000000" else old_id,
        None if new_mode == "000000" else new_id,
    )


def _batch(raw: bytes, wanted: Sequence[str]) -> Iterator[bytes]:
    """Take apart the answer of `git cat-file --batch`: a header line, the bytes, a newline."""
    at = 0
    for object_id in wanted:
        end = raw.index(b"\n", at)
        header = raw[at:end].split()
        if len(header) != 3 or header[1] != b"blob":
            raise _missing_object(object_id)
        size = int(header[2])
        yield raw[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def _missing_object(object_id: str) -> CouldNotRun:
    return CouldNotRun(
        f"the object {object_id[:12]} is not in this repository",
        why="the clone is partial, or it is damaged",
        fix=_FETCH_WHOLE,
    )
