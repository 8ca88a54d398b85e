"""Writes docs/reference.md: every command, exit code, check, JSON document and key, as the code itself has them.

`--check` writes nothing and fails where the page is stale.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import typer  # noqa: E402

import gate.cli  # noqa: E402
import propose.cli  # noqa: E402
import review.cli  # noqa: E402
from gate.verdicts import Red, Sighting  # noqa: E402
from inventory.catalogue import CATALOGUE, SHAPES  # noqa: E402
from inventory.errors import Exit  # noqa: E402
from inventory.records import Candidate, Freeze, Policy, Property, Record, Tombstone  # noqa: E402
from scripts import last_chapter  # noqa: E402

PAGE = ROOT / "docs" / "reference.md"
APPS = {"propose": propose.cli.app, "review": review.cli.app, "gate": gate.cli.app}
EXITS = {
    Exit.DONE: "done; the gate allows",
    Exit.NO: "the answer is no: the gate blocks, review refuses",
    Exit.USAGE: "the command line is wrong",
    Exit.COULD_NOT_RUN: "could not run: repository, file, environment, protocol error; never a pass",
    Exit.ENDPOINT: "the endpoint is unreachable or refused",
    Exit.ANSWER: "the endpoint's answer cannot be used",
    Exit.INTERRUPTED: "interrupted",
}
FILES: dict[str, type[Record]] = {
    "inventory.yaml, a property": Property,
    "inventory.yaml, a freeze": Freeze,
    "policy.yaml": Policy,
    "proposed/ID.yaml": Candidate,
    "rejected/ID--DIGEST.yaml": Tombstone,
}
CANDIDATE = "id: clamp_settles\nmodule: app.window\nfn: clamp\nchecks: [output_in_range]\n"
FIXTURE = ("--fixture", "tests/fixtures/window_cases.json")
DOCUMENTS = (
    ("propose", "--base", "main", "--json"),
    ("propose", "--base", "main", "--dry-run", "--endpoint", "http://127.0.0.1:9/v1", "--model", "any", "--json"),
    ("review", "list", "--json"),
    ("review", "show", "clamp_settles", "--json"),
    ("review", "show", "window_range", "--json"),
    ("review", "check", "clamp_settles", *FIXTURE, "--json"),
    ("review", "check", "--all", "--json"),
    ("review", "mine", "app.codec:render", "--json"),
    ("gate", "check", "--base", "main", "--json"),
    ("gate", "staged", "--json"),
    ("gate", "run", "--report", ".git/a.json", "--json"),
    ("gate", "classify", ".git/a.json", ".git/a.json", "--json"),
    ("gate", "reproduce", "window_range", "--base", "main", "--json"),
    ("gate", "doctor", "--json"),
    ("gate", "checks", "--json"),
)
OPEN = {"facts", "conditions"}  # keyed by what was found
_PLACE = ("line", "what")
KEYS = {  # of what may be empty in one run and not in another
    "red": tuple(Red.model_fields), "seen": tuple(Sighting.model_fields), "survived": _PLACE, "unjudged": _PLACE
}  # fmt: skip


def page() -> str:
    """The whole page."""
    parts = ["# Reference", "Written by `scripts/reference` from the code; change it there.", *_commands(), *_exits()]
    return "\n\n".join([*parts, *_checks(), *_documents(), *_files()]) + "\n"


# -- commands -----------------------------------------------------------------------------


def _commands() -> Iterator[str]:
    yield "## Commands"
    yield "`--help` stands behind each of them, `--version` alone. `invariant-inventory` starts them by name."
    for name, app in APPS.items():
        command: Any = typer.main.get_command(app)
        for words, one in [(name, command), *((f"{name} {sub}", c) for sub, c in _subcommands(command))]:
            yield f"### {words}"
            yield " ".join((one.help or "").split())
            yield from _table(("option", "means"), _options(one))


def _subcommands(command: Any) -> Iterable[tuple[str, Any]]:
    return getattr(command, "commands", {}).items()


def _options(command: Any) -> Iterator[tuple[str, str]]:
    for param in command.params:
        if "completion" in str(param.name):
            continue
        is_argument = param.param_type_name == "argument"
        words = param.metavar if is_argument else f"{param.opts[0]} {param.metavar or ''}".strip()
        yield f"`{words}`", f"{param.help or ''}{_default(param, is_argument=is_argument)}"


def _default(param: Any, *, is_argument: bool) -> str:
    if param.required and not is_argument:
        return " Required."
    shown = param.default is not None and not getattr(param, "is_flag", False) and not is_argument
    return f" Default: {param.default}." if shown else ""


# -- exit codes and checks ------------------------------------------------------------------


def _exits() -> Iterator[str]:
    yield "## Exit codes"
    yield from _table(("code", "means"), ((str(code.value), EXITS[code]) for code in Exit))


def _checks() -> Iterator[str]:
    yield "## Checks"
    yield "What `checks:` of a property can name, besides the functions of `invariants/checks.py`."
    rows = []
    for spec in CATALOGUE.values():
        params = "; ".join(
            f"`{p.name}` ({p.kind}{', required' if p.required else ''}): {p.meaning}" for p in spec.params
        )
        rows.append((f"`{spec.name}`", spec.law, SHAPES[spec.shape], params))
    yield from _table(("check", "law", "call", "parameters"), rows)


# -- documents and files ----------------------------------------------------------------------


def _documents() -> Iterator[str]:
    yield "## JSON documents"
    yield "What a real run of each printed: its keys, in brackets those of what lies below. `[]` is a list."
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "story"
        root.mkdir()
        last_chapter.build(root)
        (root / "invariants/proposed").mkdir()
        (root / "invariants/proposed/clamp_settles.yaml").write_text(CANDIDATE)
        for command in DOCUMENTS:
            code, out, err = last_chapter.run(root, *command)
            if not out.startswith("{"):
                raise RuntimeError(f"{command} ended with {code}: {err}")
            yield f"### {' '.join(command)}"
            yield _keys(json.loads(out))


def _keys(value: dict[str, Any]) -> str:
    return ", ".join(
        f"`{key}{'[]' if isinstance(inner, list) else ''}`{_below(key, inner)}" for key, inner in value.items()
    )


def _below(key: str, value: Any) -> str:
    if key in KEYS:
        return f" ({', '.join(f'`{name}`' for name in KEYS[key])})"
    if isinstance(value, list):
        merged: dict[str, Any] = {}
        for item in value:
            merged |= {k: v for k, v in item.items() if v or k not in merged} if isinstance(item, dict) else {}
        return f" ({_keys(merged)})" if merged else ""
    return f" ({_keys(value)})" if isinstance(value, dict) and value and key not in OPEN else ""


def _files() -> Iterator[str]:
    yield "## Files in `invariants/`"
    yield "What each key means is in [files.md](files.md). `fixture.lock.json` is one flat object, path to digest."
    for name, record in FILES.items():
        schema = record.model_json_schema()
        yield f"### {name}"
        needed = set(schema.get("required", ()))
        keys: dict[str, dict[str, Any]] = schema["properties"]
        rows = ((f"`{k}`", _kind(v, schema), "required" if k in needed else _given(v)) for k, v in keys.items())
        yield from _table(("key", "value", "default"), rows)


def _given(part: dict[str, Any]) -> str:
    default = part.get("default")
    return "none" if default in (None, [], {}) else f"`{json.dumps(default)}`"


def _kind(part: dict[str, Any], schema: dict[str, Any]) -> str:
    if "$ref" in part:
        part = schema["$defs"][part["$ref"].rpartition("/")[2]]
    if "anyOf" in part:
        return " or ".join(dict.fromkeys(_kind(p, schema) for p in part["anyOf"] if p.get("type") != "null"))
    if "enum" in part or "const" in part:
        return " or ".join(f"`{value}`" for value in part.get("enum", [part.get("const")]))
    return _KINDS.get(part.get("type", ""), _anything)(part, schema)


def _anything(_part: dict[str, Any], _schema: dict[str, Any]) -> str:
    return "anything plain"


def _list(part: dict[str, Any], schema: dict[str, Any]) -> str:
    most = f", at most {part['maxItems']}" if "maxItems" in part else ""
    return f"list of {_kind(part.get('items', {}), schema)}{most}"


def _mapping(part: dict[str, Any], schema: dict[str, Any]) -> str:
    keys = part.get("properties", {})
    if "params" in keys:
        return "check"
    if keys:
        return f"mapping of {', '.join(f'`{key}`' for key in keys)}"
    return f"mapping to {_kind(part.get('additionalProperties') or {}, schema)}"


_KINDS: dict[str, Callable[[dict[str, Any], dict[str, Any]], str]] = {
    "integer": lambda part, _: f"whole number from {part['minimum']} to {part['maximum']}",
    "string": lambda _part, _schema: "text",
    "boolean": lambda _part, _schema: "`true` or `false`",
    "array": _list,
    "object": _mapping,
}


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    if lines:
        yield "\n".join(f"| {line} |" for line in (" | ".join(head), " | ".join("---" for _ in head), *lines))


def main() -> int:
    """Write the page, or tell whether it is what would be written."""
    text = page()
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(text)
    elif PAGE.read_text() != text:
        print(f"{PAGE.relative_to(ROOT)} is stale\nnext: scripts/reference")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
