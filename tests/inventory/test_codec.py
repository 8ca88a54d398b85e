"""Every file of an inventory is read strictly: one meaning, or one error that names each fault and its line."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory import codec
from inventory.digests import claim_digest
from inventory.errors import CouldNotRun
from inventory.records import Candidate, CheckUse, Inventory, Lock, Policy, Record, Tombstone
from tests.article import INVENTORY

ARTICLE = INVENTORY.encode()


def faults_of(parse: Callable[..., object], data: bytes, *more: int) -> list[tuple[int, str]]:
    with pytest.raises(CouldNotRun) as caught:
        parse(data, "a file", *more)
    assert all(fault.path == "a file" for fault in caught.value.faults)
    return [(fault.line, fault.what) for fault in caught.value.faults]


def fixture(data: bytes, path: str = "a file", max_bytes: int = 1000) -> tuple[object, ...]:
    return codec.parse_fixture(data, path, max_bytes)


def test_the_inventory_of_the_article_is_read_as_it_stands() -> None:
    inventory = codec.parse_inventory(ARTICLE, "invariants/inventory.yaml")
    assert [p.id for p in inventory.properties] == ["parse_roundtrip", "window_bounds"]
    assert inventory.properties[1].checks == (CheckUse(name="lo_le_hi"), CheckUse(name="output_in_range"))
    assert inventory.freezes == ()


def _inventory(more: str) -> bytes:
    return ARTICLE.replace(b"    seed: 90210\n", f"    seed: 90210\n    {more}\n".encode())


@pytest.mark.parametrize(
    ("text", "ns"),
    [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-01-01T00:00:00.25+02:00", 1_767_218_400_250_000_000),
        ("2026-01-01 00:00:00-00:30", 1_767_227_400_000_000_000),
    ],
)
def test_a_clock_is_a_moment_with_its_zone(text: str, ns: int) -> None:
    assert codec.parse_inventory(_inventory(f'clock: "{text}"'), "a file").properties[1].clock_ns == ns


@pytest.mark.parametrize(
    "more",
    [
        'clock: "2026-01-01T00:00:00"', 'clock: "2026-01-01"', 'clock: "now"', 'clock: ""', "clock: 3",
        'clock: "1969-12-31T23:00:00Z"', 'clock: "2026-13-01T00:00:00Z"', 'clock: "9999-01-01T00:00:00Z"',
        "nonfinite: 1", 'nonfinite: "true"', "nonfinite: [true]",
    ],
)  # fmt: skip
def test_a_clock_or_a_word_on_numbers_that_is_none_is_a_fault_with_its_line(more: str) -> None:
    [(line, _)] = faults_of(codec.parse_inventory, _inventory(more))
    assert line == 16


def test_a_property_may_take_nonfinite_answers() -> None:
    _, window = codec.parse_inventory(_inventory("nonfinite: true"), "a file").properties
    assert window.nonfinite
    assert not codec.parse_inventory(ARTICLE, "a file").properties[1].nonfinite


def test_a_check_with_parameters_is_a_mapping_of_one_key() -> None:
    data = ARTICLE.replace(b"- roundtrip\n", b"- roundtrip: {inverse: render}\n")
    [check, _] = codec.parse_inventory(data, "f").properties[0].checks
    assert (check.name, check.params) == ("roundtrip", {"inverse": "render"})


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("python: a\npython: b\n", 2, "stands twice"),
        ("python: no\n", 1, "'no' is read as a bool"),
        ("time_limit_s: 010\n", 1, "'010' is read as a int"),
        ("time_limit_s: 1_000\n", 1, "'1_000' is read as a int"),
        ("time_limit_s: 0x10\n", 1, "'0x10' is read as a int"),
        ("time_limit_s: 1:30\n", 1, "'1:30' is read as a int"),
        ("python: 2026-01-01\n", 1, "read as a timestamp"),
        ("python: 1e3\n", 1, "read as a number"),
        ("python: .inf\n", 1, "read as a float"),
        ("repeats: 1.0e+400\n", 1, "too large"),
        ("repeats: " + "1" * 500 + "\n", 1, "more than 400 digits"),
        ("env:\n\tA: b\n", 2, "not YAML"),
        ("python: a\ufeffb\n", 1, "hidden character U+FEFF"),
        ("\npython: a\u2028b\n", 2, "hidden character U+2028"),
        ("python: a\x85b\n", 1, "hidden character U+0085"),
        ("python: a\x00b\n", 1, "hidden character U+0000"),
        ("python: &x a\n", 1, "an anchor"),
        ("env: {A: &x a}\npython: *x\n", 2, "an alias"),
        ("env:\n  <<: {A: b}\n", 2, "a merge key"),
        ("python: !!str a\n", 1, "a tag"),
        ("python: !!python/object/apply:os.system [a]\n", 1, "a tag"),
        ("python: a\n---\npython: b\n", 2, "a second document"),
        ("%YAML 1.1\n---\npython: a\n", 1, "a YAML directive"),
        ("python: a\n<<<<<<< ours\n", 2, "conflict marker"),
        ("env: " + "[" * 60 + "]" * 60 + "\n", 1, "nested deeper"),
        ("1: a\n", 1, "is not text"),
        ("typo: a\n", 1, "typo: unknown key"),
        ("- a\n", 1, "must be a mapping"),
        ("repeats: '2'\n", 1, "integer"),
        ("repeats: true\n", 1, "integer"),
        ("repeats: 1\n", 1, "greater than or equal to 2"),
        ("import_roots: [../other]\n", 1, "a path from the repository's root"),
        ("roles: {oracle: [src/**]}\n", 1, "cannot give or take this role"),
        ("roles: {nonsense: [src/**]}\n", 1, "roles.nonsense"),
        ("python: 'a\n", 2, "not YAML"),
    ],
)
def test_yaml_that_could_be_read_in_two_ways_is_a_fault_with_its_line(text: str, line: int, words: str) -> None:
    found = faults_of(codec.parse_policy, text.encode())
    assert any(at == line and words in what for at, what in found), found


def test_all_faults_of_a_file_are_told_together() -> None:
    data = (
        b"version: 1\nproperties:\n- id: No\n  module: a b\n  fn: f\n  seed: 010\n  fixture: /x\n  checks: []\n  x: 1\n"
    )
    assert [line for line, _ in faults_of(codec.parse_inventory, data)] == [3, 4, 6, 7, 8, 9]


def test_bytes_that_are_no_text_a_pointer_or_too_much_are_faults() -> None:
    assert faults_of(codec.parse_policy, b"python: a\nenv: \xff\n") == [(2, "not UTF-8: byte 0xff")]
    assert "Git LFS pointer" in faults_of(codec.parse_lock, b"version https://git-lfs.github.com/spec/v1\n")[0][1]
    assert "more than" in faults_of(codec.parse_inventory, b"#" * (20 << 20))[0][1]


def test_an_id_stands_once() -> None:
    twice = ARTICLE.replace(b"window_bounds", b"parse_roundtrip")
    assert faults_of(codec.parse_inventory, twice) == [(12, "the id parse_roundtrip stands twice")]


@pytest.mark.parametrize("key", ["seed: 1", "fixture: tests/x.json", "sha256: " + "a" * 64, "reviewed_by: me"])
def test_a_candidate_that_claims_what_only_a_reviewer_may_write_is_invalid(key: str) -> None:
    data = f"id: abc\nmodule: a\nfn: f\nchecks: [idempotent]\n{key}\n".encode()
    assert faults_of(codec.parse_candidate, data) == [(5, f"{key.partition(':')[0]}: unknown key")]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ('{"a.json": "00"}', 1, "64 lower-case hex digits"),
        ('{"a": "x",\n "a": "y"}', 2, '"a" stands twice'),
        ('{\n"../a": "' + "0" * 64 + '"}', 2, "a path from the repository's root"),
        ("[]", 1, "one flat object"),
        ('{"a": ', 1, "not JSON"),
        ("{,}", 1, "not JSON"),
        ('{"a":\n NaN}', 2, "NaN is not a JSON number"),
    ],
)
def test_the_lock_is_one_flat_object(text: str, line: int, words: str) -> None:
    assert any(at == line and words in what for at, what in faults_of(codec.parse_lock, text.encode()))


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("{}", 1, "a JSON list"),
        ("[]", 1, "without samples"),
        ("[1,\n 1e400]", 2, "too large"),
        ("[\n\n-Infinity]", 3, "not a JSON number"),
        ("[" + "1" * 2000 + "]", 1, "more than 1000 digits"),
        ("[" * 300 + "]" * 300, 1, "nested deeper than 100"),
        ("[" * 100_000 + "]" * 100_000, 1, "nested deeper than 100"),
        ('[{"a": {"b": 1, "b": 2}}]', 1, "stands twice"),
    ],
)
def test_a_fixture_is_a_list_of_plain_samples(text: str, line: int, words: str) -> None:
    assert any(at == line and words in what for at, what in faults_of(codec.parse_fixture, text.encode(), 1 << 20))


def test_json_lines_are_read_by_name_and_faults_name_their_line() -> None:
    assert fixture(b'{"a": 1}\n\n[2]\n', "cases.jsonl") == ({"a": 1}, [2])
    with pytest.raises(CouldNotRun) as caught:
        fixture(b"1\n2\n{\n", "cases.jsonl")
    assert [fault.line for fault in caught.value.faults] == [3]


def test_equal_keys_in_different_objects_are_no_fault() -> None:
    assert fixture(b'[{"a": {"a": [{"a": 1}, {"a": 2}]}}, {"a": ":"}]') == (
        {"a": {"a": [{"a": 1}, {"a": 2}]}},
        {"a": ":"},
    )


@pytest.mark.parametrize(
    "parse",
    [
        codec.parse_inventory,
        codec.parse_candidate,
        codec.parse_tombstone,
        codec.parse_policy,
        codec.parse_lock,
        fixture,
    ],
)
@given(st.binary(max_size=300) | st.text(max_size=300).map(lambda t: t.encode("utf-8", "surrogatepass")))
def test_any_bytes_give_a_value_or_our_own_error(parse: Callable[..., object], data: bytes) -> None:
    try:
        parse(data, "a file")
    except CouldNotRun as stop:
        assert stop.faults  # noqa: PT017  # either way is right, but an error must name its faults


NAMES = st.from_regex(r"[a-z][a-z0-9_]{2,12}", fullmatch=True)
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)  # fmt: skip
TEXTS = st.none() | st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)
CANDIDATES = st.builds(
    Candidate,
    id=NAMES,
    module=NAMES,
    fn=NAMES,
    checks=st.lists(
        st.builds(CheckUse, name=NAMES, params=st.dictionaries(NAMES, PLAIN, max_size=2)), min_size=1, max_size=3
    ).map(tuple),
    statement=TEXTS,
    evidence=TEXTS,
    samples=st.lists(PLAIN, max_size=3).map(tuple),
)


@given(CANDIDATES)
def test_a_candidate_survives_being_written_and_read(candidate: Candidate) -> None:
    data = codec.dump_candidate(candidate)
    assert data.isascii()
    again = codec.parse_candidate(data, "f")
    assert again == candidate
    assert codec.dump_candidate(again) == data


def test_a_tombstone_survives_being_written_and_read() -> None:
    candidate = Candidate(id="abc", module="a", fn="f", checks=(CheckUse(name="idempotent"),))
    stone = Tombstone(
        id="abc",
        module="a",
        fn="f",
        checks=candidate.checks,
        reason="wrong",
        rejected_by="@ada",
        note="no:\n  never",
        candidate=candidate,
    )
    assert codec.parse_tombstone(codec.dump_tombstone(stone), "f") == stone


def test_a_lock_is_written_sorted_and_read_back() -> None:
    lock = Lock(entries={"b.json": "0" * 64, "a.json": "jcs:" + "1" * 64})
    data = codec.dump_lock(lock)
    assert list(json.loads(data)) == ["a.json", "b.json"]
    assert codec.parse_lock(data, "f") == lock


@given(CANDIDATES, st.randoms(use_true_random=False))
def test_a_claim_does_not_move_with_the_order_of_checks_or_the_name(candidate: Candidate, rng: object) -> None:
    shuffled = list(candidate.checks)
    rng.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    try:
        before = claim_digest(candidate.module, candidate.fn, candidate.checks)
    except CouldNotRun:
        return
    assert claim_digest(candidate.module, candidate.fn, shuffled) == before


def test_an_absent_policy_and_an_empty_one_are_the_same() -> None:
    assert codec.parse_policy(b"", "f") == codec.parse_policy(b"# nothing\n", "f") == Policy()


def test_records_are_frozen() -> None:
    record: Record = Inventory()
    with pytest.raises(ValueError, match="frozen"):
        record.version = 2  # type: ignore[attr-defined]  # that is the point


@pytest.mark.parametrize("glob", ["*a*a*a*b", "[z-a]", "!"])
def test_a_glob_that_cannot_be_matched_in_time_or_at_all_is_a_fault_with_its_line(glob: str) -> None:
    [(line, what)] = faults_of(codec.parse_policy, f"python: a\nroles:\n  docs: ['{glob}']\n".encode())
    assert line == 3
    assert "roles.docs[0]" in what
