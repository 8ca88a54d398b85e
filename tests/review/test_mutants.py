"""Mutants: each differs from the function in one place, parses, and the lane tells which ones a property notices."""

from __future__ import annotations

import ast
import json

import pytest

from review.mutants import MAX_MUTANTS, mutants_of
from tests.repo import Repo

SOURCE = b'''\
"""A module."""


def helper(n):
    return n + 1


class Box:
    @staticmethod
    def size(items, least=0):
        """Count them."""
        total = 0
        for item in items:
            if item > least and item:
                total += 1
        return max(total, helper(0))


def untouched(x):
    return x - 1
'''


def whats(name: str, answers: tuple[object, ...] = ()) -> set[str]:
    return {mutant.what for mutant in mutants_of(SOURCE, name, answers)}


def test_each_kind_of_fault_is_put_in_once() -> None:
    assert whats("Box.size", (7,)) == {
        "no fault",
        "always: return None",
        "always: return items",
        "always: return least",
        "always: return 7",
        "always: return 0",
        "negated: item > least and item",
        "swapped: item > least became item >= least",
        "swapped: item > least and item became item > least or item",
        "dropped: total = 0",
        "dropped: total += 1",
        "swapped: total += 1 became total -= 1",
        "off by one: 0 became 1",
        "off by one: 1 became 2",
        "swapped: max became min",
        "swapped: n + 1 became n - 1",
    }


def test_a_mutant_parses_and_leaves_the_rest_of_the_module_alone() -> None:
    control, *mutants = mutants_of(SOURCE, "Box.size")
    for mutant in (control, *mutants):
        tree = ast.parse(mutant.source)
        assert b"def untouched(x):\n    return x - 1\n" in mutant.source
        assert ast.get_docstring(tree) == "A module."
    same = [ast.unparse(ast.parse(mutant.source)) for mutant in (control, *mutants)]
    assert same[0] == ast.unparse(ast.parse(SOURCE))
    assert len(set(same)) == len(same)
    assert {mutant.line for mutant in mutants} >= {5, 14, 15, 16}


@pytest.mark.parametrize(
    ("source", "name"), [(b"def f(:", "f"), (b"\xff", "f"), (b"f = len\n", "f"), (b"def g(): 1\n", "f")]
)
def test_what_cannot_be_read_has_no_mutants(source: bytes, name: str) -> None:
    assert mutants_of(source, name) == ()


def test_a_long_function_has_no_more_than_the_most() -> None:
    body = "".join(f"    x = x + {n}\n" for n in range(100))
    found = mutants_of(f"def f(x):\n{body}    return x\n".encode(), "f")
    assert len(found) == MAX_MUTANTS + 1
    assert max(mutant.line for mutant in found) > 90


CODE = """\
from .twin import same


def clamp(lo, hi, x):
    if x < lo:
        return same(lo)
    return min(hi, x)
"""
YAML = """\
id: {id}
module: app.window
fn: clamp
checks:
  - {check}
samples:
  - {{lo: 0, hi: 3, x: 9}}
  - {{lo: 0, hi: 3, x: -4}}
  - {{lo: 0, hi: 3, x: 1}}
"""
FILES = {
    "app/__init__.py": "",
    "app/twin.py": "def same(x):\n    return x\n",
    "app/window.py": CODE,
    "invariants/inventory.yaml": "version: 1\n",
    "invariants/fixture.lock.json": "{}\n",
    "invariants/checks.py": "def says_nothing(fn, sample):\n    fn(sample['lo'], sample['hi'], sample['x'])\n\n\n"
    "def trips_over_none(fn, sample):\n    fn(sample['lo'], sample['hi'], sample['x']) + 1\n",
    "invariants/proposed/window_odd.yaml": YAML.format(id="window_odd", check="trips_over_none"),
    "invariants/proposed/window_range.yaml": YAML.format(id="window_range", check="output_in_range"),
    "invariants/proposed/window_empty.yaml": YAML.format(id="window_empty", check="says_nothing"),
}


def test_check_tells_how_many_mutants_a_candidate_notices_and_which_not(repo: Repo) -> None:
    repo.commit("Start", FILES)
    before = repo.files(git=True)
    told = json.loads(repo.call("review", "check", "window_range", "--json").out)
    assert told["strength"]["killed"] >= 4
    assert not told["strength"]["vacuous"]
    survived = {mutant["what"] for mutant in told["strength"]["survived"]}
    assert "swapped: x < lo became x <= lo" in survived  # no sample lies on the bound
    assert "negated: x < lo" not in survived
    assert repo.files(git=True) == before


def test_a_candidate_that_notices_nothing_is_called_vacuous(repo: Repo) -> None:
    repo.commit("Start", FILES)
    done = repo.call("review", "check", "window_empty")
    assert done.code == 0, done
    assert "vacuous" in done.out
    assert "line 4: always: return None" in done.out


def test_properties_of_one_function_are_compared_on_the_same_mutants(repo: Repo) -> None:
    """A mutant whose answer makes a check raise is one that the check noticed, not one less."""
    repo.commit("Start", FILES)
    odd, empty = (
        json.loads(repo.call("review", "check", name, "--json").out)["strength"]
        for name in ("window_odd", "window_empty")
    )
    assert odd["total"] == empty["total"]
    assert (odd["killed"], empty["killed"]) == (1, 0)  # None + 1 raises
    assert odd["unjudged"] == []


def test_a_candidate_that_fails_here_and_not_on_base_may_have_found_something(repo: Repo) -> None:
    repo.commit("Start", FILES)
    repo.branch("agent")
    repo.commit("Break", {"app/window.py": CODE.replace("min(hi, x)", "max(hi, x)")})
    done = repo.call("review", "check", "window_range")
    assert done.code == 1
    assert "holds on base and not here" in done.out
    assert "sample 2: " in done.out or "sample 0: " in done.out
    assert "of the function" in done.out
    repo.branch("main")
    there = repo.call("review", "check", "window_range", "--from", "agent")
    assert (there.code, "holds on base and not here" in there.out) == (1, True)


def test_a_module_that_is_slow_to_import_is_no_mutant_that_hangs(repo: Repo) -> None:
    slow = "import time\n\ntime.sleep(1.1)\n\n\ndef clamp(x):\n    return x\n"
    claim = YAML.format(id="window_range", check="idempotent").partition("samples:")[0] + "samples: [null]\n"
    repo.commit("Start", FILES | {"app/window.py": slow, "invariants/proposed/window_range.yaml": claim})
    told = json.loads(repo.call("review", "check", "window_range", "--json").out)
    assert told["strength"]["why"] == ""
    assert told["strength"]["total"] > 0
