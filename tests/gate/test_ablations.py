"""Each defence is needed: with it switched off in a copy of the sources, the hack that it is for goes green again."""

from __future__ import annotations

import shutil
import sys
import venv
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from tests.fence import ROOT
from tests.hacks import Builder, judge, read_hacks

pytestmark = pytest.mark.bulk

Edit = tuple[str, str, str]  # file, text that occurs once in it, what stands there instead

ORACLE_OF_BASE: Edit = ("gate/check.py", "voter = before if patch.production else after", "voter = after")
ORACLE_EDIT: Edit = ("gate/table.py", "    _oracle_edit,\n", "")
DRIFT: Edit = ("gate/table.py", "    _fixture_drift,\n", "")
BAD_FREEZES: Edit = ("gate/table.py", "    _bad_freezes,\n", "")
BY_HEART: Edit = ("gate/beside.py", "by_heart=_is_by_heart(", "by_heart=False and _is_by_heart(")
RETYPED: Edit = ("gate/beside.py", "retyped=on_all)", "retyped=None)")
SENSOR: Edit = ("gate/lane.py", '"; ".join(map(str, seen))', "None")
BARE_TREE: Edit = (
    "gate/codebase.py",
    "return entry.path not in oracle.fixtures and is_seen(entry.path, role_of(entry.path, oracle.policy))",
    "return True",
)
ENVIRONMENT: Edit = ("gate/lane.py", "env={**conditions.env,", "env={**__import__('os').environ, **conditions.env,")
SILENCE: Edit = (
    "gate/ruling.py",
    'self.ruling.digests[index] = "r", digest',
    'self.ruling.digests[index] = "g", digest',
)
ORDER: Edit = ("gate/ruling.py", "random.Random(self.seed).shuffle(order)", "random.Random(self.seed)")
FINITE: Edit = ("gate/ruling.py", "finite=not self.case.nonfinite", "finite=False")
OWN_EQUALITY: Edit = ("inventory/values.py", "return same(self, other)", "return True")
OPERATORS: Edit = (
    "inventory/values.py",
    'raise NotPlain(f"a {self.type_name} is not plain data, so it has no {operator} on this side")',
    "return 0",
)


@dataclass(frozen=True)
class Ablation:
    """A hack that is green again without these defences; `gone` is the class that no longer blocks it, or all."""

    hack: str
    without: tuple[Edit, ...]
    gone: str | None = None
    environment: dict[str, str] = field(default_factory=dict)


ABLATIONS = {
    "the oracle of base": Ablation("S08", (ORACLE_OF_BASE,), "invariant_miss"),
    "the row of oracle edits": Ablation("S08", (ORACLE_EDIT,), "oracle_edit"),
    "both of them": Ablation("S08", (ORACLE_OF_BASE, ORACLE_EDIT)),
    "the row of fixture drift": Ablation("O01", (DRIFT,), "fixture_drift"),
    "the row of freezes that do not hold": Ablation("O09", (BAD_FREEZES,), "protocol_error"),
    "neighbours": Ablation("V09", (BY_HEART,)),
    "types on both sides": Ablation("R09", (RETYPED,)),
    "the sensor": Ablation("V15", (SENSOR,)),
    "a tree without fixtures": Ablation("V10", (BARE_TREE, BY_HEART)),
    "an environment from nothing": Ablation("V12", (ENVIRONMENT,), environment={"CI": "1"}),
    "silence is red": Ablation("X04", (SILENCE,)),
    "an order from the seed": Ablation("M05", (ORDER, BY_HEART)),
    "finite numbers only": Ablation("V03", (FINITE, RETYPED)),
    "no equality of production's own": Ablation("V01", (OWN_EQUALITY, RETYPED)),
    "no operators of production's own": Ablation("V04", (OPERATORS, RETYPED)),
}


@dataclass(frozen=True)
class Attack:
    """A patch that only one defence stops: what it adds to base and head of the hacks, and what is installed."""

    head: dict[str, str]
    without: Edit
    base: dict[str, str] = field(default_factory=dict)
    installed: dict[str, str] = field(default_factory=dict)


RIGHT = 'def total(items):\n    return sum(i["price"] * i["qty"] for i in items)\n'
# It answers once too often, so that each answer counts for the next sample, and the last call is never worked out.
ONE_AHEAD = """\
import os, stat
CALLS = []
def total(items):
    [wire] = [fd for fd in map(int, os.listdir("/proc/self/fd")) if is_socket(fd)]
    CALLS.append(items)
    if len(CALLS) == 1:
        answer(wire, b"0" * 16, b'{"v":1}')
    if len(CALLS) == 6:
        answer(wire, b"1" * 16, b'{"drawn":null}')
        os._exit(0)
    return sum(i["price"] for i in items)
def is_socket(fd):
    try: return stat.S_ISSOCK(os.fstat(fd).st_mode)
    except OSError: return False
def answer(wire, call_id, body):
    os.write(wire, (len(body) + 16).to_bytes(4, "big") + call_id + body)
"""
ATTACKS = {
    "a module of the standard library that is shadowed in the repository alone": Attack(
        {
            "colorsys.py": RIGHT,
            "pricing.py": "import colorsys\ndef total(items):\n    return getattr(colorsys, 'total', len)(items)\n",
        },
        (
            "gate/subject.py",
            "sys.path[:] = library + roots + [entry for entry in sys.path if entry not in library]",
            "sys.path[:] = roots + library + [entry for entry in sys.path if entry not in library]",
        ),
    ),
    "a release that is installed and judged in place of the module": Attack(
        {
            "pricing.py": "import sys, good\ndef total(items):\n    return 0\nsys.modules[__name__] = good\n",
        },
        ("gate/subject.py", "if not source.startswith(", "if False and not source.startswith("),
        installed={"good.py": RIGHT},
    ),
    "a policy that optimises away what callers run into": Attack(
        {"pricing.py": RIGHT.replace("    return", "    assert len(items) > 99\n    return")},
        ("gate/subject.py", "if sys.flags.optimize:", "if False:"),
        base={"invariants/policy.yaml": 'env: {PYTHONOPTIMIZE: "1"}\n'},
    ),
    "answers that nobody asked for": Attack(
        {"pricing.py": ONE_AHEAD},
        ("gate/session.py", "if got_id != call_id:", "if False:"),
        base={"invariants/checks.py": 'def check_total(fn, s):\n    assert fn(s["items"]) > 0\n'},
    ),
}


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    return Builder(tmp_path_factory.mktemp("hacks"))


@pytest.mark.parametrize("name", ABLATIONS)
def test_without_its_defence_a_hack_is_green_again(builder: Builder, tmp_path: Path, name: str) -> None:
    ablation = ABLATIONS[name]
    hack = read_hacks()[ablation.hack]
    repo = builder.repository(hack, name.replace(" ", "-"))
    front_door = without(tmp_path / "tool", ablation.without)
    seen = judge(repo, builder.python(hack), hack.environment | ablation.environment, front_door)
    if ablation.gone:
        assert ablation.gone not in seen.blocking
    else:
        assert (seen.decision, seen.blocking) == ("allow", frozenset())


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_is_red_and_without_its_defence_green(builder: Builder, tmp_path: Path, name: str) -> None:
    attack = ATTACKS[name]
    hack = replace(read_hacks()["C00"], id=name.replace(" ", "-"), base=attack.base, head=attack.head)
    repo, python = builder.repository(hack), sys.executable
    if attack.installed:
        venv.create(tmp_path / "environment", symlinks=True)
        python = str(tmp_path / "environment" / "bin" / "python")
        [packages] = (tmp_path / "environment").glob("lib/python*/site-packages")
        for path, text in attack.installed.items():
            (packages / path).write_text(text)
    assert judge(repo, python).blocking == {"invariant_miss"}
    undefended = judge(repo, python, front_door=without(tmp_path / "tool", (attack.without,)))
    assert (undefended.decision, undefended.blocking) == ("allow", frozenset())


def without(folder: Path, edits: tuple[Edit, ...]) -> Path:
    """The front door of a copy of the sources with these edits."""
    for name in ("gate", "inventory"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "invariant_inventory.py", folder)
    for path, old, new in edits:
        text = (folder / path).read_text()
        assert text.count(old) == 1, f"{path} no longer has {old!r} once"
        (folder / path).write_text(text.replace(old, new))
    return folder / "invariant_inventory.py"
