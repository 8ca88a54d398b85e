"""What the sensor sees of clocks, entropy and network, what it lets pass, what it misses, and the pinned clock."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from gate.verdicts import Outcome, PropertyResult, Verdict
from tests.gate.lanes import FIXTURE, OLDEST_AND_NEWEST, PYTHONS, lane_of, lock_of, one_property, result_of
from tests.repo import Repo

NOON = "2026-01-02T12:34:56Z"
PROBES = Path(__file__).parent.parent / "cases" / "probes"


@dataclass(frozen=True)
class Probe:
    """One function under test: what the sensor must say about it, and where it reads."""

    says: str
    at: str


def _probes(name: str) -> dict[str, Probe]:
    text = (PROBES / f"{name}.py").read_text()
    lines = text.splitlines()
    found = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef):
            read = next((n for n in range(node.lineno, node.end_lineno or 0) if lines[n].endswith("# here")), 0)
            found[node.name] = Probe(ast.get_docstring(node) or "", f"prod.py:{read + 1}")
    return found


def _results(repo: Repo, name: str, python: str, more: str = "") -> dict[str, PropertyResult]:
    """One property for each function of a file of probes, under a check that is content with all."""
    rows = [
        f"  - {{id: p_{fn}, module: prod, fn: {fn}, seed: 1, fixture: {FIXTURE}, checks: [never_raises]{more}}}"
        for fn in _probes(name)
    ]
    files = {"invariants/inventory.yaml": "\n".join(["version: 1", "properties:", *rows, ""]), FIXTURE: "[3]"}
    lock = {"invariants/fixture.lock.json": lock_of({FIXTURE: "[3]"})}
    repo.commit("Start", {"prod.py": (PROBES / f"{name}.py").read_text(), **files, **lock})
    return {result.prop_id.removeprefix("p_"): result for result in lane_of(repo, python=python).results}


def _not_seen(results: Mapping[str, PropertyResult], probes: Mapping[str, Probe]) -> dict[str, str]:
    """Where the sensor does not say what it must."""
    return {
        name: f"{result.status}: {result.detail} (it reads at {probes[name].at})"
        for name, result in results.items()
        if result.status is not Verdict.PROTOCOL_ERROR
        or probes[name].says.partition(": ")[2] not in result.detail
        or (probes[name].at != "prod.py:1" and f"at {probes[name].at}" not in result.detail)
    }


def _not_green(results: Mapping[str, PropertyResult]) -> dict[str, str]:
    return {name: result.detail for name, result in results.items() if result.status is not Verdict.PASS}


@pytest.mark.parametrize("python", PYTHONS)
def test_every_source_is_named_with_its_line(repo: Repo, python: str) -> None:
    assert not _not_seen(_results(repo, "seen", python), _probes("seen"))


@pytest.mark.parametrize("python", PYTHONS)
def test_what_reads_nothing_stays_green(repo: Repo, python: str) -> None:
    assert not _not_green(_results(repo, "benign", python))


def test_what_no_sensor_sees_is_known(repo: Repo) -> None:
    assert not _not_green(_results(repo, "missed", sys.executable))


def test_numpy_is_seen_where_it_draws_and_nowhere_else(repo: Repo) -> None:
    assert not _not_seen(_results(repo, "numpy_seen", sys.executable), _probes("numpy_seen"))
    assert not _not_green(_results(repo, "numpy_benign", sys.executable))


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST)
def test_a_pinned_clock_is_no_fault_where_it_can_be_pinned(repo: Repo, python: str) -> None:
    red = _not_green(_results(repo, "seen", python, f", clock: '{NOON}'"))
    clocks = {name for name, probe in _probes("seen").items() if probe.says.startswith("clock")}
    assert red.keys() & clocks == {"reads_os_times", "reads_uptime", "reads_an_original"}
    assert len(red) == len(_probes("seen")) - len(clocks) + 3


@pytest.mark.parametrize("python", PYTHONS)
def test_a_pinned_clock_stands_at_its_moment(repo: Repo, python: str) -> None:
    code = """\
    import time, datetime as d
    AT_IMPORT = time.time()
    class Day(d.datetime): pass
    def fn(x):
        ticks = [time.monotonic_ns() for _ in range(3)]
        assert AT_IMPORT == time.time() == time.time_ns() / 1e9 == 1767357296
        assert d.datetime.now() == d.datetime.utcnow() == d.datetime.today() == d.datetime(2026, 1, 2, 12, 34, 56)
        assert d.datetime.now(d.timezone.utc).isoformat() == d.datetime.now(tz=d.timezone.utc).isoformat()
        assert type(Day.now()) is Day and type(d.datetime.now()) is d.datetime
        assert d.date.today() == d.date(2026, 1, 2) and type(d.date.today()) is d.date
        assert time.localtime()[:6] == time.gmtime()[:6] == (2026, 1, 2, 12, 34, 56)
        assert time.ctime() == time.asctime() == 'Fri Jan  2 12:34:56 2026'
        assert time.strftime('%Y-%m-%d') == '2026-01-02' and time.gmtime(0)[0] == 1970
        assert ticks == sorted(set(ticks))
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            pass
        return 1
    """
    one_property(repo, textwrap.dedent(code), "[never_raises]", [1], more=f", clock: '{NOON}'")
    result = result_of(repo, python=python)
    assert result.status is Verdict.PASS, result.detail


def test_properties_of_one_module_keep_their_own_clocks(repo: Repo) -> None:
    rows = [
        f"  - {{id: p_{year}, module: prod, fn: year, seed: 1, fixture: {FIXTURE},"
        f" checks: [in_range: {{min: {year}, max: {year}}}], clock: '{year}-06-01T00:00:00+02:00'}}"
        for year in (2001, 2020, 1999)
    ]
    inventory = "\n".join(["version: 1", "properties:", *rows, ""])
    code = "import datetime\nTODAY = datetime.date.today()\ndef year(x):\n    return TODAY.year\n"
    lock = lock_of({FIXTURE: "[3]"})
    files = {"invariants/inventory.yaml": inventory, FIXTURE: "[3]", "invariants/fixture.lock.json": lock}
    repo.commit("Start", {"prod.py": code, **files})
    assert [result.detail for result in lane_of(repo).results] == ["1 sample green in 2 repeats"] * 3


def test_a_read_while_the_module_is_imported_is_named(repo: Repo) -> None:
    one_property(repo, "import helper\ndef fn(x):\n    return x\n", "[never_raises]", [1], files={
        "helper.py": "import time\nSTARTED = time.time()\n"
    })  # fmt: skip
    result = result_of(repo)
    assert result.status is Verdict.PROTOCOL_ERROR
    assert result.detail == "production reads the clock: time.time at helper.py:2, while its module is imported"
    assert "pin it with clock:" in (result.next_edit or "")
    repo.commit("Draw", {"helper.py": "import os\nTOKEN = os.urandom(1)\n"})
    assert (result_of(repo).next_edit or "").startswith("move that line into a function")


def test_a_generator_seeded_while_the_module_is_imported_is_pinned(repo: Repo) -> None:
    code = "import random\nrandom.seed(4)\ndef fn(x):\n    return random.random() < 0.3\n"
    one_property(repo, code, "[never_raises]", [1, 2, 3])
    first, second = result_of(repo).repeats
    assert first.values == second.values
    assert first.outcome is second.outcome is Outcome.GREEN


def test_a_read_by_an_installed_package_is_the_callers(repo: Repo, tmp_path: Path) -> None:
    environment = tmp_path / "env"
    subprocess.run([PYTHONS[0], "-m", "venv", "--without-pip", str(environment)], check=True)
    [packages] = environment.glob("lib/python*/site-packages")
    (packages / "dependency.py").write_text(
        "import time\nBORN = time.time()\ndef age():\n    return time.time() - BORN\n"
    )
    python = str(environment / "bin" / "python")
    one_property(repo, "import dependency\ndef fn(x):\n    return x\n", "[never_raises]", [1])
    assert result_of(repo, python=python).status is Verdict.PASS
    repo.commit("Call it", {"prod.py": "import dependency\ndef fn(x):\n    return dependency.age() >= 0\n"})
    assert "time.time through dependency.age at prod.py:3" in result_of(repo, python=python).detail


def test_a_red_property_that_reads_the_clock_says_both(repo: Repo) -> None:
    one_property(repo, "import time\ndef fn(x):\n    return -time.time()\n", "[non_negative]", [1, 2])
    result = result_of(repo)
    assert result.status is Verdict.PROTOCOL_ERROR
    assert "time.time at prod.py:3; besides, non_negative on sample" in result.detail
    assert result.next_edit
    assert "clock:" in result.next_edit
    assert len(result.repeats) == 2


def test_a_time_bomb_is_named(repo: Repo) -> None:
    bomb = "import time\ndef fn(x):\n    return x if time.time() < 1e12 else -1\n"
    one_property(repo, bomb, "[non_negative]", [1, 2])
    result = result_of(repo)
    assert result.status is Verdict.PROTOCOL_ERROR
    assert "production reads the clock: time.time at prod.py:3" in result.detail


def test_a_sensor_that_is_tampered_with_makes_nothing_green(repo: Repo) -> None:
    code = """\
    import gc, sys
    def fn(x):
        sys.setprofile(None)
        for thing in gc.get_objects():
            if type(thing).__name__ == 'Sensor':
                thing.news = lambda: {rows!r}
                thing.drawn = lambda before: {drawn!r}
        return {value}
    """
    cases = [([], None, -1), ([["x", "y", "z"]], None, 1), ([], [1], 1)]
    for rows, drawn, value in cases:
        text = textwrap.dedent(code).format(rows=rows, drawn=drawn, value=value)
        one_property(repo, text, "[non_negative]", [1, 2])
        assert result_of(repo).status is Verdict.INVARIANT_MISS, (rows, drawn, value)
