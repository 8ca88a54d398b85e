"""The interactive session on a real terminal: every decision saved at once, nothing decided by accident."""

from __future__ import annotations

from hashlib import sha256

import pytest

from inventory.codec import parse_inventory
from review import interactive
from tests.repo import Repo
from tests.review.keyboard import Keyboard, keyboard

FIXTURE = "tests/fixtures/window.json"
SAMPLES = '[{"lo": 0, "hi": 3, "x": 9}, {"lo": 0, "hi": 3, "x": 1}]\n'
DIGEST = sha256(SAMPLES.encode()).hexdigest()
CODE = '"""Windows."""\n\n\ndef clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n\n\ndef neg(x):\n    return -x\n'
INVENTORY_PATH = "invariants/inventory.yaml"
RANGE, ORDER, TWICE = (f"invariants/proposed/{name}.yaml" for name in ("window_range", "bounds_order", "neg_twice"))
HEAD = "module: app.window\n"
FILES = {
    "app/__init__.py": "",
    "app/window.py": CODE,
    INVENTORY_PATH: "version: 1\n",
    "invariants/fixture.lock.json": "{}\n",
    FIXTURE: SAMPLES,
    RANGE: f"id: window_range\n{HEAD}fn: clamp\nchecks:\n  - output_in_range\nstatement: It stays inside\n"
    "evidence: return max(lo, min(hi, x))\nprovenance:\n  proposer: rules\n  origin: the change of clamp\n",
    ORDER: f"id: bounds_order\n{HEAD}fn: clamp\nchecks:\n  - lo_le_hi\n",
    TWICE: f"id: neg_twice\n{HEAD}fn: neg\nchecks:\n  - involution\nsamples: [1, -2]\n",
}
KEYS = "q quit"


@pytest.fixture
def waiting(repo: Repo) -> Repo:
    repo.commit("Start", FILES)
    repo.branch("review")
    return repo


def promote(board: Keyboard, confirm: str = "window_range\r") -> None:
    board.press("p", "samples):")
    board.press("7\r", "fixture (")
    board.press(f"{FIXTURE}\r", "to promote it on these samples:")
    board.press(confirm, KEYS if confirm == "window_range\r" else "nothing was decided")


def test_a_wrong_answer_is_asked_for_again_and_loses_nothing(waiting: Repo) -> None:
    waiting.write({RANGE: FILES[RANGE].replace("output_in_range", "deterministic")})
    with keyboard(waiting) as board:
        board.until("window_range  pending")
        board.until(KEYS)
        board.press("g", "go to (1 to 3):")
        board.press("1\r", KEYS)
        board.press("p", "samples):")
        board.press("seven\r", "that is none")
        board.press("7\r", "fixture (")
        board.press(f"{FIXTURE}\r", "3 fn(**sample):")
        board.press("9\r", "that is none")
        board.press("3\r", "on these samples:")
        board.press("y\r", "that is none")
        board.press("window_range\r", "promoted window_range")
        assert board.end("q") == 0
    [entry] = parse_inventory(waiting.read(INVENTORY_PATH).encode(), "i").properties
    assert (entry.seed, entry.call) == (7, "kwargs")


def test_three_candidates_are_decided_and_each_decision_is_undone(waiting: Repo) -> None:
    before = waiting.files()
    with keyboard(waiting) as board:
        board.until("[1/3] window_range  pending")  # it has evidence
        told = board.until(KEYS)
        for part in (
            "def clamp(lo, hi, x)",
            "It stays inside",
            "output_in_range: ",
            ">    5      return max(lo",
            "missing",
        ):
            assert part in told
        promote(board)
        assert "id: window_range" in waiting.read(INVENTORY_PATH)  # saved at once
        assert RANGE not in waiting.files()
        told = board.press("r", "n unwanted")
        assert "w wrong" in told
        board.press("v", "gives up):")
        board.press("Says too little\r", "rejected bounds_order")
        assert ORDER not in waiting.files()
        board.press("s", "nothing is left: 1 promoted, 1 rejected, 1 skipped")
        board.press("u", "took back: skipped neg_twice")
        board.press("u", "took back: rejected bounds_order")
        board.press("", "bounds_order  pending")
        board.press("u", "took back: promoted window_range")
        board.press("", "[1/3] window_range  pending")
        board.press("u", "nothing to undo")
        assert waiting.files() == before
        assert board.end("q") == 0


def test_what_was_decided_is_told_with_the_commands_for_a_pull_request(waiting: Repo) -> None:
    with keyboard(waiting) as board:
        board.until(KEYS)
        promote(board)
        assert board.end("q") == 0
        assert "git add --all :/" in board.seen
        assert "1 promoted, 2 left" in board.seen
    [entry] = parse_inventory(waiting.read(INVENTORY_PATH).encode(), "i").properties
    assert (entry.id, entry.seed, entry.fixture, entry.reviewed_by) == ("window_range", 7, FIXTURE, "Ada Tester")
    assert DIGEST in waiting.read("invariants/fixture.lock.json")


def test_keys_that_mean_nothing_a_paste_and_what_is_given_up_decide_nothing(waiting: Repo) -> None:
    before = waiting.files()
    with keyboard(waiting) as board:
        board.until(KEYS)
        board.press("\r\n\x1bxyzPR\x1b[A\x1b[200~ppp\rrrr\x1b[201~?", "q  quit; every decision is saved already")
        board.press("p", "samples):")
        board.press("\r", "nothing was decided")  # the seed is never prefilled
        board.press("p", "samples):")
        board.press("\x1b[200~7\nwindow_range\x1b[201~\r", "fixture (")  # the first line, no enter
        board.press("\x1b", "nothing was decided")
        board.press("r", "n unwanted")
        board.press("z", "nothing was decided")
        board.press("r", "n unwanted")
        board.press("w", "gives up):")
        board.press("half a wo\x1b", "nothing was decided")
        promote(board, "window\r\x1b")
        promote(board, "\x04")
        assert board.end() == 0  # end of input at a prompt ends the session
    assert waiting.files() == before


def test_it_moves_searches_and_shows_what_is_asked_for(waiting: Repo) -> None:
    with keyboard(waiting) as board:
        board.until(KEYS)
        board.press("i", "the change of clamp")
        board.press("d", "no property is near")
        board.press("o", "--out tests/fixtures/window_range.json -- python -m pytest")
        board.press("j", "[2/3] bounds_order")
        board.press("k", "[1/3] window_range")
        board.press("k", "[3/3] neg_twice")
        board.press("g", "go to (1 to 3):")
        board.press("1\r", "[1/3] window_range")
        board.press("/", "search:")
        board.press("nex\x7fg_t\r", "[3/3] neg_twice")
        board.press("/", "search:")
        board.press("nobody\r", "holds that")
        board.press("t", "nothing was written")
        assert "it holds" in board.seen
        assert "mutants of the function" in board.seen
        assert board.end("\x04") == 0


def test_a_fixture_is_drafted_edited_and_promoted_on_without_leaving(waiting: Repo) -> None:
    draft = "tests/fixtures/neg_twice.json"
    with keyboard(waiting) as board:
        board.until(KEYS)
        board.press("k", "[3/3] neg_twice")
        board.until("nobody has tried it here")
        board.until(KEYS)
        board.press("o", f"y writes {draft}:")
        board.press("y\r", "p promotes on it")
        waiting.write({draft: "[5, 6, 7]\n"})
        board.press("o", "3 samples")  # what was edited meanwhile, not what lay there when the page was drawn
        board.press("t", f"{draft} (3), the draft for this candidate")
        board.press("", "nothing was written")
        board.press("p", "samples):")
        board.press("7\r", f"1  {draft}")
        board.press("1\r", f"git add :/{draft}")
        waiting.git("add", draft)
        board.press("p", "samples):")
        board.press("7\r", "fixture (")
        board.press("1\r", "green twice")
        board.press("neg_twice\r", "promoted neg_twice")
        assert board.end("q") == 0
    assert draft in waiting.read("invariants/fixture.lock.json")


def test_a_window_that_changes_its_size_is_drawn_anew(waiting: Repo) -> None:
    with keyboard(waiting) as board:
        board.until(KEYS)
        board.resize(20, 50)
        told = board.until(KEYS)
        assert "[1/3] window_range" in told
        assert max(map(len, told.split(KEYS)[0].splitlines())) <= 80
        assert "-" * 49 in told
        assert "-" * 50 not in told
        board.press("g", "go to (1 to 3):")
        board.resize(40, 100)
        board.press("3\r", "[3/3] neg_twice")  # a prompt keeps what was typed
        assert board.end("q") == 0


@pytest.mark.parametrize(
    ("keys", "prompt"),
    [
        ([("", KEYS)], "item"),
        ([("p", "samples):")], "seed"),
        ([("p", "samples):"), ("7\r", "fixture (")], "fixture"),
        ([("p", "samples):"), ("7\r", "fixture ("), (f"{FIXTURE}\r", "on these samples:")], "confirmation"),
        ([("r", "n unwanted")], "reason"),
        ([("r", "n unwanted"), ("w", "gives up):")], "note"),
        ([("/", "search:")], "search"),
        ([("g", "go to (1 to 3):")], "number"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_an_interrupt_ends_it_at_every_prompt_and_leaves_the_terminal_as_it_was(
    waiting: Repo, keys: list[tuple[str, str]], prompt: str
) -> None:
    before = waiting.files()
    with keyboard(waiting) as board:
        board.until(KEYS)
        for typed, until in keys[prompt == "item" :]:
            board.press(typed, until)
        assert board.end("\x03") == 130
        assert board.seen.rstrip().endswith("review: interrupted")
        assert "\x1b[?2004l" in board.seen
        assert "Traceback" not in board.seen
    assert waiting.files() == before


def test_a_candidate_that_changes_meanwhile_is_shown_anew_and_not_decided(waiting: Repo) -> None:
    with keyboard(waiting) as board:
        board.until(KEYS)
        waiting.write({RANGE: FILES[RANGE].replace("It stays inside", "It is something else")})
        board.press("p", "changed meanwhile")
        assert "It is something else" in board.until(KEYS)
        board.press("p", "samples):")
        board.press("7\r", "fixture (")
        board.press(f"{FIXTURE}\r", "on these samples:")
        waiting.write({RANGE: FILES[RANGE].replace("output_in_range", "lo_le_hi")})
        board.press("window_range\r", "changed meanwhile")
        board.until(KEYS)
        assert board.end("q") == 0
    assert waiting.read(INVENTORY_PATH) == "version: 1\n"
    assert "lo_le_hi" in waiting.read(RANGE)


def test_beside_production_the_way_out_is_told_before_anything_is_asked(waiting: Repo) -> None:
    waiting.write({"app/window.py": CODE + "\n"})
    with keyboard(waiting) as board:
        assert "this branch changes production" in board.until(KEYS)
        told = board.press("p", "git switch --create")
        assert "seed" not in told
        assert board.end("q") == 0


def test_hostile_text_reaches_the_terminal_harmless(waiting: Repo) -> None:
    hostile = '"Fine \\e[2J\\e]0;x\\a \\u202e [red]x[/red]\\n[2/2] promoted"'
    waiting.write(
        {RANGE: FILES[RANGE].replace("It stays inside", hostile), ORDER: "x" * 2_000_000, TWICE: "a: &a [*a]\n"}
    )
    with keyboard(waiting) as board:
        board.until(KEYS)
        board.press("j", KEYS)
        board.press("j", KEYS)
        assert board.end("q") == 0
        written = board.seen.replace("\x1b[?2004h", "").replace("\x1b[?2004l", "")
        assert "\x1b" not in written
        assert "\u202e" not in written
        assert "[red]x[/red]" in board.screen()
        assert "more than the 1048576 allowed" in " ".join(board.screen().split())


def test_candidates_of_another_branch_are_decided_from_there(repo: Repo) -> None:
    """What the branch of an agent proposes is promoted on one of its own, without a file of the queue here."""
    repo.commit("Start", {path: text for path, text in FILES.items() if "proposed" not in path})
    repo.branch("agent")
    repo.commit("Propose", {RANGE: FILES[RANGE]})
    repo.branch("main")
    repo.branch("oracle")
    with keyboard(repo, "--from", "agent") as board:
        board.until("[1/1] window_range")
        board.until(KEYS)
        promote(board)
        board.press("u", "took back: promoted window_range")
        board.until(KEYS)
        board.press("r", "n unwanted")
        board.press("w", "gives up):")
        board.press("\r", "rejected window_range")
        assert board.end("q") == 0
    assert repo.read(INVENTORY_PATH) == "version: 1\n"
    assert len([path for path in repo.files() if path.startswith("invariants/rejected/")]) == 1


def test_an_empty_queue_says_so(repo: Repo) -> None:
    repo.commit("Start", {INVENTORY_PATH: "version: 1\n"})
    with keyboard(repo) as board:
        assert board.end() == 0
        assert "the queue is empty" in board.seen


@pytest.mark.parametrize("width", [40, 80, 200])
def test_keys_and_help_fit_the_window(width: int) -> None:
    for text in (interactive.KEYS, interactive.HELP):
        told = interactive.folded(text, width)
        assert max(map(len, told.split("\n"))) < width
        assert told.split() == text.split()
