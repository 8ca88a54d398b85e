"""Each defence is needed: with it switched off in a copy of the sources, the hack that it is for goes green again."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
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
    "return entry.path not in oracle.fixtures and role_of(entry.path, oracle.policy) not in KEPT_FROM_SUBJECT",
    "return True",
)
ENVIRONMENT: Edit = ("gate/lane.py", "env={**conditions.env,", "env={**__import__('os').environ, **conditions.env,")
SILENCE: Edit = ("gate/ruling.py", 'self.ruling.digests[index] = "r", LOST', 'self.ruling.digests[index] = "g", LOST')
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
