"""What mining enumerates, what it takes for alike, and which laws it keeps; without running anything."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inventory.functions import functions_of
from inventory.law_lint import lint
from inventory.law_names import Scope
from inventory.law_syntax import parse_law
from inventory.records import CheckUse
from review.asked import alike, asked, signature_of
from review.cover import IMPLIES, Held, chosen
from review.grammar import Conjecture, conjectures
from review.kinds import Signature, answers_of, sizes_of
from review.relations import ONE, OTHERS, lines
from review.relations_of_two import OTHERS_OF_TWO, TWO

ALL = {line for table in (ONE, TWO) for text in table.values() for line in lines(text)} | {*OTHERS, *OTHERS_OF_TWO}


def laws(source: str, kinds: tuple[str, ...], answer: str, **more: Any) -> list[str]:
    functions = functions_of(source.encode()) or ()
    names = [parameter.name for parameter in functions[0].parameters]
    signature = Signature(
        functions[0].qualname, dict(zip(names, kinds, strict=True)), frozenset(), answer, more.get("listed", False)
    )
    return [conjecture.text for conjecture in conjectures(signature, functions[0], functions)]


@pytest.mark.parametrize("names", [("first", "second"), ("y", "z"), ("k", "x")])
def test_every_relation_becomes_a_law_whatever_the_parameters_are_called(names: tuple[str, str]) -> None:
    function, *_ = functions_of(f"def f({', '.join(names)}): ...\ndef g({', '.join(names)}): ...\n".encode()) or ()
    others = functions_of(b"def g(a): ...\n") or ()
    tried = set()
    for first, second, answer in (*TWO, *((kind, "other", answer) for kind, answer in ONE)):
        signature = Signature("f", dict(zip(names, (first, second), strict=True)), frozenset(), answer, listed=False)
        for conjecture in conjectures(signature, function, others):
            tried.add(conjecture.relation)
            if conjecture.use.law:
                scope = Scope("f", names, conjecture.siblings)
                assert lint(parse_law(conjecture.use.law), scope, function) == (), conjecture
    assert tried >= ALL


def test_a_law_is_written_with_the_names_of_the_function() -> None:
    found = laws("def merge(arr): ...\n", ("list",), "list")
    assert "merge(arr) == sorted(arr)" in found
    assert "merge(arr[::-1]) == merge(arr)" in found
    assert "all(y in merge(arr) for y in arr)" in found
    assert {"is_permutation", "is_sorted", "idempotent"} <= set(found)


def test_other_parameters_stay_as_they_are_and_pairs_are_tried_both_ways() -> None:
    found = laws("def gcd(a, b): ...\n", ("number", "number"), "number")
    assert {"gcd(a, b) == gcd(b, a)", "gcd(0, b) == b", "gcd(a, 0) == a", "gcd(a + b, b) == gcd(a, b)"} <= set(found)
    assert len(found) == len(set(found))


def test_what_only_comes_as_a_list_is_taken_through_list() -> None:
    found = laws("def flat(arr): ...\n", ("list",), "list", listed=True)
    assert "list(flat([arr, arr])) == list(flat(arr)) + list(flat(arr))" in found


def test_the_body_written_again_is_no_law() -> None:
    assert "f(a) == sorted(a)" not in laws("def f(a):\n    return sorted(a)\n", ("list",), "list")


def test_a_round_trip_is_tried_with_each_function_of_the_module() -> None:
    found = laws("def dump(v): ...\ndef load(t): ...\ndef _odd(t): ...\n", ("list",), "text")
    assert {"load(dump(v)) == v", "_odd(dump(v)) == v"} <= set(found)


@pytest.mark.parametrize("kind", ["other", "flag"])
def test_kinds_without_a_relation_leave_named_checks_alone(kind: str) -> None:
    assert laws("def f(a): ...\n", (kind,), "other") == ["does_not_mutate"]


# -- what was asked ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "types", "expected"),
    [
        (["1", "2.5"], ["int", "float"], ("number", False, ())),
        (["[1]", "[]"], ["list", "generator"], ("list", True, ())),
        (["(1,)"], ["tuple"], ("list", True, ())),
        (["{'a': 1, 'b': 2}", "{'a': 3}"], ["dict", "dict"], ("mapping", False, ("a",))),
        (["'cut off…"], ["str"], ("text", False, ())),
        (["1", "None"], ["int", "NoneType"], ("other", False, ())),
    ],
)
def test_answers_have_a_kind(values: list[str], types: list[str], expected: tuple[str, bool, tuple[str, ...]]) -> None:
    assert answers_of(values, types) == expected


def test_the_largest_group_that_is_alike_is_mined() -> None:
    [function] = functions_of(b"def f(x, *, unit='b', top=float('inf')): ...\n") or ()
    rows: list[tuple[dict[str, Any], str, str]] = [({"x": n}, "1", "int") for n in range(3)]
    rows += [({"x": n, "unit": "a"[:n]}, "1", "int") for n in range(2)]
    rows += [({"x": "text"}, "1", "int"), ({"x": 1, "top": 2}, "1", "int")]
    some = alike(asked(function, "kwargs", rows), 20, 1000)
    assert sorted(one.given["x"] for one in some) == [0, 0, 1, 1, 2]
    signature = signature_of(function, some)
    assert dict(signature.given) == {"x": "number", "unit": "text"}
    assert signature.by_name == frozenset(["unit"])


def test_inputs_without_an_answer_are_mined_with_the_others() -> None:
    [function] = functions_of(b"def f(x): ...\n") or ()
    rows = [("20140107", "'20140107'", "str"), ("1 May 2015", "'20150501'", "str"), ("", "None", "NoneType")]
    rows += [("2016-02-03", "'20160203'", "str"), ("never", "None", "NoneType")]
    signature = signature_of(function, alike(asked(function, "sample", rows), 20, 1000))
    assert (signature.answer, signature.optional, signature.sizes) == ("text", True, ("len(F(x)) == 8",))
    texts = [conjecture.text for conjecture in conjectures(signature, function, ())]
    assert "f(x) is None or len(f(x)) == 8" in texts
    laws = [text for text in texts if "(" in text]
    assert all(law.startswith("f(x) is None or ") for law in laws)
    nothing = alike(asked(function, "sample", [(1, "None", "NoneType"), (2, "None", "NoneType")]), 20, 1000)
    assert (len(nothing), signature_of(function, nothing).answer) == (2, "other")


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["'ab'", "'cd'", "'ef'"], ("len(F(x)) == 2",)),
        (["'ab'", "'cd'", "'ab'"], ()),
        (["'a'", "'cd'", "'ef'", "'gh'"], ("len(F(x)) <= 2",)),
        (["'a'", "'cd'", "'ef'"], ()),
        (["[1]", "[2]", "[3]", "[]"], ("len(F(x)) <= 1",)),
        (["1", "2", "3"], ()),
        (["'ab'", "'cd'", "'ef'", "'cut off…"], ()),
    ],
)
def test_a_size_is_a_law_where_enough_different_answers_have_it(values: list[str], expected: tuple[str, ...]) -> None:
    assert sizes_of(values) == expected


def test_texts_that_begin_as_json_may_be_json() -> None:
    [function] = functions_of(b"def f(x): ...\n") or ()
    for value, tried in (("'[1, 2]'", True), ("'12'", False), ("[1, 2]", False)):
        some = alike(asked(function, "sample", [("x", value, "str")]), 20, 1000)
        texts = [conjecture.text for conjecture in conjectures(signature_of(function, some), function, ())]
        assert ("json_text" in texts) is tried


# -- what is kept ------------------------------------------------------------------------


def held(text: str, *kills: int, relation: str = "", right: int = 1, beside: int = 1) -> Held:
    use = CheckUse(name="law", params={"law": text}) if "(" in text else CheckUse(name=text)
    return Held(Conjecture(use, relation or text, len(text)), frozenset(kills), right, beside)


def kept(*some: Held, known: tuple[Held, ...] = (), most: int = 5) -> list[str]:
    return [one.conjecture.text for one in chosen(some, most, known)]


def test_each_next_one_notices_something_new() -> None:
    assert kept(held("f(x) <= x", 1, 2), held("f(x) >= 0", 2), held("f(-x) >= 0", 3), held("f(x) != 1")) == [
        "f(x) <= x",
        "f(-x) >= 0",
    ]


def test_of_equals_an_equation_comes_first_and_then_the_simplest() -> None:
    assert kept(held("f(x) <= x", 1), held("f(x + x) == 2 * f(x)", 1), held("f(x) == f(-x)", 1)) == ["f(x) == f(-x)"]


def test_a_number_that_was_seen_comes_last_of_equals() -> None:
    use = CheckUse(name="law", params={"law": "len(f(x)) == 8"})
    number = Held(Conjecture(use, "len(F(x)) == 8", 9, by_number=True), frozenset([1, 2]))
    assert kept(number, held("len(f(x)) <= len(x) + 1", 1, 2)) == ["len(f(x)) <= len(x) + 1"]
    assert kept(number) == ["len(f(x)) == 8"]


def test_what_is_wrong_beside_the_samples_comes_later_or_not_at_all() -> None:
    chance = held("f(x) == 3 * x", 1, 2, 3, right=3, beside=4)
    assert kept(chance, held("f(x) <= x", 1, 2)) == ["f(x) <= x", "f(x) == 3 * x"]
    assert kept(held("f(x) == 3 * x", 1, right=2, beside=4)) == []


def test_what_a_kept_one_implies_is_not_kept_beside_it() -> None:
    weaker = held("is_sorted", 2, relation="is_sorted")
    assert kept(held("f(x) == sorted(x)", 1, 3, relation="F(x) == sorted(x)"), weaker) == ["f(x) == sorted(x)"]


def test_an_implication_is_about_the_same_parameter() -> None:
    use = CheckUse(name="law", params={"law": "f(a, b) == sum(a)"})
    strong = Held(Conjecture(use, "F(x) == sum(x)", 1, about=("a",)), frozenset([1, 2]))
    for about, expected in ((("a",), 1), (("b",), 2)):
        weak = CheckUse(name="law", params={"law": f"f(a, b) <= sum({about[0]})"})
        assert (
            len(chosen([strong, Held(Conjecture(weak, "F(x) <= sum(x)", 1, about=about), frozenset([3]))])) == expected
        )


def test_what_is_known_already_counts_and_takes_no_place() -> None:
    known = (held("f(x) <= x", 1, 2),)
    assert kept(held("f(x) < 9", 1), held("f(x) >= 0", 3), known=known) == ["f(x) >= 0"]
    assert kept(*(held(f"f(x) != {n}", n) for n in range(9)), most=2) == ["f(x) != 0", "f(x) != 1"]


def test_implications_speak_of_relations_that_exist() -> None:
    names = {"is_sorted", "is_sorted reverse", "is_permutation", "same_length", "subset_of_input", "involution"}
    assert {*IMPLIES, *itertools.chain(*IMPLIES.values())} <= ALL | names


@given(st.lists(st.frozensets(st.integers(0, 8), max_size=5), max_size=12))
def test_enough_places_notice_all_that_can_be_noticed(kills: list[frozenset[int]]) -> None:
    some = [held(f"f(x) != {n}", *found) for n, found in enumerate(kills)]
    found = chosen(some, len(some))
    assert frozenset().union(*(one.kills for one in found)) == frozenset().union(*kills)
    assert found == chosen(some[::-1], len(some))
