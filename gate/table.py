"""The decision table: from the evidence about one patch to the rows that it meets; pure.

Each function below is one line of the table or a few that share their evidence. A rule only says what it
saw; what the rows add up to is decided in one place (`gate.rows.decide`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gate.evidence import Evidence
from gate.lane_rows import commit_of, lane_rows
from gate.rows import Row, RowClass, Vote
from gate.verdicts import Verdict
from inventory.counts import counted
from inventory.freezes import fault_of
from inventory.oracle import Fixture, Oracle, first_step
from inventory.records import Property, Role

_SHOWN_TARGETS = 10


def rows_of(evidence: Evidence) -> tuple[Row, ...]:
    """Every row that the evidence meets, in the order of the table, weakened ones first in an oracle-only patch."""
    rows = [row for rule in _RULES for row in rule(evidence)]
    return tuple(sorted(rows, key=lambda row: (row.kind is not RowClass.WEAKENED, row.number)))


# -- the lane ----------------------------------------------------------------------------


def _likely_safe(evidence: Evidence) -> Iterator[Row]:
    if evidence.lane is None or not evidence.anything_votes:
        yield _no_oracle(evidence)
        return
    voting = [result for result in evidence.lane.results if result.status is not Verdict.FROZEN]
    passed = all(r.status is Verdict.PASS for r in voting) and not any(b.blocks for b in evidence.beside.values())
    if passed and not evidence.only_candidates and not _drifted(evidence):
        what = f"{len(voting)} of {counted(len(voting), 'voting property')}: passed; every locked fixture matches"
        yield Row(1, RowClass.LIKELY_SAFE, Vote.ALLOW, what, "none", ids=tuple(r.prop_id for r in voting))


def _no_oracle(evidence: Evidence) -> Row:
    oracle = evidence.oracle
    why, step = ("all of them are frozen", "mend what made them noise, for a freeze ends")
    if not oracle.inventory.properties:
        why, step = "the inventory is empty" if oracle.is_there else "there is no inventory", first_step(oracle)
    what = f"no property votes: {why}"
    if evidence.allow_empty and not evidence.only_candidates:
        return Row(1, RowClass.NO_ORACLE, Vote.ALLOW, f"{what}; --allow-empty lets that pass", step)
    return Row(1, RowClass.NO_ORACLE, Vote.NONE, what, f"{step}; or pass --allow-empty")


def _lane(evidence: Evidence) -> Iterator[Row]:
    return lane_rows(evidence, _drifted(evidence))


# -- tests, candidates -------------------------------------------------------------------


def _specimen(evidence: Evidence) -> Iterator[Row]:
    tests = evidence.patch.paths(Role.TEST, Role.SNAPSHOT, Role.CASSETTE, Role.FIXTURE)
    tests = tuple(path for path in tests if path not in evidence.head_fixtures)
    if tests and evidence.patch.production:
        what = "tests edited together with production: specimens of intent, they do not vote"
        yield Row(2, RowClass.SPECIMEN, Vote.NONE, what, "nothing: these tests do not vote, the inventory does", tests)


def _candidates(evidence: Evidence) -> Iterator[Row]:
    paths = evidence.patch.paths(Role.CANDIDATE)
    if evidence.only_candidates:
        what = "this patch holds candidates and nothing else, so there is nothing that the oracle could allow"
        yield Row(15, RowClass.UNTRUSTED, Vote.NONE, what, "promote from this branch: review list --from BRANCH", paths)
        return
    added = tuple(c.path for c in evidence.patch if c.role is Role.CANDIDATE and not c.change.is_deleted)
    if added:
        what = "candidates added or changed in this patch: nobody has reviewed them, they do not vote"
        yield Row(8, RowClass.UNTRUSTED, Vote.NONE, what, "queue them for a human: review list", added)


# -- fixtures and lock -------------------------------------------------------------------


def _drifted(evidence: Evidence) -> dict[str, str]:
    """Locked fixture -> how its bytes or mode differ from what an unchanged lock entry trusts."""
    old = evidence.base.lock.entries if evidence.base else {}
    new = evidence.head.lock.entries if evidence.head else old
    found = {}
    for path, fixture in evidence.head_fixtures.items():
        if path in old and path not in new:
            continue  # no longer locked: a removal, told by other rows
        if old.get(path, new.get(path)) == new.get(path) and (how := _how_drifted(evidence, path, fixture)):
            found[path] = how
    return found


def _how_drifted(evidence: Evidence, path: str, fixture: Fixture) -> str | None:
    before = evidence.base_entries.get(path)
    if before and fixture.entry and before.mode != fixture.entry.mode:
        return f"mode {before.mode} became {fixture.entry.mode}"
    if fixture.matches:
        return None
    if fixture.actual is None or fixture.locked is None:
        return fixture.fault or "it cannot be read"
    return f"expected {fixture.locked.removeprefix('jcs:')[:12]}, got {fixture.actual.removeprefix('jcs:')[:12]}"


def _fixture_drift(evidence: Evidence) -> Iterator[Row]:
    for path, how in _drifted(evidence).items():
        what = f"the locked fixture {path} changed and its lock entry did not: {how}"
        edit = f"restore the bytes, or in a PR of its own: review lock {path} --note WHY"
        if path in evidence.forgotten:
            what, edit = f"the lock trusts bytes of {path} that head does not have: {how}", commit_of(path)
        yield Row(3, RowClass.FIXTURE_DRIFT, Vote.BLOCK, what, edit, (path,), _ids_on(evidence.oracle, path))


def _unexplained_lock(evidence: Evidence) -> Iterator[Row]:
    diff = evidence.diff
    for path in diff.changed_locks if diff else ():
        if diff and not diff.explains_lock(path):
            what = f"the lock entry of {path} changed, and no property on it changed its id, checks or note"
            edit = f"say why with: review lock {path} --note WHY; or revert the lock"
            yield Row(4, RowClass.FIXTURE_DRIFT, Vote.BLOCK, what, edit, (path,), _ids_on(evidence.oracle, path))


# -- oracle edits ------------------------------------------------------------------------


def _promotion(evidence: Evidence) -> Iterator[Row]:
    diff = evidence.diff
    touched = (*diff.added, *diff.changed) if diff else ()
    if touched and evidence.patch.production:
        what = "properties added or changed together with production: " + ", ".join(p.id for p in touched)
        yield _blocked_promotion(what, "promote in a PR of its own, after production has merged", touched)
    hasty = tuple(p for p in touched if p.id in evidence.hasty)
    if hasty:
        what = "promoted from a candidate that this same patch adds: " + ", ".join(p.id for p in hasty)
        yield _blocked_promotion(what, "let the candidate land, or lie on another branch, first", hasty)
    groundless = tuple(p for p in touched if p.id in evidence.groundless)
    if groundless:
        what = "base does not have the target of: " + ", ".join(f"{p.id} ({p.target})" for p in groundless)
        yield _blocked_promotion(what, "merge the production code first, then promote", groundless)


def _blocked_promotion(what: str, edit: str, touched: tuple[Property, ...]) -> Row:
    return Row(9, RowClass.SAME_PATCH_PROMOTION, Vote.BLOCK, what, edit, ids=tuple(p.id for p in touched))


def _oracle_edit(evidence: Evidence) -> Iterator[Row]:
    if not evidence.patch.production:
        return
    paths = _unpromoting_edits(evidence)
    if paths:
        what = "the oracle changed together with production: " + ", ".join(paths)
        what += "".join(f"; {fault}" for fault in evidence.head_faults)
        yield Row(10, RowClass.ORACLE_EDIT, Vote.BLOCK, what, "split the PR: the oracle in one of its own", paths)
    if evidence.owners_changed:
        what = "the code owners of the oracle changed together with production"
        yield Row(10, RowClass.ORACLE_EDIT, Vote.BLOCK, what, "split the PR", evidence.owners_changed)


def _twins(evidence: Evidence) -> Iterator[Row]:
    for path, what in evidence.twins:
        yield Row(10, RowClass.ORACLE_EDIT, Vote.BLOCK, f"a look-alike of the oracle: {what}", "rename it", (path,))


def _unpromoting_edits(evidence: Evidence) -> tuple[str, ...]:
    """The edited oracle files, less an inventory whose only edits are additions and changes that row 9 names."""
    paths = evidence.patch.paths(Role.ORACLE)
    diff = evidence.diff
    told = diff is not None and (diff.added or diff.changed) and not (diff.removed or diff.added_freezes)
    return tuple(path for path in paths if not (told and path == "invariants/inventory.yaml"))


def _weakened(evidence: Evidence) -> Iterator[Row]:
    if evidence.patch.production:
        return
    if evidence.base is None:
        what = "base's oracle cannot be read, so nothing tells what this patch weakens"
        yield Row(11, RowClass.WEAKENED, Vote.NONE, what, "compare by eye; the code owner decides")
    for weaker in evidence.diff.weakenings() if evidence.diff else ():
        paths = (weaker.path,) if weaker.path else ()
        ids = (weaker.property_id,) if weaker.property_id else ()
        yield Row(11, RowClass.WEAKENED, Vote.NONE, weaker.what, "the code owner decides", paths, ids)
    if evidence.owners_changed:
        what = "the code owners of the oracle change"
        yield Row(11, RowClass.WEAKENED, Vote.NONE, what, "the code owner decides", evidence.owners_changed)


def _bad_freezes(evidence: Evidence) -> Iterator[Row]:
    diff = evidence.diff
    for freeze in diff.added_freezes if diff else ():
        fault = fault_of(freeze, diff.new, evidence.today) if diff else None
        if fault:
            what = f"the freeze of {freeze.property_id} does not hold: {fault}"
            edit = "freeze only what was red then green: review freeze ID"
            yield Row(13, RowClass.PROTOCOL_ERROR, Vote.BLOCK, what, edit, ids=(freeze.property_id,))


def _owners(evidence: Evidence) -> Iterator[Row]:
    if evidence.unowned and evidence.oracle.policy.owners == "required":
        what = "nobody owns these oracle files, so anybody's review would do for them"
        edit = "add an owner for /invariants/ to CODEOWNERS: review init --owner WHO"
        yield Row(14, RowClass.PROTOCOL_ERROR, Vote.BLOCK, what, edit, evidence.unowned)


def _uncovered(evidence: Evidence) -> Iterator[Row]:
    voting = {str(entry.target) for entry in evidence.oracle.inventory.properties}
    bare = [changed for changed in evidence.functions if str(changed.target) not in voting]
    if bare:
        total = len(evidence.functions)
        what = f"with a property: {total - len(bare)} of {counted(total, 'changed function')}; without one: "
        what += ", ".join(str(changed.target) for changed in bare[:_SHOWN_TARGETS])
        what += f" and {len(bare) - _SHOWN_TARGETS} more" if len(bare) > _SHOWN_TARGETS else ""
        paths = tuple(dict.fromkeys(changed.place.path for changed in bare))
        yield Row(16, RowClass.UNCOVERED, Vote.NONE, what, "propose, then review", paths)


def _ids_on(oracle: Oracle, fixture: str) -> tuple[str, ...]:
    return tuple(p.id for p in oracle.inventory.properties if p.fixture == fixture)


_RULES: tuple[Callable[[Evidence], Iterator[Row]], ...] = (
    _likely_safe,
    _specimen,
    _fixture_drift,
    _unexplained_lock,
    _lane,
    _candidates,
    _promotion,
    _oracle_edit,
    _twins,
    _weakened,
    _bad_freezes,
    _owners,
    _uncovered,
)
