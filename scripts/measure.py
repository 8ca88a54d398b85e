"""Counts what the gate lets pass and refuses, and how often noise gets its name; writes docs/measured.md when asked.

`hacks` runs every hack and every honest twin through `gate check`, and each hack through plain pytest as well.
`noise` draws samples that flake at known rates, through the verdicts alone and through the real lane.
`proposals` counts what the proposers bring for a folder of pairs, see scripts/pairs.py.
`rivals` runs two other tools on the hacks and on honest changes, see scripts/rivals.py.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts import proposals, rivals  # noqa: E402
from scripts.noise import noise_table  # noqa: E402
from tests.hacks import TIMEOUT, Builder, Hack, judge, plain_pytest, read_hacks  # noqa: E402
from tests.repo import Repo  # noqa: E402
from tests.twins import PLACES, TWINS, house, street  # noqa: E402

PAGE = ROOT / "docs" / "measured.md"
_STREETS = 4


@dataclass(frozen=True)
class Tried:
    """One hack: whether the gate and plain pytest let it pass, and by which classes the gate refuses it."""

    hack: Hack
    allowed: bool
    tests_green: bool
    classes: tuple[str, ...]


def main(argv: list[str]) -> int:
    """Measure, print the table, and write it where asked; 2 for wrong arguments."""
    if argv[:1] == ["proposals"]:
        return proposals.main(argv[1:])
    tables: dict[str, Callable[[Path], str]] = {"hacks": _hacks, "noise": noise_table, "rivals": rivals.measure}
    if not argv or argv[0] not in tables or argv[1:] not in ([], ["--write"]):
        sys.stderr.write(f"usage: scripts/measure hacks|noise|rivals [--write]\n{proposals.USAGE}")
        return 2
    with tempfile.TemporaryDirectory(prefix="measure-") as folder:
        table = tables[argv[0]](Path(folder))
    print(table)
    if argv[1:]:
        _write(argv[0], table)
    return 0


def _write(name: str, table: str) -> None:
    opening, closing = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
    text = PAGE.read_text()
    before, _, rest = text.partition(opening)
    _, _, after = rest.partition(closing)
    PAGE.write_text(f"{before}{opening}\n{table}\n{closing}{after}")


# -- hacks and twins -----------------------------------------------------------------------


def _hacks(folder: Path) -> str:
    builder = Builder(folder / "hacks")
    hacks = [hack for hack in read_hacks().values() if hack.must != "allow"]
    built = [(hack, builder.repository(hack), builder.python(hack)) for hack in hacks]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tried = list(pool.map(lambda parts: _try(*parts), built))
    refused, warned = _twins(folder / "twins")
    count = len(TWINS) + len(PLACES)
    return "\n".join(
        (
            "| kind of hack | cases | pytest lets pass | gate lets pass | refused as |",
            "|---|---|---|---|---|",
            *(_line(kind, [t for t in tried if t.hack.group == kind]) for kind in sorted({h.group for h in hacks})),
            _line("**all**", tried, classes=False),
            "",
            "| honest changes | gate refuses | of those it lets pass, with a warning |",
            "|---|---|---|",
            f"| {count} | {len(refused)}{' (' + ', '.join(refused) + ')' if refused else ''} | {warned} |",
            "",
        )
    )


def _try(hack: Hack, repo: Repo, python: str) -> Tried:
    seen = judge(repo, python, hack.environment)
    exit_code = plain_pytest(repo, python, hack.environment, 5 if hack.pytest_exit == TIMEOUT else 120)
    return Tried(hack, seen.decision == "allow", exit_code == 0, tuple(sorted(seen.blocking)))


def _line(name: str, tried: list[Tried], *, classes: bool = True) -> str:
    counted = Counter(name for one in tried for name in one.classes) if classes else Counter[str]()
    named = ", ".join(f"{name} {count}" for name, count in counted.most_common())
    green, allowed = sum(one.tests_green for one in tried), sum(one.allowed for one in tried)
    return f"| {name} | {len(tried)} | {green} | {allowed} | {named} |"


def _twins(folder: Path) -> tuple[list[str], int]:
    """The names of the twins that are refused, and how many pass with a warning."""
    repos = [street(folder / f"street-{part}" / "repo", TWINS[part::_STREETS]) for part in range(_STREETS)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        streets = list(pool.map(lambda repo: judge(repo, sys.executable), repos))
        houses = list(pool.map(lambda p: judge(house(folder / p.name / "repo", p), sys.executable), PLACES))
    rows = [row for seen in streets for row in seen.document["rows"]]
    refused = {name for row in rows if row["vote"] == "block" for name in row["ids"]}
    refused |= {place.name for place, seen in zip(PLACES, houses, strict=True) if seen.decision != "allow"}
    rows += [row for seen in houses for row in seen.document["rows"]]
    return sorted(refused), sum(row["class"] == "behaviour_change" and row["vote"] == "none" for row in rows)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
