"""Whether the oracle is really gated: owners, CI configuration, attributes and look-alike paths of one tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from gate.workflows import GITHUB_FOLDER, GITLAB_FILE, PLACEHOLDER, PLACEHOLDER_EDIT, runs_gate, weaknesses
from inventory.escapes import visible
from inventory.oracle import ORACLE_FILES, Oracle, first_step
from inventory.owners import Owners, owners_of
from inventory.reading import read_owners
from inventory.records import INVENTORY_PATH, LOCK_PATH
from inventory.tree import Tree
from inventory.twins import twins

_CHANGING = ("filter", "working-tree-encoding", "ident", "text", "eol")
_HARMLESS = {"unspecified", "unset"}


class Health(StrEnum):
    """How a finding stands: `bad` is a way around the gate, `warn` is worth a look."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at, what was seen, and what to change."""

    health: Health
    subject: str
    what: str
    fix: str = ""


def examine(tree: Tree, oracle: Oracle) -> tuple[Finding, ...]:
    """Everything that the doctor sees in a tree and its oracle."""
    owners = read_owners(tree)
    configurations = _configurations(tree)
    return (
        *_owned(tree, oracle, owners, tuple(configurations)),
        *_gated(configurations),
        *_voting(oracle),
        *_attributes(tree, oracle),
        *(Finding(Health.BAD, path, what, "rename it") for path, what in twins(tree.entries)),
    )


def finding_text(finding: Finding) -> str:
    """One finding as a line, with what to change on a second."""
    line = f"{finding.health:<5} {visible(finding.subject)}: {visible(finding.what)}"
    return f"{line}\n      next: {visible(finding.fix)}" if finding.fix else line


def _owned(tree: Tree, oracle: Oracle, owners: list[Owners], ci: tuple[str, ...]) -> Iterator[Finding]:
    if not owners:
        yield Finding(Health.BAD, "owners", "there is no CODEOWNERS file", "review init --owner WHO")
    must = {INVENTORY_PATH, LOCK_PATH, *(p for p in ORACLE_FILES if p in tree), *(o.place for o in owners), *ci}
    should = set(oracle.fixtures)
    for path in sorted(must | should):
        rules = [f"{o.place}:{rule.line}" for o in owners for rule in o.rules_for(path)]
        found = owners_of(owners, path)
        if found:
            yield Finding(Health.OK, path, f"owned by {' '.join(found)} ({', '.join(rules)})")
        else:
            health = Health.BAD if path in must else Health.WARN
            yield Finding(health, path, "nobody owns it", f"add a line for /{path} to CODEOWNERS")


def _configurations(tree: Tree) -> dict[str, str]:
    paths = [p for p in tree.under(GITHUB_FOLDER) if p.endswith((".yml", ".yaml"))]
    read = tree.read_many([*paths, GITLAB_FILE])
    texts = {path: data.decode("utf-8", "replace") for path, data in read.items()}
    return {path: text for path, text in texts.items() if runs_gate(text)}


def _gated(configurations: dict[str, str]) -> Iterator[Finding]:
    if not configurations:
        what = f"no file of {GITHUB_FOLDER} and no {GITLAB_FILE} runs gate check"
        yield Finding(Health.BAD, "workflow", what, "review init --owner WHO, or run it in your own CI")
    for path, text in configurations.items():
        found = weaknesses(path, text)
        for weakness in found:
            yield Finding(Health.BAD, path, weakness.what, weakness.fix)
        if PLACEHOLDER in text:
            what = "it still has the placeholder of review init, so its job fails for every patch"
            yield Finding(Health.WARN, path, what, PLACEHOLDER_EDIT.format(path=path))
        elif not found:
            yield Finding(Health.OK, path, "runs gate check for every patch, on the whole history")
        what = "a pull request runs its own version of this file, so only the forge can insist on it"
        yield Finding(Health.WARN, path, what, "make its job a required check, and require a code owner's review")


def _voting(oracle: Oracle) -> Iterator[Finding]:
    if not oracle.inventory.properties:
        what = "nothing votes yet, so gate check can allow no patch (but with --allow-empty)"
        yield Finding(Health.WARN, INVENTORY_PATH, what, first_step(oracle))


def _attributes(tree: Tree, oracle: Oracle) -> Iterator[Finding]:
    paths = [*(p for p in ORACLE_FILES if p in tree), *(p for p in oracle.fixtures if p in tree)]
    for path, name, value in tree.git.attributes(paths, _CHANGING):
        if value in _HARMLESS or (name == "text" and value == "auto"):
            continue
        if name == "filter":
            yield Finding(
                Health.BAD, path, f"a filter ({value}) keeps its content outside git", "keep it in git itself"
            )
        else:
            what = f"{name}={value} lets its bytes on disk differ from the blob that the lock trusts"
            yield Finding(Health.WARN, path, what, f"/{path} -text -ident in .gitattributes")
