"""`review record`: real commands with a function watched, in every Python that this machine has."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.gate.lanes import OLDEST_AND_NEWEST, PYTHONS
from tests.repo import FRONT_DOOR, Repo

CODE = '''\
"""Functions to watch."""
_NONE = object()


def clamp(lo, hi, x=3, *, strict=False, seen=_NONE):
    if x < lo:
        return lo
    if x > hi:
        raise ValueError("too large")
    return x


def grown(items):
    items.append(1)
    return len(items)


def counting(n):
    yield from range(n)


class Codec:
    @classmethod
    def make(cls, first, *more):
        return first

    def method(self):
        return 1
'''
SCRIPT = """\
import os, subprocess, sys, threading
from app.code import Codec, clamp, counting, grown
clamp(1, 5), clamp(0, 5, x=-2), clamp(0, 5, 4)
for bad in ((9, 5, 9), (object(), 5)):
    try:
        clamp(*bad)
    except (ValueError, TypeError):
        pass
items = [3]
grown(items), grown([])
next(counting(4)), list(counting(7)), Codec.make(1), Codec.make(1, 2, 3)
if len(sys.argv) == 1:
    child = os.fork()
    if not child:
        grown([7, 7])
        os._exit(0)
    os.waitpid(child, 0)
    thread = threading.Thread(target=grown, args=([9.5],))
    thread.start(), thread.join()
    subprocess.run([sys.executable, __file__, "again"], check=True)
    odd = [name for name, module in sys.modules.items() if "watcher" in name or "review-record" in repr(module)]
    print("out", odd, grown.__name__, "review-record" in "".join(sys.path))
    print("err", file=sys.stderr)
    sys.exit(5)
"""
OUT = "tests/fixtures/calls.json"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """One repository for all; each test writes a fixture of its own."""
    repo = Repo.create(tmp_path_factory.mktemp("record") / "repo")
    one = {"packages/core/pyproject.toml": "", "packages/core/src/core/text.py": "def trim(x):\n    return x\n",
           "packages/core/tests/test_text.py": ""}  # fmt: skip
    repo.commit("Start", {"app/__init__.py": "", "app/code.py": CODE, "tests/use.py": SCRIPT, **one})
    return repo


def recording(repo: Repo, fn: str, *command: str, out: str = OUT) -> tuple[int, str, str, object]:
    (repo.root / out).unlink(missing_ok=True)
    done = repo.run("review", "record", f"app.code:{fn}", "--out", out, "--", *command, env={"PYTHONPATH": "."})
    path = repo.root / out
    return done.code, done.out, done.err, json.loads(path.read_text()) if path.exists() else None


@pytest.mark.parametrize("python", PYTHONS)
def test_calls_are_seen_as_they_were_made_wherever_they_were_made(shared: Repo, python: str) -> None:
    code, out, err, samples = recording(shared, "grown", python, "tests/use.py")
    assert code == 0, err
    assert out.startswith("out [] grown False\n")
    assert f"wrote {OUT}: 4 samples, for --call sample" in out
    assert err.startswith("err\nthe command ended with 5\n6 calls, 4 distinct\n")
    assert samples == [[7, 7], [9.5], [], [3]]
    code, _, err, samples = recording(shared, "clamp", python, "tests/use.py")
    assert (code, sorted(samples)) == (0, [[0, 5, -2], [0, 5, 4], [1, 5, 3]])  # type: ignore[call-overload]
    assert "10 calls, 4 distinct; 2 had arguments that are not plain data (first: `lo` is an object)" in err
    assert "left out: 1 that ended in an exception" in err


@pytest.mark.parametrize(("fn", "samples"), [("counting", [4, 7]), ("Codec.make", [[1, 2, 3], [1]])])
def test_generators_and_class_methods(shared: Repo, fn: str, samples: list[object]) -> None:
    assert recording(shared, fn, sys.executable, "tests/use.py")[3] == samples


@pytest.mark.parametrize(
    ("fn", "command", "code", "says"),
    [
        ("clamp", [sys.executable, "-c", "pass"], 1, "clamp was not called"),
        ("clamp", ["true"], 1, "no Python that could be watched"),
        ("clamp", [sys.executable, "-I", "-c", "pass"], 1, "no Python that could be watched"),
        ("clamp", ["./not-there"], 3, "could not be started"),
        ("nothing", ["true"], 2, "there is no function app.code:nothing"),
        ("clmp", ["true"], 2, "Did you mean app.code:clamp?"),
        ("Codec.method", ["true"], 1, "needs an instance"),
        (
            "grown",
            [sys.executable, "-c", "from app.code import grown; grown(bytearray())"],
            1,
            "`items` is a bytearray",
        ),
    ],
)
def test_where_nothing_usable_is_seen_nothing_is_written(
    shared: Repo, fn: str, command: list[str], code: int, says: str
) -> None:
    found, out, err, samples = recording(shared, fn, *command)
    assert (found, out, samples) == (code, "", None), err
    assert says in err
    assert all(part in err for part in ("error: ", "why: ", "next: "))


def test_a_file_that_is_there_and_a_place_that_is_none_are_refused_before_anything_runs(shared: Repo) -> None:
    shared.write({"tests/fixtures/mine.json": "[1]\n"})
    for out, says in (("tests/fixtures/mine.json", "is there already"), ("app/calls.json", "no place for a fixture")):
        done = shared.run("review", "record", "app.code:grown", "--out", out, "--", "touch", "ran")
        assert done.code == 1
        assert says in done.err
    assert not (shared.root / "ran").exists()
    assert shared.read("tests/fixtures/mine.json") == "[1]\n"


def test_without_a_command_it_is_wrong_usage(shared: Repo) -> None:
    assert shared.run("review", "record", "app.code:grown", "--out", OUT).code == 2


def test_a_copy_of_the_module_elsewhere_is_named(shared: Repo, tmp_path: Path) -> None:
    (tmp_path / "app").mkdir()
    (tmp_path / "app" / "__init__.py").touch()
    (tmp_path / "app" / "code.py").write_text(CODE)
    call = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import app.code; app.code.grown([])"
    code, _, err, _ = recording(shared, "grown", sys.executable, "-P", "-c", call)
    assert code == 1
    assert f"loaded from {tmp_path}/app/code.py" in err


@pytest.mark.parametrize("python", OLDEST_AND_NEWEST)
def test_the_suite_s_own_sitecustomize_and_hooks_go_on_as_before(shared: Repo, python: str, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("import builtins\nbuiltins.CUSTOM = __name__\n")
    code = "import sys; print(CUSTOM, sys.modules['sitecustomize'].__file__); from app.code import grown; grown([1])"
    command = f'PYTHONPATH="$PYTHONPATH:{tmp_path}" exec "$0" -c "$1"'
    found, out, err, samples = recording(shared, "grown", "sh", "-c", command, python, code)
    assert (found, samples) == (0, [[1]]), err
    assert out.startswith(f"sitecustomize {tmp_path}/sitecustomize.py\n")


def test_an_interrupt_ends_the_command_and_writes_nothing(shared: Repo) -> None:
    (shared.root / OUT).unlink(missing_ok=True)
    before = shared.files(git=True)
    wait = "from app.code import grown; grown([]); print('up', flush=True); import time; time.sleep(60)"
    process = subprocess.Popen(
        [
            sys.executable,
            str(FRONT_DOOR),
            "review",
            "record",
            "app.code:grown",
            "--out",
            OUT,
            "--",
            sys.executable,
            "-c",
            wait,
        ],
        cwd=shared.root,
        env=shared.environment() | {"PYTHONPATH": "."},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    assert process.stdout
    assert process.stdout.readline() == b"up\n"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    start = time.monotonic()
    process.communicate(timeout=30)
    assert process.returncode == 130
    assert time.monotonic() - start < 20
    assert {p: d for p, d in shared.files(git=True).items() if "__pycache__" not in p} == {
        p: d for p, d in before.items() if "__pycache__" not in p
    }


@pytest.mark.parametrize(
    ("command", "why", "step"),
    [
        (
            ["-c", "raise SystemExit(2)"],
            "did not succeed either",
            "or run only the tests of its project: … -- python -m",
        ),
        (
            ["-c", "pass"],
            "trim was not called",
            "such as the tests of its project: … -- python -m pytest packages/core",
        ),
        (["-c", "pass", "packages/core"], "trim was not called", "or write the samples by hand"),
    ],
)
def test_among_several_packages_the_tests_of_one_are_named(
    shared: Repo, command: list[str], why: str, step: str
) -> None:
    done = shared.run("review", "record", "core.text:trim", "--out", OUT, "--", sys.executable, *command)
    assert done.code == 1
    assert why in done.err
    assert step in done.err


def test_a_copy_of_one_of_several_packages_is_named_with_the_way_to_its_own(shared: Repo, tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "text.py").write_text("def trim(x):\n    return x\n")
    call = ("from core.text import trim; trim(1)",)
    words = ("review", "record", "core.text:trim", "--out", OUT, "--", sys.executable, "-c", *call)
    done = shared.run(*words, env={"PYTHONPATH": str(tmp_path)})
    assert (done.code, "core/text.py, which is not the file" in done.err) == (1, True), done.err
    assert "pip install -e packages/core\n" in done.err
