"""Which of many laws that hold are worth keeping: few, that together notice as many mutants as all of them; pure."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from review.grammar import Conjecture

MOST = 5
_SORTED = "F(x) == sorted(x)"
IMPLIES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        _SORTED: ("is_sorted", "is_permutation", "F(x[::-1]) == F(x)", "F(sorted(x)) == F(x)"),
        "F(x) == sorted(x, reverse=True)": ("is_sorted reverse", "is_permutation", "F(x[::-1]) == F(x)"),
        "F(x) == x[::-1]": ("is_permutation", "involution", "F(x[::-1]) == F(x)[::-1]"),
        "is_permutation": ("same_length", "subset_of_input", "set(F(x)) == set(x)", "sum(F(x)) == sum(x)"),
        "set(F(x)) == set(x)": ("all(y in F(x) for y in x)", "subset_of_input", "bool(F(x)) == bool(x)"),
        "same_length": ("len(F(x)) <= len(x)", "len(F(x)) >= len(x)", "bool(F(x)) == bool(x)"),
        "F(x) == len(x)": ("F(x) <= len(x)", "F(x) >= len(x)", "bool(F(x)) == bool(x)"),
        "F(x) == sum(x)": ("F(x) <= sum(x)", "F(x) >= sum(x)"),
        "F(x + 1) == F(x) + 1": ("F(x + 1) > F(x)",),
        "F(x + 1) > F(x)": ("F(x + 1) >= F(x)",),
        "F(x + 1) - F(x) in (0, 1)": ("F(x + 1) >= F(x)",),
        "x <= F(x, k) <= k": ("min(x, k) <= F(x, k) <= max(x, k)", "F(x) >= x"),
        "len(F(x, k)) == min(k, len(x))": ("len(F(x)) <= len(x)",),
        "all(len(y) == k for y in F(x, k))": ("all(len(y) <= k for y in F(x, k))",),
        "all(0 < y <= x for y in F(x))": ("all(y <= x for y in F(x))",),
    }
)


@dataclass(frozen=True)
class Held:
    """A law that holds, the numbers of the mutants that it notices, and how it does beside the samples.

    `beside` are inputs like the samples that the function answers; the law is right on `right` of them. Where it
    is wrong on some, either those are inputs that nobody means, or it held on the samples by chance.
    """

    conjecture: Conjecture
    kills: frozenset[int]
    right: int = 0
    beside: int = 0

    @property
    def is_sure(self) -> bool:
        return self.right == self.beside

    @property
    def is_likely(self) -> bool:
        """Whether it is more than what happens to be so on these samples."""
        return 4 * self.right >= 3 * self.beside


def chosen(held: Sequence[Held], most: int = MOST, known: Sequence[Held] = ()) -> tuple[Held, ...]:
    """At most `most` of them: each next one notices most mutants that none before it, and none of `known`, did.

    Those that are right beside the samples, too, come first; of equals an equation, which leaves least open, then
    the simplest. One that notices nothing new is left out, and so is what a chosen one implies by its form.
    """
    likely = [one for one in held if one.is_likely]
    kept: list[Held] = []
    seen = {kill for one in known for kill in one.kills}
    while len(kept) < most:
        left = [one for one in likely if one.kills - seen and not any(_implied(one, by) for by in (*known, *kept))]
        if not left:
            break
        best = min(left, key=lambda one: (not one.is_sure, -len(one.kills - seen), *_preference(one.conjecture)))
        kept.append(best)
        seen |= best.kills
    return tuple(kept)


def _implied(one: Held, by: Held) -> bool:
    """Whether a law follows from another, about the same parameters."""
    weak, strong = one.conjecture, by.conjecture
    return weak.about == strong.about[: len(weak.about)] and weak.relation in _closure(strong.relation)


def _preference(conjecture: Conjecture) -> tuple[int, int, str]:
    return _looseness(conjecture), conjecture.size, conjecture.text


def _looseness(conjecture: Conjecture) -> int:
    """0 for an equation that holds everywhere and for a named check, 1 for anything that leaves more open.

    2 for a number that was seen: whether it is meant nobody can tell from the samples.
    """
    if conjecture.by_number:
        return 2
    law = conjecture.use.law
    node = ast.parse(law, mode="eval").body if law else None
    return int(node is not None and not (isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq)))


def _closure(relation: str) -> set[str]:
    found = {relation}
    pending = [relation]
    while pending:
        more = set(IMPLIES.get(pending.pop(), ())) - found
        found |= more
        pending += more
    return found - {relation}
