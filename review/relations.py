"""The relations of one parameter that mining tries: laws with F for the function, x for a parameter; pure.

G stands for another function. Each relation is one line; which lines are tried follows from the kinds of values
seen, of x and of the answer. One that does not fit a function fails on its samples, so a line need not say where
it holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

ONE: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("list", "list"): """
            F(x) == sorted(x)
            F(x) == sorted(x, reverse=True)
            F(x) == x[::-1]
            set(F(x)) == set(x)
            all(y in F(x) for y in x)
            len(F(x)) <= len(x)
            len(F(x)) >= len(x)
            len(F(x)) == 2 ** len(x)
            len(F(x)) == len(set(x))
            sum(F(x)) == sum(x)
            bool(F(x)) == bool(x)
            not x or F(x)[0] == x[0]
            not x or F(x)[-1] == x[-1]
            not x or F(x)[0] == min(x)
            not x or F(x)[-1] == max(x)
            [] in F(x)
            x in F(x)
            all(len(y) <= len(x) for y in F(x))
            all(z in x for y in F(x) for z in y)
            all(y in [z for w in F(x) for z in w] for y in x)
            [z for y in F(x) for z in y] == x
            sum(len(y) for y in F(x)) == len(x)
            not any(isinstance(y, list) for y in F(x))
            F(x[::-1]) == F(x)
            F(x[::-1]) == F(x)[::-1]
            F(sorted(x)) == F(x)
            F(x + x) == F(x) + F(x)
            F(x + x) == F(x)
            len(F(x + x)) == 2 * len(F(x))
            F(x) == F(x[:1]) + F(x[1:])
            F(x[1:]) == F(x)[1:]
            F(x[:-1]) == F(x)[:-1]
            len(F(x[1:])) <= len(F(x))
            not x or len(F(x)) == len(F(x[1:])) + 1
            not x or len(F(x)) == 2 * len(F(x[1:]))
            all(y in F(x) for y in F(x[1:]))
            all(x[:1] + y in F(x) for y in F(x[1:]))
            F([x]) == F(x)
            F([x]) == [F(x)]
            F([x, x]) == F(x) + F(x)
            F([y + 1 for y in x]) == [y + 1 for y in F(x)]
            F([2 * y for y in x]) == [2 * y for y in F(x)]
            F([-y for y in x]) == [-y for y in F(x)][::-1]
            F([-y for y in x]) == [-y for y in F(x)]
            """,
        ("list", "number"): """
            F(x) == len(x)
            F(x) <= len(x)
            F(x) >= len(x)
            F(x) == len(set(x))
            F(x) <= len(set(x))
            F(x) == sum(x)
            F(x) <= sum(x)
            F(x) >= sum(x)
            not x or F(x) in x
            not x or F(x) == max(x)
            not x or F(x) == min(x)
            not x or F(x) >= max(x)
            not x or min(x) <= F(x) <= max(x)
            bool(F(x)) == bool(x)
            F(x[::-1]) == F(x)
            F(sorted(x)) == F(x)
            F(x + x) == F(x)
            F(x + x) == 2 * F(x)
            F(x + [0]) == F(x)
            F(x) == F(x[:1]) + F(x[1:])
            F(x) <= F(x[:1]) + F(x[1:])
            F(x) >= F(x[1:])
            F(x) <= F(x[1:])
            F(x) - F(x[1:]) in (0, 1)
            F([y + 1 for y in x]) == F(x) + 1
            F([y + 1 for y in x]) == F(x)
            F([2 * y for y in x]) == 2 * F(x)
            F([2 * y for y in x]) == F(x)
            F([-y for y in x]) == F(x)
            F([-y for y in x]) == -F(x)
            """,
        ("list", "flag"): """
            F(x) == bool(x)
            F(x) == (x == sorted(x))
            F(x) == (x == x[::-1])
            F(x) == (len(set(x)) == len(x))
            F(x[::-1]) == F(x)
            F(sorted(x)) == F(x)
            F(x + x) == F(x)
            not F(x) or F(x[1:])
            F(x[1:]) or not F(x)
            not F(x[1:]) or F(x)
            """,
        ("list", "text"): """
            F(x) == ''.join(x)
            all(y in F(x) for y in x)
            all(str(y) in F(x) for y in x)
            F(x[::-1]) == F(x)
            F(sorted(x)) == F(x)
            F(x + x) == F(x) + F(x)
            F(x) == F(x[:1]) + F(x[1:])
            len(F(x[1:])) <= len(F(x))
            bool(F(x)) == bool(x)
            not x or F(x).startswith(x[0])
            not x or F(x).endswith(x[-1])
            """,
        ("list", "mapping"): """
            set(F(x)) == set(x)
            all(y in F(x) for y in x)
            all(y in x for y in F(x))
            len(F(x)) <= len(x)
            sum(F(x).values()) == len(x)
            sum(len(y) for y in F(x).values()) == len(x)
            all(F(x)[y] == x.count(y) for y in x)
            all(y in x for z in F(x).values() for y in z)
            all(y in F(x) for y in F(x[1:]))
            F(x[::-1]) == F(x)
            bool(F(x)) == bool(x)
            """,
        ("number", "number"): """
            F(x) <= x
            F(x) >= x
            abs(F(x)) <= abs(x)
            F(x) in (-1, 0, 1)
            bool(F(x)) == bool(x)
            (F(x) > 0) == (x > 0)
            F(-x) == F(x)
            F(-x) == -F(x)
            F(x + 1) >= F(x)
            F(x + 1) > F(x)
            F(x + 1) <= F(x)
            F(x + 1) == F(x) + 1
            F(x + 1) - F(x) in (0, 1)
            F(2 * x) == F(x)
            F(2 * x) == 2 * F(x)
            F(2 * x + 1) == F(x) + 1
            F(10 * x) == 10 * F(x)
            F(x) == F(x // 2) + x % 2
            x < 1 or F(x) == F(x - 1) + x
            x < 1 or F(x) == x * F(x - 1)
            x < 2 or F(x) == F(x - 1) + F(x - 2)
            F(x) % 2 == x % 2
            F(x) == 0 or x % F(x) == 0
            F(x) ** 2 <= x < (F(x) + 1) ** 2
            close(F(x) ** 2, x)
            """,
        ("number", "text"): """
            int(F(x)) == x
            close(float(F(x)), x)
            F(x).startswith(str(x))
            str(x) in F(x)
            F(-x) == '-' + F(x)
            F(x + 1) != F(x)
            len(F(x + 1)) >= len(F(x))
            len(F(10 * x)) >= len(F(x))
            F(x).strip() == F(x)
            F(x).isdigit()
            F(int(x)) == F(x)
            F(float(x)) == F(x)
            F(str(x)) == F(x)
            ''.join(y for y in F(x) if y.isdigit()) == str(abs(x))
            """,
        ("number", "list"): """
            len(F(x)) == x
            len(F(x)) <= x
            sum(F(x)) == x
            all(y <= x for y in F(x))
            all(0 < y <= x for y in F(x))
            all(x % y == 0 for y in F(x))
            all(y == z or y % z != 0 for y in F(x) for z in F(x))
            all(any(z % y == 0 for y in F(x)) for z in range(2, x + 1))
            bool(F(x)) == (x > 0)
            bool(F(x)) == (x > 1)
            x in F(x) or F(x) == F(x - 1)
            F(x + 1)[:len(F(x))] == F(x)
            x < 1 or F(x)[:len(F(x - 1))] == F(x - 1)
            x < 1 or len(F(2 * x)) > len(F(x))
            x < 1 or F(x)[-1] == x
            all(y in F(x + 1) for y in F(x))
            all(y in F(y) for y in F(x))
            """,
        ("number", "flag"): """
            F(x) == (x > 0)
            F(x) == (x % 2 == 0)
            not F(x) or x > 0
            F(-x) == F(x)
            F(x + 1) != F(x)
            F(2 * x) == F(x)
            F(x + 2) == F(x)
            """,
        ("text", "text"): """
            F(x) == x[::-1]
            F(x.strip()) == F(x)
            F(x).strip() == F(x)
            F(x.lower()) == F(x)
            F(x).lower() == F(x)
            F(x).upper() == F(x)
            F(x).lower() == x.lower()
            len(F(x)) <= len(x)
            len(F(x)) >= len(x)
            bool(F(x)) == bool(x)
            F(x) in x
            x in F(x)
            all(y in x for y in F(x))
            sorted(F(x)) == sorted(x)
            F(x).startswith(x)
            F(x).endswith(x)
            x.startswith(F(x))
            x.endswith(F(x))
            F(x + x) == F(x) + F(x)
            F(x) == F(x[:1]) + F(x[1:])
            F(x[::-1]) == F(x)[::-1]
            F(x[::-1]) == F(x)
            F(' ' + x) == F(x)
            F(x).isascii()
            ' ' not in F(x)
            [y for y in F(x) if y.isalnum()] == [y for y in x if y.isalnum()]
            [y for y in F(x).lower() if y.isalnum()] == [y for y in x.lower() if y.isalnum()]
            ''.join(F(x).split()) == ''.join(x.split())
            len(F(x).splitlines()) == len(x.splitlines())
            """,
        ("text", "number"): """
            F(x) == len(x)
            F(x) <= len(x)
            F(x) == int(x)
            close(F(x), float(x))
            str(F(x)) == x
            F(str(F(x))) == F(x)
            F(x[::-1]) == F(x)
            F(x + x) == F(x)
            F(x + x) == 2 * F(x)
            F(x) == F(x[:1]) + F(x[1:])
            F(x[1:]) <= F(x)
            F(x.lower()) == F(x)
            F(x.upper()) == F(x)
            F(x.strip()) == F(x)
            F(' ' + x) == F(x)
            F('-' + x) == -F(x)
            bool(F(x)) == bool(x)
            """,
        ("text", "list"): """
            ''.join(F(x)) == x
            ' '.join(F(x)) == x
            F(x) == x.split()
            F(x) == x.splitlines()
            all(y in x for y in F(x))
            len(F(x)) <= len(x)
            bool(F(x)) == bool(x)
            F(x.strip()) == F(x)
            F(x.lower()) == F(x)
            F(x + x) == F(x) + F(x)
            F(''.join(F(x))) == F(x)
            F(' '.join(F(x))) == F(x)
            F(','.join(F(x))) == F(x)
            all(y == y.strip() for y in F(x))
            all(y in F(x) for y in F(x[1:]))
            """,
        ("text", "flag"): """
            F(x) == bool(x)
            F(x) == (x == x[::-1])
            F(x) == x.isdigit()
            F(x) == x.isalpha()
            F(x[::-1]) == F(x)
            F(x + x) == F(x)
            F(x.lower()) == F(x)
            F(x.upper()) == F(x)
            F(x.strip()) == F(x)
            F(x + ' ') == F(x)
            not F(x) or bool(x)
            not F(x) or F(x[1:])
            """,
        ("text", "mapping"): """
            all(y in x for y in F(x))
            all(str(y) in x for y in F(x).values())
            all(F(x)[y] == x.count(y) for y in x)
            sum(F(x).values()) == len(x)
            bool(F(x)) == bool(x)
            F(x.strip()) == F(x)
            """,
        ("mapping", "mapping"): """
            set(F(x)) == set(x)
            all(y in x for y in F(x))
            all(y in F(x) for y in x)
            all(F(x)[y] == x[y] for y in x if y in F(x))
            sorted(F(x).values()) == sorted(x.values())
            all(F(x)[x[y]] == y for y in x)
            len(F(x)) <= len(x)
            len(F(x)) == len(x)
            bool(F(x)) == bool(x)
            """,
        ("mapping", "list"): """
            len(F(x)) == len(x)
            sorted(F(x)) == sorted(x)
            F(x) == sorted(x)
            all(y in x for y in F(x))
            all(y in F(x) for y in x)
            bool(F(x)) == bool(x)
            """,
        ("mapping", "text"): """
            all(y in F(x) for y in x)
            all(str(y) in F(x) for y in x.values())
            bool(F(x)) == bool(x)
            """,
        ("mapping", "number"): """
            F(x) == len(x)
            F(x) <= len(x)
            F(x) == sum(x.values())
            F(x) in x.values()
            not x or min(x.values()) <= F(x) <= max(x.values())
            """,
    }
)

OTHERS = ("G(F(x)) == x",)

NAMED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "same": ("idempotent", "involution"),
        "list": ("is_sorted", "is_permutation", "same_length", "no_duplicates", "subset_of_input"),
        "number": ("non_negative",),
        "text": (),
        "mapping": (),
        "any": ("does_not_mutate",),
    }
)


def lines(text: str) -> Iterator[str]:
    """The relations of one entry."""
    return (line.strip() for line in text.splitlines() if line.strip())
