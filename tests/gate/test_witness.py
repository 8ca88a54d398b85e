"""The witness: it varies what must not matter, and `gate classify` tells miss, noise and environment drift apart."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from gate.ruling import Case
from tests.gate.lanes import COIN, FIXTURE, lock_of, needs_namespaces, one_property
from tests.repo import Repo

SAMPLES = list(range(20))
FIRST = Case("", "", "", "sample", 7, (), tuple(SAMPLES)).order()[0]
# The body of each function, the class of the two lanes, and what they are said to differ in.
BODIES = {
    "steady": ("return x", "pass", ""),
    "wrong": ("return -1", "invariant_miss", ""),
    "coin": ("return -1 if toss(x) else 1", "noise", ""),
    "hash_order": ("return 1 if hash('b') % 5 < 3 else -1", "noise", ""),
    "zone": ("return time.timezone + 1", "environment_drift", "time zone"),
    "mask": ("return -1 if os.umask(0) == 0o77 else 1", "environment_drift", "umask"),
    "folder": ("return len(open('data.txt', 'rb').read())", "environment_drift", "working folder"),
    "encoding": ("return len(open(os.path.dirname(__file__) + '/data.txt').read())", "environment_drift", "locale"),
    "home": ("return 1 if os.environ['HOME'] == os.environ['TMPDIR'] else -1", "environment_drift", "home"),
    "processors": ("return len(os.sched_getaffinity(0)) - ALL", None, "processors"),
    "order": (f"SEEN.append(x); return 1 if SEEN[0] == {FIRST} else -1", "environment_drift", "sample order"),
}


def _lanes(repo: Repo) -> dict[str, dict[str, Any]]:
    """Both reports, and what classify makes of them, by the name of the lane or `classes`."""
    found = {}
    for lane in ("merge", "witness"):
        done = repo.run("gate", "run", "--lane", lane, "--json")
        (repo.root.parent / f"{lane}.json").write_text(done.out)
        found[lane] = json.loads(done.out)
    compared = repo.run("gate", "classify", "--json", "../merge.json", "../witness.json")
    rows = json.loads(compared.out)["rows"]
    return {**found, "classes": {row["prop_id"]: (row["class"], row["why"]) for row in rows}}


def test_the_class_of_two_lanes_and_what_they_differ_in(repo: Repo) -> None:
    code = COIN + "import os, time\nALL = 2\nSEEN = []\n"
    code += "".join(f"def {name}(x):\n    {body}\n" for name, (body, _, _) in BODIES.items())
    rows = [
        f"  - {{id: is_{name}, module: prod, fn: {name}, seed: 7, fixture: {FIXTURE}, checks: [non_negative]}}"
        for name in BODIES
    ]
    fixture = json.dumps(SAMPLES)
    files = {"invariants/inventory.yaml": "\n".join(["version: 1", "properties:", *rows, ""]), FIXTURE: fixture}
    files |= {"invariants/fixture.lock.json": lock_of({FIXTURE: fixture}), "data.txt": "caf\u00e9"}
    repo.commit("Start", {"prod.py": code, **files})
    found = _lanes(repo)
    assert {name: found["classes"][f"is_{name}"][0] for name, (_, wanted, _) in BODIES.items() if wanted} == {
        name: wanted for name, (_, wanted, _) in BODIES.items() if wanted
    }
    told = {name: found["classes"][f"is_{name}"][1] for name, (_, wanted, _) in BODIES.items() if wanted}
    assert all(BODIES[name][2] in why for name, why in told.items()), told
    counts = [_value_of(found[lane], "is_processors") for lane in ("merge", "witness")]
    assert counts[1] == -1
    assert counts[0] >= -1
    same = {
        name for name, value in found["merge"]["conditions"].items() if found["witness"]["conditions"][name] == value
    }
    assert same <= {"host_name"}


def _value_of(report: dict[str, Any], prop_id: str) -> int:
    """The last value of a red; a machine with processors enough has none and counts as green."""
    [result] = [result for result in report["results"] if result["prop_id"] == prop_id]
    reds = [repeat["red"] for repeat in result["repeats"] if repeat["red"]]
    return int(reds[0]["value"]) if reds else 0


@needs_namespaces
def test_the_host_has_another_name_where_the_kernel_allows(repo: Repo) -> None:
    one_property(repo, "import socket\ndef fn(x):\n    return int(socket.gethostname() == 'witness')\n", "[one]", [1],
                 own="def one(fn, sample):\n    assert fn(sample) == 1\n")  # fmt: skip
    found = _lanes(repo)
    assert found["witness"]["isolation"] == "namespace"
    assert found["classes"]["the_one"][0] == "environment_drift"
    assert "host name" in found["classes"]["the_one"][1]


def test_the_workflow_of_two_lanes_in_the_docs_names_what_there_is() -> None:
    text = (Path(__file__).parent.parent.parent / "docs" / "gate.md").read_text()
    workflow = text.partition("## Two hosts")[2].partition("```yaml\n")[2].partition("```")[0]
    assert workflow.count("gate run --lane") == 2
    assert "gate classify merge.json witness.json" in workflow
