"""The embedded proposer: which source fires which rule, with what evidence, and where it stays quiet."""

from __future__ import annotations

import ast
import random
import sysconfig
from pathlib import Path

import pytest

from inventory.catalogue import faults_of, is_builtin
from inventory.codec import dump_candidate, parse_candidate
from inventory.functions import changes_between, functions_of
from inventory.identity import Known, admit
from inventory.records import Candidate
from propose.pairs import inverse_of
from propose.rules import propose_by_rules
from propose.subjects import Subject

STDLIB = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
SAMPLE = random.Random(3).sample(STDLIB, 40)  # noqa: S311  # a fixed choice, no secret


def proposed(source: str) -> list[Candidate]:
    functions = functions_of(source.encode())
    assert functions is not None, "the sample does not parse"
    return propose_by_rules(
        Subject("app/m.py", "app.m", c, functions=functions) for c in changes_between((), functions)
    )


def claims(source: str) -> dict[str, list[object]]:
    found: dict[str, list[object]] = {}
    for candidate in proposed(source):
        found.setdefault(candidate.fn, []).extend(use.to_data() for use in candidate.checks)
    return found


KEPT = "def trim(text):\n    text = text.strip()\n    return text\n"
UNFIT = {
    "a long name": f"def normalize_{'a' * 200}(x):\n    y = x\n    return y\n",
    "a long line": f"def normalize(x, y='{'a' * 5000}'):\n    z = x\n    return z\n",
    "a long parameter": f"def f(x{'y' * 2500}, lo, hi):\n    y = lo\n    return y\n",
    "a lone surrogate": "def f(items):\n    y = 1\n    return sorted(items, key=lambda x: x['\\ud800'])\n",
    "a long key": f"def f(items):\n    y = 1\n    return sorted(items, key=lambda x: x[{'9' * 900}])\n",
    "control characters": "def normalize(x, y='\x07\x1b\u202e\x85'):\n    z = x\n    return z\n",
}


@pytest.mark.parametrize("source", UNFIT.values(), ids=UNFIT)
def test_what_no_file_can_hold_is_not_proposed_and_stops_nothing(source: str) -> None:
    found = proposed(f"{source}\n\n{KEPT}")
    assert "trim" in {candidate.fn for candidate in found}
    for candidate in found:
        assert parse_candidate(dump_candidate(candidate), "x.yaml") == candidate
    assert admit(found, Known()).new


FIRES = {
    "encode and decode": (
        "def encode(text):\n    return text[::-1]\n\ndef decode(text):\n    return text[::-1]\n",
        {"encode": [{"roundtrip": {"inverse": "decode"}}]},
    ),
    "to_x and from_x": (
        "def to_hex(n: int) -> str:\n    return hex(n)\n\ndef from_hex(s: str) -> int:\n    return int(s, 16)\n",
        {"to_hex": [{"roundtrip": {"inverse": "from_hex"}}]},
    ),
    "x_to_y": (
        "def rgb_to_hsv(c):\n    return c\n\ndef hsv_to_rgb(c):\n    return c\n",
        {
            "rgb_to_hsv": [{"roundtrip": {"inverse": "hsv_to_rgb"}}],
            "hsv_to_rgb": [{"roundtrip": {"inverse": "rgb_to_hsv"}}],
        },
    ),
    "a method pair": (
        (
            "class C:\n    @staticmethod\n    def dumps(x):\n        return x\n\n"
            "    @staticmethod\n    def loads(x):\n        return x\n"
        ),
        {"C.dumps": [{"roundtrip": {"inverse": "C.loads"}}]},
    ),
    "a reverse flag": ("def parse(text, reverse=False):\n    return text\n", {"parse": ["roundtrip"]}),
    "idempotent by name": (
        "def normalize_path(path: str) -> str:\n    return path.lower()\n",
        {"normalize_path": ["idempotent"]},
    ),
    "bounds": ("def clamp(lo, hi, x):\n    return min(hi, max(lo, x))\n", {"clamp": ["lo_le_hi", "output_in_range"]}),
    "bounds last": (
        "def clamp(x, lo, hi):\n    return min(hi, max(lo, x))\n",
        {"clamp": ["idempotent", {"law": "lo > hi or lo <= clamp(x, lo, hi) <= hi"}]},
    ),
    "a limit": (
        "def shorten(text, limit, mark='.'):\n    return text[:limit]\n",
        {
            "shorten": [
                {
                    "law": "len(shorten(text, limit)) <= max(limit, 0)"
                    " and (len(text) > limit or shorten(text, limit) == text)"
                }
            ]
        },
    ),
    "pieces": (
        "def chunks(items, size):\n    return [items[i:i + size] for i in range(0, len(items), size)]\n",
        {"chunks": [{"law": "[item for part in chunks(items, size) for item in part] == list(items)"}]},
    ),
    "sorted": (
        "def ordered(items):\n    return sorted(items)\n",
        {"ordered": ["is_sorted", "is_permutation"]},
    ),
    "sorted by a key, reversed": (
        'def top(rows):\n    return sorted(rows, key=lambda r: r["n"], reverse=True)\n',
        {"top": [{"is_sorted": {"reverse": True, "key": "n"}}, "is_permutation"]},
    ),
    "sorted in place": (
        "def tags(text):\n    found = text.split()\n    found.sort()\n    return found\n",
        {"tags": ["is_sorted"]},
    ),
    "unique": (
        "def unique(items):\n    return list(dict.fromkeys(items))\n",
        {"unique": ["idempotent", "no_duplicates", "subset_of_input"]},
    ),
    "commutative": (
        "def distance(a: int, b: int) -> int:\n    return abs(a - b)\n",
        {"distance": ["commutative", {"law": "distance(a, a) == 0 and distance(a, b) >= 0"}]},
    ),
    "associative": ("def merge(a: dict, b: dict) -> dict:\n    return {**a, **b}\n", {"merge": ["associative"]}),
    "never raises, as it says": (
        'def safe(text):\n    """Never raises."""\n    return text.strip()\n',
        {"safe": ["never_raises"]},
    ),
    "a predicate": (
        "def is_even(text: str) -> bool:\n    return len(text) % 2 == 0\n",
        {"is_even": ["never_raises", {"returns_type": {"type": "bool"}}]},
    ),
    "a copy": (
        "def filled(row: dict) -> dict:\n    out = dict(row)\n    out['n'] = 1\n    return out\n",
        {"filled": ["does_not_mutate"]},
    ),
    "sorted by the first field": (
        "def rows_of(rows):\n    return sorted(rows, key=itemgetter(0))\n",
        {"rows_of": [{"is_sorted": {"key": 0}}, "is_permutation"]},
    ),
    "sorted by an attribute": (
        "def by_n(rows):\n    return sorted(rows, key=lambda r: r.n)\n",
        {"by_n": [{"is_sorted": {"key": "n"}}, "is_permutation"]},
    ),
    "sorted by a key that cannot be told": (
        "def by_call(rows):\n    return sorted(rows, key=lambda r: f(r))\n",
        {"by_call": ["is_permutation"]},
    ),
    "sorted by name alone": (
        "def sort_rows(rows: list) -> list:\n    out = bubble(rows)\n    return out\n",
        {"sort_rows": ["idempotent", "is_permutation"]},
    ),
    "a catch of everything": (
        "def number(text: str):\n    try:\n        return int(text)\n    except Exception:\n        return None\n",
        {"number": ["never_raises"]},
    ),
    "a copy by spreading": (
        "def more(items: list) -> list:\n    out = [*items]\n    return out\n",
        {"more": ["does_not_mutate"]},
    ),
    "a container that stays": (
        "def total(items: list[int]) -> int:\n    n = len(items)\n    return n\n",
        {"total": ["deterministic", "does_not_mutate"]},
    ),
    "a container that changes": (
        "def popped(items: list[int]) -> int:\n    items.sort()\n    n = items.pop()\n    return n\n",
        {"popped": ["deterministic"]},
    ),
    "for the rest": (
        "def words(text: str) -> int:\n    parts = text.split()\n    return len(parts)\n",
        {"words": ["deterministic"]},
    ),
}
QUIET = {
    "no result": "def save(x):\n    x.append(1)\n",
    "no input": "def now_text():\n    parts = 'a'\n    return parts\n",
    "the outside world": "def load(path):\n    data = open(path).read()\n    return data\n",
    "a clock": "def stamp(x):\n    moment = time.time()\n    return moment + x\n",
    "a decorator that nobody knows": "@app.route('/')\ndef index(x):\n    y = x\n    return y\n",
    "a stub": "def todo(x):\n    raise NotImplementedError\n",
    "one expression": "def half(x):\n    return x / 2\n",
    "a parameter that is no data": "def kwargs_of(args):\n    found = args.verify\n    return found\n",
    "an annotation that is no data": "def name_of(user: User) -> str:\n    name = user\n    return name\n",
    "bounds that may be left out": "def pick(lo, hi, x=1):\n    return lo\n",
    "three without bounds": "def pick(a, b, c):\n    return a\n",
    "types that differ": "def normalize(text: str) -> int:\n    return len(text)\n",
    "a sort key": "def sort_key(row):\n    return row[0]\n",
    "different types": "def add(a: Money, b: int) -> Money:\n    return a + b\n",
    "an instance": "class A:\n    def normalize(self, x):\n        return x\n",
    "a coroutine": "async def normalize(x):\n    return x\n",
    "a generator": "def normalize(x):\n    yield x\n",
    "parse after format": "def parse(text):\n    return int(text)\n",
}


@pytest.mark.parametrize("name", FIRES)
def test_a_rule_fires_with_evidence_from_the_source(name: str) -> None:
    source, expected = FIRES[name]
    found = proposed(source)
    assert claims(source) == expected
    for candidate in found:
        assert candidate.evidence
        assert candidate.evidence in source
        assert candidate.statement
        assert candidate.breaks_if


@pytest.mark.parametrize("name", QUIET)
def test_rules_are_quiet_where_they_have_nothing_to_say(name: str) -> None:
    assert claims(QUIET[name]) == {}


def test_a_pair_is_claimed_once_and_on_the_way_there() -> None:
    source = "def render(x):\n    return str(x)\n\ndef parse(text):\n    return int(text)\n"
    assert [(c.id, c.fn) for c in proposed(source)] == [("render_roundtrip", "render")]


@pytest.mark.parametrize(
    ("name", "siblings", "inverse"),
    [
        ("encode", ["decode"], "decode"),
        ("decode", ["encode"], None),
        ("b64encode", ["b64decode"], None),
        ("json_dumps", ["json_loads"], "json_loads"),
        ("_pack", ["_unpack"], "_unpack"),
        ("a2b_hex", ["b2a_hex"], None),
        ("a2b", ["b2a"], "b2a"),
        ("escape_html", ["unescape_html"], "unescape_html"),
        ("to_dict", ["from_dict", "from_json"], "from_dict"),
        ("Codec.dump", ["load", "Codec.load"], "Codec.load"),
        ("format_date", ["parse_date"], "parse_date"),
        ("encode", [], None),
    ],
)
def test_names_that_lead_there_and_back(name: str, siblings: list[str], inverse: str | None) -> None:
    assert inverse_of(name, siblings) == inverse


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.name)
def test_every_proposal_about_the_standard_library_is_valid(path: Path) -> None:
    source = path.read_text("utf-8")
    found = proposed(source)
    names = {n.name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.FunctionDef)}
    assert len({c.id for c in found}) <= len(found)
    for candidate in found:
        assert candidate.evidence
        assert candidate.evidence in source
        assert all(is_builtin(use.name) and not faults_of(use) for use in candidate.checks)
        assert candidate.fn.rpartition(".")[2] in names
