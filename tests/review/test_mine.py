"""`review mine` in a real repository: what it finds on base, what it writes, and when it writes nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from inventory.codec import parse_candidate
from inventory.progress import Tick
from inventory.records import Candidate, Target
from review.desk import open_desk
from review.mining import mined_at
from tests.repo import Repo, Result

CODE = '''\
"""Code to mine."""


def order(items):
    return sorted(items, key=float)


def digits(number, base):
    return (digits(number // base, base) if number >= base else "") + "0123456789abcdef"[number % base]


def typed(count: int) -> int:
    return abs(count) * 2


def same(n: int) -> int:
    pass


def refuse(x):
    raise ValueError("no")
'''
ORDER = [{"items": items} for items in ([3, 1, 2], [], [1], [2, 2, 1], [5, -4, 9, 0], [1, 2, 3], [9, 9])]
DIGITS = [{"number": n, "base": b} for n, b in ((5, 2), (255, 16), (8, 8), (100, 10), (1, 3))]
UNFIT = {
    "app/token.py": "import os\nTOKEN = os.urandom(4)\n\n\ndef twice(n: int) -> int:\n    return n * 2\n",
    "app/now.py": "import time\n\n\ndef age(n: int) -> int:\n    return n + int(time.time())\n",
    "app/lacks.py": "import surely_not_there\n\n\ndef twice(n: int) -> int:\n    return n * 2\n",
}
FIXTURES = {
    "tests/fixtures/names.json": '["a", "b"]',
    "tests/fixtures/order.json": json.dumps(ORDER),
    "tests/fixtures/digits.json": json.dumps(DIGITS),
}
INVENTORY = "version: 1\nproperties: []\nfreezes:\n"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository on a branch without changes; tests take away what they wrote."""
    repo = Repo.create(tmp_path_factory.mktemp("mine") / "repo")
    files = {"app/__init__.py": "", "app/code.py": CODE, "invariants/inventory.yaml": INVENTORY}
    repo.commit("Start", {**files, **UNFIT, "invariants/fixture.lock.json": "{}\n", **FIXTURES})
    repo.branch("mined")
    return repo


def mine(repo: Repo, fn: str, *more: str) -> tuple[Result, list[Candidate]]:
    before = repo.files()
    done = repo.run("review", "mine", f"app.code:{fn}", *more)
    after = repo.files()
    new = sorted(set(after) - set(before))
    assert {path: after.get(path) for path in before} == before
    assert all(path.startswith("invariants/proposed/") for path in new)
    assert "Traceback" not in done.err
    return done, [parse_candidate(repo.read(path).encode(), path) for path in new]


def test_a_law_is_found_and_written_with_its_evidence_and_arguments_by_name_need_no_word(shared: Repo) -> None:
    done, new = mine(shared, "order", "--samples", "tests/fixtures/order.json")
    assert done.code == 0, done.err
    assert "7 samples of tests/fixtures/order.json, call kwargs" in done.err
    [found] = [candidate for candidate in new if candidate.checks[0].law == "order(items) == sorted(items)"]
    assert len(new) <= 5
    assert f"wrote invariants/proposed/{found.id}.yaml: order(items) == sorted(items)" in done.out
    assert found.provenance
    assert (found.provenance.proposer, found.provenance.base) == ("mined", shared.git("rev-parse", "main"))
    assert "wrote invariants/proposed/" in done.out
    assert found.statement == "order(items) is items in order."
    assert (found.evidence or "").startswith("holds on base for 7 samples of tests/fixtures/order.json, and notices ")
    assert "line " in (found.breaks_if or "")
    assert sorted(map(str, found.samples)) == sorted(map(str, ORDER))
    shown = shared.call("review", "show", found.id)
    assert "holds on base for 7 samples" in " ".join(shown.out.split())


def test_types_serve_where_nobody_has_samples_and_what_is_known_is_not_found_again(shared: Repo) -> None:
    done, found = mine(shared, "typed")
    assert done.code == 0, done.err
    assert "values made from the types of its signature" in done.err
    rejected, *kept = found
    assert kept
    done = shared.call("review", "reject", rejected.id, "--reason", "wrong", "--reviewer", "Jo")
    assert done.code == 0, done.err
    done, again = mine(shared, "typed", "--json")
    assert done.code == 0, done.err
    assert not {candidate.id for candidate in again} & {candidate.id for candidate in found}
    told = json.loads(done.out)
    assert told["samples"]["of"] == f"the candidate {kept[0].id}"
    assert told["laws"]["known"] == len(kept)
    assert told["laws"]["tried"] > told["laws"]["held"] > told["laws"]["untried"] == 0
    assert [one["id"] for one in told["written"]] == [candidate.id for candidate in again]


def test_an_interrupt_ends_what_runs_and_writes_nothing(shared: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def step(doing: str) -> Iterator[Tick]:
        def told(_done: int, _all: int) -> None:
            if doing == "trying on base":
                raise KeyboardInterrupt

        yield told

    for name, value in shared.environment().items():
        monkeypatch.setenv(name, value)
    before = shared.files()
    with open_desk(shared.root) as desk, pytest.raises(KeyboardInterrupt):
        mined_at(desk, Target(module="app.code", fn="digits"), "tests/fixtures/digits.json", None, step)
    assert shared.files() == before


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("order",), "review record app.code:order --out tests/fixtures/order.json -- "),
        (("refuse", "--samples", "tests/fixtures/names.json"), "ValueError: no"),
        (("nothing", "--samples", "tests/fixtures/order.json"), "has no function app.code:nothing"),
        (("nothing",), "app/code.py does not define it there"),
        (("ordr",), "Did you mean app.code:order?"),
        (("digits", "--samples", "tests/fixtures/names.json"), "answers to none of its samples"),
        (("order", "--samples", "tests/fixtures/absent.json"), "cannot be used"),
    ],
)
def test_a_refusal_says_what_to_do_and_writes_nothing(shared: Repo, args: tuple[str, ...], says: str) -> None:
    # A candidate of another test would lend its samples.
    for path in [path for path in shared.files() if "/proposed/order" in path]:
        shared.write({path: None})
    done, found = mine(shared, *args)
    assert (done.code, done.out, found) == (1, "", []), done
    assert says in done.err
    assert all(part in done.err for part in ("error: ", "why: ", "next: "))


@pytest.mark.parametrize(
    ("target", "seen", "way"),
    [
        (
            "app.token:twice",
            "os.urandom at app/token.py:2, while its module is imported",
            "a function of another module",
        ),
        ("app.now:age", "time.time at app/now.py:5", "give this one its time as an argument"),
        ("app.lacks:twice", "imports surely_not_there, which this interpreter", "then: review mine app.lacks:twice"),
    ],
)
def test_what_cannot_be_judged_is_told_with_its_line_and_a_way_out(
    shared: Repo, target: str, seen: str, way: str
) -> None:
    before = shared.files()
    done = shared.run("review", "mine", target)
    assert (done.code, done.out, shared.files()) == (3, "", before)
    assert seen in done.err
    assert way in done.err.partition("\nnext: ")[2]
    assert "gate run" not in done.err


@pytest.mark.parametrize(
    ("target", "code", "says"),
    [
        ("app.code.order", 2, "Did you mean app.code:order?"),
        ("app/code.py:order", 2, "Did you mean app.code:order?"),
        ("src/app/code.py:order", 2, "Did you mean app.code:order?"),
        ("./app/code.py", 2, "Name the function as well: app.code:FUNCTION"),
        ("order", 2, "Name the module as an import does"),
        ("app.coed:order", 1, "no file of that is the module app.coed"),
    ],
)
def test_a_target_written_in_another_way_is_understood(shared: Repo, target: str, code: int, says: str) -> None:
    done = shared.call("review", "mine", target)
    assert (done.code, done.out) == (code, "")
    assert says in done.err


def test_where_no_law_is_found_a_file_to_write_is_shown(shared: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("review.mine.hold_by_group", lambda *_: {})  # as where it hangs on all inputs but these
    before = shared.files()
    done = shared.call("review", "mine", "app.code:same")
    assert (done.code, shared.files()) == (0, before)
    assert re.search(r"\n0 laws tried, 0 hold; .*\nnot tried: \d+ more laws, with inputs", done.err)
    _, _, shown = done.err.partition("as invariants/proposed/same_law.yaml:\n")
    text = "\n".join(line[2:] for line in shown.splitlines())
    assert "over same and n" in text
    candidate = parse_candidate(text.replace('"..."', '"same(n) == n"').encode(), "x.yaml")
    assert (candidate.target, candidate.checks[0].law) == (Target(module="app.code", fn="same"), "same(n) == n")
