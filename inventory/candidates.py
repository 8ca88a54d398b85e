"""Candidates as files: what is known of earlier ones, and new files of `invariants/proposed/`, all or none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from inventory import codec
from inventory.errors import Overtaken
from inventory.files import Writer, writing
from inventory.git import Git
from inventory.identity import Known
from inventory.records import INVENTORY_PATH, PROPOSED_DIR, REJECTED_DIR, Candidate, candidate_path
from inventory.tree import Tree


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
    files = files_of(candidates)
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


def files_of(candidates: Sequence[Candidate]) -> dict[str, bytes]:
    """The bytes of each candidate's file."""
    return {candidate_path(candidate.id): codec.dump_candidate(candidate) for candidate in candidates}


def _yaml_files(tree: Tree, folder: str) -> list[str]:
    return [path for path in tree.under(folder) if path.endswith(".yaml") and path.count("/") == folder.count("/") + 1]
