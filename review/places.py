"""Where the parts of a YAML text are: the marks of PyYAML's composed nodes, turned into places of the text."""

from __future__ import annotations

import yaml

from inventory.errors import Refused


def root_of(text: str) -> yaml.MappingNode:
    """The mapping that a whole file is. Raises Refused where it is none."""
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.YAMLError as error:
        raise no_place(str(error)) from None
    if not isinstance(root, yaml.MappingNode) or not root.value:
        raise no_place("the file does not hold a mapping")
    return root


def section_of(text: str, section: str) -> yaml.SequenceNode:
    """The list that a section holds. Raises Refused where it holds none."""
    found = value_of(root_of(text), section)
    if not isinstance(found, yaml.SequenceNode):
        raise no_place(f"{section} is not a list")
    return found


def key_of(mapping: yaml.MappingNode, name: str) -> yaml.Node:
    """The node of a key that is there."""
    found: yaml.Node = next(key for key, _ in mapping.value if key.value == name)
    return found


def value_of(mapping: yaml.MappingNode, name: str) -> yaml.Node | None:
    """The node of the value of a key; None where there is no such key."""
    return next((value for key, value in mapping.value if key.value == name), None)


def source_of(text: str, node: yaml.Node) -> str:
    """The text of a flow node or scalar."""
    return text[node.start_mark.index : node.end_mark.index]


def end_of(text: str, node: yaml.Node) -> int:
    """Where the text of a node ends. The end mark of a block node lies at the next token, past comments."""
    if isinstance(node, yaml.ScalarNode):
        if node.style not in ("|", ">"):
            return int(node.end_mark.index)
        source = source_of(text, node)
        header = source.splitlines()[0].split("#")[0]
        return int(node.end_mark.index) if "+" in header else node.start_mark.index + len(source.rstrip())
    if isinstance(node, yaml.CollectionNode) and not node.flow_style:
        last = node.value[-1]
        return end_of(text, last[1] if isinstance(node, yaml.MappingNode) else last)
    return int(node.end_mark.index)


def line_after(text: str, node: yaml.Node, column: int) -> int:
    """The start of the line after a node and after the comments below it that are indented past `column`."""
    at = end_of(text, node)
    at = at if text[at - 1] == "\n" else line_end(text, at)  # a kept block scalar ends with its line breaks
    while at < len(text):
        stop = line_end(text, at)
        line = text[at:stop]
        if not line.lstrip(" ").startswith("#") or len(line) - len(line.lstrip(" ")) <= column:
            break
        at = stop
    return at


def line_start(text: str, at: int) -> int:
    """The index at which the line of `at` starts."""
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """The index behind the line break that ends the line of `at`."""
    found = text.find("\n", at)
    return len(text) if found < 0 else found + 1


def line_number(text: str, at: int) -> int:
    """The line of `at`, counted from 0."""
    return text.count("\n", 0, at)


def dash_of(text: str, listed: yaml.SequenceNode, index: int) -> int:
    """Where the dash of a block entry is: the last one before the entry in the list's own column."""
    at = listed.value[index].start_mark.index
    lines = text[:at].split("\n")
    column = listed.start_mark.column
    for number in range(len(lines) - 1, -1, -1):
        if lines[number][column : column + 1] == "-":
            return len("\n".join(lines[:number])) + bool(number) + column
    raise no_place("the dash of an entry was not found")


def gap_before(text: str, listed: yaml.SequenceNode) -> list[str]:
    """A blank line when the last entry has one before it."""
    if len(listed.value) == 1:
        return []
    before = text[: dash_of(text, listed, -1)].split("\n")[:-1]
    return [""] if before and not before[-1].strip() else []


def newline_of(text: str) -> str:
    """The line break that the file uses."""
    return "\r\n" if "\r\n" in text else "\n"


def no_place(why: str) -> Refused:
    """The refusal to splice a file whose shape offers no safe place."""
    return Refused(
        "inventory.yaml cannot be spliced",
        why=why,
        fix="Write the entry by hand, or bring the file into the shape that `review init` writes.",
    )
