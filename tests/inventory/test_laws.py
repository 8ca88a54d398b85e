"""A law as text: what it may say, what is worth saying, how it reads, and how a sample becomes its parameters."""

from __future__ import annotations

from typing import Any

import pytest

from inventory.digests import claim_digest
from inventory.functions import functions_of
from inventory.law_binding import bound
from inventory.law_functions import FUNCTIONS
from inventory.law_lint import lint, objections
from inventory.law_methods import METHODS
from inventory.law_names import Scope, siblings_of
from inventory.law_syntax import LawFault, parse_law
from inventory.law_words import names_of, reading
from inventory.records import CheckUse
from inventory.target import BadSample
from inventory.values import Stream, Structure
from tests.fence import ROOT
from tests.laws import on, tried

SCOPE = Scope("f", ("x", "y"), ("g",))
SOURCE = "def f(x, y=0):\n    if x < 0:\n        return -x\n    return max(x, y)\n"
[FUNCTION] = functions_of(SOURCE.encode()) or ()


def judge(text: str, sample: Any, answer: Any) -> None:
    tried(text, lambda _: answer, sample)


@pytest.mark.parametrize(
    ("text", "sample", "answer"),
    [
        ("f(x) == x", 1, 1),
        ("f(x) != x", 1, True),
        ("f(x) != x", [1, 2], (1, 2)),
        ("x in f(x) and 1.0 not in f(x)", 1, [1, 2]),
        ("f(x).index(x) == 1 and f(x).count(x) == 1", 1, [True, 1]),
        ("{1, 2} & set(f(x)) == {1}", 0, [1, 3]),
        ("list(f(x)) == x and f(x) != x", [1, 2], Stream([1, 2])),
        ("not isinstance(f(x), list) and len(f(x)) == 1", 0, Stream([1])),
        ("len(f(x)) == 2 and f(x)['a'] == 1", 0, Structure("app.Box", {}, base={"a": 1, "b": 2})),
        ("sorted(f(x), key=lambda p: -p[0], reverse=False) == [(2, 'a'), (1, 'b')]", 0, [(1, "b"), (2, "a")]),
        ("all(a <= b for a, b in zip(f(x), f(x)[1:]))", 0, [1, 2, 2]),
        ("{k: len(v) for k, v in f(x).items()} == {'a': 2}", 0, {"a": "xy"}),
        ("isinstance(f(x), (int, str)) and f(x) is not None and (f(x) or x) == 5", 5, 0),
        ("max(f(x), key=len) == 'ccc' and min(f(x), default=0) == 'a'", 0, ["a", "ccc"]),
        ("'-'.join(f(x)).replace('-', '').zfill(4) == '00ab'", 0, ["a", "b"]),
        ("close(f(x), [0.3, 1])", 0, [0.1 + 0.2, 1]),
        ("f(x).get('k', 7) == 7 if not x else False", 0, {"j": 1}),
        ("-f(x) ** 2 == -9 and f(x) // 2 == 1 and f(x) << 1 == 6 and ~f(x) == -4 and f(x) % 2 == 1", 0, 3),
        ("int(hex(f(x)), 16) == int(oct(f(x)), 8) == int(bin(f(x))[2:], 2) == 11 and chr(ord('a')) == 'a'", 0, 11),
        ("list(enumerate(reversed(f(x)), 1)) == [(1, 2), (2, 1)] and divmod(7, 2) == (3, 1)", 0, [1, 2]),
        ("{} == f(x)", 0, {}),
        ("not set(f(x)) <= {1} and not set(f(x)).issubset({1, 2}) and {1}.isdisjoint(f(x))", 0, [True]),
        ("set(f(x)) < {1, 2} and {1, 2} >= {1} and not {True} >= {1} and {1}.issuperset([])", 0, [1]),
        ("len(set(f(x))) == 2", 0, [-1, -2] * 9000),
    ],
)  # fmt: skip
def test_a_law_that_is_true(text: str, sample: Any, answer: Any) -> None:
    judge(text, sample, answer)


@pytest.mark.parametrize(
    ("text", "sample", "answer", "says"),
    [
        ("f(x) == x", 1, True, "True (bool) is not 1 (int); f(1) = True"),
        ("f(x) == x", [0, 1], [0, 2], "at [1]: 2 is not 1"),
        ("f(x)", 1, 5, "gives 5, neither True nor False"),
        ("len(f(x)) == x", 1, None, "None (NoneType) is no collection"),
        ("f(x)[3] == x", 1, [1], "has 1 items, so none at 3"),
        ("f(x)['a'] == x", 1, {"b": 1}, "has no key 'a'"),
        ("f(x) < x", 1, "a", "'a' < 1 makes no sense (str < int)"),
        ("sorted(f(x)) == x", 1, [1, "a"], "sorted(f(x)): '<' not supported"),
        ("1 / f(x) == x", 1, 0, "1 / f(x): division by zero"),
        ("all(v > 1 for v in f(x))", 0, [2, 1], "1 > 1 does not hold with v = 1"),
        ("f(x).split() == x", 0, 3, "3 (int) is no text"),
        ("f(x) < x", 1, Structure("app.Box", {}), "app.Box"),
        ("f(x) == f(x)", 1, Structure("app.Box", None), "cannot be compared"),
        ("f(x).index(9) == x", 0, [1], "9 is not in [1]"),
    ],
)
def test_a_law_that_is_not_true_says_why(text: str, sample: Any, answer: Any, says: str) -> None:
    with pytest.raises(AssertionError) as caught:
        judge(text, sample, answer)
    assert text in str(caught.value)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sorted(x) == sorted(x)", "it never calls f"),
        ("x >= 0", "it never calls f: say something about what f(x, y) gives"),
        ("f(x, y) == f(x, y)", "both sides are f(x, y)"),
        ("f(x) == 0 or True", "True decides a part of it by itself"),
        ("len(f(x)) >= 0", "a length is never negative"),
        ("isinstance(f(x), list) and 0 <= len(f(x))", "a length is never negative"),
        ("f(x) == 1 or not []", "not [] decides a part of it by itself"),
        ("1 < 2 or f(x) == 1", "1 < 2 decides a part of it by itself"),
        ("all(f(x) == v for v in [x] if len('a'))", "len('a') decides a part of it by itself"),
        ("all(f(x) == v for v in [])", "it goes through [], which has no items"),
        ("close(f(x), f(x))", "both sides are f(x)"),
        ("raises('Exception', f(x))", "Exception is every mistake as well"),
        ("x != 0 or raises('BaseException', f(x))", "BaseException is every mistake as well"),
        ("f(x, y) == (-x if x < 0 else max(x, y))", "is the body of f written again"),
        ("max(x, y) == f(x, y)", "max(x, y) is the body of f written again"),
        ("isinstance(f(x), int)", "it tests only the type"),
        ("f(x) is not None and isinstance(f(x), (int, float))", "it tests only the type"),
        ("f(x) != None", "it tests only the type"),
        ("f(10) == 10", "f(10) is an example, not a law: write f(x, y)"),
        ("f([1, -2], 3) == f(2, y=3)", "is an example"),
        ("all(f(n) >= 0 for n in range(9))", "it names no parameter"),
        ("f(z) == x", "column 3 of the law: z is no parameter of f (it has x, y)"),
        ("h(x) == f(x)", "h is neither one of f, g nor a function that a law may call"),
        ("f(x).pop() == 1", ".pop is no method that a law may call"),
        ("f == x", "f is a function: call it"),
        ("raises(ValueError, f(x))", "raises wants the name of an exception as text"),
        ('raises("ValueError", x) or f(x) == 1', "raises wants a call"),
        ("len(f(x), x) == 1", "len takes 1 arguments, not 2"),
        ("sorted(f(x), cmp=x) == x", "sorted has no argument cmp"),
        ("isinstance(f(x), object)", "the types are int, float"),
    ],
)
def test_what_is_not_worth_a_vote_is_told_with_the_reason(text: str, reason: str) -> None:
    [told, *_] = lint(parse_law(text), SCOPE, FUNCTION)
    assert reason in told


@pytest.mark.parametrize(
    "text",
    [
        "f(f(x)) == f(x)",
        "f(x, y) == f(y, x)",
        "g(f(x)) == x and f(x) is not None",
        "f(x, 0) == x or x < 0",
        "f(0) == 0 and f(x) >= x",
        "max(f(x), 0) == f(x)",
        "(f(x) or []) == [x]",
        "all(f(x + n) >= f(x) for n in [1, 2, 3] if n > y)",
        'raises("ValueError", f(x)) == (x == 7)',
    ],
)
def test_a_law_worth_a_vote_has_nothing_against_it(text: str) -> None:
    assert lint(parse_law(text), SCOPE, FUNCTION) == ()


def test_siblings_are_listed_exactly_where_laws_call_them() -> None:
    assert objections(["f(x) >= x"], SCOPE, FUNCTION) == ("siblings lists g, which no law calls: leave it out",)
    assert objections(["g(f(x)) == x", "f(x) >= x"], SCOPE, FUNCTION) == ()
    assert siblings_of(parse_law("C.back(f(x)) == g(x)"), "f", ("f", "g", "C.back", "h")) == ("g", "C.back")


def test_a_parameter_or_an_item_hides_a_word_of_its_name() -> None:
    scope = Scope("sieve", ("max",))
    assert lint(parse_law("all(p <= max for p in sieve(max))"), scope) == ()
    assert "max is a value here" in lint(parse_law("max(sieve(max)) == 1"), scope)[0]
    assert "len is a value here" in lint(parse_law("[len(len) for len in sieve(max)] == []"), scope)[0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("f(f(x)) == f(x)", "idempotent"),
        ("list(f(list(f(x)))) == list(f(x))", "idempotent"),
        ("f(f(x)) == x", "involution"),
        ("g(f(x)) == x", "g gives back the x that f was given (round trip)"),
        ("f(x, y) == f(y, x)", "the order of x and y does not matter to f (symmetry)"),
        ("sorted(f(x)) == sorted(x)", "f(x) holds exactly the items of x (permutation)"),
        ("f(x) == sorted(f(x))", "f(x) is in order"),
        ("len(f(x)) == len(x)", "f(x) has len(x) items"),
        ("f(x + [y]) == f(x) + [y]", "growth"),
        ("x <= f(x, y) <= y", "f(x, y) lies between x and y (bounds)"),
        ("f(x) >= x", "x is at most f(x) (bound)"),
        ("f(x) == x * 2", "f(x) is x * 2 (output against input)"),
        ("not x or f(x) == g(x)", "where x, f(x) is g(x)"),
        ('raises("ValueError", f(x)) == (x < 0)', "f(x) raises ValueError exactly where x < 0"),
        ("all(v in x for v in f(x))", "for every v of f(x), v is in x"),
        ("f(x) >= 0 and f(f(x)) == f(x)", "0 is at most f(x) (bound); and f changes nothing"),
    ],
)
def test_a_known_shape_is_read_in_words(text: str, words: str) -> None:
    assert words in (reading(parse_law(text), SCOPE) or "")


def test_each_name_of_a_law_has_its_meaning() -> None:
    found = dict(names_of(parse_law("sorted(f(x)) == [v.strip() for v in g(x)]"), SCOPE, FUNCTION))
    assert found["f"] == "the function under test"
    assert found["g"] == "another function of the module"
    assert found["sorted"] == "the items in order, as a list"
    assert found[".strip"] == "without white space around"
    assert found["v"] == "each item of g(x)"
    assert found["x"] == "a parameter"


def test_white_space_quotes_and_brackets_claim_nothing_new() -> None:
    texts = ["f(x)=='a'", ' ( f( x ) ) == "a"']
    one, other = (CheckUse.model_validate({"law": text}) for text in texts)
    assert one.to_data() == {"law": texts[0]}
    assert claim_digest("m", "f", [one]) == claim_digest("m", "f", [other])
    assert claim_digest("m", "f", [one]) != claim_digest("m", "f", [one], ["g"])
    assert claim_digest("m", "f", [one]) != claim_digest("m", "f", [CheckUse.model_validate({"law": "f(x) == 'b'"})])


@pytest.mark.parametrize(
    ("text", "column"), [("f(x) == x.y", 9), ("  f(x) == ...", 11), ("f(x) == \t1", 9), ("f(x) ==", 8)]
)
def test_a_fault_is_told_with_its_column(text: str, column: int) -> None:
    with pytest.raises(LawFault) as caught:
        parse_law(text)
    assert caught.value.column == column


def test_the_page_names_every_function_and_method() -> None:
    page = (ROOT / "docs" / "laws.md").read_text()
    assert all(f"| `{name}` | {word.meaning} |" in page for name, word in FUNCTIONS.items())
    assert all(f"`{name}`" in page for name in METHODS)


SIGNATURES = {
    "one": "def f(x): pass",
    "two": "def f(a, b): pass",
    "more": "def f(a, b=2, *rest, c=(3,), d=len, **named): pass",
}


@pytest.mark.parametrize(
    ("which", "call", "sample", "names"),
    [
        ("one", "sample", [1, 2], {"x": [1, 2]}),
        ("one", "args", [1], {"x": 1}),
        ("one", "kwargs", {"x": 1}, {"x": 1}),
        ("two", "sample", [1, 2], {"a": 1, "b": 2}),
        ("two", "sample", {"a": 1, "b": 2}, {"a": 1, "b": 2}),
        ("more", "args", [1], {"a": 1, "b": 2, "rest": [], "c": (3,), "named": {}}),
        ("more", "args", [1, 2, 3, 4], {"a": 1, "b": 2, "rest": [3, 4], "c": (3,), "named": {}}),
        ("more", "kwargs", {"a": 1, "d": 5, "z": 6}, {"a": 1, "b": 2, "rest": [], "c": (3,), "d": 5,
                                                      "named": {"z": 6}}),
    ],
)  # fmt: skip
def test_a_sample_becomes_the_parameters_by_name(which: str, call: str, sample: Any, names: dict[str, Any]) -> None:
    parameters = on(SIGNATURES[which], f=len).around.parameters or ()
    assert bound("f", parameters, call, sample) == names


@pytest.mark.parametrize(
    ("which", "call", "sample", "fault"),
    [
        ("two", "sample", 5, "f needs b, which the sample does not give"),
        ("two", "args", [1], "f needs b"),
        ("two", "args", [1, 2, 3], "f takes a, b, and the sample gives 3 arguments"),
        ("two", "kwargs", {"a": 1, "b": 2, "c": 3}, "f takes a, b, and the sample gives c"),
        ("one", "args", 5, "call: args needs a list"),
    ],
)
def test_a_sample_that_does_not_fit_is_named(which: str, call: str, sample: Any, fault: str) -> None:
    parameters = on(SIGNATURES[which], f=len).around.parameters or ()
    with pytest.raises(BadSample, match=fault):
        bound("f", parameters, call, sample)
