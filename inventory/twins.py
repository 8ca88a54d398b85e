"""Paths that a reader, or a file system, takes for one of the oracle's; pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

_FOLDER = "invariants"

# Lower-case letters that read like Latin ones (the common ones of Unicode's confusables), and 1, l and i.
_LOOKS = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u0432\u043d\u0442\u043a\u043c"
    "\u03b1\u03bf\u03c1\u03bd\u03b9\u03c4\u03ba\u03c5\u0131l1|",
    "aeopcyxijsdqbhtkmaopvitkuiiii",
)


def twins(paths: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each path that is a twin, and what it is mistaken for."""
    groups: dict[str, list[str]] = {}
    for path in sorted(paths):
        folder, _, rest = path.partition("/")
        if folder == _FOLDER:
            groups.setdefault(_folded(path), []).append(path)
        elif rest and _folded(folder).translate(_LOOKS) == _FOLDER:
            yield path, f"it reads like {_FOLDER}/ and is another folder"
    for group in groups.values():
        for path in group if len(group) > 1 else ():
            others = ", ".join(other for other in group if other != path)
            yield path, f"it differs from {others} in case or form alone"


def _folded(text: str) -> str:
    """Case folded, compatibility forms joined, without accents and invisible characters."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return "".join(c for c in plain if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
