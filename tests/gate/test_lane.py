"""The lane on real repositories: each verdict for its reason, in every interpreter that is supported."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from gate.verdicts import Outcome, Verdict
from inventory.errors import CouldNotRun
from tests.gate.lanes import (
    BROKEN_CLAMP,
    COIN,
    FIXTURE,
    OLDEST_AND_NEWEST,
    PYTHONS,
    article,
    lane_of,
    lock_of,
    one_property,
    result_of,
)
from tests.repo import Repo

FORGER = """\
import os
for fd in range(3, 30):
    try: os.write(fd, b"\\0" * 40)
    except OSError: pass
def fn(x): return 1
"""
DOUBLE = "def fn(x):\n    return x * 2\n"


@pytest.mark.parametrize("python", PYTHONS)
def test_the_article_passes_and_a_broken_clamp_misses_in_every_python(repo: Repo, python: str) -> None:
    article(repo)
    assert [r.status for r in lane_of(repo, python=python).results] == [Verdict.PASS, Verdict.PASS]
    repo.commit("Break it", {"app/window.py": BROKEN_CLAMP})
    parse, clamp = lane_of(repo, python=python).results
    assert (parse.status, clamp.status) == (Verdict.PASS, Verdict.INVARIANT_MISS)
    assert clamp.red
    assert clamp.red.check == "lo_le_hi"
    assert clamp.red.input == "{'hi': 10, 'lo': 0, 'x': 12}"
    assert clamp.red.value == "12"
    assert [repeat.number for repeat in clamp.repeats] == [1, 2, 3, 4, 5, 6, 7]
    assert len(parse.repeats) == 2


def test_the_report_says_what_ran_where(repo: Repo) -> None:
    article(repo)
    report = lane_of(repo, python=sys.executable)
    assert report.tree == repo.git("rev-parse", "HEAD^{tree}")
    assert report.environment.python.startswith("cpython 3.")
    assert report.environment.executable == sys.executable
    assert report.isolation in ("process", "user", "namespace")
    assert [r.prop_id for r in report.results] == ["parse_roundtrip", "window_bounds"]


def test_changed_fixture_bytes_are_drift_and_the_lane_still_runs(repo: Repo) -> None:
    one_property(repo, DOUBLE, "[non_negative]", [1, 2])
    repo.commit("Touch the fixture", {FIXTURE: "[1, 2, 3]"})
    result = result_of(repo)
    assert result.status is Verdict.FIXTURE_DRIFT
    assert result.on_these_bytes is Verdict.PASS
    repo.commit("Empty it", {FIXTURE: "[]"})
    assert result_of(repo).status is Verdict.FIXTURE_DRIFT


def test_a_lock_that_was_rebuilt_is_no_drift(repo: Repo) -> None:
    one_property(repo, DOUBLE, "[non_negative]", [1, 2])
    repo.commit("Rebuild", {FIXTURE: "[1, 2, 3]", "invariants/fixture.lock.json": lock_of({FIXTURE: "[1, 2, 3]"})})
    assert result_of(repo).status is Verdict.PASS


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def fn(x):\n    raise ValueError('no')\n", "raised ValueError: no"),
        ("def other(x):\n    return x\n", "AttributeError"),
        ("import os\nos._exit(0)\n", "exit code 0"),
        ("import sys\nsys.exit(0)\n", "SystemExit"),
        ("def fn(x):\n    import os; os._exit(0)\n", "exit code 0"),
        ("def fn(x):\n    import os, signal; os.kill(os.getpid(), signal.SIGKILL)\n", "SIGKILL"),
        ("def fn(x) return x\n", "SyntaxError"),
        ("import prod.missing\n", "cannot be imported"),
        ("def fn(x):\n    return -1\n", "-1 is negative"),
        ("def fn(x):\n    return float('nan')\n", "nan is not a finite number"),
        ("def fn(x):\n    return float('inf')\n", "inf is not a finite number"),
        ("def fn(x):\n    return True\n", "True (bool) is not a number"),
        ("class N(int): pass\ndef fn(x):\n    return N(1)\n", "(prod.N) is not a number"),
        ("def fn(x):\n    a = []\n    for _ in range(10000): a = [a]\n    return a\n", "deeper than 100 levels"),
        ("def fn(x):\n    return 'x' * (20 << 20)\n", "bytes in one message"),
        ("import itertools\ndef fn(x):\n    return itertools.count()\n", "an iterator of more than"),
        ("import os\ndef fn(x):\n    os.closerange(3, 100); return 1\n", "the subject was lost"),
        (FORGER, "the subject was lost"),
    ],
)  # fmt: skip
def test_what_production_does_wrong_is_a_miss_with_its_reason(repo: Repo, code: str, words: str) -> None:
    one_property(repo, code, "[non_negative]", [1, 2])
    result = result_of(repo)
    assert result.status is Verdict.INVARIANT_MISS
    assert words in result.detail


@pytest.mark.parametrize(
    ("value", "checks", "status"),
    [
        ("float('inf')", "[non_negative, deterministic, does_not_mutate]", Verdict.PASS),
        ("[float('nan'), {'a': -float('inf')}, complex('nan')]", "[deterministic, never_raises]", Verdict.PASS),
        ("float('nan')", "[non_negative]", Verdict.INVARIANT_MISS),
        ("float('nan')", "[in_range: {min: 0, max: 1}]", Verdict.INVARIANT_MISS),
        ("float('inf')", "[in_range: {min: 0, max: 1}]", Verdict.INVARIANT_MISS),
        ("float('nan')", "[json_serializable]", Verdict.INVARIANT_MISS),
    ],
)
def test_nonfinite_numbers_cross_where_the_property_says_so(
    repo: Repo, value: str, checks: str, status: Verdict
) -> None:
    code = f"def fn(x):\n    return {value}\n"
    one_property(repo, code, checks, [1, 2], more=", nonfinite: true")
    assert result_of(repo).status is status
    one_property(repo, code, checks, [1, 2], more=", nonfinite: false")
    result = result_of(repo)
    assert result.status is Verdict.INVARIANT_MISS
    assert "is not a finite number, and the property does not say nonfinite: true" in result.detail


def test_a_red_names_the_line_of_production_that_raised(repo: Repo) -> None:
    one_property(repo, "def fn(x):\n    y = x\n    return 1 / y\n", "[non_negative]", [0])
    red = result_of(repo).red
    assert red
    assert red.at == "prod.py:3"


def test_a_module_that_is_gone_is_a_miss(repo: Repo) -> None:
    one_property(repo, {"other.py": DOUBLE}, "[non_negative]", [1])
    result = result_of(repo)
    assert result.status is Verdict.INVARIANT_MISS
    assert "No module named 'prod'" in result.detail


def test_a_module_of_the_standard_library_is_not_the_code_under_test(repo: Repo) -> None:
    one_property(repo, DOUBLE, "[non_negative]", [1])
    text = repo.read("invariants/inventory.yaml").replace("module: prod, fn: fn", "module: math, fn: fabs")
    repo.commit("Point elsewhere", {"invariants/inventory.yaml": text})
    assert "the module math is not in this repository" in result_of(repo).detail


@pytest.mark.parametrize(
    ("checks", "own", "words"),
    [
        ("[nobody_wrote_it]", None, "there is no check nobody_wrote_it"),
        ("[mine]", "def mine(fn, sample):\n    1 / 0\n", "the check mine raised ZeroDivisionError"),
        ("[mine]", "def mine(fn, sample):\n    pass\n", "no check called the function"),
        ("[mine]", "import nothing_of_that_name\n", "cannot be loaded: ModuleNotFoundError"),
        ("[non_negative]", "def non_negative(fn, sample):\n    pass\n", "has the name of a built-in one"),
        ("[lo_le_hi]", None, "needs a mapping with lo, hi and x"),
        ("[{in_range: {low: 1}}]", None, "in_range has no parameter low"),
    ],
)
def test_a_fault_of_the_oracle_is_a_protocol_error(repo: Repo, checks: str, own: str | None, words: str) -> None:
    one_property(repo, DOUBLE, checks, [1], own=own)
    result = result_of(repo)
    assert result.status is Verdict.PROTOCOL_ERROR
    assert words in result.detail


def test_a_package_that_the_interpreter_lacks_is_a_fault_of_the_environment(repo: Repo) -> None:
    one_property(repo, "import nothing_of_that_name\n" + DOUBLE, "[non_negative]", [1])
    result = result_of(repo)
    assert result.status is Verdict.PROTOCOL_ERROR
    assert "imports nothing_of_that_name, which this interpreter does not have" in result.detail


def test_a_check_that_hangs_is_at_fault_and_a_function_that_hangs_is_red(repo: Repo) -> None:
    policy = {"invariants/policy.yaml": "time_limit_s: 1\n"}
    one_property(repo, DOUBLE, "[mine]", [1], own="def mine(fn, sample):\n    while True: pass\n", files=policy)
    assert result_of(repo).status is Verdict.PROTOCOL_ERROR
    one_property(repo, "def fn(x):\n    while True: pass\n", "[non_negative]", [1])
    result = result_of(repo)
    assert result.status is Verdict.INVARIANT_MISS
    assert "no answer within 1 s" in result.detail


def test_a_coin_is_noise_even_when_every_repeat_is_red(repo: Repo) -> None:
    coin = COIN + "def fn(x):\n    return [-1, -2, -3, -4, -5, 1][toss(x, 6)]\n"
    one_property(repo, coin, "[non_negative]", list(range(40)))
    result = result_of(repo)
    assert result.status is Verdict.NOISE
    assert all(repeat.outcome is Outcome.RED for repeat in result.repeats)
    assert len(result.repeats) < 7


def test_a_freeze_relabels_noise_until_its_day_and_nothing_else(repo: Repo) -> None:
    coin = COIN + "def fn(x):\n    return [-1, 1][toss(x)]\n"
    one_property(repo, coin, "[non_negative]", list(range(40)))
    digest = lock_of({FIXTURE: repo.read(FIXTURE)}).split('"')[3]
    freeze = (
        f"freezes:\n  - {{property_id: the_one, seed: 7, fixture: {FIXTURE}, fixture_sha256: {digest},"
        " reason: noise, expires_on: '2026-12-15', repeats: [red, green]}\n"
    )
    repo.commit("Freeze", {"invariants/inventory.yaml": repo.read("invariants/inventory.yaml") + freeze})
    frozen = result_of(repo)
    assert (frozen.status, frozen.on_these_bytes) == (Verdict.FROZEN, Verdict.NOISE)
    assert frozen.frozen_until == "2026-12-15"
    late = result_of(repo, today=date(2026, 12, 15))
    assert late.status is Verdict.NOISE
    assert "it expired on 2026-12-15" in late.detail
    repo.commit("Break it", {"prod.py": "def fn(x):\n    return -1\n"})
    assert result_of(repo).status is Verdict.INVARIANT_MISS


def test_the_subject_sees_no_oracle_no_tests_and_no_environment(repo: Repo) -> None:
    look = (
        "import os\n"
        "def fn(x):\n"
        "    root = os.path.dirname(__file__)\n"
        "    seen = [os.path.join(d, f)[len(root) + 1:] for d, _, fs in os.walk(root) for f in fs]\n"
        "    return sorted(seen) + sorted(os.environ)\n"
    )
    files = {"pkg/data.txt": "x", "tests/test_it.py": "x = 1", "notes.pyc": "x", "conftest.py": ""}
    own = "def mine(fn, sample):\n    raise AssertionError(' '.join(fn(sample)))\n"
    one_property(repo, look, "[mine]", [1], own=own, files=files)
    (repo.root / "link.py").symlink_to("prod.py")
    repo.commit("Link")
    detail = result_of(repo).detail
    seen = detail.partition("mine on sample 0: ")[2].partition(" (invariants")[0].split()
    assert seen[:2] == ["pkg/data.txt", "prod.py"]
    assert set(seen[2:]) <= {"HOME", "LANG", "LC_CTYPE", "PATH", "PYTHONHASHSEED", "TMPDIR", "TZ"}


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="the system binds no process to processors")
def test_each_judge_keeps_to_one_processor_and_the_code_under_test_to_none(repo: Repo) -> None:
    code = "import os\ndef fn(x):\n    return sorted(os.sched_getaffinity(0))\n"
    own = "import os\ndef mine(fn, s):\n    raise AssertionError(f'{os.sched_getaffinity(0)} {fn(s)}')\n"
    one_property(repo, code, "[mine]", [1], own=own)
    every = sorted(os.sched_getaffinity(0))
    seats = {repeat.red.detail for repeat in result_of(repo).repeats[:2] if repeat.red}
    assert all(detail.partition(" (")[0] in {f"{{{one}}} {every}" for one in every} for detail in seats), seats
    assert len(seats) == min(2, len(every))


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST)
def test_files_named_like_the_standard_library_shadow_nothing(repo: Repo, python: str) -> None:
    evil = "raise SystemExit(0)\n"
    names = (
        *("json", "random", "math", "sitecustomize", "resource", "site", "importlib", "wire", "subject", "asyncio"),
        *("os", "types", "marshal", "typing"),
    )
    one_property(
        repo,
        "import json, random, math\ndef fn(x):\n    return [json.loads('1'), math.floor(1.5)][0]\n",
        "[non_negative]",
        [1],
        files={f"{name}.py": evil for name in names},
    )
    assert result_of(repo, python=python).status is Verdict.PASS


def test_packages_of_the_users_environment_come_after_the_code_under_test(repo: Repo, tmp_path: Path) -> None:
    environment = tmp_path / "env"
    subprocess.run([PYTHONS[0], "-m", "venv", "--without-pip", str(environment)], check=True)
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "dependency.py").write_text("VALUE = 3\n")
    (packages / "prod.py").write_text("def fn(x):\n    return -1\n")
    one_property(repo, "import dependency\ndef fn(x):\n    return dependency.VALUE\n", "[non_negative]", [1])
    result = result_of(repo, python=str(environment / "bin" / "python"))
    assert result.status is Verdict.PASS, result.detail


def test_the_repositorys_own_environment_is_found(repo: Repo) -> None:
    one_property(repo, DOUBLE, "[non_negative]", [1])
    repo.write({".gitignore": ".venv\n"})
    (repo.root / ".venv" / "bin").mkdir(parents=True)
    (repo.root / ".venv" / "bin" / "python").symlink_to(sys.executable)
    report = lane_of(repo)
    assert report.environment.executable == str(repo.root / ".venv" / "bin" / "python")
    assert report.notices == ()


@pytest.mark.parametrize("python", ["no-such-python", "./missing/python", shutil.which("true") or "/bin/true"])
def test_an_interpreter_that_is_none_stops_the_run(repo: Repo, python: str) -> None:
    one_property(repo, DOUBLE, "[non_negative]", [1])
    with pytest.raises(CouldNotRun):
        lane_of(repo, python=python)


def test_output_is_kept_from_the_report_channel_and_capped(repo: Repo) -> None:
    line = '{"verdict": "pass"}'
    flood = f"import sys\ndef fn(x):\n    sys.stdout.write('{line}' * 100000); sys.stdout.flush()\n    return -1\n"
    one_property(repo, flood, "[non_negative]", [1])
    result = result_of(repo)
    assert result.status is Verdict.INVARIANT_MISS
    assert 0 < len(result.repeats[0].output) <= 16 << 10
