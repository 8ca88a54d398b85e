"""`gate check` through the real command: each row of the table, its vote, the decision and the exit code."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from inventory import codec
from review.words import checks_of
from tests import article
from tests.repo import Repo, Result

FIXTURE = "tests/fixtures/window_cases.json"
INVENTORY = "invariants/inventory.yaml"
LOCK = "invariants/fixture.lock.json"
PROPOSED = "invariants/proposed/width_is_steady.yaml"
EDITED_FIXTURE = article.WINDOW_CASES.replace("99", "98")
NOTED = article.INVENTORY.replace("seed: 90210\n", "seed: 90210\n    note: fewer cases\n")
NEW_LOCK = article.lock_of(article.FIXTURES | {FIXTURE: EDITED_FIXTURE})
PROMOTED = article.INVENTORY.replace(
    "freezes:",
    "  - id: width_is_steady\n    module: app.window\n    fn: width\n    seed: 1\n"
    f"    fixture: {FIXTURE}\n    checks: [deterministic]\n    call: kwargs\nfreezes:",
)
WIDER = article.WINDOW.replace("return hi - lo", "return abs(hi - lo)")
Files = dict[str, str | None]


@pytest.fixture
def shop(repo: Repo) -> Repo:
    """The article's example on main, with a branch checked out."""
    repo.commit("base", article.FILES)
    repo.branch("feature")
    return repo


def check(repo: Repo, *more: str) -> tuple[int, dict[str, Any]]:
    result = repo.run("gate", "check", "--base", "main", "--json", *more)
    assert result.out, result.err
    return result.code, json.loads(result.out)


def rows_of(document: dict[str, Any]) -> list[tuple[int, str, str]]:
    return [(row["row"], row["class"], row["vote"]) for row in document["rows"]]


SAFE = (1, "likely_safe", "allow")
BARE = (16, "uncovered", "none")
PATCHES: dict[str, tuple[Files, list[tuple[int, str, str]], str, int]] = {
    "production that keeps every law": ({"app/window.py": WIDER}, [SAFE, BARE], "allow", 0),
    "tests alone": ({"tests/test_window.py": "# less\n"}, [SAFE], "allow", 0),
    "tests with production": (
        {"app/window.py": WIDER, "tests/test_window.py": "# less\n"},
        [SAFE, (2, "specimen", "none"), BARE],
        "allow",
        0,
    ),
    "a fixture without its lock": ({FIXTURE: EDITED_FIXTURE}, [(3, "fixture_drift", "block")], "block", 1),
    "a fixture without its lock, with production": (
        {FIXTURE: EDITED_FIXTURE, "app/window.py": WIDER},
        [(3, "fixture_drift", "block"), BARE],
        "block",
        1,
    ),
    "a fixture with its lock and no note": (
        {FIXTURE: EDITED_FIXTURE, LOCK: NEW_LOCK},
        [(11, "weakened", "none"), SAFE, (4, "fixture_drift", "block")],
        "block",
        1,
    ),
    "a fixture with its lock and a note": (
        {
            FIXTURE: EDITED_FIXTURE,
            LOCK: NEW_LOCK,
            INVENTORY: NOTED,
        },
        [(11, "weakened", "none"), SAFE],
        "allow",
        0,
    ),
    "production that breaks a law": (
        {"app/window.py": article.BROKEN_WINDOW},
        [(5, "invariant_miss", "block")],
        "block",
        1,
    ),
    "production that breaks a law, with its tests rewritten": (
        {"app/window.py": article.BROKEN_WINDOW, "tests/test_window.py": "# less\n"},
        [(2, "specimen", "none"), (5, "invariant_miss", "block")],
        "block",
        1,
    ),
    "a candidate with production": (
        {PROPOSED: article.CANDIDATE, "app/window.py": WIDER},
        [SAFE, (8, "untrusted", "none"), BARE],
        "allow",
        0,
    ),
    "a candidate with production that breaks a law": (
        {PROPOSED: article.CANDIDATE, "app/window.py": article.BROKEN_WINDOW},
        [(5, "invariant_miss", "block"), (8, "untrusted", "none")],
        "block",
        1,
    ),
    "candidates and nothing else": ({PROPOSED: article.CANDIDATE}, [(15, "untrusted", "none")], "block", 1),
    "a promotion": ({INVENTORY: PROMOTED}, [SAFE], "allow", 0),
    "a promotion with production": (
        {INVENTORY: PROMOTED, "app/window.py": WIDER},
        [SAFE, (9, "same_patch_promotion", "block"), BARE],
        "block",
        1,
    ),
    "a promotion for a target that base does not have": (
        {INVENTORY: PROMOTED.replace("fn: width", "fn: height")},
        [(5, "invariant_miss", "block"), (9, "same_patch_promotion", "block")],
        "block",
        1,
    ),
    "an oracle edit with a script, which production could import": (
        {INVENTORY: article.INVENTORY + "# more\n", "tools/bounds.py": "LIMIT = 1\n"},
        [SAFE, (10, "oracle_edit", "block")],
        "block",
        1,
    ),
    "an oracle edit with texts that production never sees": (
        {INVENTORY: article.INVENTORY + "# more\n", "README.md": "more\n", ".github/workflows/gate.yml": "on: push\n"},
        [SAFE],
        "allow",
        0,
    ),
    "an oracle edit with production": (
        {INVENTORY: article.INVENTORY + "# more\n", "app/window.py": WIDER},
        [SAFE, (10, "oracle_edit", "block"), BARE],
        "block",
        1,
    ),
    "a check removed": (
        {INVENTORY: article.INVENTORY.replace("      - lo_le_hi\n", "")},
        [(11, "weakened", "none"), SAFE],
        "allow",
        0,
    ),
    "a freeze of what is not noise": (
        {
            INVENTORY: article.INVENTORY.replace(
                "  # empty on a clean tree\n",
                f"  - property_id: window_bounds\n    seed: 90210\n    fixture: {FIXTURE}\n"
                '    reason: noise\n    expires_on: "2099-01-01"\n',
            )
        },
        [(11, "weakened", "none"), SAFE, (13, "protocol_error", "block")],
        "block",
        1,
    ),
    "the oracle without its owner": (
        {".github/CODEOWNERS": "* @anyone\n/invariants/\n"},
        [(11, "weakened", "none"), SAFE, (14, "protocol_error", "block")],
        "block",
        1,
    ),
    "the owner taken away with production": (
        {".github/CODEOWNERS": "", "app/window.py": WIDER},
        [SAFE, (10, "oracle_edit", "block"), BARE],
        "block",
        1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PATCHES)
def test_each_patch_meets_its_rows(shop: Repo, name: str) -> None:
    files, rows, decision, code = PATCHES[name]
    shop.commit(name, files)
    before = shop.tree_hash()
    got, document = check(shop)
    assert rows_of(document) == rows
    assert (document["decision"], got) == (decision, code)
    assert shop.tree_hash() == before


FORGOTTEN: dict[str, tuple[Files, Files, str]] = {
    "an edit": ({INVENTORY: NOTED, LOCK: NEW_LOCK}, {FIXTURE: EDITED_FIXTURE}, FIXTURE),
    "a fixture of its own": (
        {
            INVENTORY: PROMOTED.replace(
                f"{FIXTURE}\n    checks: [det", "tests/fixtures/new one.json\n    checks: [det"
            ),
            LOCK: article.lock_of(article.FIXTURES | {"tests/fixtures/new one.json": EDITED_FIXTURE}),
        },
        {"tests/fixtures/new one.json": EDITED_FIXTURE},
        "tests/fixtures/new one.json",
    ),
}


@pytest.mark.parametrize("name", FORGOTTEN)
def test_a_fixture_that_was_locked_and_not_committed_is_to_be_committed(shop: Repo, name: str) -> None:
    committed, left, path = FORGOTTEN[name]
    shop.commit("work", committed)
    _, document = check(shop)
    assert all("work tree" not in row["next_edit"] for row in document["rows"])
    shop.write(left)
    code, document = check(shop)
    [row] = [row for row in document["rows"] if row["row"] == 3]
    step = f"git add {shlex.quote(path)} && git commit"
    assert (code, row["next_edit"]) == (
        1,
        f"commit {path}, for the work tree has the bytes that the lock names: {step}",
    )
    assert "its lock entry did not" not in row["what"]
    shop.write({path: "[1]\n"})  # bytes that nobody locked are not what the lock waits for
    _, document = check(shop)
    assert all("work tree" not in row["next_edit"] for row in document["rows"])


def test_a_promotion_from_a_candidate_that_the_branch_itself_added_blocks(shop: Repo) -> None:
    shop.commit("propose", {PROPOSED: article.CANDIDATE})
    shop.commit("promote", {PROPOSED: None, INVENTORY: PROMOTED})
    code, document = check(shop)
    assert (9, "same_patch_promotion", "block") in rows_of(document)
    assert code == 1


def test_the_same_promotion_is_let_in_once_the_candidate_is_on_base(shop: Repo) -> None:
    shop.branch("main")
    shop.commit("propose", {PROPOSED: article.CANDIDATE})
    shop.branch("promotion")
    shop.commit("promote", {PROPOSED: None, INVENTORY: PROMOTED})
    assert check(shop)[0] == 0


def test_an_empty_inventory_is_no_allow(repo: Repo) -> None:
    repo.commit("base", article.FILES | {INVENTORY: "version: 1\n", LOCK: "{}\n"})
    repo.branch("feature")
    repo.commit("work", {"app/window.py": WIDER})
    code, document = check(repo)
    assert (code, document["decision"]) == (3, "could_not_run")
    assert rows_of(document) == [(1, "no_oracle", "none"), BARE]
    assert check(repo, "--allow-empty")[0] == 0


def stopped(repo: Repo, *args: str) -> Result:
    result = repo.run("gate", "check", *args)
    assert result.code in (2, 3), result
    assert result.out == ""
    assert "Traceback" not in result.err
    assert "why:" in result.err
    assert "next:" in result.err
    return result


@pytest.mark.parametrize("base", ["nowhere", "", "--", "-h", "0" * 40])
def test_a_base_that_names_nothing_stops(shop: Repo, base: str) -> None:
    shop.commit("work", {"app/window.py": WIDER})
    stopped(shop, f"--base={base}")


def test_a_branch_without_a_patch_stops(shop: Repo) -> None:
    told = stopped(shop, "--base", "main").err
    assert "no patch" in told
    assert "next: Check out the branch" in told


def test_a_patch_that_nobody_committed_is_not_taken_for_none(shop: Repo) -> None:
    shop.write({"app/window.py": WIDER, "app/a new one.py": "x = 1\n"})
    told = stopped(shop, "--base", "main").err
    assert "these are changed but not committed: app/window.py, app/a new one.py" in told
    assert "next: Commit the patch: git add app/window.py 'app/a new one.py' && git commit" in told
    shop.branch("main")
    assert "next: Commit the patch: git switch --create NAME && git add" in stopped(shop, "--base", "main").err
    shop.write({f"app/n{n}.py": "" for n in range(9)})
    told = stopped(shop, "--base", "main").err
    assert "and 6 more" in told
    assert "git add --all && git commit" in told


def test_a_dirty_tree_stops(shop: Repo) -> None:
    shop.commit("work", {"app/window.py": WIDER})
    shop.write({"app/window.py": article.BROKEN_WINDOW})
    assert "app/window.py" in stopped(shop, "--base", "main").err


def test_an_oracle_that_moved_on_stops(shop: Repo) -> None:
    shop.commit("work", {"app/window.py": WIDER})
    shop.branch("main")
    shop.commit("promote", {INVENTORY: PROMOTED})
    shop.branch("feature")
    assert "git merge main" in stopped(shop, "--base", "main").err


def test_base_moving_on_in_production_alone_changes_nothing(shop: Repo) -> None:
    shop.commit("work", {"app/codec.py": article.CODEC + "\n# more\n"})
    shop.branch("main")
    shop.commit("other", {"app/window.py": article.BROKEN_WINDOW})
    shop.branch("feature")
    assert check(shop)[0] == 0


def test_a_broken_oracle_of_base_stops_and_names_the_line(repo: Repo) -> None:
    repo.commit("base", article.FILES | {INVENTORY: article.INVENTORY.replace("seed: 90210", "seed: 0o7")})
    repo.branch("feature")
    repo.commit("work", {"app/window.py": WIDER})
    assert f"{INVENTORY}:15:" in stopped(repo, "--base", "main").err


def test_a_broken_oracle_can_be_mended(repo: Repo) -> None:
    repo.commit("base", article.FILES | {INVENTORY: "version: 2\n"})
    repo.branch("feature")
    repo.commit("mend", {INVENTORY: article.INVENTORY})
    code, document = check(repo)
    assert (code, rows_of(document)) == (0, [(11, "weakened", "none"), SAFE])


def test_an_oracle_that_head_breaks_blocks_beside_production(shop: Repo) -> None:
    shop.commit("work", {"app/window.py": WIDER, INVENTORY: "version: 2\n"})
    code, document = check(shop)
    assert (code, rows_of(document)) == (1, [SAFE, (10, "oracle_edit", "block"), BARE])


def test_the_text_says_decision_class_vote_and_next_edit(shop: Repo) -> None:
    shop.commit("work", {"app/window.py": article.BROKEN_WINDOW})
    out = shop.run("gate", "check", "--base", "main").out
    assert out.startswith("BLOCK  main")
    assert "row 5  invariant_miss: blocks\n  window_bounds\n" in out
    assert "\n  next: " in out


def test_a_red_that_is_meant_has_lines_to_type(shop: Repo) -> None:
    """They are typed as they stand, less the words to fill in and the checks to edit."""
    checks = '[lo_le_hi, in_range: {min: -5}, law: "clamp(lo, hi, x) <= hi"]'
    shop.branch("main")
    old = "      - lo_le_hi\n      - output_in_range\n"
    shop.commit("laws", {INVENTORY: article.INVENTORY.replace(f"\n{old}", f" {checks}\n")})
    shop.git("branch", "--force", "feature")
    shop.branch("feature")
    shop.commit("work", {"app/window.py": article.BROKEN_WINDOW})
    told = shop.run("gate", "check", "--base", "main")
    lines = [line.strip() for line in told.out.splitlines() if line.startswith("    review ")]
    amend, retire = (shlex.split(line.replace("WHO", "ada").replace("TEXT", "'As agreed'")) for line in lines)
    assert checks_of(amend[4]) == codec.parse_inventory(shop.read(INVENTORY).encode(), INVENTORY).properties[1].checks
    shop.git("switch", "--quiet", "--create", "oracle", "main")
    looser = [word.replace(", in_range: {min: -5}", "") for word in amend]
    assert looser != amend
    assert shop.call(*looser).code == 0
    shop.commit("amended")
    assert shop.call(*retire[:-1], "Nobody calls it").code == 0


def test_a_function_that_moved_is_led_to_its_new_place(shop: Repo) -> None:
    shop.commit("move", {"app/window.py": None, "app/frame.py": article.WINDOW, "tests/test_window.py": None})
    _, document = check(shop)
    [row] = [row for row in document["rows"] if row["row"] == 5]
    assert row["next_edit"].startswith("put app.window:clamp back; if it moved, an import of it there will do, until")
    assert row["next_edit"].endswith("\nreview retire window_bounds --reviewer WHO --note TEXT")
    assert "amend" not in row["next_edit"]
    assert "next      put app.window:clamp back" in shop.run("gate", "run").out
    shop.commit("keep the old place", {"app/window.py": "from app.frame import clamp, width\n"})
    code, document = check(shop)
    assert (code, document["decision"]) == (0, "allow")


def test_a_path_with_control_characters_is_shown_harmless(shop: Repo) -> None:
    shop.commit("work", {"app/a\x1b[31m\u202eb.py": "x = 1\n", "tests/\x07.py": ""})
    result = shop.run("gate", "check", "--base", "main")
    assert result.code == 0
    assert not set(result.out) & {"\x1b", "\u202e", "\x07"}
    assert "\\x07" in result.out


def test_no_repository_stops(shop: Repo) -> None:
    stopped(Repo(shop.root.parent), "--base", "main")


def test_a_look_alike_of_the_oracle_blocks(shop: Repo) -> None:
    shop.commit("work", {"invari\u0430nts/inventory.yaml": article.INVENTORY})
    code, document = check(shop)
    assert (code, rows_of(document)) == (1, [SAFE, (10, "oracle_edit", "block")])


def test_changed_functions_without_a_property_are_counted_and_named(shop: Repo) -> None:
    both = WIDER.replace("max(lo, min(hi, x))", "min(max(lo, x), max(lo, hi))")
    shop.commit("work", {"app/window.py": both, "app/new.py": "def fresh(x):\n    return x\n"})
    [row] = [row for row in check(shop)[1]["rows"] if row["row"] == 16]
    assert row["what"] == "with a property: 1 of 3 changed functions; without one: app.new:fresh, app.window:width"
    assert row["paths"] == ["app/new.py", "app/window.py"]


def test_a_repository_without_an_oracle_has_nothing_to_own(repo: Repo) -> None:
    repo.commit("base", {"app.py": "x = 1\n"})
    repo.branch("feature")
    repo.commit("work", {"app.py": "x = 2\n"})
    assert check(repo)[0] == 3
    code, document = check(repo, "--allow-empty")
    assert (code, rows_of(document)) == (0, [(1, "no_oracle", "allow")])


def test_the_first_owners_of_an_oracle_weaken_none(repo: Repo) -> None:
    repo.commit("base", {"app/window.py": article.WINDOW, ".github/CODEOWNERS": "* @everybody\n"})
    repo.branch("oracle")
    repo.write({".github/CODEOWNERS": "* @everybody\n/invariants/ @few\n"})
    repo.commit("init", {INVENTORY: article.INVENTORY, LOCK: article.lock_of(article.FIXTURES), **article.FIXTURES})
    assert "weakened" not in {row["class"] for row in check(repo)[1]["rows"]}


def test_a_law_that_goes_is_named(shop: Repo) -> None:
    shop.branch("main")
    law = article.INVENTORY.replace("      - lo_le_hi\n", '      - law: "clamp(lo, hi, x) >= lo"\n')
    shop.commit("A law", {INVENTORY: law})
    shop.git("checkout", "--quiet", "-b", "without")
    shop.commit("Gone", {INVENTORY: law.replace('      - law: "clamp(lo, hi, x) >= lo"\n', "")})
    [row] = [row for row in check(shop)[1]["rows"] if row["class"] == "weakened"]
    assert row["what"] == "window_bounds loses or changes the checks clamp(lo, hi, x) >= lo"


def test_checks_that_are_no_python_cannot_vote(shop: Repo) -> None:
    shop.commit("patch", {"invariants/checks.py": "x = 1\ndef (:\n"})
    refused = shop.run("gate", "check", "--base", "main")
    assert refused.code == 3
    assert "invariants/checks.py:2: is not Python" in refused.err
