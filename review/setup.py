"""`review init`: what a repository needs before it can have an oracle, and nothing over what is there."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution

from gate.workflows import PLACEHOLDER, PLACEHOLDER_EDIT
from inventory.errors import WrongUsage
from inventory.files import Writer, writing
from inventory.git import Git
from inventory.owners import GITHUB_PLACES, GITLAB_PLACES, Owners, parse_owners, places_in
from inventory.records import INVENTORY_PATH, LOCK_PATH

WORKFLOW_PATH = ".github/workflows/gate.yml"
_PLACES = tuple(dict.fromkeys(GITHUB_PLACES + GITLAB_PLACES))
_OWNER = re.compile(r"@[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9._-]+)?|[^@\s#]+@[^@\s#]+\.[^@\s#]+")

_INVENTORY = """\
# What votes. A human promotes: review list, review show ID, review promote ID …
# The patch that changes production never changes this file.
version: 1
properties:
freezes:
"""

_WORKFLOW = """\
# The merge gate. Make its job a required check, and require a review by code owners.
name: gate

on:
  pull_request:
    types: [opened, synchronize, reopened, edited]   # edited: another base is another patch
  merge_group:

permissions:
  contents: read

jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0
          persist-credentials: false
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      # What your own code imports goes into this python, for example:
      # - run: python -m pip install -r requirements.txt
      - run: {install}
      - run: gate check --base "$BASE"
        env:
          BASE: ${{{{ github.event.pull_request.base.sha || github.event.merge_group.base_sha }}}}
"""


@dataclass(frozen=True)
class Laid:
    """What `init` did with one path: written, extended, or left as it was; and what somebody must edit in it."""

    path: str
    what: str
    edit: str | None = None


def lay(git: Git, owner: str) -> tuple[Laid, ...]:
    """Write the inventory, the lock, the workflow and the owner lines that are missing.

    Raises WrongUsage for an owner that no CODEOWNERS file could name, CouldNotRun when the system refuses.
    """
    if not _OWNER.fullmatch(owner) or not owner.isprintable():
        raise WrongUsage(
            f"{owner!r} is no owner",
            why="a CODEOWNERS file names @user, @organisation/team or an e-mail address",
            fix="review init --owner @your-team",
        )
    with writing(git, INVENTORY_PATH, LOCK_PATH, WORKFLOW_PATH, *_PLACES) as writer:
        return (
            _new(writer, INVENTORY_PATH, _INVENTORY),
            _new(writer, LOCK_PATH, "{}\n"),
            _new(writer, WORKFLOW_PATH, _WORKFLOW.format(install=install_line())),
            *_owned(writer, owner),
        )


def owner_lines(owners: Owners, owner: str) -> str:
    """The lines that a CODEOWNERS file lacks, so that the oracle and its gate have an owner; pure.

    The last rule that matches wins, so they go to the end.
    """
    wanted = {"/invariants/": INVENTORY_PATH, f"/{owners.place}": owners.place, f"/{WORKFLOW_PATH}": WORKFLOW_PATH}
    return "".join(f"{pattern} {owner}\n" for pattern, path in wanted.items() if not _has_own_rule(owners, path))


def _has_own_rule(owners: Owners, path: str) -> bool:
    """A rule for everything (`*`) does not say who owns the oracle."""
    return any(rule.owners and rule.pattern.strip("/*") for rule in owners.rules_for(path))


def _owned(writer: Writer, owner: str) -> list[Laid]:
    """The owner lines in the file of every forge that has one; in GitHub's where none has."""
    there = {place: data for place in _PLACES if (data := writer.read(place)) is not None}
    found = {place: forge for forge, place in places_in(there)}
    if found:
        return [_extended(writer, parse_owners(forge, p, there[p]), there[p], owner) for p, forge in found.items()]
    place = GITHUB_PLACES[0]
    writer.create_new(place, owner_lines(parse_owners("GitHub", place, b""), owner).encode())
    return [Laid(place, "written")]


def _extended(writer: Writer, owners: Owners, old: bytes, owner: str) -> Laid:
    lines = owner_lines(owners, owner)
    if not lines:
        return Laid(owners.place, "left as it was: the oracle has an owner")
    newline = "\r\n" if b"\r\n" in old else "\n"
    joint = "" if not old or old.endswith(b"\n") else newline
    writer.replace(owners.place, old + (joint + lines.replace("\n", newline)).encode(), expected=old)
    return Laid(owners.place, f"extended: {', '.join(line.split()[0] for line in lines.splitlines())}")


def _new(writer: Writer, path: str, text: str) -> Laid:
    old = writer.read(path)
    if old is None:
        writer.create_new(path, text.encode())
    now = text.encode() if old is None else old
    edit = PLACEHOLDER_EDIT.format(path=path) if PLACEHOLDER.encode() in now else None
    return Laid(path, "written" if old is None else "left as it was", edit)


def install_line() -> str:
    """The step that installs the very commit this tool was installed from.

    Where that is not known, a step that fails and says so: a bare name could fetch a stranger's package.
    """
    try:
        origin = json.loads(distribution("invariant-inventory").read_text("direct_url.json") or "{}")
    except PackageNotFoundError:
        origin = {}
    url, commit = str(origin.get("url", "")), origin.get("vcs_info", {}).get("commit_id")
    if commit and url.startswith(("https://", "ssh://")):
        return f'pipx install "git+{url}@{commit}"'
    return PLACEHOLDER
