"""Paths that are mistaken for the oracle's are told, and ordinary ones are not."""

from __future__ import annotations

import pytest

from inventory.twins import twins

REAL = "invariants/inventory.yaml"


@pytest.mark.parametrize(
    "path",
    [
        "invari\u0430nts/inventory.yaml",
        "Invariants/inventory.yaml",
        "INVARIANTS/x",
        "invarlants/inventory.yaml",
        "1nvariants/a",
        "\uff49nvariants/a",
        "inv\u00e1riants/a",
        "inva\u200briants/a",
    ],
)
def test_a_folder_that_reads_like_the_oracles_is_told(path: str) -> None:
    assert dict(twins([REAL, path])) == {path: "it reads like invariants/ and is another folder"}


def test_files_that_differ_in_case_or_form_are_told() -> None:
    names = ["invariants/Inventory.yaml", REAL, "invariants/cafe\u0301.json", "invariants/caf\u00e9.json"]
    assert {path for path, _ in twins(names)} == set(names)


@pytest.mark.parametrize("path", ["invariants/a.py", "app/invariants/x", "variants/a", "invariants", "invariant/a"])
def test_ordinary_paths_are_none(path: str) -> None:
    assert dict(twins([REAL, path])) == {}
