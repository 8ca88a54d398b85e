"""Splicing: what is re-parsed is the old inventory plus one change, and every other byte stays."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inventory.codec import parse_inventory
from inventory.errors import Refused
from inventory.records import Call, CheckUse, Freeze, Inventory, Property
from review import splice

NEW = Property(
    id="new_one",
    module="app.codec",
    fn="parse",
    seed=7,
    fixture="tests/fixtures/x.json",
    checks=(CheckUse(name="total"), CheckUse(name="roundtrip", params={"inverse": "render"})),
    call=Call.ARGS,
    note="why: because\nof # this, [and] that",
    reviewed_by="Jo Doe",
)
FREEZE = Freeze(
    property_id="old_one",
    seed=1,
    fixture="a.json",
    fixture_sha256="0" * 64,
    reason="noise",
    expires_on="2026-12-15",
    repeats=("red", "green"),
)
OLD = "  - id: old_one\n    module: app\n    fn: f\n    seed: 1\n    fixture: a.json\n    checks: [total]\n"
TWO = OLD + OLD.replace("old_one", "old_two")
FLOW = "{id: old_one, module: app, fn: f, seed: 1, fixture: a.json, checks: [total]}"

SHAPES = {
    "article": f"# invariants\nversion: 1\nproperties:\n{OLD}freezes:\n  # empty on a clean tree\n",
    "no_freezes": f"version: 1\nproperties:\n{OLD}",
    "two": f"version: 1\nproperties:\n{TWO}freezes:\n",
    "blank_between": f"version: 1\n\nproperties:\n{OLD}\n{OLD.replace('old_one', 'old_two')}\nfreezes:\n",
    "no_final_newline": f"version: 1\nproperties:\n{OLD}".rstrip("\n"),
    "null_at_end": "version: 1\nproperties:",
    "null_with_comment": "version: 1\nproperties: # none yet\n",
    "null_then_comment": "version: 1\nproperties:\n  # none yet\nfreezes:\n",
    "null_word": "version: 1\nproperties: null # none\nfreezes: ~\n",
    "tilde": "version: 1\nproperties: ~\nfreezes: ~",
    "empty_list": "version: 1\nproperties: []\nfreezes: []\n",
    "empty_list_spaced": "version: 1\nproperties:   [ ]   # nothing\nfreezes: [ ]\n",
    "empty_list_no_newline": "version: 1\nproperties: []",
    "empty_list_lines": "version: 1\nproperties: [\n  # nothing yet\n]\n",
    "freezes_first": f"version: 1\nfreezes:\nproperties:\n{OLD}",
    "freezes_first_empty": "freezes: []\nproperties: []\nversion: 1\n",
    "version_last": f"properties:\n{OLD}version: 1\n",
    "absent": "version: 1\n",
    "absent_no_newline": "version: 1",
    "absent_comment": "version: 1 # the first\n# end\n",
    "indentless": "version: 1\nproperties:\n" + "".join(f"{line[2:]}\n" for line in OLD.splitlines()) + "freezes:\n",
    "deep": "version: 1\nproperties:\n" + "".join(f"      {line}\n" for line in OLD.splitlines()),
    "wide_dash": "version: 1\nproperties:\n" + OLD.replace("    ", "      ").replace("  - ", "  -   "),
    "dash_alone": "version: 1\nproperties:\n  -\n" + OLD.replace("  - ", "    "),
    "trailing_comment": f"version: 1\nproperties:\n{OLD}    # about old_one\n  # - id: commented_out\n\n# the end\n",
    "comment_on_line": f"version: 1\nproperties:\n{OLD[:-1]} # why\nfreezes:\n",
    "comment_in_item": "version: 1\nproperties:\n" + OLD.replace("    seed", "    # pinned\n    seed"),
    "block_checks": "version: 1\nproperties:\n" + OLD.replace("[total]", "\n      - total\n      - stable"),
    "indentless_checks": "version: 1\nproperties:\n" + OLD.replace("[total]", "\n    - total\n    - stable"),
    "parameters": "version: 1\nproperties:\n"
    + OLD.replace("[total]", "\n      - roundtrip:\n          inverse: render"),
    "note_literal": f"version: 1\nproperties:\n{OLD}    note: |\n      a\n\n      b\n\n\nfreezes:\n",
    "note_kept": f"version: 1\nproperties:\n{OLD}    note: |+\n      a\n\nfreezes:\n",
    "note_kept_at_end": f"version: 1\nproperties:\n{OLD}    note: |+\n      a\n\n",
    "note_stripped": f"version: 1\nproperties:\n{OLD}    note: >- # folded\n      a\n      b\n\nfreezes:\n",
    "note_hash": f"version: 1\nproperties:\n{OLD}    note: |\n      a\n      # no comment\n    # a comment\nfreezes:\n",
    "note_quoted_lines": f'version: 1\nproperties:\n{OLD}    note: "a\n      b"\nfreezes:\n',
    "note_plain_lines": f"version: 1\nproperties:\n{OLD}    note: a\n      b\nfreezes:\n",
    "note_empty": f"version: 1\nproperties:\n{OLD}    note:\n",
    "note_null_first": "version: 1\nproperties:\n" + OLD.replace("    module", "    note: # none\n    module"),
    "quoted_keys": f'"version": 1\n"properties":\n{OLD}\'freezes\': []\n',
    "document_marks": f"---\nversion: 1\nproperties:\n{OLD}...\n",
    "flow_item": f"version: 1\nproperties:\n  - {FLOW}\nfreezes:\n",
    "flow_list": f"version: 1\nproperties: [{FLOW}]\nfreezes:\n",
    "flow_list_lines": f"version: 1\nproperties: [\n  {FLOW}, # one\n]\n",
    "flow_list_trailing_comma": f"version: 1\nproperties: [{FLOW},]\n",
    "flow_root": f"{{version: 1, properties: [{FLOW}]}}\n",
    "flow_root_empty": "{version: 1, properties: [], freezes: []}",
    "flow_root_null": "{version: 1, properties: , freezes: null}\n",
    "flow_root_absent": "{version: 1}\n",
    "json": '{\n  "version": 1,\n  "properties": [\n    {"id": "old_one", "module": "app", "fn": "f", "seed": 1,\n'
    '     "fixture": "a.json", "checks": ["total"]}\n  ],\n  "freezes": []\n}\n',
    "unicode": f"# Prüfung 🧪\nversion: 1\nproperties:\n{OLD}    note: größer 🧪\n",
    "spaces_at_end": f"version: 1   \nproperties:   \n{OLD[:-1]}   \nfreezes:   \n",
    "many_blank_lines": f"\n\nversion: 1\n\n\nproperties:\n\n{OLD}\n\n\nfreezes:\n\n\n",
}  # fmt: skip
_EMPTY_P = re.compile(r"""(properties["']?): *(null|~|\[ *\])""")
_EMPTY_F = re.compile(r"""(freezes["']?): *(null|~|\[ *\])""")
ALL = {**SHAPES, **{f"{name}_crlf": text.replace("\n", "\r\n") for name, text in SHAPES.items()}}
shapes = pytest.mark.parametrize("text", ALL.values(), ids=ALL.keys())
FILLED = {name: text for name, text in ALL.items() if "old_one" in text}
filled = pytest.mark.parametrize("text", FILLED.values(), ids=FILLED.keys())


def parsed(text: str) -> Inventory:
    return parse_inventory(text.encode(), "inventory.yaml")


def assert_only_added(old: str, new: str) -> None:
    """One contiguous insertion; a section that says "nothing" may lose that one word."""
    assert any(_is_insertion(base, new) for base in (old, _EMPTY_P.sub(r"\1:", old), _EMPTY_F.sub(r"\1:", old)))
    assert "\r\n" not in old or "\n" not in new.replace("\r\n", "")
    assert "\r\n" in old or "\r" not in new


def _is_insertion(old: str, new: str) -> bool:
    more = len(new) - len(old)
    return more > 0 and any(new.startswith(old[:i]) and new.endswith(old[i:]) for i in range(len(old) + 1))


@shapes
def test_one_property_more(text: str) -> None:
    new = splice.add_property(text, NEW)
    before = parsed(text)
    assert parsed(new) == before.model_copy(update={"properties": (*before.properties, NEW)})
    assert_only_added(text, new)
    assert text.endswith("\n") == new.endswith("\n")


@shapes
def test_one_freeze_more(text: str) -> None:
    new = splice.add_freeze(text, FREEZE)
    before = parsed(text)
    assert parsed(new) == before.model_copy(update={"freezes": (*before.freezes, FREEZE)})
    assert_only_added(text, new)


@shapes
def test_a_property_added_and_removed_gives_the_old_inventory(text: str) -> None:
    before = parsed(text)
    again = splice.remove(splice.add_property(text, NEW), "properties", len(before.properties))
    assert parsed(again) == before


@filled
def test_a_property_added_and_removed_leaves_no_trace_in_a_filled_list(text: str) -> None:
    if "blank" not in text:
        again = splice.remove(splice.add_property(text, NEW), "properties", len(parsed(text).properties))
        assert again.rstrip() == text.rstrip() or "\n\n" in text.replace("\r", "")


@filled
@pytest.mark.parametrize("note", ["plain", "two\nlines", "# [odd]: {text}", "größer 🧪", "no", "1e3"])
def test_a_note_is_set_and_nothing_else_moves(text: str, note: str) -> None:
    new = splice.set_fields(text, "properties", 0, {"note": note})
    before = parsed(text)
    first = before.properties[0].model_copy(update={"note": note})
    assert parsed(new) == before.model_copy(update={"properties": (first, *before.properties[1:])})
    if "note" not in text:
        assert_only_added(text, new)


@filled
def test_checks_and_seed_are_replaced(text: str) -> None:
    checks = [{"roundtrip": {"inverse": "render"}}, "stable"]
    new = splice.set_fields(text, "properties", 0, {"checks": checks, "seed": 12})
    before = parsed(text)
    uses = tuple(CheckUse.model_validate(c) for c in checks)
    first = before.properties[0].model_copy(update={"checks": uses, "seed": 12})
    assert parsed(new) == before.model_copy(update={"properties": (first, *before.properties[1:])})


@filled
def test_the_first_of_several_is_removed(text: str) -> None:
    two = splice.add_property(text, NEW)
    before = parsed(two)
    after = before.model_copy(update={"properties": before.properties[1:]})
    assert parsed(splice.remove(two, "properties", 0)) == after


def test_a_new_entry_looks_as_a_human_would_write_it() -> None:
    assert splice.add_property("version: 1\nproperties: []\n", NEW.model_copy(update={"note": "short"})) == (
        "version: 1\nproperties:\n  - id: new_one\n    module: app.codec\n    fn: parse\n    seed: 7\n"
        "    fixture: tests/fixtures/x.json\n    checks:\n      - total\n      - roundtrip:\n"
        "          inverse: render\n    call: args\n    note: short\n"
        '    reviewed_by: "Jo Doe"\n'
    )


@pytest.mark.parametrize("text", ["", "# only a comment\n", "- a\n", "properties: 3\n", "a: [\n", "properties: {}\n"])
def test_a_file_without_a_place_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="cannot be spliced"):
        splice.add_property(text, NEW)


texts = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"], exclude_characters="\ufeff"), min_size=1)
words = st.text(st.characters(categories=["L", "N", "P", "S"]), min_size=1).filter(str.isprintable)


@settings(max_examples=60)
@given(
    note=st.lists(texts, min_size=1, max_size=3).map("\n".join),
    who=words,
    param=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
        max_leaves=6,
    ),
    shape=st.sampled_from(sorted(ALL)),
)
def test_whatever_a_human_says_comes_back(note: str, who: str, param: object, shape: str) -> None:
    text = ALL[shape]
    use = CheckUse(name="within", params={"a": param})
    entry = NEW.model_copy(update={"note": note, "reviewed_by": who, "checks": (use,)})
    before = parsed(text)
    new = splice.add_property(text, entry)
    assert parsed(new) == before.model_copy(update={"properties": (*before.properties, entry)})
    assert_only_added(text, new)


@settings(max_examples=30)
@given(comments=st.lists(texts, min_size=4, max_size=4), gaps=st.lists(st.integers(0, 2), min_size=4, max_size=4))
def test_comments_anywhere_stay(comments: list[str], gaps: list[int]) -> None:
    parts = ["version: 1\n", f"properties:\n{OLD}", OLD.replace("old_one", "old_two"), "freezes:\n"]
    text = "".join(f"# {c}\n" + "\n" * gap + part for c, gap, part in zip(comments, gaps, parts, strict=True))
    before = parsed(text)
    new = splice.add_property(text, NEW)
    assert parsed(new) == before.model_copy(update={"properties": (*before.properties, NEW)})
    assert_only_added(text, new)
