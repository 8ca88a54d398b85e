"""One ruling of each kind on one small oracle."""

from __future__ import annotations

from inventory.codec import dump_candidate, dump_lock, dump_tombstone
from inventory.digests import sha256
from inventory.oracle import Fixture, Oracle
from inventory.records import Candidate, CheckUse, Freeze, Inventory, Lock, Policy, Property
from review import relock, splice
from review.amend import Before, amending, retiring
from review.claims import Claim
from review.freeze import freezing
from review.queue import Item, State
from review.reject import Reason, rejection, reopening
from review.ruling import Ruling
from review.samples import Samples, locked
from review.standing import Standing

INVENTORY_PATH, LOCK_PATH = "invariants/inventory.yaml", "invariants/fixture.lock.json"
CANDIDATE_PATH = "invariants/proposed/new_one.yaml"
GRAVE_PATH = "invariants/rejected/gone_one--000000000000.yaml"
CHECKS = (CheckUse(name="deterministic"),)
CLAIM = Claim("new_one", "app", "f", (), "0")
CANDIDATE = Candidate(id="new_one", module="app", fn="f", checks=CHECKS)
OLD = Property(id="old_one", module="app", fn="g", seed=1, fixture="a.json", checks=CHECKS)
NEW = Property(id="new_one", module="app", fn="f", seed=1, fixture="b.json", checks=CHECKS)
FIXTURES = {path: Fixture(path, None, (1,), sha256(path.encode()), None) for path in ("a.json", "b.json", "c.json")}
INVENTORY = Inventory(properties=(OLD,))
LOCK = Lock(entries={"a.json": sha256(b"a.json")})
GRAVE = rejection(
    Item(
        "invariants/proposed/gone_one.yaml", State.PENDING, "", CLAIM, CANDIDATE.model_copy(update={"id": "gone_one"})
    ),
    INVENTORY, LOCK, Reason.WRONG, "Jo", None,
).tombstone  # fmt: skip
assert GRAVE

BEFORE = {
    INVENTORY_PATH: splice.add_property("# ours\nversion: 1\n", OLD).encode(),
    LOCK_PATH: dump_lock(LOCK),
    CANDIDATE_PATH: dump_candidate(CANDIDATE),
    GRAVE_PATH: dump_tombstone(GRAVE[1]),
}
_ON_MAIN = Before(
    INVENTORY, LOCK, Standing("b", "main", (), uncommitted=False), Samples(FIXTURES["c.json"], untracked=False)
)
_FREEZE = Freeze(property_id="old_one", seed=1, fixture="a.json", reason="noise", expires_on="2026-12-15")
_RELOCKED = relock.Relocked(Lock(entries={"a.json": "1" * 64}), ("a.json",), (), (0,))

RULINGS: dict[str, Ruling] = {
    "promote": Ruling(
        INVENTORY,
        LOCK,
        INVENTORY.model_copy(update={"properties": (OLD, NEW)}),
        lambda text: splice.add_property(text, NEW),
        locked(LOCK, FIXTURES["b.json"]),
        settled=(CANDIDATE_PATH, CANDIDATE),
    ),
    "reject": rejection(
        Item(CANDIDATE_PATH, State.PENDING, "", CLAIM, CANDIDATE), INVENTORY, LOCK, Reason.VACUOUS, "Jo", "Says nothing"
    ),
    "lock": relock.ruling(INVENTORY, LOCK, _RELOCKED, "New samples"),
    "freeze": freezing(_FREEZE, Oracle(INVENTORY, LOCK, Policy(), b"", {}, (), "", "")),
    "amend": amending(OLD.model_copy(update={"fixture": "c.json", "note": "Another one"}), _ON_MAIN),
    "retire": retiring("old_one", _ON_MAIN, ("Jo", "No longer wanted")),
    "reopen": reopening("gone_one", {GRAVE_PATH: GRAVE[1]}, INVENTORY, LOCK),
}
