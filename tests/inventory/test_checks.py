"""Each built-in check: green where its law holds, red where it does not, and exact about types."""

from __future__ import annotations

import builtins
import copy
from collections.abc import Callable
from typing import Any

import pytest

from inventory.checks import BUILTIN
from inventory.functions import Parameter
from inventory.target import Answer, Around, BadSample, Function, Raised
from inventory.values import Stream, Structure

ONE = Around((Parameter("x", "positional"),))


class Module:
    """Functions by name, called here as the subject would: on copies, with exceptions as Raised."""

    def __init__(self, **functions: Callable[..., Any]) -> None:
        self._functions = functions

    def send(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any], *, after: bool = False) -> Answer:
        args, kwargs = copy.deepcopy((args, kwargs))
        try:
            value = self._functions[name](*args, **kwargs)
        except Exception as error:  # noqa: BLE001  # whatever the function raises is its answer
            names = tuple(kind.__name__ for kind in type(error).__mro__[:-1])
            raise Raised.of(names, str(error)) from None
        return Answer(value, args if after else (), kwargs if after else {})


def run(name: str, fn: Callable[..., Any], sample: Any, call: str = "sample", **more: Any) -> None:
    functions = {key: more.pop(key) for key in list(more) if callable(more[key])}
    BUILTIN[name](Function(Module(fn=fn, **functions).send, "fn", call, ONE), sample, **more)


def upper(text: str) -> str:
    return text.upper()


def flip(text: str, *, reverse: bool) -> str:
    return f"<{text}" if reverse else text.removeprefix("<")


def fail(_: Any) -> Any:
    raise KeyError("x")


GREEN: list[tuple[str, Callable[..., Any], Any, dict[str, Any]]] = [
    ("roundtrip", flip, "abc", {}),
    ("roundtrip", str, 12, {"inverse": "back", "back": int}),
    ("roundtrip", lambda a, b: f"{a},{b}", [1, 2],
     {"inverse": "back", "back": lambda t: tuple(map(int, t.split(","))), "call": "args"}),
    ("no_extra_keys", lambda d: {**d, "ok": True}, {"a": 1}, {}),
    ("no_extra_keys", lambda d: {**d, "extra": 1}, {"a": 1}, {"allowed": "extra"}),
    ("lo_le_hi", lambda lo, hi, x: max(lo, min(hi, x)), {"lo": 0, "hi": 3, "x": 9}, {}),
    ("output_in_range", lambda lo, hi, _: (lo + hi) / 2, {"lo": 3, "hi": 0, "x": 9}, {}),
    ("law", abs, -2, {"law": "fn(fn(x)) == fn(x) and fn(x) in (x, -x)"}),
    ("never_raises", upper, "a", {}),
    ("never_raises", fail, "a", {"allowed": "LookupError"}),
    ("raises", fail, "a", {"allowed": ["KeyError"]}),
    ("deterministic", upper, "a", {}),
    ("idempotent", upper, "aB", {}),
    ("idempotent", max, [3, 5], {"call": "args"}),
    ("idempotent", lambda x, low: max(low, x), {"x": 3, "low": 5}, {"call": "kwargs"}),
    ("involution", lambda text: text[::-1], "abc", {}),
    ("does_not_mutate", sorted, [3, 1], {}),
    ("does_not_mutate", lambda items, n: [*items, n], [[1], 2], {"call": "args"}),
    ("is_sorted", sorted, [3, 1, 2], {}),
    ("is_sorted", lambda v: sorted(v, reverse=True), [3, 1], {"reverse": True}),
    ("is_sorted", lambda v: sorted(v, key=lambda d: d["n"]), [{"n": 2}, {"n": 1}], {"key": "n"}),
    ("is_sorted", lambda v: Stream(sorted(v)), [3, 1], {}),
    ("is_permutation", lambda v: v[::-1], [1, {"a": [1]}, 1], {}),
    ("same_length", lambda v: v[::-1], [1, 2], {}),
    ("length_at_most", lambda t: t[:3], "abcdef", {"limit": 3}),
    ("subset_of_input", lambda v: v[:1], [[1], [2]], {}),
    ("no_duplicates", lambda v: list(dict.fromkeys(v)), ["a", "a"], {}),
    ("no_duplicates", lambda _: [1, True, 1.0], 0, {}),
    ("returns_type", lambda _: None, 0, {"type": "None"}),
    ("returns_type", lambda _: Structure("app.money.Money", {}), 0, {"type": ["int", "Money"]}),
    ("matches", upper, "ab", {"pattern": "[A-Z]+"}),
    ("in_range", abs, -3, {"min": 0, "max": 3}),
    ("non_negative", abs, -3, {}),
    ("one_of", upper, "a", {"values": ["A", "B"]}),
    ("commutative", lambda a, b: a + b, [1, 2], {}),
    ("associative", lambda a, b: a + b, [1, 2, 3], {}),
    ("non_decreasing", lambda x: x // 2, [7, 3], {}),
    ("has_keys", lambda _: {"a": 1}, 0, {"keys": ["a"]}),
    ("has_keys", lambda _: Structure("m.R", {"a": 1}), 0, {"keys": "a"}),
    ("equals_reference", sorted, [2, 1], {"reference": "slow", "slow": sorted}),
    ("equals_reference", fail, "a", {"reference": "slow", "slow": fail}),
    ("json_serializable", lambda _: {"a": [1, 2.5, None, (True,)]}, 0, {}),
    ("json_text", lambda _: ' {"a": [1, 2.5, null]}', 0, {}),
]  # fmt: skip

RED: list[tuple[str, Callable[..., Any], Any, dict[str, Any], str]] = [
    ("roundtrip", lambda t, **_: t + "x", "a", {}, "'axx'"),
    ("roundtrip", str, 1.0, {"inverse": "back", "back": lambda t: int(float(t))}, "1 (int) is not 1.0 (float)"),
    ("no_extra_keys", lambda d: {**d, "new": 1}, {"a": 1}, {}, "['new']"),
    ("no_extra_keys", lambda _: 3, {}, {}, "3 (int) is not a mapping"),
    ("lo_le_hi", lambda *window: window[2], {"lo": 0, "hi": 3, "x": 9}, {}, "9 is not between"),
    ("lo_le_hi", lambda *window: window[2], {"lo": 3, "hi": 0, "x": 1}, {}, "lo 3 is above hi 0"),
    ("output_in_range", lambda *_: True, {"lo": 0, "hi": 3, "x": 9}, {}, "not a number"),
    ("never_raises", fail, 1, {}, "raised KeyError"),
    ("never_raises", fail, 1, {"allowed": ["ValueError"]}, "raised KeyError"),
    ("raises", upper, "a", {"allowed": "ValueError"}, "returned 'A' and raised nothing"),
    ("idempotent", lambda t: t + "x", "a", {}, "'axx' is not 'ax'"),
    ("involution", upper, "a", {}, "'A' is not 'a'"),
    ("does_not_mutate", lambda v: v.sort(), [2, 1], {}, "the argument changed: at [0]"),
    ("does_not_mutate", lambda d: d.update(b=1), {"a": 1}, {}, "key 'b' is missing"),
    ("is_sorted", lambda v: v, [2, 1], {}, "2 comes before 1"),
    ("is_sorted", lambda v: v, [1, "a"], {}, "have no order"),
    ("is_sorted", lambda v: v, [{"n": 2}, {"n": 1}], {"key": "n"}, "2 comes before 1"),
    ("is_permutation", lambda _: [1, 1.0], [1, 1], {}, "lost [1], gained [1.0]"),
    ("same_length", lambda v: v[1:], [1, 2], {}, "1 long, the input is 2 long"),
    ("length_at_most", upper, "abc", {"limit": 2}, "the limit is 2"),
    ("subset_of_input", lambda _: [True], [1], {}, "[True]"),
    ("no_duplicates", lambda v: v, [[1], [1]], {}, "more than once"),
    ("returns_type", lambda _: True, 0, {"type": "int"}, "True is a bool, not a int"),
    ("matches", upper, "ab", {"pattern": "[A-Z]"}, "does not match"),
    ("matches", len, "ab", {"pattern": ".*"}, "2 is not a str"),
    ("in_range", abs, -4, {"max": 3}, "4 is above 3"),
    ("law", float, 1, {"law": "fn(x) == x"}, "1.0 (float) is not 1 (int); fn(1) = 1.0"),
    ("law", lambda _: None, 1, {"law": "len(fn(x)) == x"}, "None (NoneType) is no collection; fn(1) = None"),
    ("non_negative", lambda x: x, -0.5, {}, "-0.5 is negative"),
    ("one_of", lambda _: 1, 0, {"values": [True, 1.0]}, "1 is none of"),
    ("commutative", lambda a, b: a - b, [1, 2], {}, "-1 is not 1"),
    ("associative", lambda a, b: a - b, [1, 2, 3], {}, "-4 is not 2"),
    ("non_decreasing", lambda x: -x, [3, 7], {}, "3 gives -3, but 7 gives -7"),
    ("has_keys", lambda _: {}, 0, {"keys": ["a"]}, "['a']"),
    ("equals_reference", sorted, [2, 1], {"reference": "slow", "slow": list}, "differs from slow"),
    ("equals_reference", fail, 1, {"reference": "slow", "slow": abs}, "differs from slow"),
    ("json_serializable", lambda _: {"a": [{1: 2}]}, 0, {}, "at ['a'][0]: the key 1 is not a str"),
    ("json_serializable", lambda _: float("inf"), 0, {}, "no JSON number"),
    ("json_serializable", lambda _: {"a": b"x"}, 0, {}, "(bytes) is not JSON"),
    ("json_text", lambda _: "{'a': 1}", 0, {}, "in line 1: not JSON"),
    ("json_text", lambda _: '{"a": 1, "a": 2}', 0, {}, "stands twice"),
    ("json_text", lambda _: "NaN", 0, {}, "not a JSON number"),
    ("json_text", lambda _: {"a": 1}, 0, {}, "is not a str"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "fn", "sample", "more"), GREEN)
def test_a_law_that_holds_is_green(name: str, fn: Callable[..., Any], sample: Any, more: dict[str, Any]) -> None:
    run(name, fn, sample, **dict(more))


@pytest.mark.parametrize(("name", "fn", "sample", "more", "words"), RED)
def test_a_law_that_does_not_hold_is_red_and_says_why(
    name: str, fn: Callable[..., Any], sample: Any, more: dict[str, Any], words: str
) -> None:
    with pytest.raises(AssertionError) as caught:
        run(name, fn, sample, **dict(more))
    assert words in str(caught.value)


def test_every_check_is_tried_both_ways() -> None:
    cannot_fail_here = {"deterministic"}
    assert {case[0] for case in GREEN} == set(BUILTIN)
    assert {case[0] for case in RED} == set(BUILTIN) - cannot_fail_here


def test_a_function_that_changes_its_mind_is_not_deterministic() -> None:
    answers = iter([1, 2])
    with pytest.raises(AssertionError, match="1 is not 2"):
        run("deterministic", lambda _: next(answers), 0)


def test_an_exception_that_no_check_allows_passes_through() -> None:
    with pytest.raises(Raised, match="KeyError"):
        run("idempotent", fail, 1)


@pytest.mark.parametrize(
    ("name", "sample", "call"),
    [
        ("lo_le_hi", [1, 2, 3], "sample"),
        ("commutative", [1], "sample"),
        ("associative", {"a": 1}, "sample"),
        ("no_extra_keys", [1], "sample"),
        ("deterministic", {"a": 1}, "args"),
        ("deterministic", [1], "kwargs"),
    ],
)
def test_a_sample_of_the_wrong_form_is_the_fixtures_fault(name: str, sample: Any, call: str) -> None:
    with pytest.raises(BadSample):
        run(name, lambda *_: {}, sample, call)


@pytest.mark.parametrize("kind", [kind for kind in vars(builtins).values() if isinstance(kind, type)])
def test_every_exception_of_python_crosses_with_its_text(kind: type) -> None:
    if issubclass(kind, BaseException):
        assert str(Raised.of((kind.__name__, "BaseException"), "text")) == f"{kind.__name__}: text"


def test_an_exception_can_be_caught_by_the_type_of_python_itself() -> None:
    raised = Raised.of(("app.errors.ParseError", "ValueError", "Exception"), "bad", "app/errors.py:3")
    with pytest.raises(ValueError, match=r"app\.errors\.ParseError: bad"):
        raise raised
    assert raised.is_a("ParseError")
    assert raised.is_a("app.errors.ParseError")
    assert not raised.is_a("KeyError")
    for name in ("SystemExit", "KeyboardInterrupt"):
        assert type(Raised.of((name, "BaseException"))) is Raised
    for name in ("OSError", "UnicodeDecodeError", "KeyError", "StopIteration", "ImportError"):
        assert str(Raised.of((name,), "why")) == f"{name}: why"
