"""A first fixture: suggested samples, then values of the types of a signature; never promoted by itself."""

from __future__ import annotations

import json
import random
import shlex
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.codec import parse_fixture
from inventory.records import Call, CheckUse
from review.draft import Draft, drafted, to_text
from review.source import context_of, function_of
from tests.repo import Repo


def draft(signature: str, check: str = "deterministic", suggested: tuple[Any, ...] = (), seed: int = 1) -> Draft:
    function = function_of(f"def f{signature}: ...\n".encode(), "f")
    assert function
    return drafted(function, (CheckUse(name=check),), suggested, random.Random(seed).randrange)  # noqa: S311  # a draft comes back


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("int", int),
        ("str", str),
        ("bool", bool),
        ("float | int", (float, int)),
        ("list[int]", list),
        ("'list[str]'", list),
        ("dict[str, list[int]]", dict),
        ("Optional[str]", (str, type(None))),
        ("typing.Union[int, None]", (int, type(None))),
        ("tuple[int, ...]", list),
        ("Literal['a', 'b']", str),
    ],
)
def test_one_argument_gives_values_of_its_type(annotation: str, kind: type | tuple[type, ...]) -> None:
    made = draft(f"(x: {annotation})")
    assert made.samples
    assert all(isinstance(sample, kind) for sample in made.samples)
    assert made.call is Call.SAMPLE


def test_a_pair_of_a_tuple_type_has_both() -> None:
    assert all(isinstance(a, int) and isinstance(b, str) for a, b in draft("(x: tuple[int, str])").samples)


@pytest.mark.parametrize(
    ("signature", "check", "call", "form"),
    [
        ("(a: int, b: str)", "deterministic", Call.ARGS, list),
        ("(a: int, *, b: str)", "deterministic", Call.KWARGS, dict),
        ("(a: int, b: int)", "commutative", Call.SAMPLE, list),
        ("(lo: int, hi: int, x: int)", "output_in_range", Call.SAMPLE, dict),
    ],
)
def test_the_shape_follows_the_check(signature: str, check: str, call: Call, form: type) -> None:
    made = draft(signature, check)
    assert made.call is call
    assert made.samples
    assert all(isinstance(sample, form) for sample in made.samples)
    if check == "output_in_range":
        assert all(sample["lo"] <= sample["hi"] for sample in made.samples)


@pytest.mark.parametrize("signature", ["(x)", "(x: Window)", "(x: list[Window])", "(x: bytes)", "()", "(x: int, y)"])
def test_without_types_that_data_can_show_nothing_is_made_up(signature: str) -> None:
    assert draft(signature).samples == ()
    assert draft(signature, suggested=(7, 8)).samples == (7, 8)


def test_what_is_suggested_comes_first_and_nothing_unlike_it_follows() -> None:
    made = draft("(x: int)", suggested=("a", "b"))
    assert (made.samples, made.suggested) == (("a", "b"), 2)
    assert draft("(x: int)", suggested=(5,)).samples[0] == 5


def test_a_draft_shows_what_an_editor_would_hide() -> None:
    odd = "a\u202e\u009b31m\u2066\x7f\u00a0\n"
    text = to_text([odd, {"é 中": odd}])
    assert all(char == "\n" or char.isprintable() for char in text)
    assert "é 中" in text
    assert json.loads(text) == [odd, {"é 中": odd}]


@given(st.integers(), st.sampled_from(["int", "list[str]", "dict[str, int | None]", "tuple[float, bool]"]))
def test_a_draft_is_a_fixture_without_doubles_and_always_the_same(seed: int, annotation: str) -> None:
    made = draft(f"(x: {annotation})", seed=seed)
    assert parse_fixture(to_text(made.samples).encode(), "f.json", 1 << 20) == made.samples
    assert len({json.dumps(sample) for sample in made.samples}) == len(made.samples)
    assert made == draft(f"(x: {annotation})", seed=seed)


def test_evidence_is_shown_among_the_lines_around_it() -> None:
    source = b"a\nb\nc\n    d\n    e\nf\ng\nh\n"
    lines = context_of(source, "c\n    d")
    assert [(line.number, line.text, line.quoted) for line in lines] == [
        (1, "a", False),
        (2, "b", False),
        (3, "c", True),
        (4, "    d", True),
        (5, "    e", False),
        (6, "f", False),
    ]
    assert context_of(source, "x") == context_of(source, " ") == context_of(b"\xff", "x") == ()


FILES = {
    "app/__init__.py": "",
    "app/window.py": "def clamp(lo: int, hi: int, x: int) -> int:\n    return max(lo, min(hi, x))\n\n\n"
    "def bare(x):\n    return x\n",
    "invariants/inventory.yaml": "version: 1\n",
    "invariants/fixture.lock.json": "{}\n",
    "invariants/proposed/window_range.yaml": "id: window_range\nmodule: app.window\nfn: clamp\n"
    "checks:\n  - output_in_range\nsamples:\n  - {lo: 0, hi: 3, x: 9}\n",
    "invariants/proposed/bare_one.yaml": "id: bare_one\nmodule: app.window\nfn: bare\nchecks:\n  - deterministic\n",
}


def test_the_draft_is_written_once_and_promoted_only_by_the_command_with_its_digest(repo: Repo) -> None:
    repo.commit("Start", FILES)
    repo.branch("oracle")
    path = "tests/fixtures/window.json"
    done = repo.call("review", "fixture", "window_range", "--out", path)
    assert done.code == 0, done.err
    samples = json.loads(repo.read(path))
    assert samples[0] == {"lo": 0, "hi": 3, "x": 9}
    assert len(samples) > 5
    before = repo.files()
    assert set(before) == {*FILES, path}
    assert repo.call("review", "fixture", "window_range", "--out", path).code == 1
    assert repo.files() == before
    steps = [shlex.split(line) for line in done.err.splitlines() if line.startswith("  ")]
    repo.git(*steps[0][1:])
    refused = repo.call(*steps[1])
    assert (refused.code, "needs --seed and --sha256 and --reviewer" in refused.err) == (1, True)
    assert repo.call(*shlex.split(refused.err.splitlines()[-1])).code == 0


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["window_range", "--out", "app/samples.py"], 1, "no place for a fixture"),
        (["window_range", "--out", "invariants/x.json"], 1, "no place for a fixture"),
        (["window_range", "--out", "invariants/proposed/x.yaml"], 1, "no place for a fixture"),
        (["window_range", "--out", "../tests/x.json"], 3, "no path to write to"),
        (["bare_one", "--out", "tests/fixtures/x.json"], 1, "no type hints"),
        (["nobody", "--out", "tests/fixtures/x.json"], 2, "no candidate"),
    ],
)
def test_a_draft_that_cannot_be_is_refused(repo: Repo, words: list[str], code: int, says: str) -> None:
    repo.commit("Start", FILES)
    before = repo.files()
    done = repo.call("review", "fixture", *words)
    assert (done.code, says in done.err) == (code, True), done
    assert repo.files() == before
