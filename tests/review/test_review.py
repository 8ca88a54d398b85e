"""The commands of `review` in real repositories: what they write, and that a refusal writes nothing."""

from __future__ import annotations

import json
import re
import shlex
from hashlib import sha256

import pytest

from gate.workflows import PLACEHOLDER
from inventory.codec import parse_inventory, parse_lock, parse_tombstone
from tests.repo import Repo, Result

CANDIDATE = "invariants/proposed/window_range.yaml"
FIXTURE = "tests/fixtures/window.json"
SAMPLES = '[{"lo": 0, "hi": 3, "x": 9}, {"lo": 0, "hi": 3, "x": 1}]\n'
DIGEST = sha256(SAMPLES.encode()).hexdigest()
CODE = "def clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n"
YAML = (
    "id: window_range\nmodule: app.window\nfn: clamp\nchecks:\n  - output_in_range\n"
    "statement: The value stays between its bounds\nsamples:\n  - {lo: 0, hi: 3, x: 9}\n"
)
INVENTORY = "# ours\nversion: 1\n\nproperties: []   # none yet\nfreezes:\n"
BASE = {
    "app/__init__.py": "",
    "app/window.py": CODE,
    "invariants/inventory.yaml": INVENTORY,
    "invariants/fixture.lock.json": "{}\n",
    CANDIDATE: YAML,
}
PROMOTE = (
    "review",
    "promote",
    "window_range",
    "--seed",
    "7",
    "--fixture",
    FIXTURE,
    "--sha256",
    DIGEST,
    "--reviewer",
    "Jo",
)


@pytest.fixture
def waiting(repo: Repo) -> Repo:
    """A branch of its own on which one candidate waits, with a tracked fixture."""
    repo.commit("Start", BASE)
    repo.branch("promote/window")
    repo.commit("Samples", {FIXTURE: SAMPLES})
    return repo


def assert_refused(repo: Repo, *command: str, code: int = 1, says: str = "") -> Result:
    """The command ends with `code` and a stop, and not one byte of the work tree moves."""
    before = repo.files()
    result = repo.call(*command)
    assert (result.code, result.out) == (code, ""), result
    assert all(part in result.err for part in ("error: ", "why: ", "next: ", says)), result.err
    assert "Traceback" not in result.err
    assert repo.files() == before
    return result


def test_promote_writes_lock_and_inventory_and_removes_the_candidate(waiting: Repo) -> None:
    before = waiting.files()
    result = waiting.call(*PROMOTE, "--note", "Looked at both")
    assert result.code == 0, result.err
    [entry] = parse_inventory(waiting.read("invariants/inventory.yaml").encode(), "i").properties
    assert (entry.id, entry.seed, entry.fixture, entry.reviewed_by) == ("window_range", 7, FIXTURE, "Jo")
    assert entry.note == "Looked at both"
    assert waiting.read("invariants/inventory.yaml").startswith(
        "# ours\nversion: 1\n\nproperties:   # none yet\n  - id: "
    )
    assert parse_lock(waiting.read("invariants/fixture.lock.json").encode(), "l").entries == {FIXTURE: DIGEST}
    after = waiting.files()
    assert {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} == {
        "invariants/inventory.yaml",
        "invariants/fixture.lock.json",
        CANDIDATE,
    }
    assert CANDIDATE not in after


def test_the_git_commands_that_promote_prints_make_the_commit(waiting: Repo) -> None:
    result = waiting.call(*PROMOTE)
    lines = [line.strip() for line in result.err.splitlines()]
    for line in lines:
        if line.startswith(("git add", "git commit")):
            waiting.git(*shlex.split(line)[1:])
    assert waiting.git("status", "--porcelain") == ""
    assert waiting.git("log", "-1", "--format=%s") == "Promote window_range"
    changed = waiting.git("diff", "--name-only", "main...HEAD").splitlines()
    assert changed == ["invariants/fixture.lock.json", "invariants/inventory.yaml", CANDIDATE, FIXTURE]


@pytest.mark.parametrize("left_out", ["--seed", "--sha256", "--reviewer"])
def test_what_is_left_out_is_refused_and_the_printed_command_works(waiting: Repo, left_out: str) -> None:
    at = PROMOTE.index(left_out)
    refused = assert_refused(waiting, *PROMOTE[:at], *PROMOTE[at + 2 :], says=left_out)
    assert waiting.call(*shlex.split(refused.err.splitlines()[-1])).code == 0
    assert "window_range" in waiting.read("invariants/inventory.yaml")


def test_a_wrong_digest_is_refused_and_the_right_one_told(waiting: Repo) -> None:
    wrong = [("0" * 64 if word == DIGEST else word) for word in PROMOTE]
    assert DIGEST in assert_refused(waiting, *wrong, says="another digest").err


def test_the_digest_is_that_of_the_blob_that_git_would_commit(waiting: Repo) -> None:
    waiting.commit("Text", {".gitattributes": "*.json text\n"})
    waiting.write({FIXTURE: SAMPLES.replace("\n", "\r\n")})
    assert waiting.call(*PROMOTE).code == 0


def test_promote_keeps_the_line_endings_of_windows(waiting: Repo) -> None:
    (waiting.root / "invariants/inventory.yaml").write_bytes(INVENTORY.replace("\n", "\r\n").encode())
    (waiting.root / CANDIDATE).write_bytes(YAML.replace("\n", "\r\n").encode())
    waiting.commit("Save on Windows")
    assert waiting.call(*PROMOTE).code == 0
    written = (waiting.root / "invariants/inventory.yaml").read_bytes()
    assert b"\n" not in written.replace(b"\r\n", b"")
    [entry] = parse_inventory(written, "i").properties
    assert entry.id == "window_range"


def test_production_on_the_branch_is_refused_committed_or_not(waiting: Repo) -> None:
    waiting.write({"app/window.py": CODE + "\n"})
    assert_refused(waiting, *PROMOTE, says="changes production: app/window.py")
    waiting.commit("Change the code")
    assert_refused(waiting, *PROMOTE, says="changes production: app/window.py")


def test_production_dirty_on_main_itself_is_refused(repo: Repo) -> None:
    repo.commit("Start", {**BASE, FIXTURE: SAMPLES})
    repo.write({"app/window.py": CODE + "\n"})
    assert "git stash" in assert_refused(repo, *PROMOTE, says="changes production").err


def test_a_file_that_git_does_not_track_is_no_part_of_the_patch(waiting: Repo) -> None:
    waiting.write({"scratch.py": "print()\n"})
    assert waiting.call(*PROMOTE).code == 0


def test_the_branch_that_proposed_cannot_promote_but_another_can_from_it(repo: Repo) -> None:
    repo.commit("Start", {k: v for k, v in BASE.items() if k != CANDIDATE})
    repo.branch("bot/candidates")
    repo.commit("Propose", {CANDIDATE: YAML})
    repo.write({FIXTURE: SAMPLES})
    repo.git("add", FIXTURE)
    refused = assert_refused(repo, *PROMOTE, says="this branch proposes window_range")
    for line in refused.err.splitlines()[-2:]:
        program, *words = shlex.split(line.removeprefix("next: "))
        if program == "git":
            repo.git(*words)
        else:
            done = repo.call(program, *words)
            assert done.code == 0, done.err
    assert repo.git("branch", "--show-current") == "promote/window_range"
    assert "window_range" in repo.read("invariants/inventory.yaml")
    assert CANDIDATE not in repo.files()


def test_a_target_that_base_does_not_have_is_refused(repo: Repo) -> None:
    repo.commit("Start", {**BASE, "app/window.py": "def other():\n    pass\n"})
    repo.branch("promote/window")
    repo.commit("Samples", {FIXTURE: SAMPLES})
    assert_refused(repo, *PROMOTE, says="app.window:clamp is not on main")


def test_a_candidate_that_is_red_on_the_code_is_refused(repo: Repo) -> None:
    repo.commit("Start", {**BASE, "app/window.py": "def clamp(lo, hi, x):\n    return x  # BUG\n"})
    repo.branch("promote/window")
    repo.commit("Samples", {FIXTURE: SAMPLES})
    assert_refused(repo, *PROMOTE, says="not green on the work tree: invariant_miss")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("[]", "without samples"),
        ('{"lo": 1}', "a JSON list"),
        ("[1", "not JSON"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n", "LFS pointer"),
        ("[" + "1," * 600_000 + "1]", "larger than 1 MB"),
    ],
)
def test_a_fixture_that_is_none_is_refused(waiting: Repo, content: str, why: str) -> None:
    waiting.commit("Odd", {FIXTURE: content, "invariants/policy.yaml": "fixture_max_mb: 1\n"})
    refused = assert_refused(waiting, *PROMOTE, says=why)
    assert ("--sha256" in refused.err, "by hand; then:\nreview promote" in refused.err) == (False, True)


def test_every_line_about_a_candidate_of_another_branch_names_the_branch(repo: Repo) -> None:
    repo.commit("Start", {path: text for path, text in BASE.items() if path != CANDIDATE})
    repo.branch("feature")
    repo.commit("Propose", {CANDIDATE: YAML.partition("samples:")[0], FIXTURE: SAMPLES})
    repo.git("update-ref", "refs/remotes/origin/there", "feature")
    repo.branch("main")
    repo.git("branch", "--quiet", "--delete", "--force", "feature")
    repo.branch("oracle")
    source = ("--from", "there")
    for words in (("show", "window_range"), ("check", "window_range"), ("check", "--all")):
        assert "review fixture window_range --out " in (
            told := " ".join(repo.call("review", *words, *source).out.split())
        )
        assert "--from there" in told
    refused = repo.call("review", "promote", "window_range", *source)
    assert "review fixture window_range --out tests/fixtures/window_range.json --from there" in refused.err
    missing = ("--fixture", "tests/fixtures/none.json")
    for verb in ("check", "promote"):
        told = repo.call("review", verb, "window_range", *missing, *source).err
        assert "review fixture window_range --out tests/fixtures/none.json --from there" in told
        told = repo.call("review", verb, "window_range", "--fixture", FIXTURE, *source, cwd="app").err
        assert f"git checkout origin/there -- :/{FIXTURE}" in told
    repo.git("-C", "app", "checkout", "origin/there", "--", f":/{FIXTURE}")
    assert repo.call(*PROMOTE, *source).code == 0


def test_a_fixture_that_is_a_link_untracked_or_ignored_is_refused(waiting: Repo) -> None:
    waiting.write({"tests/fixtures/loose.json": SAMPLES})
    (waiting.root / "tests/fixtures/link.json").symlink_to("window.json")
    waiting.git("add", "tests/fixtures/link.json")
    loose = [word.replace("window.json", "loose.json") for word in PROMOTE]
    assert_refused(waiting, *(word.replace("window.json", "link.json") for word in PROMOTE), says="symbolic link")
    assert "git add :/tests/fixtures/loose.json" in assert_refused(waiting, *loose, says="does not track").err
    waiting.write({".gitignore": "loose.json\n"})
    assert_refused(waiting, *loose, says="git add --force :/tests/fixtures/loose.json")


def test_a_fixture_that_counts_as_production_is_refused_everywhere(waiting: Repo) -> None:
    """A change of it could never stand alone: neither its lock entry nor its property could follow it."""
    waiting.commit("At the root", {"loose.json": SAMPLES})
    loose = [word.replace(FIXTURE, "loose.json") for word in PROMOTE]
    assert_refused(waiting, *loose, says="loose.json is no place for a fixture")
    waiting.git("branch", "--force", "main")
    assert_refused(waiting, *loose, says="policy.yaml")
    entry = "{id: by_hand, module: app.window, fn: clamp, seed: 1, fixture: loose.json, checks: [total]}"
    waiting.commit(
        "By hand",
        {
            "invariants/inventory.yaml": f"version: 1\nproperties:\n  - {entry}\n",
            "invariants/fixture.lock.json": f'{{"loose.json": "{DIGEST}"}}\n',
        },
    )
    waiting.write({"loose.json": SAMPLES.replace("9", "8")})
    assert_refused(waiting, "review", "lock", "--note", "x", says="is no place for a fixture")


def test_a_link_in_place_of_the_queue_is_told(waiting: Repo) -> None:
    (waiting.root / "invariants/proposed").rename(waiting.root / "elsewhere")
    (waiting.root / "invariants/proposed").symlink_to("../elsewhere")
    assert "invariants/proposed is no folder" in waiting.call("review", "list").err


def test_a_reviewer_without_a_name_is_none(waiting: Repo) -> None:
    assert_refused(waiting, *PROMOTE[:-1], " ", code=2, says="it is blank")
    reject = ("review", "reject", "window_range", "--reason", "wrong", "--reviewer", "\t ")
    assert_refused(waiting, *reject, code=2)


def test_a_path_is_taken_from_the_folder_where_it_was_typed(waiting: Repo) -> None:
    words = [word.replace(FIXTURE, "../tests/fixtures/window.json") for word in PROMOTE]
    done = waiting.call(*words, cwd="app")
    assert done.code == 0
    [add] = [shlex.split(line) for line in done.err.splitlines() if line.startswith("  git add")]
    waiting.git("-C", "app", *add[1:])
    assert all(line.startswith(("M  ", "D  ")) for line in waiting.git("status", "--porcelain").splitlines())
    assert parse_lock(waiting.read("invariants/fixture.lock.json").encode(), "l").entries == {FIXTURE: DIGEST}


def test_an_inventory_that_cannot_be_read_or_is_not_there_stops(waiting: Repo) -> None:
    waiting.write({"invariants/inventory.yaml": "version: 1\nversion: 1\n"})
    assert_refused(waiting, *PROMOTE, code=3, says="invariants/inventory.yaml:2")
    waiting.write({"invariants/inventory.yaml": None})
    assert_refused(waiting, *PROMOTE, says="review init")


def test_broken_candidates_are_listed_and_block_nobody(waiting: Repo) -> None:
    waiting.write(
        {
            "invariants/proposed/broken.yaml": "id: [\n",
            "invariants/proposed/seeded.yaml": YAML + "seed: 3\n",
            "invariants/proposed/notes.txt": "hello",
            "invariants/proposed/\x1b[31m.yaml": "x",
            "invariants/proposed/README.md": "Candidates wait here.\n",
        }
    )
    (waiting.root / "invariants/proposed/linked.yaml").symlink_to("/etc/passwd")
    listed = waiting.call("review", "list")
    assert listed.code == 0
    assert "\x1b" not in listed.out + listed.err
    assert "1 pending, 5 invalid" in listed.out
    assert "README" not in listed.out
    known = json.loads(waiting.call("review", "list", "--json").out)
    assert known["schema_version"] == 1
    states = {item["id"]: item["state"] for item in known["candidates"]}
    assert states["window_range"] == "pending"
    assert [item["faults"][0]["line"] for item in known["candidates"] if item["id"] == "seeded"] == [9]
    assert_refused(waiting, "review", "promote", "broken", says="no valid candidate")
    assert waiting.call(*PROMOTE).code == 0


def test_list_and_show_write_nothing_and_read_another_branch(waiting: Repo) -> None:
    waiting.git("rm", "--quiet", CANDIDATE)
    waiting.commit("Gone here")
    before = waiting.files()
    assert "queue is empty" in waiting.call("review", "list").out
    assert "window_range" in waiting.call("review", "list", "--from", "main").out
    shown = waiting.call("review", "show", "window_range", "--from", "main")
    assert shown.code == 0
    for part in ("def clamp(lo, hi, x)", "app/window.py:1", "output_in_range: ", "stays between its bounds"):
        assert part in shown.out
    data = json.loads(waiting.call("review", "show", "window_range", "--from", "main", "--json").out)
    assert data["candidate"]["checks"] == ["output_in_range"]
    assert waiting.files() == before


def test_a_hostile_candidate_is_shown_harmless(waiting: Repo) -> None:
    hostile = "Fine \\x1b[2J\\u202e [bold]x[/bold]\\nid: promoted"
    waiting.write({CANDIDATE: YAML.replace("The value stays between its bounds", f'"{hostile}"')})
    shown = waiting.call("review", "show", "window_range")
    assert shown.code == 0
    assert "\x1b" not in shown.out
    assert "\u202e" not in shown.out
    assert "[bold]x[/bold]" in shown.out
    assert "\nid: promoted" not in shown.out


def test_check_rehearses_here_and_on_base_and_writes_nothing(waiting: Repo) -> None:
    before = waiting.files()
    done = waiting.call("review", "check", "window_range", "--fixture", FIXTURE, "--seed", "7")
    assert done.code == 0, done
    assert "the work tree, as base: pass" in done.out
    assert FIXTURE in done.out
    assert f"  sha256     {DIGEST}\n" in done.out
    promote = done.err.splitlines()[-1]
    assert shlex.split(promote) == [*PROMOTE[:-1], "Ada Tester", "--call", "kwargs"]
    for words in (["--fixture", FIXTURE], ["--fixture", "tests/none.json", "--seed", "7"]):
        assert "--seed" not in waiting.call("review", "check", "window_range", *words).err
    own = waiting.call("review", "check", "window_range", "--json")
    data = json.loads(own.out)
    assert own.code == 0
    assert "candidate itself suggests" in data["samples"]
    assert (data["sha256"], own.err) == (None, "")
    assert [trial["result"]["status"] for trial in data["trials"]] == ["pass"]
    assert data["base_is_same"]
    assert waiting.files() == before


def test_a_rehearsal_that_fails_or_cannot_be_tried_is_no_pass(waiting: Repo) -> None:
    waiting.write({"app/window.py": "def clamp(lo, hi, x):\n    return x  # BUG\n"})
    done = waiting.call("review", "check", "window_range", "--fixture", FIXTURE)
    assert done.code == 1
    assert "invariant_miss" in done.out
    assert "pass" in done.out
    waiting.write({CANDIDATE: YAML.replace("fn: clamp", "fn: clamp:")})
    assert waiting.call("review", "check", "window_range").code == 1


def test_what_cannot_be_judged_is_neither_yes_nor_no(waiting: Repo) -> None:
    waiting.write({CANDIDATE: YAML.partition("samples:")[0]})
    assert waiting.call("review", "check", "window_range").code == 3
    waiting.write({"app/window.py": f"import module_of_nobody\n{CODE}"})
    waiting.git("commit", "--quiet", "--all", "--message", "Import")
    waiting.git("branch", "--force", "main")
    done = waiting.call("review", "check", "window_range", "--fixture", FIXTURE)
    assert done.code == 3
    assert "VIRTUAL_ENV" in done.out
    told = assert_refused(waiting, *PROMOTE, code=3, says="could not be judged").err
    assert "imports module_of_nobody, which this interpreter does not have; name the one" in told
    waiting.write({"invariants/policy.yaml": "python: /nowhere/python\n"})
    assert_refused(waiting, *PROMOTE, code=3, says="$VIRTUAL_ENV")


def test_a_candidate_that_reads_the_clock_has_a_way_that_leads_on(waiting: Repo) -> None:
    waiting.write({"app/window.py": f"import time\n{CODE.replace('return', 'time.time(); return')}"})
    waiting.git("commit", "--quiet", "--all", "--message", "Look at the clock")
    waiting.git("branch", "--force", "main")
    told = waiting.call("review", "check", "window_range", "--fixture", FIXTURE)
    assert "time.time at app/window.py:3" in " ".join(told.out.split())
    assert "next       pin it with clock:" in told.out
    refused = assert_refused(
        waiting, *PROMOTE, code=3, says="write the property into invariants/inventory.yaml by hand"
    )
    [clock] = re.findall(r'clock: "[^"]+"', refused.err)
    entry = (
        f"  - {{id: by_hand, module: app.window, fn: clamp, seed: 1, fixture: {FIXTURE}, checks: [lo_le_hi], {clock}}}"
    )
    waiting.write({"invariants/inventory.yaml": f"version: 1\nproperties:\n{entry}\nfreezes:\n"})
    assert waiting.call("review", "lock", "--note", "First").code == 0
    assert waiting.call("gate", "run").code == 0


def test_a_base_that_there_is_not_is_refused_whether_it_is_needed_or_not(waiting: Repo) -> None:
    waiting.write({CANDIDATE: YAML.partition("samples:")[0]})
    for words in (("check", "window_range"), ("lock",), ("retire", "x", "--reviewer", "Jo", "--note", "y")):
        assert_refused(waiting, "review", *words, "--base", "nope", code=3, says="nope")


def test_promote_says_what_has_no_code_owner(waiting: Repo) -> None:
    owners = ".github/CODEOWNERS"
    done = waiting.call(*PROMOTE)
    assert "nobody owns invariants/fixture.lock.json, invariants/inventory.yaml by CODEOWNERS" in done.err
    waiting.git("checkout", "--quiet", "HEAD", "--", "invariants")
    waiting.write({owners: "/invariants/ @oracle\n"})
    told = [line for line in waiting.call(*PROMOTE).err.splitlines() if "nobody owns" in line]
    assert len(told) == 1
    assert f"add a line for /{FIXTURE}" in told[0]
    waiting.git("checkout", "--quiet", "HEAD", "--", "invariants")
    waiting.write({owners: "* @oracle\n"})
    assert "nobody owns" not in waiting.call(*PROMOTE).err


def test_reject_leaves_a_tombstone_and_the_claim_stays_rejected(waiting: Repo) -> None:
    words = ("review", "reject", "window_range", "--reason", "wrong", "--reviewer", "Jo", "--note", "It may wrap")
    assert waiting.call(*words).code == 0
    [grave] = [path for path in waiting.files() if path.startswith("invariants/rejected/")]
    tombstone = parse_tombstone(waiting.read(grave).encode(), grave)
    assert (tombstone.reason, tombstone.rejected_by, tombstone.note) == ("wrong", "Jo", "It may wrap")
    assert tombstone.candidate
    assert tombstone.candidate.samples
    assert CANDIDATE not in waiting.files()
    shown = assert_refused(waiting, "review", "show", "window_range", code=2, says="window_range was rejected by Jo")
    assert "review reopen window_range" in shown.err
    waiting.write({"invariants/proposed/again.yaml": YAML.replace("window_range", "again")})
    assert "rejected" in waiting.call("review", "list").out
    assert_refused(waiting, *(word.replace("window_range", "again") for word in PROMOTE), says="again is rejected")
    assert_refused(waiting, *(word.replace("window_range", "again") for word in words), says="was rejected before")


def test_a_candidate_that_a_merge_brings_back_leads_to_its_property(waiting: Repo) -> None:
    assert waiting.call(*PROMOTE).code == 0
    amend = ("review", "amend", "window_range", "--checks", "lo_le_hi", "--reviewer", "Jo", "--note", "Less")
    assert waiting.call(*amend).code == 0
    waiting.write({CANDIDATE: YAML})
    assert "window_range  duplicate  app.window:clamp" in waiting.call("review", "list").out
    refused = assert_refused(waiting, *PROMOTE, says="which says something else by now")
    assert "next: Change the property: review amend window_range --checks CHECKS" in refused.err
    reject = ("review", "reject", "window_range", "--reason", "duplicate", "--reviewer", "WHO")
    assert shlex.join(reject) in refused.err
    assert waiting.call(*reject).code == 0


def test_lock_takes_changed_samples_over_with_a_note_in_every_property_on_them(waiting: Repo) -> None:
    assert waiting.call(*PROMOTE).code == 0
    new = SAMPLES.replace("9", "8")
    waiting.write({FIXTURE: new})
    assert_refused(waiting, "review", "lock", says="needs a note")
    assert waiting.call("review", "lock", FIXTURE, "--note", "Nine was odd").code == 0
    [entry] = parse_inventory(waiting.read("invariants/inventory.yaml").encode(), "i").properties
    assert entry.note == "Nine was odd"
    assert FIXTURE in waiting.read("invariants/fixture.lock.json")
    assert sha256(new.encode()).hexdigest() in waiting.read("invariants/fixture.lock.json")
    assert "up to date" in waiting.call("review", "lock").out
    waiting.write({FIXTURE: SAMPLES})
    assert_refused(waiting, "review", "lock", "--note", "Nine was odd", says="this very note already")
    assert waiting.call("review", "lock", "--canonical", "--note", "Order does not matter").code == 0
    assert '"jcs:' in waiting.read("invariants/fixture.lock.json")
    waiting.write({FIXTURE: SAMPLES.replace(" ", "")})
    assert "up to date" in waiting.call("review", "lock").out


def test_lock_refuses_what_is_no_fixture(waiting: Repo) -> None:
    assert_refused(waiting, "review", "lock", "app/window.py", "--note", "x", code=2, says="is no fixture")


def test_lock_mends_entries_that_nobody_uses_or_that_are_missing(waiting: Repo) -> None:
    assert waiting.call(*PROMOTE).code == 0
    waiting.write({"invariants/fixture.lock.json": '{"gone.json": "' + "0" * 64 + '"}\n'})
    assert waiting.call("review", "lock", "--note", "Lost in a merge").code == 0
    assert parse_lock(waiting.read("invariants/fixture.lock.json").encode(), "l").entries == {FIXTURE: DIGEST}


def test_init_lays_what_is_missing_and_never_writes_over(repo: Repo) -> None:
    repo.write({"CODEOWNERS": "* @dev"})
    laid = repo.call("review", "init", "--owner", "@org/oracle")
    assert laid.code == 0
    # Where it is not known what this tool was installed from, the job fails until somebody says so.
    edit = "next: edit the install line in .github/workflows/gate.yml"
    assert (PLACEHOLDER in repo.read(".github/workflows/gate.yml")) is (edit in laid.err)
    first = repo.files()
    assert set(first) == {
        "CODEOWNERS", "invariants/inventory.yaml", "invariants/fixture.lock.json", ".github/workflows/gate.yml"
    }  # fmt: skip
    assert repo.read("CODEOWNERS").startswith("* @dev\n/invariants/ @org/oracle\n")
    assert repo.call("review", "init", "--owner", "@other").code == 0
    assert repo.files() == first
    repo.commit("Laid")
    assert "queue is empty" in repo.call("review").out


@pytest.mark.parametrize("owner", ["", "team", "@a b", "@a\n* @b", "@", "-x"])
def test_init_takes_only_an_owner_that_can_be_one(repo: Repo, owner: str) -> None:
    before = repo.files()
    assert repo.call("review", "init", f"--owner={owner}").code == 2
    assert repo.files() == before


@pytest.mark.parametrize(
    "command",
    [
        ("show", "nobody"), ("check", "nobody"), ("promote", "nobody"), ("promote",), ("nonsense",),
        ("reject", "window_range"), ("reject", "window_range", "--reason", "odd", "--reviewer", "x"),
        ("show", "../../app/window"), ("promote", "window_range", "--seed", "-1"), ("init",),
        ("promote", "window_range", "--seed", "x"), ("list", "--from", "--upload-pack=x"), ("--from", "main", "list"),
    ],
)  # fmt: skip
def test_wrong_usage_is_told_in_one_error(waiting: Repo, command: tuple[str, ...]) -> None:
    assert_refused(waiting, "review", *command, code=2)


def test_where_review_cannot_run_it_says_so(repo: Repo) -> None:
    for words in (("list", "--from", "nowhere"), ("promote", "x")):
        assert repo.call("review", *words).code in (2, 3)
    (repo.root.parent / "plain").mkdir()
    done = repo.call("review", cwd="../plain")
    assert done.code == 3
    assert "git init" in done.err


LAW = """id: unique_order
module: app.unique
fn: unique
checks:
  - law: {law}
statement: Items keep their first place
samples:
  - [1, 2]
  - [2, 1, 2]
"""
UNIQUE = "def unique(items: list) -> list:\n    return list(dict.fromkeys(items))\n"
GOOD_LAW = "unique(items) == [v for at, v in enumerate(items) if v not in items[:at]]"


def test_a_law_is_shown_in_words_rehearsed_with_its_calls_and_promoted(repo: Repo) -> None:
    path, fixture = "invariants/proposed/unique_order.yaml", "tests/fixtures/unique.json"
    law = LAW.replace("{law}", f'"{GOOD_LAW}"')
    repo.commit("Start", {**BASE, "app/unique.py": UNIQUE, path: law})
    repo.branch("promote/unique")
    repo.commit("Samples", {fixture: "[[2, 1, 2], []]\n"})
    shown = repo.call("review", "show", "unique_order").out
    for part in (f"law: {GOOD_LAW}", "(output against input)", "enumerate: the items with their numbers",
                 "items: a parameter, list", "unique: the function under test"):  # fmt: skip
        assert " ".join(part.split()) in " ".join(shown.split())
    good = repo.call("review", "check", "unique_order")
    assert good.code == 0
    assert "strength" in good.out
    repo.write({"app/unique.py": UNIQUE.replace("list(dict.fromkeys(items))", "sorted(set(items))")})
    bad = repo.call("review", "check", "unique_order")
    assert bad.code == 1
    assert "unique([2, 1, 2]) = [1, 2]" in bad.out
    repo.write({"app/unique.py": UNIQUE})
    digest = sha256(b"[[2, 1, 2], []]\n").hexdigest()
    done = repo.call("review", "promote", "unique_order", "--seed", "1", "--fixture", fixture, "--sha256", digest,
                     "--reviewer", "Jo")  # fmt: skip
    assert done.code == 0, done.err
    [entry] = parse_inventory(repo.read("invariants/inventory.yaml").encode(), "").properties
    assert [use.law for use in entry.checks] == [GOOD_LAW]


@pytest.mark.parametrize(
    ("law", "says"),
    [
        ("unique([1, 1]) == [1]", "is an example, not a law: write unique(items)"),
        ("len(unique(things)) <= 2", "things is no parameter of unique (it has items)"),
        ("isinstance(unique(items), list)", "it tests only the type"),
        ("unique(items) == list(dict.fromkeys(items))", "dict.fromkeys"),
    ],
)
def test_a_law_that_says_too_little_is_refused(repo: Repo, law: str, says: str) -> None:
    files = {"app/unique.py": UNIQUE, "invariants/proposed/unique_order.yaml": LAW.replace("{law}", f'"{law}"')}
    repo.commit("Start", {**BASE, **files})
    repo.branch("promote/unique")
    repo.commit("Samples", {FIXTURE: "[[2, 1, 2], []]\n"})
    words = ("--seed", "1", "--fixture", FIXTURE, "--sha256", DIGEST, "--reviewer", "Jo")
    assert_refused(repo, "review", "promote", "unique_order", *words, says=says)
    assert says in " ".join(repo.call("review", "show", "unique_order").out.split())
