"""Who owns a path by a CODEOWNERS file, as GitHub and as GitLab read it; pure.

Both: a rule is a gitignore pattern, the last rule that matches wins, and a rule without owners takes
them away; `folder/*` names the files of that folder only. GitHub skips lines with `!` or `[ ]` and
looks in .github/, the root and docs/. GitLab looks in the root, docs/ and .gitlab/; it knows
sections (`[Name] @default`), each with a last match of its own, and `!pattern` takes paths out of one.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import pathspec

GITHUB_PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
GITLAB_PLACES = ("CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")

_SECTION = re.compile(r"\^?\[(?P<name>[^\]]+)\](\[\d+\])?(?P<owners>.*)")
_WORDS = re.compile(r"(?:\\.|[^\s\\])+")
_OWNER = re.compile(r"@\S+|\S+@\S+")


@dataclass(frozen=True)
class Rule:
    """One line of a CODEOWNERS file; `line` counts from 1."""

    line: int
    pattern: str
    owners: tuple[str, ...]

    @cached_property
    def _spec(self) -> pathspec.PathSpec[pathspec.Pattern]:
        try:
            return pathspec.PathSpec.from_lines("gitignore", [self.pattern.removeprefix("!")])
        except (ValueError, re.error):  # what no forge can read matches nothing
            return pathspec.PathSpec([])

    @property
    def excludes(self) -> bool:
        return self.pattern.startswith("!")

    def matches(self, path: str) -> bool:
        """Whether this rule speaks about `path`."""
        direct_only = self.pattern.endswith("/*") and not self.pattern.endswith("**/*")
        if direct_only and path.count("/") > self.pattern.lstrip("/").count("/"):
            return False
        return self._spec.match_file(path)


@dataclass(frozen=True)
class Owners:
    """One CODEOWNERS file as one forge reads it: its sections, each a list of rules."""

    forge: str
    place: str
    sections: tuple[tuple[Rule, ...], ...]

    def rules_for(self, path: str) -> tuple[Rule, ...]:
        """The rules that decide about `path`, one for each section that speaks about it."""
        found = (_deciding(section, path) for section in self.sections)
        return tuple(rule for rule in found if rule)

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of `path`; () where nobody owns it."""
        return tuple(dict.fromkeys(owner for rule in self.rules_for(path) for owner in rule.owners))


def places_in(tree: Container[str]) -> Iterator[tuple[str, str]]:
    """The forge and the file that counts for it, for each forge that finds one; `tree` holds the known paths."""
    for forge, places in (("GitHub", GITHUB_PLACES), ("GitLab", GITLAB_PLACES)):
        place = next((place for place in places if place in tree), None)
        if place:
            yield forge, place


def parse_owners(forge: str, place: str, data: bytes) -> Owners:
    """Read a CODEOWNERS file as that forge does; lines that it does not understand are skipped, as it skips them."""
    lines = [(n, _meaning(line)) for n, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1)]
    lines = [(n, line) for n, line in lines if line]
    sections = _gitlab_sections(lines) if forge == "GitLab" else [_github_rules(lines)]
    return Owners(forge, place, tuple(tuple(section) for section in sections))


def owners_of(readings: Sequence[Owners], path: str) -> tuple[str, ...]:
    """The owners of `path` by every forge that has a file; () as soon as one of them finds none."""
    found = [owners.of(path) for owners in readings]
    return tuple(dict.fromkeys(owner for owners in found for owner in owners)) if all(found) else ()


def _deciding(section: Sequence[Rule], path: str) -> Rule | None:
    matching = [rule for rule in section if rule.matches(path)]
    return matching[-1] if matching and not any(rule.excludes for rule in matching) else None


def _meaning(line: str) -> str:
    """The line without its comment: from a `#` at the start or after white space."""
    return re.sub(r"(^|\s)#.*", "", line).strip()


def _github_rules(lines: Sequence[tuple[int, str]]) -> list[Rule]:
    return [_rule(n, line) for n, line in lines if not line.startswith("!") and not re.search(r"[\[\]]", line)]


def _gitlab_sections(lines: Sequence[tuple[int, str]]) -> list[list[Rule]]:
    sections: dict[str, list[Rule]] = {"": []}
    name, default = "", tuple[str, ...]()
    for number, line in lines:
        header = _SECTION.fullmatch(line)
        if header:
            name, default = header["name"].strip().lower(), tuple(_OWNER.findall(header["owners"]))
            sections.setdefault(name, [])
            continue
        rule = _rule(number, line)
        sections[name].append(rule if rule.owners or rule.excludes else Rule(number, rule.pattern, default))
    return list(sections.values())


def _rule(number: int, line: str) -> Rule:
    pattern, *owners = _WORDS.findall(line)
    return Rule(number, pattern, tuple(word for word in owners if _OWNER.fullmatch(word)))
