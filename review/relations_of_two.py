"""The relations of two parameters that mining tries, x and k, beside those of each of them alone; pure."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

TWO: Mapping[tuple[str, str, str], str] = MappingProxyType(
    {
        ("number", "number", "number"): """
            F(x, k) == F(k, x)
            F(x, k) == -F(k, x)
            F(x, x) == x
            F(x, x) == 0
            F(x, 0) == x
            F(x, 0) == 0
            F(0, k) == k
            F(x, 1) == x
            F(x, 1) == 1
            F(x, k) in (x, k)
            min(x, k) <= F(x, k) <= max(x, k)
            x <= F(x, k) <= k
            F(x, k) <= min(x, k)
            F(x, k) >= max(x, k)
            F(x + k, k) == F(x, k)
            F(2 * x, 2 * k) == 2 * F(x, k)
            F(2 * x, 2 * k) == F(x, k)
            F(F(x, k), k) == F(x, k)
            F(x, F(x, k)) == F(x, k)
            k == 0 or F(x, k) == F(k, x % k)
            x == 0 or F(x, k) % x == 0
            F(x, k) == F(x, x - k)
            x < 1 or F(x, k) == F(x - 1, k) + F(x - 1, k - 1)
            """,
        ("number", "number", "text"): """
            int(F(x, k), k) == x
            all(int(y, k) < k for y in F(x, k))
            F(x * k, k)[:-1] == F(x, k)
            x < k or F(x // k, k) == F(x, k)[:-1]
            len(F(x, k + 1)) <= len(F(x, k))
            len(F(x, k)) == k
            len(F(x, k)) >= k
            """,
        ("number", "number", "list"): """
            len(F(x, k)) == k - x
            all(x <= y <= k for y in F(x, k))
            all(x <= y < k for y in F(x, k))
            F(x, k) == F(k, x)
            """,
        ("number", "number", "flag"): """
            F(x, k) == F(k, x)
            F(x, k) == (x % k == 0)
            F(x, k) == (x < k)
            F(x, k) == (x <= k)
            F(x + k, k) == F(x, k)
            """,
        ("list", "number", "list"): """
            F(x, k) == x[:k]
            F(x, k)[:k] == x[:k]
            len(F(x, k)) == min(k, len(x))
            len(F(x, k)) == max(len(x) - k + 1, 0)
            len(F(x, k)) * k >= len(x)
            all(len(y) == k for y in F(x, k))
            all(len(y) <= k for y in F(x, k))
            all(sum(y) == k for y in F(x, k))
            k in F(x, k)
            F(x, k + 1) == F(x, k)
            """,
        ("list", "number", "number"): """
            F(x, k) == x.count(k)
            F(x, k) < 0 or x[F(x, k)] == k
            (F(x, k) >= 0) == (k in x)
            all(y < k for y in x[:F(x, k)])
            F(x, k) == sorted(x)[k]
            F(x, k) == sorted(x)[k - 1]
            F(x, k) in x
            """,
        ("list", "number", "flag"): """
            F(x, k) == (k in x)
            """,
        ("list", "list", "list"): """
            F(x, k) == F(k, x)
            F(x, k) == sorted(x + k)
            sorted(F(x, k)) == sorted(x + k)
            len(F(x, k)) == len(x) + len(k)
            len(F(x, k)) == min(len(x), len(k))
            all(y in x or y in k for y in F(x, k))
            all(y in x and y in k for y in F(x, k))
            all(y in x for y in F(x, k))
            all(y not in k for y in F(x, k))
            F(x, []) == x
            F([], k) == k
            F(x, x) == x
            """,
        ("list", "list", "number"): """
            F(x, k) == F(k, x)
            F(x, x) == len(x)
            F(x, x) == 0
            F(x, k) <= min(len(x), len(k))
            F(x, k) <= max(len(x), len(k))
            F(x[::-1], k[::-1]) == F(x, k)
            """,
        ("list", "list", "flag"): """
            F(x, k) == F(k, x)
            F(x, x)
            F(x, k) == (sorted(x) == sorted(k))
            F(x, k) == all(y in k for y in x)
            """,
        ("text", "text", "number"): """
            F(x, k) == F(k, x)
            F(x, x) == 0
            F(x, x) == len(x)
            F(x, '') == len(x)
            F(x, k) <= max(len(x), len(k))
            F(x, k) <= min(len(x), len(k))
            abs(len(x) - len(k)) <= F(x, k)
            abs(F(x, k) - F(x[1:], k)) <= 1
            F(x + 'a', k + 'a') == F(x, k)
            F(x[::-1], k[::-1]) == F(x, k)
            (F(x, k) >= 0) == (k in x)
            F(x, k) == x.count(k)
            """,
        ("text", "text", "text"): """
            F(x, k) == F(k, x)
            F(x, x) == x
            F(x, '') == x
            len(F(x, k)) == len(x)
            len(F(x, k)) == len(F(k, x))
            len(F(x, k)) <= min(len(x), len(k))
            """,
        ("text", "text", "flag"): """
            F(x, k) == F(k, x)
            F(x, x)
            F(x, k) == (k in x)
            F(x, k) == x.startswith(k)
            F(x, k) == (sorted(x) == sorted(k))
            F(x.lower(), k.lower()) == F(x, k)
            """,
        ("text", "text", "list"): """
            k.join(F(x, k)) == x
            F(x, k) == x.split(k)
            all(k not in y for y in F(x, k))
            """,
        ("list", "text", "text"): """
            F(x, k) == k.join(x)
            """,
        ("text", "number", "text"): """
            F(x, k) == x[:k]
            F(x, 0) == x
            len(F(x, k)) <= k
            len(F(x, k)) >= k
            len(F(x, k)) == len(x)
            len(F(x, k)) == max(k, len(x))
            F(F(x, k), -k) == x
            all(len(y) <= k for y in F(x, k).splitlines())
            F(x, k).split() == x.split()
            """,
        ("text", "number", "list"): """
            ' '.join(F(x, k)) == ' '.join(x.split())
            all(len(y) <= k for y in F(x, k))
            all(len(y) == k for y in F(x, k))
            """,
        ("mapping", "text", "mapping"): """
            k in F(x, k)
            k not in F(x, k)
            """,
    }
)

OTHERS_OF_TWO = ("G(F(x, k), k) == x",)
