"""Writes plain data as YAML that `strict_yaml` reads back; the same data always gives the same ASCII bytes."""

from __future__ import annotations

import re
from typing import Any

import yaml

from inventory import strict_yaml

_TEXT = "tag:yaml.org,2002:str"
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_./-]*")
_WIDTH = 1 << 20  # no folding: a folded text is one more way to be misread


def dump(data: Any, *, flow: bool = False) -> str:
    """Plain data as YAML: a block that ends in a newline, or one line of flow style."""
    text: str = yaml.dump(
        [data] if flow else data,
        Dumper=_Dumper,
        sort_keys=False,
        allow_unicode=False,
        width=_WIDTH,
        default_flow_style=flow,
    )
    return text.strip()[1:-1] if flow else text


class _Dumper(yaml.SafeDumper):
    """Indents lists and never writes an alias."""

    def increase_indent(self, flow: bool = False, indentless: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002  # as PyYAML calls it
        super().increase_indent(flow=flow, indentless=False)

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ARG002  # as PyYAML calls it
        return True


def _text_node(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    """A text stands bare only where no reader could take it for anything else, as a block where it is plain lines."""
    if _BARE.fullmatch(text) and _stays_text(text):
        return dumper.represent_scalar(_TEXT, text)
    lines = text.split("\n")
    is_block = len(lines) > 2 and all(line.isascii() and line.isprintable() and line == line.rstrip() for line in lines)
    return dumper.represent_scalar(_TEXT, text, style="|" if is_block else '"')


def _stays_text(text: str) -> bool:
    read = strict_yaml.load(text, "")
    return not read.faults and read.value == text


_Dumper.add_representer(str, _text_node)
