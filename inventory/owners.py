"""Who owns a path by a CODEOWNERS file: the last rule that matches wins, a rule without owners takes them away.

Rules as GitHub and GitLab document them: a rule is a gitignore pattern without `!` and `[ ]`, and `folder/*`
names the files of that folder only, not those below it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pathspec

PLACES = (".github/CODEOWNERS", ".gitlab/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where the forges look, in their order; the first file that exists is the one that counts."""


@dataclass(frozen=True)
class Rule:
    """One line of a CODEOWNERS file; `line` counts from 1."""

    line: int
    pattern: str
    owners: tuple[str, ...]

    @cached_property
    def _spec(self) -> pathspec.PathSpec[pathspec.Pattern]:
        return pathspec.PathSpec.from_lines("gitignore", [self.pattern])

    def matches(self, path: str) -> bool:
        """Whether this rule speaks about `path`."""
        direct_only = self.pattern.endswith("/*") and not self.pattern.endswith("**/*")
        if direct_only and path.count("/") > self.pattern.lstrip("/").count("/"):
            return False
        return self._spec.match_file(path)


@dataclass(frozen=True)
class Owners:
    """The rules of one CODEOWNERS file; `place` is None where the tree holds none."""

    place: str | None
    rules: tuple[Rule, ...]

    def rule_for(self, path: str) -> Rule | None:
        """The rule that decides about `path`."""
        return next((rule for rule in reversed(self.rules) if rule.matches(path)), None)

    def of(self, path: str) -> tuple[str, ...]:
        """The owners of `path`; () where nobody owns it."""
        rule = self.rule_for(path)
        return rule.owners if rule else ()


def parse_owners(place: str | None, data: bytes) -> Owners:
    """Read a CODEOWNERS file; lines that the forges skip (`!`, brackets, sections) are skipped."""
    rules = []
    for number, line in enumerate(data.decode("utf-8", "replace").splitlines(), start=1):
        words = line.split("#", 1)[0].split()
        if words and not words[0].startswith(("!", "[", "^[")):
            rules.append(Rule(number, words[0], tuple(w for w in words[1:] if "@" in w)))
    return Owners(place, tuple(rules))
