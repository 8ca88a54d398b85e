"""Names that lead there and back, such as encode and decode; pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_PAIRS = (
    *(("encode", "decode"), ("dump", "load"), ("dumps", "loads"), ("serialize", "deserialize"), ("pack", "unpack")),
    *(("serialise", "deserialise"), ("escape", "unescape"), ("quote", "unquote"), ("compress", "decompress")),
    *(("encrypt", "decrypt"), ("marshal", "unmarshal"), ("flatten", "unflatten"), ("join", "split"), ("hex", "unhex")),
    *(("format", "parse"), ("render", "parse"), ("stringify", "parse"), ("unparse", "parse"), ("print", "parse")),
    *(("write", "read"), ("export", "import"), ("wrap", "unwrap"), ("freeze", "thaw"), ("zip", "unzip")),
    *(("deflate", "inflate"), ("to", "from"), ("as", "from"), ("to_string", "from_string"), ("untokenize", "tokenize")),
    *(("hexlify", "unhexlify"), ("obfuscate", "deobfuscate"), ("mask", "unmask"), ("shift", "unshift")),
)
_CONVERTS = re.compile(r"([a-z0-9]+?)(_to_|2)([a-z0-9]+)")


def inverse_of(name: str, siblings: Iterable[str]) -> str | None:
    """The sibling that leads back from what `name` gives, by their names; None where there is none.

    `name` is the way there: of a pair such as format and parse only the first has an inverse, for a text
    that was parsed and formatted need not be the same text.
    """
    wanted = _inverses(name)
    return next((sibling for sibling in siblings if sibling in wanted), None)


@lru_cache(maxsize=4096)  # every function of a module is held against every other
def _inverses(name: str) -> frozenset[str]:
    scope, dot, bare = name.rpartition(".")
    prefix = "_" * (len(bare) - len(bare.lstrip("_")))
    words = bare.strip("_").split("_")
    found = {
        "_".join([*words[:at], *back.split("_"), *words[at + len(there.split("_")) :]])
        for there, back in _PAIRS
        for at in range(len(words))
        if words[at : at + len(there.split("_"))] == there.split("_")
    }
    if converts := _CONVERTS.fullmatch(bare.strip("_")):
        found.add(converts.group(3) + converts.group(2) + converts.group(1))
    return frozenset(scope + dot + prefix + inverse for inverse in found if inverse != bare)
