"""Counts what the proposers bring for pairs of correct and buggy code: sound, separating, vacuous, reached.

For each pair a repository is made whose base is the correct side and whose branch brings the buggy one. A
proposer writes its candidates there, `review record` writes the samples down at base, and `review check --all`
rehearses. A candidate is sound when it holds on the correct side, separating when it is sound and fails on the
buggy one, vacuous when it is sound and kills no mutant; a pair is reached when a candidate separates it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.pairs import Pair, read_pair

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = "tests/fixtures/recorded.json"
_POLICY = "time_limit_s: 2\nowners: optional\n"
_CALLS = """\
import contextlib, json, signal, {module}


def late(*_):
    raise TimeoutError


signal.signal(signal.SIGALRM, late)
for args in json.load(open({path!r})):
    with contextlib.suppress(Exception):
        signal.alarm(5)
        answer = {module}.{fn}(*args)
        list(answer) if hasattr(answer, "__next__") else None
    signal.alarm(0)
"""
_LIMIT_S = 1800
USAGE = "       scripts/measure proposals PAIRS --rules|--mined|--endpoint… [--swap]\n"


@dataclass(frozen=True)
class Row:
    """One candidate of one pair as the rehearsal saw it; `admission` is where the queue puts it."""

    pair: str
    digest: str
    claim: str
    admission: str
    sound: bool
    separating: bool
    vacuous: bool


@dataclass(frozen=True)
class Yield:
    """What one proposer brought for all pairs."""

    name: str
    rows: tuple[Row, ...] = ()
    seconds: float = 0.0
    tokens: int = 0

    def plus(self, other: Yield) -> Yield:
        """Both together, each claim about a pair once."""
        seen = {(row.pair, row.digest): row for row in (*other.rows, *self.rows)}
        return Yield(self.name, tuple(seen.values()), self.seconds + other.seconds, self.tokens + other.tokens)


def measure(pairs: Sequence[Pair], proposers: Sequence[str], *, swapped: bool) -> str:
    """The table for all pairs; `proposers` are `rules`, `mined` and `endpoint`."""
    found: dict[str, Yield] = {}
    for pair in pairs:
        for name in proposers:
            with tempfile.TemporaryDirectory(prefix="pairs-") as folder:
                brought = _Trial(pair, Path(folder), swapped).run(name)
            found[name] = found.get(name, Yield(name)).plus(brought)
            sys.stderr.write(f"{pair.name} {name}: {_told(brought.rows)}\n")
            sys.stderr.writelines(f"  {row.admission}: {row.claim}\n" for row in brought.rows)
    if len(found) > 1:
        together = Yield("together")
        for one in found.values():
            together = together.plus(one)
        found["together"] = together
    return table(list(found.values()), [pair.name for pair in pairs])


def table(yields: Sequence[Yield], pairs: Sequence[str]) -> str:
    """One line for all candidates of each proposer and one for the ready ones alone, as Markdown."""
    head = "| proposer | candidates | shown | sound | separating | vacuous | pairs reached | seconds | tokens |"
    lines = [head, "|---" * 9 + "|"]
    for one in yields:
        cost = f"{one.seconds:.0f} | {one.tokens or 'none'}"
        lines.append(_line(one.name, "all", one.rows, len(pairs), cost))
        front = [row for row in one.rows if row.admission in ("ready", "found something")]
        lines.append(_line(one.name, "ready or found", front, len(pairs), " | "))
    reached = {one.name: {row.pair for row in one.rows if row.separating} for one in yields}
    lines += ["", "| pair | " + " | ".join(reached) + " |", "|---" * (len(reached) + 1) + "|"]
    lines += [
        f"| {pair} | " + " | ".join("yes" if pair in r else "no" for r in reached.values()) + " |" for pair in pairs
    ]
    return "\n".join(lines)


def _line(name: str, which: str, rows: Iterable[Row], pairs: int, cost: str) -> str:
    rows = list(rows)
    counts = [len(rows), *(sum(getattr(row, what) for row in rows) for what in ("sound", "separating", "vacuous"))]
    reached = len({row.pair for row in rows if row.separating})
    return f"| {name} | {which} | {' | '.join(map(str, counts))} | {reached} of {pairs} | {cost} |"


def _told(rows: Sequence[Row]) -> str:
    return f"{len(rows)} candidates, {sum(r.sound for r in rows)} sound, {sum(r.separating for r in rows)} separating"


@dataclass(frozen=True)
class _Trial:
    """One pair in a repository of its own, below `folder`."""

    pair: Pair
    folder: Path
    swapped: bool

    def run(self, proposer: str) -> Yield:
        """Let one proposer write its candidates, rehearse them, and read the outcome."""
        self._lay()
        started = time.monotonic()
        told = {"rules": self._rules, "mined": self._mined, "endpoint": self._endpoint}[proposer]()
        seconds = time.monotonic() - started
        done = self._command("review", "check", "--all", "--base", "main", "--json")
        rows = tuple(map(self._row, done["candidates"]))
        for one in told.get("rejected", ()):
            sys.stderr.write(f"  refused {one['id']}: {'; '.join(one['reasons'])}\n")
        usage = told.get("asked", {}).get("tokens", 0)
        return Yield(proposer, rows, seconds, usage)

    def _lay(self) -> None:
        root = self.root
        sides = ("buggy", "correct") if self.swapped else ("correct", "buggy")
        self.pair.lay(sides[0], root)
        for path, text in ((".gitignore", "__pycache__/\n"), ("invariants/policy.yaml", _POLICY)):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        self._git("init", "--quiet", "-b", "main")
        self._command("review", "init", "--owner", "@measure", as_json=False)
        self._commit("The base")
        inputs = self.folder / "inputs.json"
        inputs.write_text(json.dumps(self.pair.samples))
        script = self.folder / "calls.py"
        script.write_text(_CALLS.format(module=self.pair.module, fn=self.pair.fn, path=str(inputs)))
        env = {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
        home = os.environ.get("VIRTUAL_ENV")
        python = f"{home}/bin/python" if home else sys.executable
        record = ("review", "record", self.pair.target, "--out", SAMPLES, "--", python, str(script))
        self._command(*record, as_json=False, env=env, codes=(0, 1, 2, 3))  # a method needs an instance: no samples
        self._commit("The samples")
        self._git("checkout", "--quiet", "-b", "change")
        self.pair.lay(sides[1], root)
        self._commit("The change")

    def _rules(self) -> dict[str, Any]:
        return self._command("propose", "--base", "main", "--rules", "--json")

    def _endpoint(self) -> dict[str, Any]:
        return self._command("propose", "--base", "main", "--timeout", "900", "--json")

    def _mined(self) -> dict[str, Any]:
        if not (self.root / SAMPLES).exists():
            return {}
        return self._command("review", "mine", self.pair.target, "--base", "main", "--samples", SAMPLES, "--json")

    def _row(self, one: dict[str, Any]) -> Row:
        seen = one["rehearsed"]
        sound = seen["base"] == "pass"
        return Row(
            pair=self.pair.name,
            digest=one["digest"] or one["id"],
            claim=json.dumps(one["checks"]),
            admission=one["admission"],
            sound=sound,
            separating=sound and seen["head"] == "invariant_miss",
            vacuous=sound and seen["total"] > 0 and seen["killed"] == 0,
        )

    @property
    def root(self) -> Path:
        return self.folder / "repo"

    def _git(self, *args: str) -> None:
        who = ["-c", "user.name=Measure", "-c", "user.email=measure@example.org"]
        subprocess.run(["git", *who, *args], cwd=self.root, check=True)

    def _commit(self, message: str) -> None:
        self._git("add", "--all")
        self._git("commit", "--quiet", "--allow-empty", "-m", message)

    def _command(
        self, *command: str, as_json: bool = True, env: dict[str, str] | None = None, codes: Sequence[int] = (0, 1)
    ) -> dict[str, Any]:
        """What a command of ours prints as JSON. An exit code of 5 brings nothing; raises SystemExit for others."""
        done = subprocess.run(
            [sys.executable, str(ROOT / "invariant_inventory.py"), *command],
            cwd=self.root,
            env=os.environ | {"XDG_CACHE_HOME": str(self.folder / "cache")} | (env or {}),
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
        )
        if done.returncode not in (0, 1):
            sys.stderr.write(f"  {' '.join(command[:2])} ended with {done.returncode}: {done.stderr}")
        if done.returncode == 5:
            return {}
        if done.returncode not in codes:
            raise SystemExit(f"error: {' '.join(command)} ended with {done.returncode}")
        return json.loads(done.stdout) if as_json and done.stdout else {}


def main(argv: Sequence[str]) -> int:
    """Measure all pairs of a folder and print the table; 2 for wrong arguments.

    `--endpoint` asks what OPENAI_BASE_URL, OPENAI_MODEL and OPENAI_API_KEY name. `--swap` takes the buggy side as
    base, to see what the queue says where base itself is wrong.
    """
    names = [flag.removeprefix("--") for flag in argv[1:] if flag != "--swap"]
    if not argv or not names or not set(names) <= {"rules", "mined", "endpoint"}:
        sys.stderr.write(f"usage: {USAGE.strip()}\n")
        return 2
    pairs = [read_pair(path.parent) for path in sorted(Path(argv[0]).glob("*/pair.json"))]
    print(measure(pairs, names, swapped="--swap" in argv))
    return 0
