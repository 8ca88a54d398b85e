"""Splices `inventory.yaml`: adds, changes or removes one entry and keeps every other byte as it was.

Text in, text out. Positions come from the marks of PyYAML's composed nodes. A splice is never
trusted: whoever calls re-parses the result and compares it with what was meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import yaml

from inventory import strict_yaml_dump
from inventory.records import Freeze, Property
from review.places import (
    dash_of,
    end_of,
    gap_before,
    key_of,
    line_after,
    line_end,
    line_number,
    line_start,
    newline_of,
    no_place,
    root_of,
    section_of,
    source_of,
    value_of,
)

Section = Literal["properties", "freezes"]


def add_property(text: str, added: Property) -> str:
    """`text` with one more property at the end of `properties:`. Raises Refused where there is no place for it."""
    return _append(text, "properties", fields_of(added))


def add_freeze(text: str, added: Freeze) -> str:
    """`text` with one more freeze at the end of `freezes:`. Raises Refused where there is no place for it."""
    return _append(text, "freezes", fields_of(added))


def set_fields(text: str, section: Section, index: int, fields: Mapping[str, Any]) -> str:
    """`text` with some fields of one entry of a section changed or added; `index` counts from 0."""
    for key, value in fields.items():
        text = _set_field(text, section, index, key, value)
    return text


def remove(text: str, section: Section, index: int) -> str:
    """`text` without one entry of a section; comments before it stay."""
    listed = section_of(text, section)
    if listed.flow_style:
        return _cut_from_flow(text, listed, index)
    start = line_start(text, dash_of(text, listed, index))
    end = line_after(text, listed.value[index], listed.start_mark.column)
    before = text[:start]
    if end == len(text) and not text.endswith("\n"):
        before = before.removesuffix("\n").removesuffix("\r")
    return before + text[end:]


def without(text: str, section: Section, gone: Sequence[bool]) -> str:
    """`text` without the entries of a section that are marked, from the last to the first."""
    for index in range(len(gone) - 1, -1, -1):
        text = remove(text, section, index) if gone[index] else text
    return text


def fields_of(record: Property | Freeze) -> dict[str, Any]:
    """The fields of an entry as the file holds them, in the order of the record; defaults are left out."""
    data: dict[str, Any] = record.model_dump(mode="json", exclude_defaults=True)
    return data


# -- one more entry ----------------------------------------------------------------


def _append(text: str, section: Section, fields: Mapping[str, Any]) -> str:
    root = root_of(text)
    found = value_of(root, section)
    if found is None:
        return _append_section(text, root, section, fields)
    if isinstance(found, yaml.ScalarNode):
        return _fill(text, root, section, found, fields)
    if not isinstance(found, yaml.SequenceNode):
        raise no_place(f"{section} is not a list")
    if not found.flow_style:
        return _append_block(text, found, fields)
    if not found.value and re.fullmatch(r"\[ *\]", source_of(text, found)) and not root.flow_style:
        return _fill(text, root, section, found, fields)
    return _append_flow(text, found, fields)


def _append_block(text: str, listed: yaml.SequenceNode, fields: Mapping[str, Any]) -> str:
    last, dash = listed.value[-1], listed.start_mark.column
    same_line = last.start_mark.line == line_number(text, dash_of(text, listed, -1))
    entry = _block(fields, dash, last.start_mark.column - dash if same_line else 2)
    return _insert_lines(text, line_after(text, last, dash), [*gap_before(text, listed), *entry])


def _append_flow(text: str, listed: yaml.SequenceNode, fields: Mapping[str, Any]) -> str:
    if not listed.value:
        at = listed.end_mark.index - 1
        return text[:at] + _inline(dict(fields)) + text[at:]
    last = listed.value[-1]
    at = last.end_mark.index
    before = text[line_start(text, last.start_mark.index) : last.start_mark.index]
    joint = f",{newline_of(text)}{before}" if not before.strip() else ", "
    return text[:at] + joint + _inline(dict(fields)) + text[at:]


def _fill(text: str, root: yaml.MappingNode, section: str, empty: yaml.Node, fields: Mapping[str, Any]) -> str:
    """The first entry of a section that is there but empty: nothing, null or `[]`."""
    start, end = empty.start_mark.index, empty.end_mark.index
    if isinstance(empty, yaml.ScalarNode) and text[start:end] not in ("", "~", "null", "Null", "NULL"):
        raise no_place(f"{section} is not a list")
    if root.flow_style:
        return text[:start] + " " * (text[start - 1] != " ") + f"[{_inline(dict(fields))}]" + text[end:]
    bare = text[:start].rstrip(" ") if end > start else text[:start]
    kept = bare + text[end:]
    return _insert_lines(
        kept, line_end(kept, len(bare)), _block(fields, key_of(root, section).start_mark.column + 2, 2)
    )


def _append_section(text: str, root: yaml.MappingNode, section: str, fields: Mapping[str, Any]) -> str:
    last = root.value[-1][1]
    if root.flow_style:
        at = end_of(text, last)
        return f"{text[:at]}, {_inline(section)}: [{_inline(dict(fields))}]{text[at:]}"
    column = root.start_mark.column
    lines = [f"{' ' * column}{section}:", *_block(fields, column + 2, 2)]
    return _insert_lines(text, line_after(text, last, column), lines)


# -- one field of an entry -----------------------------------------------------------


def _set_field(text: str, section: Section, index: int, key: str, value: Any) -> str:
    entry = section_of(text, section).value[index]
    if not isinstance(entry, yaml.MappingNode):
        raise no_place("the entry is not a mapping")
    old = value_of(entry, key)
    if old is not None:
        return _replace_value(text, old, value)
    last = entry.value[-1][1]
    if entry.flow_style:
        at = end_of(text, last)
        return f"{text[:at]}, {_inline(key)}: {_inline(value)}{text[at:]}"
    column = entry.start_mark.column
    return _insert_lines(
        text, line_after(text, last, column), _indented(strict_yaml_dump.dump({key: value}).splitlines(), column)
    )


def _replace_value(text: str, old: yaml.Node, value: Any) -> str:
    start, end = old.start_mark.index, end_of(text, old)
    end = end if text[end - 1] != "\n" else len(text[:end].rstrip())
    if isinstance(old, yaml.SequenceNode) and not old.flow_style and isinstance(value, list):
        joint = newline_of(text) + " " * old.start_mark.column
        return text[:start] + joint.join(f"- {_inline(item)}" for item in value) + text[end:]
    if isinstance(old, yaml.CollectionNode) and not old.flow_style:
        start = len(text[:start].rstrip())  # a block value starts on a line of its own: back to the colon
    return text[:start] + " " * (text[start - 1] == ":") + _inline(value) + text[end:]


def _cut_from_flow(text: str, listed: yaml.SequenceNode, index: int) -> str:
    items = listed.value
    if index + 1 < len(items):
        return text[: items[index].start_mark.index] + text[items[index + 1].start_mark.index :]
    start = items[index - 1].end_mark.index if index else items[index].start_mark.index
    return text[:start] + text[items[index].end_mark.index :]


# -- how things are written ------------------------------------------------------------


def _block(fields: Mapping[str, Any], dash: int, offset: int) -> list[str]:
    """The lines of one entry of a block list."""
    first, *rest = strict_yaml_dump.dump(dict(fields)).splitlines()
    return [f"{' ' * dash}-".ljust(dash + offset) + first, *_indented(rest, dash + offset)]


def _indented(lines: Sequence[str], column: int) -> list[str]:
    return [f"{' ' * column}{line}" if line else "" for line in lines]


def _inline(value: Any) -> str:
    return strict_yaml_dump.dump(value, flow=True)


def _insert_lines(text: str, at: int, lines: Sequence[str]) -> str:
    newline = newline_of(text)
    if at == len(text) and not text.endswith("\n"):
        return text + newline + newline.join(lines)
    return text[:at] + "".join(f"{line}{newline}" for line in lines) + text[at:]
