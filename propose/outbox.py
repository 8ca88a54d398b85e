"""Where candidates end up: new files of `invariants/proposed/` in the work tree, or a branch of their own."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from inventory import codec
from inventory.branches import branch_tip, commit_files, committer
from inventory.errors import Overtaken, Refused
from inventory.files import Writer, writing
from inventory.git import Git
from inventory.records import INVENTORY_PATH, PROPOSED_DIR, REJECTED_DIR, Candidate
from inventory.tree import Tree, commit_tree
from propose.identity import Known


def path_of(candidate: Candidate) -> str:
    """The file of a candidate."""
    return f"{PROPOSED_DIR}/{candidate.id}.yaml"


def read_known(tree: Tree) -> Known:
    """Everything that is promoted, rejected or proposed in a tree. Raises CouldNotRun with the faults of a file."""
    known = Known()
    data = tree.read(INVENTORY_PATH)
    for entry in codec.parse_inventory(data, INVENTORY_PATH).properties if data is not None else ():
        known = known.with_claims(entry, "promoted", entry.id)
    for path, data in tree.read_many(_yaml_files(tree, REJECTED_DIR)).items():
        known = known.with_claims(codec.skim_tombstone(data, path), "rejected")
    for path, data in tree.read_many(_yaml_files(tree, PROPOSED_DIR)).items():
        candidate = codec.skim_candidate(data, path)
        known = known.with_claims(candidate, "proposed", candidate.id, path.rpartition("/")[2].removesuffix(".yaml"))
    return known


def write_candidates(git: Git, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Write each candidate to a file that is not there yet, all of them or none, and return their paths.

    Raises Overtaken where a file came meanwhile, or lay there out of git's sight.
    """
    if not candidates:
        return ()
    files = _files(candidates)
    with writing(git, PROPOSED_DIR) as writer, ExitStack() as undo:
        for path, data in files.items():
            _create(writer, path, data)
            undo.callback(writer.remove, path, expected=data)
        undo.pop_all()
    return tuple(files)


def _create(writer: Writer, path: str, data: bytes) -> None:
    if writer.read(path) is not None:
        raise Overtaken(
            f"{path} is there already",
            why="it came meanwhile, or git ignores it and so it was not seen",
            fix=f"Run the command once more; if that does not help: git check-ignore -v {path}",
        )
    writer.create_new(path, data)


def read_shelf(git: Git, branch: str, base: str) -> Tree:
    """The tree of a branch for candidates, or of base where the branch is not there yet.

    Raises Refused for a branch that holds anything but candidates, for then it could satisfy the gate, and
    CouldNotRun where nothing could be committed to it: both before anybody is asked anything.
    """
    tip = branch_tip(git, branch)
    committer(git)
    if tip is None:
        return commit_tree(git, base, f"base {base[:12]}")
    changes = git.changes(git.merge_base(base, tip), tip)
    others = [change.path for change in changes if not change.path.startswith(f"{PROPOSED_DIR}/")]
    if others or not changes:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        raise Refused(
            f"the branch {branch} is none for candidates",
            why=f"it changes {others[0]}{more}" if others else "it holds none, so it serves something else",
            fix="Give the name of a new branch: --to-branch NAME",
        )
    return commit_tree(git, tip, f"the branch {branch}")


def commit_candidates(git: Git, branch: str, base: str, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Commit each candidate as a new file on a branch made from `base`, and return their paths."""
    if not candidates:
        return ()
    files = _files(candidates)
    message = f"Propose {len(files)} candidate{'s'[: len(files) != 1]}\n\nUnreviewed: they have no vote.\n"
    commit_files(git, branch, branch_tip(git, branch), base, files, message)
    return tuple(files)


def _files(candidates: Sequence[Candidate]) -> dict[str, bytes]:
    return {path_of(candidate): codec.dump_candidate(candidate) for candidate in candidates}


def _yaml_files(tree: Tree, folder: str) -> list[str]:
    return [path for path in tree.under(folder) if path.endswith(".yaml") and path.count("/") == folder.count("/") + 1]
