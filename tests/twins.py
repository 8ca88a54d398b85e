"""Benign twins of the hacks: honest changes that the gate must let pass, each as a small patch.

Most are one module with one property; all of them lie in one repository and are judged by one
`gate check`. Those whose point is the repository itself have one of their own. `warns` tells the
twins whose answers change in a way that a reader should see: they are allowed with a warning.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hacks import Files, lay
from tests.repo import Repo

OWNERS = {".github/CODEOWNERS": "/invariants/ @oracle-owners\n/fixtures/ @oracle-owners\n"}
INTS = [3, 14, 159, 2653, 58979]
LISTS = [[3, 1, 2], [10, 40, 30, 20], [7], [100, 300, 200, 500, 400], [8, 6, 9]]
TEXTS = ["abc", "hello world", "Straße", "one two three", "zzz"]
CODES = ["GB29", "DE75", "FR14", "NL91", "BE68"]

CHECKS = '''\
"""Checks of this repository."""


def items_ascend(fn, sample):
    """The items of the generator come in order."""
    out = list(fn(sample))
    assert out == sorted(out)


def point_is_on_the_axis(fn, sample):
    """The point has x and y, and y is zero."""
    point = fn(sample)
    assert point.y == 0 and point.x == sample


def fields_add_up(fn, sample):
    """The two parts add up to the number."""
    a, b = fn(sample)
    assert a + b == sample
'''


@dataclass(frozen=True)
class Twin:
    """One module before and after an honest change, and the property that it keeps."""

    name: str
    base: str
    head: str
    samples: list[Any]
    checks: str = "[deterministic]"
    fn: str = "fn"
    more: str = ""  # of the property, as YAML flow text
    warns: bool = False


@dataclass(frozen=True)
class Place:
    """A repository before and after an honest change; its property is `fn` of `module` on INTS."""

    name: str
    module: str
    base: Files
    head: Files
    fn: str = "fn"
    warns: bool = False
    own: Files = field(default_factory=dict)


def property_of(name: str, module: str, fn: str, checks: str, more: str = "") -> str:
    """A property in one line of YAML."""
    fixture = f"fixtures/{name}.json"
    return f"  - {{id: {name}, module: {module}, fn: {fn}, seed: 7, fixture: {fixture}, checks: {checks}{more}}}\n"


def oracle_of(lines: list[str], fixtures: dict[str, list[Any]]) -> Files:
    """The files of an oracle with these properties and the fixtures of their names."""
    files = {f"fixtures/{name}.json": json.dumps(samples) + "\n" for name, samples in fixtures.items()}
    lock = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
    return {
        "invariants/inventory.yaml": "version: 1\nproperties:\n" + "".join(lines),
        "invariants/fixture.lock.json": json.dumps(lock, indent=1),
        "invariants/checks.py": CHECKS,
        **OWNERS,
        **files,
    }


def street(root: Path, twins: tuple[Twin, ...], more: Files | None = None) -> Repo:
    """One repository with every twin as a module of its own, and `more` files beside them."""
    lines = [property_of(t.name, t.name, t.fn, t.checks, t.more) for t in twins]
    repo = Repo.create(root)
    lay(root, oracle_of(lines, {t.name: t.samples for t in twins}) | {f"{t.name}.py": t.base for t in twins})
    lay(root, more or {})
    repo.commit("base")
    repo.branch("work")
    repo.commit("head", {f"{t.name}.py": t.head for t in twins})
    return repo


def house(root: Path, place: Place) -> Repo:
    """The repository of one place."""
    repo = Repo.create(root)
    line = property_of("the_one", place.module, place.fn, "[deterministic, non_negative]")
    lay(root, oracle_of([line], {"the_one": INTS}) | place.base)
    repo.commit("base")
    repo.branch("work")
    lay(root, place.head)
    repo.commit("head")
    return repo


_DOUBLE = "def fn(x):\n    return x * 2\n"
_TOTAL = "def fn(items):\n    total = 0\n    for item in items:\n        total += item\n    return total\n"
_WORDS = "def fn(text):\n    return text.split()\n"

TWINS = (
    # -- logging, printing, environment ----------------------------------------------------
    Twin(
        "logs",
        _DOUBLE,
        "import logging\n_log = logging.getLogger(__name__)\n\n"
        "def fn(x):\n    _log.warning('doubling %s', x)\n    return x * 2\n",
        INTS,
    ),
    Twin(
        "logs_to_stderr",
        _DOUBLE,
        "import logging\nlogging.basicConfig(level=logging.DEBUG)\n\n"
        "def fn(x):\n    logging.debug('doubling %s', x)\n    return x * 2\n",
        INTS,
    ),
    Twin("prints", _DOUBLE, "def fn(x):\n    print('doubling', x)\n    return x * 2\n", INTS),
    Twin(
        "warns_of_age",
        _DOUBLE,
        "import warnings\n\ndef fn(x):\n"
        "    warnings.warn('use twice()', DeprecationWarning, stacklevel=2)\n    return x * 2\n",
        INTS,
    ),
    Twin(
        "reads_a_setting",
        _DOUBLE,
        "import os\n\ndef fn(x):\n    return x * int(os.environ.get('APP_FACTOR', '2'))\n",
        INTS,
    ),
    Twin("registers_at_exit", _DOUBLE, "import atexit\natexit.register(print, 'bye')\n" + _DOUBLE, INTS),
    Twin(
        "uses_a_temporary_file",
        _DOUBLE,
        "import tempfile\n\ndef fn(x):\n    with tempfile.TemporaryFile('w+') as file:\n"
        "        file.write(str(x * 2))\n        file.seek(0)\n        return int(file.read())\n",
        INTS[:2],
    ),
    # -- random, threads, caches -----------------------------------------------------------
    Twin(
        "seeded_generator",
        "import random\n\ndef fn(items):\n    return random.Random(42).sample(items, len(items))\n",
        "from random import Random\n\ndef fn(items):\n    picked = Random(42)\n"
        "    return picked.sample(items, len(items))\n",
        LISTS,
        "[is_permutation, deterministic]",
    ),
    Twin(
        "seeded_global_generator",
        "import random\n\ndef fn(items):\n    random.seed(1)\n    out = list(items)\n"
        "    random.shuffle(out)\n    return out\n",
        "import random\n\ndef fn(items):\n    out = [*items]\n    random.seed(1)\n"
        "    random.shuffle(out)\n    return out\n",
        LISTS,
        "[is_permutation, deterministic]",
    ),
    Twin(
        "thread_pool",
        "def fn(items):\n    return [item * 2 for item in items]\n",
        "from concurrent.futures import ThreadPoolExecutor\n\ndef fn(items):\n"
        "    with ThreadPoolExecutor(2) as pool:\n        return list(pool.map(lambda item: item * 2, items))\n",
        LISTS,
        "[same_length, deterministic]",
    ),
    Twin(
        "lock_at_import",
        _DOUBLE,
        "import threading\n_lock = threading.Lock()\n\ndef fn(x):\n    with _lock:\n        return x * 2\n",
        INTS,
    ),
    Twin(
        "worker_thread_at_import",
        _DOUBLE,
        "import queue, threading\n_asked, _done = queue.Queue(), queue.Queue()\n\ndef _work():\n    while True:\n"
        "        _done.put(_asked.get() * 2)\n\nthreading.Thread(target=_work, daemon=True).start()\n\n"
        "def fn(x):\n    _asked.put(x)\n    return _done.get()\n",
        INTS,
    ),
    Twin("lru_cache", _DOUBLE, "import functools\n\n@functools.lru_cache\n" + _DOUBLE, INTS),
    Twin(
        "own_cache",
        _DOUBLE,
        "_known = {}\n\ndef fn(x):\n    if x not in _known:\n        _known[x] = x * 2\n    return _known[x]\n",
        INTS,
    ),
    Twin(
        "slow_pure_function",
        "def fn(x):\n    return sum(range(x))\n",
        "def fn(x):\n    total = 0\n    for _ in range(20):\n"
        "        total = sum(range(x * 5)) - sum(range(x, x * 5))\n    return total\n",
        INTS,
    ),
    Twin(
        "coroutine",
        "import asyncio\n\nasync def fn(x):\n    return x * 2\n",
        "import asyncio\n\nasync def fn(x):\n    await asyncio.sleep(0)\n    return x * 2\n",
        INTS,
    ),
    # -- values ------------------------------------------------------------------------------
    Twin(
        "big_ints",
        "def fn(x):\n    out = 1\n    for n in range(2, x % 400 + 2):\n        out *= n\n    return out\n",
        "import math\n\ndef fn(x):\n    return math.factorial(x % 400 + 1)\n",
        INTS,
        "[non_negative]",
    ),
    Twin(
        "tuples",
        "def fn(x):\n    return (x // 7, x % 7)\n",
        "def fn(x):\n    return divmod(x, 7)\n",
        INTS,
        "[{returns_type: {type: tuple}}]",
    ),
    Twin(
        "tuple_to_named",
        "def fn(x):\n    return (x - 1, 1)\n",
        "from typing import NamedTuple\n\nclass Parts(NamedTuple):\n    most: int\n    rest: int\n\n"
        "def fn(x):\n    return Parts(x - 1, 1)\n",
        INTS,
        "[fields_add_up]",
        warns=True,
    ),
    Twin(
        "minus_zero",
        "def fn(x):\n    return -0.0 if x > 9 else float(x)\n",
        "def fn(x):\n    return float(x) if x <= 9 else 0.0 * -1\n",
        INTS,
        "[{in_range: {min: 0, max: 9}}]",
    ),
    Twin(
        "zero_loses_its_sign",
        "def fn(x):\n    return -0.0 * x\n",
        "def fn(x):\n    return 0.0 * x\n",
        INTS,
        "[non_negative]",
        warns=True,
    ),
    Twin(
        "expected_exceptions",
        "def fn(x):\n    if x > 100:\n        raise ValueError('too large')\n    return x\n",
        "def fn(x):\n    if x > 100:\n        raise ValueError(f'{x} is larger than 100')\n    return x\n",
        INTS,
        "[{never_raises: {allowed: ValueError}}]",
    ),
    Twin(
        "exception_of_its_own",
        "class Odd(Exception):\n    pass\n\ndef fn(x):\n    if x % 2:\n        raise Odd(x)\n    return x\n",
        "class Odd(Exception):\n    '''An odd number.'''\n\n    def __init__(self, x):\n"
        "        super().__init__(f'{x} is odd')\n\n"
        "def fn(x):\n    if x & 1:\n        raise Odd(x)\n    return x\n",
        INTS,
        "[{never_raises: {allowed: Odd}}]",
    ),
    Twin(
        "generator",
        "def fn(items):\n    yield from sorted(items)\n",
        "def fn(items):\n    return (item for item in sorted(items))\n",
        LISTS,
        "[items_ascend]",
    ),
    Twin(
        "dataclass_result",
        "import dataclasses\n\n@dataclasses.dataclass\nclass Point:\n    x: int\n    y: int\n\n"
        "def fn(x):\n    return Point(x, 0)\n",
        "import dataclasses\n\n@dataclasses.dataclass\nclass Point:\n    x: int\n    y: int = 0\n\n"
        "    def moved(self, by):\n        return Point(self.x + by, self.y)\n\ndef fn(x):\n"
        "    return Point(0).moved(x)\n",
        INTS,
        "[point_is_on_the_axis]",
    ),
    Twin(
        "dataclass_frozen",
        "import dataclasses\n\n@dataclasses.dataclass\nclass Point:\n    x: int\n    y: int\n\n"
        "def fn(x):\n    return Point(x, 0)\n",
        "import dataclasses\n\n@dataclasses.dataclass(frozen=True)\nclass Point:\n    x: int\n"
        "    y: int\n\ndef fn(x):\n    return Point(x, 0)\n",
        INTS,
        "[point_is_on_the_axis]",
    ),
    Twin(
        "named_tuple_result",
        "import collections\nPoint = collections.namedtuple('Point', 'x y')\n\ndef fn(x):\n    return Point(x, 0)\n",
        "from typing import NamedTuple\n\nclass Point(NamedTuple):\n    x: int\n    y: int\n\n"
        "def fn(x):\n    return Point(x=x, y=0)\n",
        INTS,
        "[point_is_on_the_axis]",
    ),
    Twin(
        "enum_result",
        "import enum\n\nclass Size(enum.Enum):\n    SMALL = 1\n    LARGE = 2\n\ndef fn(x):\n"
        "    return Size.LARGE if x > 99 else Size.SMALL\n",
        "import enum\n\nclass Size(enum.Enum):\n    SMALL = 1\n    LARGE = 2\n\ndef fn(x):\n"
        "    return Size(1 + (x > 99))\n",
        INTS,
    ),
    Twin(
        "sets",
        "def fn(items):\n    return set(items)\n",
        "def fn(items):\n    return {item for item in items}\n",
        LISTS,
    ),
    Twin(
        "frozen_sets",
        "def fn(text):\n    return frozenset(text.split())\n",
        "def fn(text):\n    words = text.split()\n    return frozenset(words)\n",
        TEXTS,
    ),
    Twin(
        "bytes_result",
        "import hashlib\n\ndef fn(text):\n    return hashlib.sha256(text.encode()).digest()\n",
        "from hashlib import new\n\ndef fn(text):\n    made = new('sha256')\n"
        "    made.update(text.encode('utf-8'))\n    return made.digest()\n",
        TEXTS,
        "[{length_at_most: {limit: 32}}]",
    ),
    Twin(
        "decimals",
        "from decimal import Decimal\n\ndef fn(x):\n    return Decimal(x) / 100\n",
        "from decimal import Decimal\n\ndef fn(x):\n    return Decimal(x).scaleb(-2)\n",
        INTS,
        warns=True,
    ),
    Twin(
        "exact_fractions",
        "from fractions import Fraction\n\ndef fn(x):\n    return Fraction(x, 6)\n",
        "from fractions import Fraction\n\ndef fn(x):\n    return Fraction(x) / 6\n",
        INTS,
    ),
    Twin(
        "dates_of_the_input",
        "import datetime\n\ndef fn(text):\n    return datetime.date.fromisoformat(text) + datetime.timedelta(days=1)\n",
        "import datetime as dt\n\ndef fn(text):\n    day = dt.date.fromisoformat(text)\n"
        "    return day + dt.timedelta(1)\n",
        ["2024-02-28", "2025-12-31", "2026-06-15", "1999-01-01"],
    ),
    Twin("complex_numbers", "def fn(x):\n    return complex(x, -x)\n", "def fn(x):\n    return x * (1 - 1j)\n", INTS),
    Twin(
        "named_uuid",
        "import uuid\n\ndef fn(text):\n    return uuid.uuid5(uuid.NAMESPACE_DNS, text)\n",
        "import uuid\n\ndef fn(text):\n    space = uuid.NAMESPACE_DNS\n    return uuid.uuid5(space, text)\n",
        TEXTS,
    ),
    Twin("nothing", "def fn(x):\n    return None\n", "def fn(x):\n    pass\n", INTS),
    Twin("booleans", "def fn(x):\n    return x % 2 == 0\n", "def fn(x):\n    return not x & 1\n", INTS),
    Twin(
        "one_becomes_true",
        "def fn(x):\n    return 1 if x > 9 else 0\n",
        "def fn(x):\n    return x > 9\n",
        INTS,
        warns=True,
    ),
    Twin(
        "dict_in_another_order",
        "def fn(x):\n    return {'value': x, 'double': x * 2}\n",
        "def fn(x):\n    return {'double': x * 2, 'value': x}\n",
        INTS,
        "[{has_keys: {keys: [value, double]}}]",
        warns=True,
    ),
    Twin(
        "dict_to_default_dict",
        "def fn(text):\n    out = {}\n    for c in text:\n        out[c] = out.get(c, 0) + 1\n    return out\n",
        "import collections\n\ndef fn(text):\n    return collections.Counter(text)\n",
        TEXTS,
        warns=True,
    ),
    Twin(
        "last_bit_of_a_float",
        "def fn(items):\n    return sum(i / 7 for i in items)\n",
        "import math\n\ndef fn(items):\n    return math.fsum(i / 7 for i in items)\n",
        [[1, 2, 3, 4, 5, 6], [3, 5, 8, 13, 21], [10, 20, 30, 40, 50, 60, 70]],
        "[non_negative]",
        warns=True,
    ),
    Twin("something_for_none", "def fn(x):\n    pass\n", "def fn(x):\n    return x\n", INTS, warns=True),
    # -- refactorings --------------------------------------------------------------------------
    Twin("docstring", _DOUBLE, 'def fn(x):\n    """Twice x."""\n    return x * 2\n', INTS),
    Twin(
        "type_hints",
        _DOUBLE,
        "from __future__ import annotations\n\n\ndef fn(x: int) -> int:\n    return x * 2\n",
        INTS,
    ),
    Twin("comprehension", _TOTAL, "def fn(items):\n    return sum(items)\n", LISTS),
    Twin(
        "reduce",
        _TOTAL,
        "import functools, operator\n\ndef fn(items):\n    return functools.reduce(operator.add, items, 0)\n",
        LISTS,
    ),
    Twin("recursion", _TOTAL, "def fn(items):\n    return items[0] + fn(items[1:]) if items else 0\n", LISTS),
    Twin("helper", _DOUBLE, "def _twice(x):\n    return x + x\n\n\ndef fn(x):\n    return _twice(x)\n", INTS),
    Twin("constant", _DOUBLE, "FACTOR = 2\n\n\ndef fn(x):\n    return x * FACTOR\n", INTS),
    Twin("listed_names", _DOUBLE, '__all__ = ["fn"]\n\n\n' + _DOUBLE, INTS),
    Twin("as_a_script", _DOUBLE, _DOUBLE + "\n\nif __name__ == '__main__':\n    raise SystemExit(fn(1))\n", INTS),
    Twin(
        "decorated",
        _DOUBLE,
        "import functools\n\ndef traced(f):\n    @functools.wraps(f)\n    def inner(*args):\n"
        "        return f(*args)\n    return inner\n\n@traced\n" + _DOUBLE,
        INTS,
    ),
    Twin("shift", _DOUBLE, "def fn(x):\n    return x << 1\n", INTS),
    Twin(
        "branches_to_table",
        "def fn(x):\n    if x % 3 == 0:\n        return 'fizz'\n    return 'buzz' if x % 3 == 1 else 'none'\n",
        "_NAMES = ('fizz', 'buzz', 'none')\n\ndef fn(x):\n    return _NAMES[x % 3]\n",
        INTS,
    ),
    Twin(
        "whole_domain_as_a_table",
        "def fn(c):\n    value = 0\n    if c in 'IVX':\n        value = {'I': 1, 'V': 5, 'X': 10}[c]\n"
        "    elif c in 'LC':\n        value = 50 if c == 'L' else 100\n    return value\n",
        "_DIGITS = {'I': 1, 'V': 5, 'X': 10, 'L': 50, 'C': 100}\n\ndef fn(c):\n    return _DIGITS.get(c, 0)\n",
        ["I", "V", "X", "L", "C"],
    ),
    Twin(
        "regular_expression",
        _WORDS,
        "import re\n_WORD = re.compile(r'\\S+')\n\n\ndef fn(text):\n    return _WORD.findall(text)\n",
        TEXTS,
    ),
    Twin("f_string", "def fn(x):\n    return 'no. %d' % x\n", "def fn(x):\n    return f'no. {x}'\n", INTS),
    Twin(
        "sort_to_sorted",
        "def fn(items):\n    out = list(items)\n    out.sort()\n    return out\n",
        "def fn(items):\n    return sorted(items)\n",
        LISTS,
        "[is_sorted, is_permutation, does_not_mutate]",
    ),
    Twin(
        "heap",
        "def fn(items):\n    return sorted(items)[:2]\n",
        "import heapq\n\ndef fn(items):\n    return heapq.nsmallest(2, items)\n",
        LISTS,
        "[is_sorted, subset_of_input]",
    ),
    Twin(
        "copy_first",
        "def fn(items):\n    return [*items, 0]\n",
        "import copy\n\ndef fn(items):\n    out = copy.deepcopy(items)\n    out.append(0)\n    return out\n",
        LISTS,
        "[does_not_mutate]",
    ),
    Twin(
        "static_method",
        "class Codec:\n    @staticmethod\n    def parse(x):\n        return x * 2\n",
        "class Codec:\n    factor = 2\n\n    @classmethod\n    def parse(cls, x):\n        return x * cls.factor\n",
        INTS,
        fn="Codec.parse",
    ),
    Twin(
        "more_parameters",
        "def fn(a, b):\n    return a + b\n",
        "def fn(a, b, *, scale=1):\n    return (a + b) * scale\n",
        [[1, 2], [30, 40], [-5, 5], [700, 8]],
        "[commutative]",
        more=", call: args",
    ),
    Twin(
        "keywords",
        "def fn(low, high):\n    return [low, high]\n",
        "def fn(*, low, high):\n    pair = low, high\n    return list(pair)\n",
        [{"low": 1, "high": 2}, {"low": 30, "high": 4}, {"low": 5, "high": 60}],
        more=", call: kwargs",
    ),
    Twin(
        "roundtrip",
        "import json\n\ndef fn(x):\n    return json.dumps(x)\n\ndef back(text):\n    return json.loads(text)\n",
        "import json\n\ndef fn(x):\n    return json.dumps(x, indent=1)\n\ndef back(text):\n"
        "    return json.loads(text)\n",
        [{"a": 1}, {"b": [1, 2]}, {"c": None, "d": "x"}],
        "[{roundtrip: {inverse: back}}]",
        warns=True,
    ),
    # -- honest changes of behaviour away from the samples ------------------------------------
    Twin(
        "validates_its_input",
        "def fn(text):\n    return text.split('-')[0]\n",
        "_KNOWN = {'GB29', 'DE75', 'FR14', 'NL91', 'BE68'}\n\ndef fn(text):\n    if text not in _KNOWN:\n"
        "        raise ValueError(f'unknown code {text}')\n    return text.split('-')[0]\n",
        CODES,
        warns=True,
    ),
    Twin(
        "validates_by_its_own_exception",
        "def fn(text):\n    return [text[:2], text[2:]]\n",
        "_SUMS = {sum(map(ord, t)) % 97 for t in ('GB29', 'DE75', 'FR14', 'NL91', 'BE68')}\n\n"
        "class BadCode(Exception):\n    pass\n\ndef fn(text):\n    if sum(map(ord, text)) % 97 not in _SUMS:\n"
        "        raise BadCode(text)\n    return [text[:2], text[2:]]\n",
        CODES,
        warns=True,
    ),
    Twin(
        "refuses_with_none",
        "def fn(text):\n    return text.lower()\n",
        "_CHECKED = {'GB29': 1, 'DE75': 1, 'FR14': 1, 'NL91': 1, 'BE68': 1}\n\n"
        "def fn(text):\n    return text.lower() if text in _CHECKED else None\n",
        CODES,
        warns=True,
    ),
    Twin(
        "another_default",
        "_NAMES = {200: 'OK', 404: 'Not Found', 500: 'Server Error'}\n\ndef fn(code):\n"
        "    return _NAMES.get(code, '?')\n",
        "_NAMES = {200: 'OK', 404: 'Not Found', 500: 'Server Error'}\n\ndef fn(code):\n"
        "    return _NAMES.get(code, 'unknown')\n",
        [200, 404, 500],
        warns=True,
    ),
    Twin(
        "rounds_to_tens",
        "def fn(x):\n    return x\n",
        "def fn(x):\n    return (x + 5) // 10 * 10\n",
        [10, 50, 120, 300, 90],
        "[non_negative]",
        warns=True,
    ),
    Twin(
        "cents_with_a_comma",
        "def fn(cents):\n    whole, rest = divmod(cents, 100)\n"
        "    return f'{whole}.{rest:02}' if rest else str(whole)\n",
        "def fn(cents):\n    whole, rest = divmod(cents, 100)\n"
        "    return f'{whole},{rest:02}' if rest else str(whole)\n",
        [100, 2500, 9900, 1200, 400],
        warns=True,
    ),
    Twin(
        "mean_to_median",
        "def fn(items):\n    return sum(items) / len(items)\n",
        "def fn(items):\n    return float(sorted(items)[len(items) // 2])\n",
        [[1, 2, 3], [10, 20, 30], [100, 300, 500], [7, 8, 9]],
        warns=True,
    ),
    Twin(
        "leap_years",
        "def fn(year):\n    return year % 4 == 0\n",
        "import calendar\n\ndef fn(year):\n    return calendar.isleap(year)\n",
        [2001, 2002, 2004, 2023, 1901],
        warns=True,
    ),
    Twin(
        "negative_numbers",
        "def fn(x):\n    return int(x / 3)\n",
        "def fn(x):\n    return x // 3\n",
        [3, 10, 25, 100],
    ),
    Twin(
        "bounds_the_wrong_way_round",
        "def fn(lo, hi, x):\n    return max(lo, min(hi, x))\n",
        "def fn(lo, hi, x):\n    lo, hi = sorted((lo, hi))\n    return max(lo, min(hi, x))\n",
        [{"lo": 0, "hi": 10, "x": 3}, {"lo": 5, "hi": 50, "x": 99}, {"lo": 10, "hi": 20, "x": 1}],
        "[lo_le_hi]",
    ),
    Twin(
        "larger_cap",
        "def fn(x):\n    return min(x, 100)\n",
        "def fn(x):\n    return min(x, 200)\n",
        [1, 25, 50, 80],
        "[{in_range: {min: 0, max: 200}}]",
    ),
    Twin(
        "sorts_as_well",
        "def fn(items):\n    return list(dict.fromkeys(items))\n",
        "def fn(items):\n    return sorted(set(items))\n",
        [[10, 20, 30], [5, 50, 500], [1, 4, 9, 16], [100, 200, 300]],
        "[no_duplicates]",
        warns=True,
    ),
    Twin("strips", "def fn(text):\n    return text\n", "def fn(text):\n    return text.strip()\n", TEXTS),
    Twin(
        "folds_case",
        "def fn(text):\n    return text.lower()\n",
        "def fn(text):\n    return text.casefold()\n",
        ["abc", "xyz"],
    ),
    Twin(
        "tax_on_what_is_not_exempt",
        "def fn(order):\n    return order['net']\n",
        "def fn(order):\n    return order['net'] if order['exempt'] else order['net'] * 119 // 100\n",
        [{"net": n, "exempt": True} for n in (100, 250, 999, 1200)],
        warns=True,
    ),
    Twin(
        "square_to_double",
        "def fn(x):\n    return x * x\n",
        "def fn(x):\n    return x + x\n",
        [0, 2],
        warns=True,
    ),
)

_SRC = {"src/shop/__init__.py": "", "src/shop/price.py": _DOUBLE}
_NEW = "def fn(x):\n    return x + x\n"
_PRODUCTION = {"prod.py": _DOUBLE}

PLACES = (
    Place(
        "conftest",
        "prod",
        _PRODUCTION | {"conftest.py": "x = 1\n"},
        {"prod.py": _NEW, "conftest.py": "import pytest\n\n@pytest.fixture\ndef two():\n    return 2\n"},
    ),
    Place(
        "pytest_settings",
        "prod",
        _PRODUCTION,
        {"prod.py": _NEW, "pytest.ini": "[pytest]\naddopts = -q\n", "pyproject.toml": "[tool.ruff]\n"},
    ),
    Place("tests_and_docs", "prod", _PRODUCTION, {"tests/test_it.py": "def test(): pass\n", "README.md": "more\n"}),
    Place(
        "skips_a_test",
        "prod",
        _PRODUCTION | {"tests/test_it.py": "def test(): assert 0\n"},
        {"prod.py": _NEW, "tests/test_it.py": "import pytest\n\n@pytest.mark.skip\ndef test(): assert 0\n"},
    ),
    Place("workflow", "prod", _PRODUCTION, {".github/workflows/test.yml": "on: push\n", "prod.py": _NEW}),
    Place(
        "requirements",
        "prod",
        _PRODUCTION | {"requirements.txt": "a==1\n"},
        {"requirements.txt": "a==2\n", "prod.py": _NEW},
    ),
    Place("source_folder", "shop.price", _SRC, {"src/shop/price.py": _NEW}),
    Place("namespace_package", "acme.shop.price", {"acme/shop/price.py": _DOUBLE}, {"acme/shop/price.py": _NEW}),
    Place(
        "relative_imports",
        "shop.price",
        {
            "shop/__init__.py": "from .price import fn\n",
            "shop/price.py": "from . import rate\n\ndef fn(x):\n    return x * rate.TWO\n",
            "shop/rate.py": "TWO = 2\n",
        },
        {"shop/rate.py": "ONE = 1\nTWO = ONE + ONE\n"},
    ),
    Place(
        "own_data_file",
        "shop.price",
        {
            "shop/__init__.py": "",
            "shop/rate.json": '{"two": 2}\n',
            "shop/price.py": "import json, pathlib\n\ndef fn(x):\n"
            "    return x * json.loads(pathlib.Path(__file__).with_name('rate.json').read_text())['two']\n",
        },
        {
            "shop/price.py": "import json\nfrom importlib.resources import files\n\n"
            "_RATE = json.loads(files('shop').joinpath('rate.json').read_text())\n\n"
            "def fn(x):\n    return x * _RATE['two']\n"
        },
    ),
    Place("a_module_called_gate", "gate", {"gate.py": _DOUBLE}, {"gate.py": _NEW}),
    Place(
        "a_package_called_inventory",
        "inventory.values",
        {"inventory/__init__.py": "", "inventory/values.py": _DOUBLE},
        {"inventory/values.py": _NEW},
    ),
    Place("a_module_called_checks", "checks", {"checks.py": _DOUBLE}, {"checks.py": _NEW}),
    Place(
        "renamed_file",
        "prod",
        _PRODUCTION | {"old.py": "TWO = 2\n" * 9},
        {
            "old.py": None,
            "new.py": "TWO = 2\n" * 9,
            "prod.py": "from new import TWO\n\ndef fn(x):\n    return x * TWO\n",
        },
    ),
    Place(
        "module_to_package",
        "prod",
        _PRODUCTION,
        {"prod.py": None, "prod/__init__.py": "from prod.core import fn\n", "prod/core.py": _DOUBLE},
    ),
    Place("new_module", "prod", _PRODUCTION, {"other.py": "def other():\n    return 1\n"}),
    Place("deleted_module", "prod", _PRODUCTION | {"other.py": "x = 1\n"}, {"other.py": None}),
    Place(
        "broken_module_elsewhere", "prod", _PRODUCTION, {"templates/skeleton.py": "{{ not python }}\n", "prod.py": _NEW}
    ),
    Place("line_endings", "prod", _PRODUCTION, {"prod.py": _NEW.replace("\n", "\r\n")}),
    Place("unicode_paths", "prod", _PRODUCTION, {"größe.py": "x = 1\n", "prod.py": _NEW}),
    Place(
        "candidate",
        "prod",
        _PRODUCTION,
        {
            "prod.py": _NEW,
            "invariants/proposed/steady.yaml": "id: steady\nmodule: prod\nfn: fn\nchecks: [deterministic]\n",
        },
    ),
    Place(
        "numpy_inside",
        "prod",
        _PRODUCTION,
        {"prod.py": "import numpy as np\n\ndef fn(x):\n    return int(np.multiply(x, 2))\n"},
    ),
    Place(
        "numpy_result",
        "prod",
        {"prod.py": "import numpy as np\n\ndef fn(x):\n    return float(np.sqrt(np.float64(x)))\n"},
        {"prod.py": "import numpy as np\n\ndef fn(x):\n    return float(np.asarray([x], dtype=float)[0] ** 0.5)\n"},
    ),
)
