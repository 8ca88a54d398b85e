"""The catalogue: it describes every built-in check, and finds what is wrong with a use of one."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

from inventory.catalogue import CATALOGUE, SHAPES, faults_of, is_builtin
from inventory.checks import BUILTIN
from inventory.records import CheckUse


def test_every_check_is_described_and_every_description_has_a_check() -> None:
    assert CATALOGUE.keys() == BUILTIN.keys()


@pytest.mark.parametrize("name", sorted(CATALOGUE))
def test_a_description_names_the_parameters_that_the_check_takes(name: str) -> None:
    spec = CATALOGUE[name]
    taken = list(inspect.signature(BUILTIN[name]).parameters.values())[2:]
    assert [p.name for p in spec.params] == [p.name for p in taken]
    assert [p.required for p in spec.params] == [p.default is inspect.Parameter.empty for p in taken]
    assert spec.law.endswith(".")
    assert spec.shape in SHAPES


def test_a_check_of_the_repository_is_none_of_ours() -> None:
    assert not is_builtin("check_total")
    assert faults_of(CheckUse(name="check_total", params={"tolerance": 1})) == ()


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("roundtrip", {}),
        ("roundtrip", {"inverse": "Codec.render"}),
        ("no_extra_keys", {"allowed": ["ok"]}),
        ("never_raises", {"allowed": "ValueError"}),
        ("in_range", {"min": 0}),
        ("in_range", {"min": -1.5, "max": 3}),
        ("is_sorted", {"reverse": True, "key": "name"}),
        ("matches", {"pattern": "[a-z]+"}),
        ("one_of", {"values": [1, None]}),
        ("length_at_most", {"limit": 0}),
    ],
)
def test_a_right_use_has_no_fault(name: str, params: dict[str, Any]) -> None:
    assert faults_of(CheckUse(name=name, params=params)) == ()


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        ("lo_le_hi", {"strict": True}, "lo_le_hi has no parameter strict; it takes none"),
        ("in_range", {"low": 1}, "in_range has no parameter low; it takes min, max"),
        ("in_range", {}, "in_range needs min, max or both"),
        ("in_range", {"min": 3, "max": 1}, "min 3 is above max 1"),
        ("in_range", {"min": True}, "min must be a number"),
        ("in_range", {"min": float("nan")}, "min must be a number"),
        ("matches", {}, "matches needs the parameter pattern"),
        ("matches", {"pattern": "("}, "a regular expression that compiles"),
        ("roundtrip", {"inverse": "os.system('x')"}, "the name of a function"),
        ("is_sorted", {"reverse": 1}, "true or false"),
        ("length_at_most", {"limit": -1}, "not negative"),
        ("never_raises", {"allowed": []}, "a text or a list of texts"),
        ("one_of", {"values": 3}, "a list of values"),
    ],
)
def test_a_wrong_use_is_named(name: str, params: dict[str, Any], words: str) -> None:
    [fault] = faults_of(CheckUse(name=name, params=params))
    assert words in fault
