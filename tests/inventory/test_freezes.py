"""A freeze holds for its triple, its bytes and its days, and for nothing else."""

from __future__ import annotations

from datetime import date

import pytest

from inventory.freezes import fault_of
from inventory.oracle import Oracle
from inventory.records import CheckUse, Freeze, Inventory, Lock, Policy, Property

TODAY = date(2026, 1, 10)
DIGEST = "a" * 64
PROPERTY = Property(
    id="window_bounds", module="app.window", fn="clamp", seed=7, fixture="f.json", checks=(CheckUse(name="lo_le_hi"),)
)
FREEZE = Freeze(
    property_id="window_bounds", seed=7, fixture="f.json", fixture_sha256=DIGEST, reason="noise",
    expires_on="2026-01-20", repeats=("red", "green"),
)  # fmt: skip


def oracle(digest: str = DIGEST, max_days: int = 30) -> Oracle:
    inventory = Inventory(properties=(PROPERTY,))
    return Oracle(inventory, Lock(entries={"f.json": digest}), Policy(freeze_max_days=max_days), b"", {}, (), "", "")


def test_a_freeze_of_noise_within_its_days_is_in_force() -> None:
    assert fault_of(FREEZE, oracle(), TODAY) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"property_id": "another_one"}, "no property another_one"),
        ({"seed": 8}, "seed or fixture"),
        ({"fixture": "g.json"}, "seed or fixture"),
        ({"fixture_sha256": None}, "no fixture_sha256"),
        ({"fixture_sha256": "b" * 64}, "changed since"),
        ({"repeats": ()}, "no red and green"),
        ({"repeats": ("red", "red")}, "no red and green"),
        ({"expires_on": "2026-01-10"}, "expired"),
        ({"expires_on": "2025-12-31"}, "expired"),
        ({"expires_on": "2026-02-10"}, "longer than the 30 days"),
    ],
)
def test_anything_else_voids_it_in_words(change: dict[str, object], words: str) -> None:
    fault = fault_of(FREEZE.model_copy(update=change), oracle(), TODAY)
    assert fault is not None
    assert words in fault


def test_the_last_day_within_the_cap_counts() -> None:
    assert fault_of(FREEZE.model_copy(update={"expires_on": "2026-02-09"}), oracle(), TODAY) is None
