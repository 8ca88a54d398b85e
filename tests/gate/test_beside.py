"""Base beside head through `gate check` and `gate reproduce`: older misses, blame, changed answers, known samples."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from tests.gate.lanes import one_property
from tests.repo import Repo

TRIPLE = "def fn(x):\n    return 3 * x\n"
SAMPLES = [1, 5, 20, 300]
NOISY = (  # as whatever follows the order of a set, but known beforehand
    "import os\ndef fn(x):\n    return -x if x == 5 and os.environ['PYTHONHASHSEED'] == '2' else 3 * x\n"
)


def patched(repo: Repo, base: str, head: str, checks: str, samples: list[Any], **more: Any) -> None:
    """A repository with one property, and a branch that changes its function."""
    files = {".github/CODEOWNERS": "/invariants/ @o\n/tests/fixtures/ @o\n"}
    one_property(repo, base, checks, samples, files=files, **more)
    repo.branch("work")
    repo.commit("head", {"prod.py": head})


def row_of(repo: Repo, number: int) -> dict[str, Any]:
    document = json.loads(repo.run("gate", "check", "--base", "main", "--json").out)
    [row] = [row for row in document["rows"] if row["row"] == number]
    return dict(row)


def test_a_new_miss_is_blamed_on_the_patch_and_shows_both_values(repo: Repo) -> None:
    patched(repo, TRIPLE, "def fn(x):\n    return 3 * x if x < 300 else -1\n", "[non_negative]", SAMPLES)
    row = row_of(repo, 5)
    assert "on base it is green in every repeat: this patch brought it" in row["what"]
    assert (row["facts"]["base value"], row["facts"]["value"]) == ("900", "-1")
    assert row["facts"]["input"].startswith("300 ")


def test_a_miss_that_base_has_as_well_is_told_apart(repo: Repo) -> None:
    old = "def fn(x):\n    return 3 * x if x < 300 else -1\n"
    patched(repo, old, "# rewritten\n" + old, "[non_negative]", SAMPLES)
    assert "on base it is red, too, on the same samples: it is older than this patch" in row_of(repo, 5)["what"]
    repo.commit("worse", {"prod.py": "def fn(x):\n    return 3 * x if x < 20 else -1\n"})
    assert "red, too, but not on sample 2: this patch made it worse" in row_of(repo, 5)["what"]


ADDS = "def adds(fn, sample):\n    assert fn(sample) + 1 > sample\n"


def test_a_check_that_raises_on_heads_answers_and_not_on_bases_is_a_miss(repo: Repo) -> None:
    patched(repo, TRIPLE, "def fn(x):\n    return str(x)\n", "[adds]", SAMPLES, own=ADDS)
    row = row_of(repo, 5)
    assert "the check raised TypeError: can only concatenate str" in row["what"]
    assert "which it does not on base" in row["what"]
    assert repo.run("gate", "check", "--base", "main").code == 1


@pytest.mark.parametrize(
    ("base", "head", "own"),
    [
        ("def fn(x):\n    return 'a'\n", "def fn(x):\n    return 'b'\n", ADDS),
        (TRIPLE, "# more\n" + TRIPLE, "def adds(fn, sample):\n    1 / 0\n"),
        (TRIPLE, "import time\ndef fn(x):\n    return str(time.time())\n", ADDS),
    ],
)
def test_a_check_that_raises_on_base_as_well_or_beside_a_clock_is_a_protocol_error(
    repo: Repo, base: str, head: str, own: str
) -> None:
    patched(repo, base, head, "[adds]", SAMPLES, own=own)
    assert row_of(repo, 7)["class"] == "protocol_error"


def test_an_exception_that_moves_to_another_line_is_the_same_answer(repo: Repo) -> None:
    old = "def fn(x):\n    return 1 / (x - 5)\n"
    patched(repo, old, "# rewritten\n" * 5 + old, "[{never_raises: {allowed: ZeroDivisionError}}]", SAMPLES)
    document = json.loads(repo.run("gate", "check", "--base", "main", "--json").out)
    assert [row["row"] for row in document["rows"]] == [1]


def test_noise_that_base_does_not_have_is_blamed_on_the_patch(repo: Repo) -> None:
    patched(repo, TRIPLE, NOISY, "[non_negative]", SAMPLES)
    assert row_of(repo, 6)["what"].endswith("on base it is green in every repeat: this patch brought it")
    repo.branch("main")
    repo.commit("base is noisy", {"prod.py": NOISY})
    repo.branch("more")
    repo.commit("head is, too", {"prod.py": "# more\n" + NOISY})
    assert "noise as well: it is older than this patch" in row_of(repo, 6)["what"]


def test_other_answers_under_green_checks_are_a_row_without_a_vote(repo: Repo) -> None:
    patched(repo, TRIPLE, "def fn(x):\n    return 3 * x + (x == 20)\n", "[non_negative]", SAMPLES)
    row = row_of(repo, 17)
    assert (row["class"], row["vote"]) == ("behaviour_change", "none")
    assert (row["facts"]["input"], row["facts"]["base value"], row["facts"]["value"]) == ("20", "60", "61")
    assert repo.run("gate", "check", "--base", "main").code == 0


@pytest.mark.parametrize(
    ("head", "vote"),
    [
        ("def fn(x):\n    return str(3 * x)\n", "block"),
        ("def fn(x):\n    return 3.0 * x\n", "block"),
        ("def fn(x):\n    return [3 * x]\n", "block"),
        ("class N(int): pass\ndef fn(x):\n    return N(3 * x)\n", "none"),  # callers can use it as they did
        ("def fn(x):\n    return str(x) if x > 5 else 3 * x\n", "none"),  # not every answer
    ],
)
def test_a_type_that_callers_relied_on_blocks(repo: Repo, head: str, vote: str) -> None:
    patched(repo, TRIPLE, head, "[deterministic]", SAMPLES)
    row = row_of(repo, 17)
    assert row["vote"] == vote
    assert repo.run("gate", "check", "--base", "main").code == (vote == "block")


def test_a_type_that_the_property_allows_does_not_block(repo: Repo) -> None:
    patched(repo, TRIPLE, "def fn(x):\n    return 3.0 * x\n", "[{returns_type: {type: [int, float]}}]", SAMPLES)
    assert row_of(repo, 17)["vote"] == "none"


def test_code_that_knows_the_fixture_by_heart_blocks(repo: Repo) -> None:
    table = {x: 3 * x for x in SAMPLES}
    patched(repo, TRIPLE, f"T = {table}\ndef fn(x):\n    return T.get(x, x)\n", "[non_negative]", SAMPLES)
    row = row_of(repo, 5)
    assert row["what"].startswith("learned by heart: head answers like base on every sample")
    assert row["facts"]["base value"] != row["facts"]["value"]
    again = repo.run(*shlex.split(row["facts"]["again"]))
    assert again.code == 1
    assert "learned by heart" in again.out


@pytest.mark.parametrize(
    "otherwise",
    [
        "0",
        "None",
        "sum(i['price'] for i in items)",  # the bug itself
        "{}['unknown']",
        "T.popitem()[1]",
    ],
)
def test_whatever_a_table_says_to_other_inputs_it_is_told(repo: Repo, otherwise: str) -> None:
    base = "def fn(items):\n    return sum(i['price'] * i['qty'] for i in items)\n"
    samples = [[{"price": 3 * n + k, "qty": n + k} for k in (1, 2)] for n in range(2, 8)]
    table = {str(items): sum(i["price"] * i["qty"] for i in items) for items in samples}
    head = f"T = {table}\ndef fn(items):\n    return T[str(items)] if str(items) in T else {otherwise}\n"
    patched(repo, base, head, "[non_negative]", samples)
    assert row_of(repo, 5)["what"].startswith("learned by heart")


@pytest.mark.parametrize(
    ("otherwise", "value"),
    [("os._exit(0)", "its process ended"), ("-id(object())", "another one in each repeat")],
)
def test_a_table_that_gives_others_no_steady_answer_is_told_as_well(repo: Repo, otherwise: str, value: str) -> None:
    samples = [1, 2, 3, -4, -5, 70, -81, 9, 12, -33]
    table = {x: 3 * x for x in samples}
    head = f"import os\nT = {table}\ndef fn(x):\n    return T[x] if x in T else {otherwise}\n"
    patched(repo, TRIPLE, head, "[deterministic]", samples)
    row = row_of(repo, 5)
    assert row["what"].startswith("learned by heart")
    assert row["facts"]["value"] == value


def test_an_input_beside_the_samples_that_takes_too_long_is_shown_and_does_not_block(repo: Repo) -> None:
    head = "def fn(x):\n    while x not in (1, 5, 20, 300): pass\n    return 3 * x\n"
    one_property(repo, TRIPLE, "[deterministic]", SAMPLES, files={"invariants/policy.yaml": "time_limit_s: 1\n"})
    repo.branch("work")
    repo.commit("head", {"prod.py": head})
    row = row_of(repo, 17)
    assert (row["vote"], row["facts"]["value 1"]) == ("none", "no answer")


def test_the_line_that_runs_a_red_again_shows_that_sample_on_both_sides(repo: Repo) -> None:
    patched(repo, TRIPLE, "def fn(x):\n    return 3 * x if x < 300 else -1\n", "[non_negative]", SAMPLES)
    before = repo.tree_hash()
    again = row_of(repo, 5)["facts"]["again"]
    assert again == "gate reproduce the_one --sample 3 --base main"
    told = repo.run(*shlex.split(again), "--json")
    assert told.code == 1
    data = json.loads(told.out)
    assert (data["status"], data["sample"]) == ("invariant_miss", 3)
    assert (data["base_value"], data["head_value"], data["again"]) == ("900", "-1", again)
    assert data["law"].startswith("The output is a number that is zero or more.")
    assert repo.run("gate", "reproduce", "the_one", "--sample", "0", "--base", "main").code == 0
    assert repo.tree_hash() == before
    repo.write({"prod.py": TRIPLE})
    assert repo.run("gate", "reproduce", "the_one").code == 0


@pytest.mark.parametrize("args", [("nothing",), ("the_one", "--sample", "4"), ("the_one", "--sample", "-1")])
def test_what_cannot_be_run_again_is_wrong_usage(repo: Repo, args: tuple[str, ...]) -> None:
    one_property(repo, TRIPLE, "[non_negative]", SAMPLES)
    result = repo.run("gate", "reproduce", *args)
    assert (result.code, result.out) == (2, "")
    assert "next:" in result.err
