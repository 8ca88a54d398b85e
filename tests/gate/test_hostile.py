"""Subjects that hang, eat, flood, fork, kill and tamper: each ends within its limits, rightly named, nothing left."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gate import barrier
from gate.verdicts import Outcome, PropertyResult, Verdict
from tests.gate.lanes import FIXTURE, article, lane_of, lock_of, needs_namespaces, one_property, result_of
from tests.repo import FRONT_DOOR, Repo

FILLER = """\
import os
def fn(x):
    with open(os.environ['HOME'] + '/f', 'wb') as f:
        f.seek(10**9); f.write(b'x'); f.flush()
"""
MOVER = """\
os.chmod(HERE, 0o755)
os.rename(HERE + '/helper.py', HERE + '/x')
os.symlink('x', HERE + '/helper.py')
"""
LENIENT = """\
def lenient(fn, sample):
    try:
        assert fn(sample) >= 0
    except (ValueError, RecursionError):
        pass
"""
FORGER = """\
import os, sys
def send(loop, body):
    frame = sys._getframe()
    while frame.f_code.co_name != loop:
        frame = frame.f_back
    call_id = frame.f_locals['call_id']
    os.write(frame.f_locals['fd'], (len(body) + 16).to_bytes(4, 'big') + call_id + body)
def fn(x):
"""
POLICY = {"invariants/policy.yaml": "time_limit_s: 1\nmemory_limit_mb: 300\n"}
PATIENT = {"invariants/policy.yaml": "memory_limit_mb: 300\n"}


@pytest.fixture(params=["as far as the kernel allows", "a process alone"])
def level(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each subject behind the strongest barrier of this machine, and behind none."""
    if request.param == "a process alone":
        monkeypatch.setattr(barrier, "_candidates", lambda *_: iter(()))
    return str(request.param)


@pytest.fixture(autouse=True)
def nothing_left(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No process that a subject started is still there, and no file of a lane."""
    yield
    base = str(tmp_path_factory.getbasetemp())
    assert not list(Path(base).glob("gate-*"))
    assert not _running_in(base)


def _running_in(base: str) -> list[str]:
    """Processes whose home is a subject's folder."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        if f"HOME={base}/gate-".encode() in environment:
            found.append((folder / "cmdline").read_text())
    return found


def _judged(repo: Repo, code: str, policy: dict[str, str]) -> PropertyResult:
    one_property(repo, code, "[non_negative]", [1, 2, 3], files=policy)
    return result_of(repo)


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("def fn(x):\n    while True: pass\n", "no answer within 1 s"),
        ("import time\ndef fn(x):\n    time.sleep(1000)\n", "no answer within 1 s"),
        ("import time\ntime.sleep(1000)\ndef fn(x):\n    return 1\n", "no answer within 1 s"),
        ("def fn(x):\n    return len([0] * 10**9)\n", "MemoryError"),
        ("def fn(x):\n    a = []\n    while True: a.append(bytes(10**8))\n", "MemoryError"),
        ("HOARD = [0] * 10**9\ndef fn(x):\n    return 1\n", "MemoryError"),
        ("import sys\ndef fn(x):\n    while True: sys.stdout.write('x' * 10**6)\n", "no answer within 1 s"),
        ("import os\ndef fn(x):\n    while True: os.write(2, b'x' * 10**6)\n", "no answer within 1 s"),
        (FILLER, "File too large"),
        ("import os, signal\ndef fn(x):\n    os.kill(os.getpid(), signal.SIGKILL)\n", "SIGKILL"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", "SIGKILL"),
        ("import os, signal\ndef fn(x):\n    os.killpg(0, signal.SIGKILL)\n", "the subject was lost"),
        ("import os\ndef fn(x):\n    os.abort()\n", "SIGABRT"),
        ("import ctypes\ndef fn(x):\n    ctypes.string_at(0)\n", "SIGSEGV"),
        ("import resource\ndef fn(x):\n    resource.setrlimit(resource.RLIMIT_AS, (-1, -1))\n", "raised ValueError"),
    ],
)  # fmt: skip
def test_what_does_not_end_well_is_a_miss(repo: Repo, code: str, words: str) -> None:
    started = time.monotonic()
    result = _judged(repo, code, POLICY if "no answer" in words else PATIENT)
    assert result.status is Verdict.INVARIANT_MISS, result.detail
    assert words in result.detail
    assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    "line",
    [
        "send('_serve_properties', b'{\"z\": 4991}')",  # that of a process which is halted
        "send('_serve_properties', b'{\"z\": 1' + b'0' * 99 + b'}')",
        "[send('serve', b'{\"x\":' + b'[' * deep + b']' * deep + b'}') for deep in range(800, 1000)]",
    ],
)
def test_an_answer_that_is_forged_raises_nothing_that_a_check_could_take_for_production(repo: Repo, line: str) -> None:
    one_property(repo, f"{FORGER}    {line}\n    return -1\n", "[lenient]", [1], own=LENIENT)
    result = result_of(repo)
    assert result.status is Verdict.INVARIANT_MISS, result.detail
    assert "the subject was lost: it" in result.detail


def test_what_hangs_is_not_repeated_to_the_end(repo: Repo) -> None:
    result = _judged(repo, "def fn(x):\n    while True: pass\n", POLICY)
    assert len(result.repeats) in (2, 3, 4), "of seven; fewer where the machine is busy and each takes longer"
    assert all(repeat.outcome is Outcome.RED for repeat in result.repeats)


def test_a_module_that_hangs_while_it_is_imported_costs_one_time_limit_for_all_its_properties(repo: Repo) -> None:
    rows = "".join(
        f"  - {{id: p_{n}, module: prod, fn: fn, seed: 1, fixture: f.json, checks: [non_negative]}}\n" for n in range(9)
    )
    files = {"invariants/inventory.yaml": f"version: 1\nproperties:\n{rows}", "f.json": "[1]", **POLICY}
    files["invariants/fixture.lock.json"] = lock_of({"f.json": "[1]"})
    repo.commit("Start", {"prod.py": "while True: pass\n", **files})
    results = lane_of(repo).results
    assert {result.status for result in results} == {Verdict.INVARIANT_MISS}
    waited = [repeat.number for result in results for repeat in result.repeats if repeat.seconds >= 1]
    assert sorted(waited) == sorted({repeat.number for result in results for repeat in result.repeats})


@pytest.mark.usefixtures("level")
def test_children_that_stay_behind_are_ended(repo: Repo) -> None:
    forks = (
        "import os, subprocess, sys, time\n"
        "def fn(x):\n"
        "    for leave in (os.setsid, os.getpid):\n"
        "        if not os.fork():\n"
        "            leave()\n"
        "            time.sleep(600)\n"
        "    for _ in range(5):\n"
        "        subprocess.Popen([sys.executable, '-c', 'while True: pass'], start_new_session=True)\n"
        "    return 1\n"
    )
    one_property(repo, forks, "[non_negative]", [1, 2, 3])
    assert result_of(repo).status is Verdict.PASS


def test_a_judge_that_is_killed_is_no_miss_and_no_noise(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(barrier, "_candidates", lambda *_: iter(()))
    killer = (
        "import os, signal\n"
        "def parse(x, reverse=False):\n"
        "    server = open(f'/proc/{os.getppid()}/stat').read().split()[3]\n"
        "    os.kill(int(server), signal.SIGKILL)\n"
        "    return x\n"
    )
    article(repo)
    repo.commit("Kill", {"app/codec.py": killer})
    parse, clamp = lane_of(repo).results
    assert parse.status is Verdict.PROTOCOL_ERROR
    assert "the judge gave no verdict on parse_roundtrip, and no verdict is red" in parse.detail
    assert clamp.status is Verdict.PASS


@needs_namespaces
def test_behind_a_namespace_nobody_outside_is_seen_or_killed(repo: Repo) -> None:
    look = (
        "import os, signal, socket\n"
        "def fn(x):\n"
        "    for pid in range(2, 5):\n"
        "        try: os.kill(pid, 0)\n"
        "        except OSError: pass\n"
        "    rights = [line.split()[1] for line in open('/proc/self/status') if line.startswith('CapEff')]\n"
        "    seen = [name for name in os.listdir('/proc') if name.isdigit()]\n"
        "    return [len(seen), int(rights[0], 16), sorted(name for _, name in socket.if_nameindex())]\n"
    )
    own = "def alone(fn, sample):\n    assert fn(sample) == [3, 0, ['lo']]\n"
    one_property(repo, look, "[alone]", [1], own=own)
    report = lane_of(repo)
    assert report.isolation == "namespace"
    assert report.results[0].status is Verdict.PASS, report.results[0].detail


@needs_namespaces
def test_behind_a_namespace_the_oracle_is_not_found_on_the_disk_either(repo: Repo) -> None:
    root = str(repo.root)
    look = (
        "import os\n"
        "def fn(x):\n"
        f"    here = {root!r}\n"
        "    found = [os.listdir(os.path.join(here, name)) for name in ('.git', 'invariants')]\n"
        f"    return [*found, open(os.path.join(here, {FIXTURE!r})).read(), open(here + '/prod.py').read()[:9]]\n"
    )
    own = "def blind(fn, sample):\n    assert fn(sample) == [[], [], '', 'import os']\n"
    one_property(repo, look, "[blind]", ["secret"], own=own)
    report = lane_of(repo)
    assert report.isolation == "namespace"
    assert report.results[0].status is Verdict.PASS, report.results[0].detail


@needs_namespaces
@pytest.mark.parametrize("target", ["os.getppid()", "1", "-1"])
def test_behind_a_namespace_killing_ends_no_judge(repo: Repo, target: str) -> None:
    one_property(repo, "def fn(x):\n    return x\n", "[non_negative]", [1], files=PATIENT)
    assert lane_of(repo).isolation == "namespace"  # seen first: outside of one, -1 would end every process of ours
    killer = f"import os, signal\ndef fn(x):\n    os.kill({target}, signal.SIGKILL)\n    return -1\n"
    repo.commit("Kill", {"prod.py": killer})
    report = lane_of(repo)
    assert report.results[0].status is Verdict.INVARIANT_MISS, report.results[0].detail


def test_without_unshare_the_level_is_told_and_a_policy_that_wants_more_stops_the_run(
    repo: Repo, tmp_path: Path
) -> None:
    programs = _only(tmp_path, "git")
    one_property(repo, "def fn(x):\n    return x\n", "[non_negative]", [1])
    python = ("--python", os.path.realpath("/proc/self/exe"))
    assert "isolation process" in repo.run("gate", "run", *python, env={"PATH": programs}).out
    repo.commit("Want more", {"invariants/policy.yaml": "isolation: namespace\n"})
    result = repo.run("gate", "run", *python, env={"PATH": programs})
    assert result.code == 3
    assert "policy.yaml accepts nothing weaker, and this machine reaches process" in result.err


def test_root_can_run_the_subject_as_another_user(repo: Repo, tmp_path: Path) -> None:
    python = Path("/usr/bin/python3")
    if os.geteuid() or not python.exists() or not Path("/usr/bin/setpriv").exists():
        pytest.skip("needs root, setpriv and an interpreter that everybody can start")
    one_property(repo, "import os\ndef fn(x):\n    return os.getuid() - 65534\n", "[non_negative]", [1], files={
        "invariants/policy.yaml": "isolation: user\n"
    })  # fmt: skip
    # The folder of this test is closed to other users, and the fence keeps the test from making one elsewhere.
    folder = subprocess.run(
        ["mktemp", "-d", "--tmpdir=/tmp"], check=True, capture_output=True, text=True
    ).stdout.strip()
    try:
        subprocess.run(["chmod", "711", folder], check=True)
        programs = {"PATH": _only(tmp_path, "git", "setpriv"), "TMPDIR": folder}
        result = repo.run("gate", "run", "--python", str(python), env=programs)
        assert not list(Path(folder).iterdir())
    finally:
        subprocess.run(["rm", "-r", folder], check=True)
    assert "isolation user" in result.out
    assert result.code == 0, result.out


def _only(tmp_path: Path, *programs: str) -> str:
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in programs:
        (folder / name).symlink_to(f"/usr/bin/{name}")
    return str(folder)


@pytest.mark.parametrize(
    ("code", "named"),
    [
        ("import os, stat\nos.chmod(HERE + '/helper.py', 0o644)\nopen(HERE + '/helper.py', 'w').write('VALUE = 1')\n",
         "helper.py"),
        ("import os\nos.chmod(HERE, 0o755)\nopen(HERE + '/more.py', 'w').close()\n", "more.py"),
        (MOVER, "helper.py"),
    ],
)  # fmt: skip
def test_production_that_changes_its_own_files_is_named(repo: Repo, code: str, named: str) -> None:
    head = "import os\nHERE = os.path.dirname(os.path.realpath(__file__))\n"
    tail = "from helper import VALUE\ndef fn(x):\n    return VALUE\n"
    one_property(repo, head + code + tail, "[non_negative]", [1], files={"helper.py": "VALUE = -1\n"})
    result = result_of(repo)
    assert result.status is Verdict.PROTOCOL_ERROR
    assert "production changed its own files: " in result.detail
    assert named in result.detail
    assert len(result.repeats) == 2


def test_an_interrupt_does_not_wait_for_what_hangs(repo: Repo) -> None:
    fifo = repo.root.parent / "begun"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    check = f"def waits(fn, sample):\n    open({str(fifo)!r}, 'w').write('x')\n    while True:\n        pass\n"
    patient = {"invariants/policy.yaml": "time_limit_s: 60\n"}
    one_property(repo, "def fn(x):\n    return x\n", "[waits]", [1], own=check, files=patient)
    before = repo.files()
    command = [sys.executable, str(FRONT_DOOR), "gate", "run"]
    process = subprocess.Popen(command, cwd=repo.root, env=repo.environment(), stderr=subprocess.PIPE, text=True)
    try:
        assert select.select([reader], [], [], 60)[0], "no check was started"
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
    finally:
        os.close(reader)
        process.kill()
    assert (process.returncode, err) == (130, "gate: interrupted\n")
    assert repo.files() == before
