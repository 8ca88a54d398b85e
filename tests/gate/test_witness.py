"""The witness: it varies what must not matter, and `gate classify` tells miss, noise and environment drift apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gate.ruling import Case
from tests.gate.lanes import COIN, one_property
from tests.repo import Repo

SAMPLES = list(range(20))
FIRST = Case("", "", "", "sample", 7, (), tuple(SAMPLES)).order()[0]


def _classified(repo: Repo) -> tuple[str, str]:
    for lane in ("merge", "witness"):
        done = repo.run("gate", "run", "--lane", lane, "--json")
        (repo.root.parent / f"{lane}.json").write_text(done.out)
    result = repo.run("gate", "classify", "../merge.json", "../witness.json")
    return result.out.strip().partition("\t")[2], result.err


def _report(repo: Repo, lane: str) -> dict[str, object]:
    found = json.loads((repo.root.parent / f"{lane}.json").read_text())
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("code", "found", "told"),
    [
        ("def fn(x):\n    return x\n", "pass", ""),
        ("def fn(x):\n    return -1\n", "invariant_miss", ""),
        (COIN + "def fn(x):\n    return -1 if toss(x) else 1\n", "noise", ""),
        ("import time\ndef fn(x):\n    return time.timezone + 1\n", "environment_drift", "time zone"),
        ("import os\ndef fn(x):\n    return -1 if os.umask(0) == 0o77 else 1\n", "environment_drift", "umask"),
        ("def fn(x):\n    return len(open('data.txt').read())\n", "environment_drift", "working folder"),
        ("import os\nP = os.path.dirname(__file__) + '/data.txt'\ndef fn(x):\n    return len(open(P).read())\n",
         "environment_drift", "locale"),
        ("import os\ndef fn(x):\n    return 1 if os.sched_getaffinity(0) != set() else -1\n", "pass", ""),
        ("import os\ndef fn(x):\n    return 1 if os.environ['HOME'] == os.environ['TMPDIR'] else -1\n",
         "environment_drift", "home"),
        (f"SEEN = []\ndef fn(x):\n    SEEN.append(x)\n    return 1 if SEEN[0] == {FIRST} else -1\n",
         "environment_drift", "sample order"),
        ("def fn(x):\n    return 1 if hash('b') % 5 < 3 else -1\n", "noise", ""),
    ],
)  # fmt: skip
def test_the_class_of_two_lanes(repo: Repo, code: str, found: str, told: str) -> None:
    one_property(repo, code, "[non_negative]", SAMPLES, files={"data.txt": "caf\u00e9"})
    assert _classified(repo)[0] == found
    assert told in _classified(repo)[1]


def test_a_witness_says_what_it_varies(repo: Repo) -> None:
    one_property(repo, "def fn(x):\n    return x\n", "[non_negative]", SAMPLES)
    _classified(repo)
    merge, witness = (_report(repo, lane)["conditions"] for lane in ("merge", "witness"))
    assert isinstance(merge, dict)
    assert isinstance(witness, dict)
    same = {name for name in merge if merge[name] == witness[name]}
    assert same <= {"host_name"}


def test_the_host_has_another_name_where_the_kernel_allows(repo: Repo) -> None:
    one_property(repo, "import socket\ndef fn(x):\n    return int(socket.gethostname() == 'witness')\n", "[one]", [1],
                 own="def one(fn, sample):\n    assert fn(sample) == 1\n")  # fmt: skip
    found, _ = _classified(repo)
    witness = _report(repo, "witness")
    if witness["isolation"] != "namespace":
        pytest.skip(f"this machine reaches {witness['isolation']}")
    assert found == "environment_drift"


def test_the_workflow_of_two_jobs_in_the_docs_names_what_there_is() -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "gate.md").read_text()
    workflow = text.partition("## Two hosts")[2].partition("```yaml\n")[2].partition("```")[0]
    assert workflow.count("gate run --lane") == 2
    assert "gate classify merge.json witness.json" in workflow
