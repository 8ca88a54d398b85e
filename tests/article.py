"""The article's own example as a repository: its inventory unchanged, two fixtures and two modules made to fit."""

from __future__ import annotations

import hashlib
import json

INVENTORY = """\
# invariants/inventory.yaml
version: 1
properties:
  - id: parse_roundtrip
    module: app.codec
    fn: parse
    seed: 174221
    fixture: tests/fixtures/parse_corpus.json
    checks:
      - roundtrip
      - no_extra_keys
  - id: window_bounds
    module: app.window
    fn: clamp
    seed: 90210
    fixture: tests/fixtures/window_cases.json
    checks:
      - lo_le_hi
      - output_in_range
freezes:
  # empty on a clean tree
"""

WINDOW = '''\
"""Numbers kept within bounds."""


def clamp(lo, hi, x):
    """The nearest number to x between lo and hi."""
    return max(lo, min(hi, x))


def width(lo, hi, x=None):
    return hi - lo
'''
BROKEN_WINDOW = WINDOW.replace("return max(lo, min(hi, x))", "return min(hi, x)")

CODEC = '''\
"""Messages with their keys in order, and the same with the keys as they came."""


def parse(message, reverse=False):
    """Sort the keys; with reverse, mark each value as raw, which parsing takes away again."""
    if reverse:
        return {key: ["raw", message[key]] for key in message}
    return {key: message[key][1] if _is_raw(message[key]) else message[key] for key in sorted(message)}


def _is_raw(value):
    return isinstance(value, list) and len(value) == 2 and value[0] == "raw"
'''

PARSE_CORPUS = json.dumps([{"a": 1, "b": [2, 3]}, {"z": "text"}, {"ok": None}], indent=1) + "\n"
WINDOW_CASES = json.dumps([{"lo": 0, "hi": 10, "x": x} for x in (-5, 0, 3, 10, 99)], indent=1) + "\n"

OWNERS = "/invariants/ @oracle-owners\n/tests/fixtures/ @oracle-owners\n"

TEST_WINDOW = "from app.window import clamp\n\n\ndef test_clamp():\n    assert clamp(0, 10, 3) == 3\n"

CANDIDATE = """\
id: clamp_is_idempotent
module: app.window
fn: width
checks:
  - deterministic
"""


def lock_of(files: dict[str, str]) -> str:
    """The lock of these fixtures, as `review lock` writes it."""
    digests = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in files.items()}
    return json.dumps(digests, indent=2, sort_keys=True) + "\n"


FIXTURES = {"tests/fixtures/parse_corpus.json": PARSE_CORPUS, "tests/fixtures/window_cases.json": WINDOW_CASES}

FILES = {
    "README.md": "demo\n",
    "app/__init__.py": "",
    "app/window.py": WINDOW,
    "app/codec.py": CODEC,
    "tests/test_window.py": TEST_WINDOW,
    ".github/CODEOWNERS": OWNERS,
    "invariants/inventory.yaml": INVENTORY,
    "invariants/fixture.lock.json": lock_of(FIXTURES),
    **FIXTURES,
}
