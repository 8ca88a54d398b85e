"""One property, several faults: protocol_error over noise over invariant_miss over pass; a freeze takes noise alone."""

from __future__ import annotations

import json
import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.gate.lanes import COIN, FIXTURE, lock_of, one_property
from tests.repo import Repo

SAMPLES = list(range(30))
MISS = "if x == 1: return -1"
NOISY = "if x > 9 and toss(x): return -1"
CLOCK = "import time; time.time()"
TODAY = datetime.fromtimestamp(time.time(), UTC).date()
SOON = (TODAY + timedelta(days=9)).isoformat()
DIGEST = lock_of({FIXTURE: json.dumps(SAMPLES)}).split('"')[3]


def _code(*parts: str) -> str:
    body = "".join(f"    {part}\n" for part in parts)
    return f"{COIN}def fn(x):\n{body}    return 1\n"


def _freeze(
    repo: Repo, *, until: str = SOON, seed: int = 7, digest: str | None = DIGEST, seen: str = "red, green"
) -> None:
    bound = f", fixture_sha256: {digest}" if digest else ""
    text = (
        f"freezes:\n  - {{property_id: the_one, seed: {seed}, fixture: {FIXTURE}{bound},"
        f" reason: noise, expires_on: '{until}', repeats: [{seen}]}}\n"
    )
    repo.commit("Freeze", {"invariants/inventory.yaml": repo.read("invariants/inventory.yaml") + text})


@pytest.mark.parametrize(
    ("parts", "status", "frozen", "code"),
    [
        ((), "pass", "pass", 0),
        ((MISS,), "invariant_miss", "invariant_miss", 1),
        ((NOISY,), "noise", "frozen", 1),
        ((MISS, NOISY), "noise", "frozen", 1),
        ((CLOCK,), "protocol_error", "protocol_error", 3),
        ((CLOCK, MISS), "protocol_error", "protocol_error", 3),
        ((CLOCK, NOISY), "protocol_error", "protocol_error", 3),
        ((CLOCK, MISS, NOISY), "protocol_error", "protocol_error", 3),
    ],
)
def test_the_worst_has_the_last_word_and_a_freeze_takes_noise_alone(
    repo: Repo, parts: tuple[str, ...], status: str, frozen: str, code: int
) -> None:
    one_property(repo, _code(*parts), "[non_negative]", SAMPLES)
    result = repo.run("gate", "run", "--json")
    assert (json.loads(result.out)["results"][0]["status"], result.code) == (status, code)
    _freeze(repo)
    result = repo.run("gate", "run", "--json")
    row = json.loads(result.out)["results"][0]
    assert (row["status"], result.code) == (frozen, 0 if frozen == "frozen" else code)
    assert len(row["repeats"]) >= 2
    if frozen == "frozen":
        assert (row["on_these_bytes"], row["frozen_until"]) == ("noise", SOON)


@pytest.mark.parametrize(
    ("freeze", "words"),
    [
        ({"until": TODAY.isoformat()}, f"its freeze does not hold: it expired on {TODAY}"),
        ({"until": "2020-01-01"}, "its freeze does not hold: it expired on 2020-01-01"),
        ({"until": "2099-01-01"}, "its freeze does not hold: it lasts longer than the 30 days"),
        ({"seed": 8}, "its freeze does not hold: its seed or fixture is not that of the property"),
        ({"digest": None}, "its freeze does not hold: it names no fixture_sha256"),
        ({"digest": "a" * 64}, "its freeze does not hold: the fixture has changed since"),
        ({"seen": "red, red"}, "its freeze does not hold: it shows no red and green repeats"),
    ],
)
def test_a_freeze_that_does_not_hold_is_said_and_the_property_votes(
    repo: Repo, freeze: dict[str, str], words: str
) -> None:
    one_property(repo, _code(NOISY), "[non_negative]", SAMPLES)
    _freeze(repo, **freeze)  # type: ignore[arg-type]  # each key has its own type
    result = repo.run("gate", "run")
    assert result.code == 1
    assert "noise" in result.out
    assert words in result.out


def test_a_freeze_that_does_not_hold_is_said_beside_a_pass_too(repo: Repo) -> None:
    one_property(repo, _code(), "[non_negative]", SAMPLES)
    _freeze(repo, until="2020-01-01")
    result = repo.run("gate", "run")
    assert result.code == 0
    assert "its freeze does not hold: it expired on 2020-01-01" in result.out
