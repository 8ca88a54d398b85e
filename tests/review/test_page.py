"""The page of a candidate: the nearest property, its difference, provenance, and what else is in view."""

from __future__ import annotations

from inventory.oracle import Fixture
from inventory.records import Candidate, CheckUse, Inventory, Property, Provenance, Tombstone
from review.nearest import difference, nearest
from review.page import difference_page, fixture_page, page, provenance_page
from review.queue import Item, State
from review.view import View


def uses(*names: str) -> tuple[CheckUse, ...]:
    return tuple(CheckUse(name=name) for name in names)


def voting(name: str, module: str, fn: str, *checks: str) -> Property:
    return Property(id=name, module=module, fn=fn, seed=1, fixture="a.json", checks=uses(*checks))


CANDIDATE = Candidate(id="new_one", module="app.a", fn="f", checks=uses("idempotent", "never_raises"), evidence="gone")
SAME = voting("same_fn", "app.a", "f", "deterministic")
MODULE = voting("same_module", "app.a", "g", "idempotent")
CHECK = voting("same_check", "app.b", "f", "idempotent", "never_raises")
FAR = voting("far_off", "app.b", "g", "deterministic")


def test_the_nearest_property_is_of_the_same_function_then_module_then_checks() -> None:
    assert nearest(CANDIDATE, Inventory(properties=(FAR, CHECK, MODULE, SAME))) == SAME
    assert nearest(CANDIDATE, Inventory(properties=(FAR, CHECK, MODULE))) == MODULE
    assert nearest(CANDIDATE, Inventory(properties=(FAR, CHECK))) == CHECK
    assert nearest(CANDIDATE, Inventory(properties=(FAR,))) is None
    assert nearest(CANDIDATE, Inventory()) is None


def test_a_difference_marks_what_is_only_here_or_there() -> None:
    lines = difference(CANDIDATE, SAME)
    assert {"- id: same_fn", "+ id: new_one", "  module: app.a", "-   - deterministic"} <= set(lines)


def test_a_page_tells_what_was_rejected_that_evidence_is_gone_and_what_is_near() -> None:
    grave = Tombstone(
        id="old_one", module="app.a", fn="f", checks=uses("total"), reason="wrong", rejected_by="Jo", note="It wraps"
    )  # fmt: skip
    view = View(Item("p/new_one.yaml", State.PENDING, candidate=CANDIDATE), "app/a.py", nearest=SAME, graves=(grave,))
    text = page(view, 70)
    for part in ("old_one: wrong, by Jo: It wraps", "(no longer in app/a.py)", "the property same_fn", "idempotent: "):
        assert part in text
    assert max(map(len, text.splitlines())) <= 70
    assert "+ id: new_one" in difference_page(view)
    assert "nobody says" in provenance_page(CANDIDATE)
    known = CANDIDATE.model_copy(update={"provenance": Provenance(proposer="rules", origin="the change of f")})
    assert "origin     the change of f" in provenance_page(known)


def test_a_fixture_is_shown_by_digest_count_and_first_samples_or_its_fault() -> None:
    shown = fixture_page(Fixture("a.json", None, (1, 2, "x" * 900, 4), "ab" * 32, None))
    for part in ("a.json: 4 samples", "ab" * 32, "sample     1"):
        assert part in shown
    assert len(shown) < 1500
    assert "is a link" in fixture_page(Fixture("a.json", None, None, None, None, "a.json is a link"))
