"""Laws through the gate: they pass on correct code and miss on its broken twin, and say what was asked and answered."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from inventory.records import INVENTORY_PATH, LOCK_PATH
from tests.gate.lanes import FIXTURE, lock_of, one_property, result_of
from tests.repo import Repo


@dataclass(frozen=True)
class Case:
    """A function right and wrong, the law that tells them apart, its samples, and what a miss must say."""

    fn: str
    right: str
    wrong: tuple[str, str]  # what in the source is replaced by what
    law: str
    samples: list[Any]
    says: str
    call: str = "args"
    siblings: tuple[str, ...] = ()


def _case(source: str, *rest: Any, **more: Any) -> Case:
    return Case(source[4 : source.index("(")], source, *rest, **more)


CASES = (
    _case(
        "def mergesort(arr):\n    if len(arr) < 2:\n        return arr\n    half = len(arr) // 2\n"
        "    left, right, out = mergesort(arr[:half]), mergesort(arr[half:]), []\n    while left and right:\n"
        "        out.append((left if left[0] <= right[0] else right).pop(0))\n    return out + left + right\n",
        ("return out + left + right", "return out + left"),
        "sorted(mergesort(arr)) == sorted(arr)",
        [[], [1], [1, 3]],
        "mergesort([1, 3]) = [1]",
        call="sample",
    ),
    _case(
        "def levenshtein(source, target):\n    row = list(range(len(target) + 1))\n"
        "    for i, a in enumerate(source, 1):\n        last, row[0] = row[0], i\n"
        "        for j, b in enumerate(target, 1):\n"
        "            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))\n    return row[-1]\n",
        ("last + (a != b)", "last + 1"),
        "levenshtein(source, source) == 0",
        [["kitten", "sitting"], ["", "a"]],
        "levenshtein('kitten', 'kitten') = 6",
    ),
    _case(
        "def flatten(arr):\n    for item in arr:\n        if isinstance(item, list):\n"
        "            yield from flatten(item)\n        else:\n            yield item\n",
        ("yield from flatten(item)", "yield from item"),
        "list(flatten(list(flatten(arr)))) == list(flatten(arr))",
        [[1, [2, [3, [4]]]], [], [[], 1]],
        "[1, 2, [3, [4]]]",
        call="sample",
    ),
    _case(
        "def gcd(a, b):\n    while b:\n        a, b = b, a % b\n    return a\n",
        ("return a", "return b or 1"),
        "gcd(a, b) == gcd(b, a) and a % gcd(a, b) == 0 and gcd(a * 3, b * 3) == 3 * gcd(a, b)",
        [[12, 18], [7, 21], [5, 3]],
        "gcd(5, 3) = 1; gcd(3, 5) = 1; gcd(15, 9) = 1",
    ),
    _case(
        "def bitcount(n):\n    count = 0\n    while n:\n        n &= n - 1\n        count += 1\n    return count\n",
        ("n &= n - 1", "n >>= 1"),
        "bitcount(n) == bin(n).count('1')",
        [127, 128, 0, 5],
        "bitcount(",
        call="sample",
    ),
    _case(
        "def to_base(num, b):\n    out = ''\n    while num:\n        num, digit = divmod(num, b)\n"
        "        out = '0123456789abcdef'[digit] + out\n    return out or '0'\n",
        ("[digit] + out", "[digit] + out[::-1]"),
        "int(to_base(num, b), b) == num",
        [[31, 16], [255, 2], [41, 3], [0, 7]],
        "to_base(41, 3) =",
    ),
    _case(
        "def sieve(max):\n    return [n for n in range(2, max + 1) if all(n % p for p in range(2, n))]\n",
        ("all(n % p", "any(n % p"),
        "all(n % p for n in sieve(max) for p in range(2, n))",
        [2, 10, 20],
        "0 is True does not hold with n = 4, p = 2",
        call="sample",
    ),
    _case(
        "def powerset(arr):\n    out = [[]]\n    for item in arr:\n        out += [part + [item] for part in out]\n"
        "    return out\n",
        ("out += [", "out = [[]] + ["),
        "len(powerset(arr)) == 2 ** len(arr)",
        [[], ["a"], ["a", "b", "c"]],
        "powerset(['a', 'b', 'c']) =",
        call="sample",
    ),
    _case(
        "def clamp(lo, hi, x):\n    return max(lo, min(hi, x))\n",
        ("max(lo, min(hi, x))", "max(lo, x)"),
        "lo <= clamp(lo, hi, x) <= hi",
        [{"lo": 0, "hi": 10, "x": 12}, {"lo": 0, "hi": 10, "x": -5}],
        "12 <= 10 does not hold; clamp(0, 10, 12) = 12",
        call="kwargs",
    ),
    _case(
        "def slug(text):\n    return '-'.join(text.lower().split())\n",
        ("text.lower().split()", "text.lower().split(' ')"),
        "slug(slug(text)) == slug(text) and all(c != ' ' for c in slug(text)) and '--' not in slug(text)",
        ["A  b", "", "x y"],
        "slug('A  b') = 'a--b'",
        call="sample",
    ),
    _case(
        "def chunks(items, size):\n    return [items[at:at + size] for at in range(0, len(items), size)]\n",
        ("range(0, len(items), size)", "range(0, len(items) - size + 1, size)"),
        "[item for chunk in chunks(items, size) for item in chunk] == items",
        [[[1, 2, 3], 2], [[], 4], [[1, 2], 2]],
        "chunks([1, 2, 3], 2) = [[1, 2]]",
    ),
    _case(
        "def render(pairs):\n    return ';'.join(f'{k}={v}' for k, v in sorted(pairs.items()))\n"
        "\ndef parse(text):\n    return dict(part.split('=', 1) for part in text.split(';') if part)\n",
        ("split('=', 1)", "split('=')[:2]"),
        "parse(render(pairs)) == pairs",
        [{"a": "1=2", "b": ""}, {}],
        "parse('a=1=2;b=') = {'a': '1', 'b': ''}",
        call="sample",
        siblings=("parse",),
    ),
    _case(
        "def root(n):\n    if n < 0:\n        raise ValueError('negative')\n    return int(n ** 0.5)\n",
        ("raise ValueError('negative')", "return 0"),
        'raises("ValueError", root(n)) == (n < 0)',
        [4, 0, -1],
        "root(-1) = 0",
        call="sample",
    ),
    _case(
        "def rotate(items, by):\n    by = by % len(items) if items else 0\n    return items[by:] + items[:by]\n",
        ("items[by:] + items[:by]", "items[by:] + items[:by - 1]"),
        "rotate(rotate(items, by), -by) == items and len(rotate(items, by)) == len(items)",
        [[[1, 2, 3], 2], [["a"], 5], [[], 1]],
        "rotate([1, 2, 3], 2) = [3, 1]",
    ),
    _case(
        "def prefix(words):\n    out = words[0] if words else ''\n    for word in words:\n"
        "        while not word.startswith(out):\n            out = out[:-1]\n    return out\n",
        ("not word.startswith(out)", "len(word) < len(out)"),
        "all(word.startswith(prefix(words)) for word in words)",
        [["flower", "flow", "flight"], []],
        "prefix(['flower', 'flow', 'flight']) = 'flow'",
        call="sample",
    ),
    _case(
        "def merge(left, right):\n    return {**left, **right}\n",
        ("{**left, **right}", "{**right, **left}"),
        "all(merge(left, right)[key] == value for key, value in right.items())",
        [[{"a": 1}, {"a": 2, "b": 3}]],
        "with key = 'a', value = 2",
    ),
    _case(
        "def mean(numbers):\n    return sum(numbers) / len(numbers)\n",
        ("/ len(numbers)", "// len(numbers)"),
        "close(mean(numbers) * len(numbers), sum(numbers)) and min(numbers) <= mean(numbers) <= max(numbers)",
        [[1, 2], [5]],
        "mean([1, 2]) = 1",
        call="sample",
    ),
    _case(
        "def count(items):\n    out = {}\n    for item in items:\n        out[item] = out.get(item, 0) + 1\n"
        "    return out\n",
        ("out.get(item, 0) + 1", "out.get(item, 1)"),
        "sum(count(items).values()) == len(items) and sorted(count(items)) == sorted(set(items))",
        [["a", "b", "a"], []],
        "count(['a', 'b', 'a']) = {'a': 1, 'b': 1}",
        call="sample",
    ),
    _case(
        "def unique(items):\n    return list(dict.fromkeys(items))\n",
        ("list(dict.fromkeys(items))", "sorted(set(items))"),
        "unique(items) == [item for at, item in enumerate(items) if item not in items[:at]]",
        [["b", "a", "b"], []],
        "unique(['b', 'a', 'b']) = ['a', 'b']",
        call="sample",
    ),
    _case(
        "def transpose(rows):\n    return [list(column) for column in zip(*rows)]\n",
        ("list(column)", "list(column)[::-1]"),
        "transpose(transpose(rows)) == rows",
        [[[1, 2], [3, 4]], [[5]]],
        "transpose([[1, 2], [3, 4]]) = [[3, 1], [4, 2]]",
        call="sample",
    ),
    _case(
        "def truncate(text, limit, mark='...'):\n"
        "    return text if len(text) <= limit else text[:limit - len(mark)] + mark\n",
        ("text[:limit - len(mark)] + mark", "text[:limit] + mark"),
        "len(truncate(text, limit)) <= limit and (len(text) <= limit or truncate(text, limit).endswith(mark))",
        [["hello world", 8], ["hi", 8]],
        "truncate('hello world', 8) = 'hello wo...'",
    ),
    _case(
        "def running(numbers):\n    out, total = [], 0\n    for number in numbers:\n        total += number\n"
        "        out.append(total)\n    return out\n",
        ("total += number", "total = number"),
        "running(numbers + [1])[:-1] == running(numbers) and running(numbers + [1])[-1] == sum(numbers) + 1",
        [[1, 2, 3], []],
        "running([1, 2, 3, 1]) = [1, 2, 3, 1]",
        call="sample",
    ),
    _case(
        "def is_palindrome(text):\n    return text == text[::-1]\n",
        ("text == text[::-1]", "text[:1] == text[-1:]"),
        "is_palindrome(text + text[::-1]) and is_palindrome(text) == is_palindrome(text[::-1])"
        " and is_palindrome(text) == all(a == b for a, b in zip(text, reversed(text)))",
        ["abca", "aba", ""],
        "is_palindrome('abca') = True",
        call="sample",
    ),
)


def _entry(case: Case) -> dict[str, Any]:
    found: dict[str, Any] = {"id": f"{case.fn}_law", "module": "prod", "fn": case.fn, "seed": 7, "call": case.call}
    found |= {"fixture": f"tests/fixtures/{case.fn}.json", "checks": [{"law": case.law}]}
    return found | {"siblings": list(case.siblings)}


def test_every_law_holds_on_right_code_and_misses_on_its_twin(repo: Repo) -> None:
    fixtures = {f"tests/fixtures/{case.fn}.json": json.dumps(case.samples) for case in CASES}
    entries = [_entry(case) for case in CASES]
    owners = {".github/CODEOWNERS": "/invariants/ @ada\n/tests/fixtures/ @ada\n/.github/ @ada\n"}
    oracle = {INVENTORY_PATH: json.dumps({"version": 1, "properties": entries}), LOCK_PATH: lock_of(fixtures)}
    code = "\n\n".join(case.right for case in CASES)
    repo.commit("Start", {"prod.py": code, **fixtures, **oracle, **owners})
    repo.branch("same")
    repo.commit("Change nothing that counts", {"prod.py": f"# the same\n{code}"})
    assert all(case.wrong[0] in case.right for case in CASES)
    repo.branch("main")
    repo.branch("broken")
    broken = "\n\n".join(case.right.replace(*case.wrong) for case in CASES)
    repo.commit("Break everything", {"prod.py": broken})

    bad = repo.run("gate", "check", "--base", "main", "--json")
    repo.branch("same")
    good = repo.run("gate", "check", "--base", "main", "--json")

    assert good.code == 0, good.out + good.err
    assert len(CASES) >= 23
    assert bad.code == 1
    told = {result["prop_id"]: result for result in json.loads(bad.out)["lane"]["results"]}
    for case in CASES:
        result = told[f"{case.fn}_law"]
        red = result["repeats"][0]["red"]
        assert result["status"] == "invariant_miss", result["detail"]
        assert red["law"] == case.law
        assert case.law in red["detail"]
        assert case.says in red["detail"]
        assert red["input"]


@pytest.mark.parametrize(
    ("code", "checks", "samples", "fault"),
    [
        ("def fn(x):\n    return x\n", "fn(y) == x", [1], "column 4 of the law: y is no parameter of fn (it has x)"),
        ("from math import floor as fn\n", "fn(x) == x", [1], "is not defined in prod itself"),
        ("def fn(a, b):\n    return a\n", "fn(a, b) == a", [[1, 2, 3]], "takes a, b, and the sample gives 3"),
        ("def fn(a, b):\n    return a\n", "fn(a, b) == a", [{"a": 1}], "fn needs b, which the sample does not give"),
        ("def fn(x):\n    return x\n", "all(fn(x) == x for i in range(49999) for j in range(49999))", [1],
         "takes too many steps"),
    ],
)  # fmt: skip
def test_a_law_that_cannot_be_judged_is_a_protocol_error(
    repo: Repo, code: str, checks: str, samples: list[Any], fault: str
) -> None:
    one_property(repo, code, json.dumps([{"law": checks}]), samples)
    result = result_of(repo)
    assert result.status == "protocol_error"
    assert fault in result.detail


def test_a_target_that_is_gone_is_red(repo: Repo) -> None:
    one_property(repo, "def other(x):\n    return x\n", '[{law: "fn(x) == x"}]', [1])
    assert result_of(repo).status == "invariant_miss"


def test_a_patch_that_swaps_parameters_swaps_nothing_in_the_law(repo: Repo) -> None:
    one_property(repo, "def fn(lo, hi):\n    return hi\n", '[{law: "fn(lo, hi) == hi"}]', [[1, 5]], more=", call: args")
    repo.branch("swap")
    repo.commit("Swap", {"prod.py": "def fn(hi, lo):\n    return lo if hi > lo else 0\n"})
    done = repo.run("gate", "check", "--base", "main", "--json")
    [result] = json.loads(done.out)["lane"]["results"]
    assert result["status"] == "invariant_miss"
    assert "fn(1, 5) = 0" in result["detail"]


def test_a_patch_that_takes_a_name_from_a_law_is_blocked_before_it_is_merged(repo: Repo) -> None:
    one_property(repo, "def fn(x):\n    return x\n", '[{law: "fn(x) == x"}]', [1])
    repo.branch("rename")
    repo.commit("Rename", {"prod.py": "def fn(value):\n    return value\n"})
    done = repo.run("gate", "check", "--base", "main", "--json")
    [result] = json.loads(done.out)["lane"]["results"]
    assert result["status"] == "protocol_error"
    assert "x is no parameter of fn (it has value)" in result["detail"]


def test_an_inventory_with_a_law_that_is_none_cannot_be_read(repo: Repo) -> None:
    one_property(repo, "def fn(x):\n    return x\n", '[{law: "fn(x).__class__ == x"}]', [1])
    done = repo.run("gate", "run")
    assert done.code == 3
    assert f"{INVENTORY_PATH}:3" in done.err
    assert "column 1 of the law" in done.err
    assert Path(repo.root, FIXTURE).exists()
