"""Where candidates end up: new files of `invariants/proposed/` in the work tree, or a branch of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inventory import codec
from inventory.files import writing
from inventory.git import Git
from inventory.oracle import read_oracle
from inventory.records import PROPOSED_DIR, REJECTED_DIR, Candidate
from inventory.tree import Tree
from propose.identity import Known


def path_of(candidate: Candidate) -> str:
    """The file of a candidate."""
    return f"{PROPOSED_DIR}/{candidate.id}.yaml"


def read_known(tree: Tree) -> Known:
    """Everything that is promoted, rejected or proposed in a tree. Raises CouldNotRun with the faults of a file."""
    known = Known()
    for entry in read_oracle(tree).inventory.properties:
        known = known.with_claims(entry.module, entry.fn, entry.checks, "promoted", entry.id)
    for path, data in tree.read_many(_yaml_files(tree, REJECTED_DIR)).items():
        tombstone = codec.parse_tombstone(data, path)
        known = known.with_claims(tombstone.module, tombstone.fn, tombstone.checks, "rejected")
    for path, data in tree.read_many(_yaml_files(tree, PROPOSED_DIR)).items():
        candidate = codec.parse_candidate(data, path)
        known = known.with_claims(candidate.module, candidate.fn, candidate.checks, "proposed", candidate.id)
        known = Known(known.claims, known.ids | {path.rpartition("/")[2].removesuffix(".yaml")})
    return known


def write_candidates(git: Git, candidates: Sequence[Candidate]) -> tuple[str, ...]:
    """Write each candidate to a file that is not there yet, and return their paths."""
    if not candidates:
        return ()
    with writing(git, PROPOSED_DIR) as writer:
        for candidate in candidates:
            writer.create_new(path_of(candidate), codec.dump_candidate(candidate))
    return tuple(map(path_of, candidates))


def _yaml_files(tree: Tree, folder: str) -> list[str]:
    return [path for path in tree.under(folder) if path.endswith(".yaml") and path.count("/") == folder.count("/") + 1]
