"""The proof before sending: nothing that stands only in left-out files is in a prompt; pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from inventory.errors import CouldNotRun

MIN_LINE = 20


@dataclass(frozen=True)
class Prompted:
    """A prompt made ready to be searched for foreign lines.

    `own` is every text that may be in it: the sources that were chosen, and our own template.
    """

    prompt: str
    own: str
    starts: frozenset[str]

    @classmethod
    def of(cls, prompts: Iterable[str], own: Iterable[str]) -> Prompted:
        """All prompts of a run at once, and all that they were made from."""
        prompt = "\n".join(prompts)
        starts = frozenset(prompt[i : i + MIN_LINE] for i in range(len(prompt) - MIN_LINE + 1))
        return cls(prompt, "\n".join(own), starts)

    def breach(self, path: str, contents: Iterable[bytes]) -> str | None:
        """What of a left-out file is in the prompt and in none of its sources: its path, or a line of it."""
        if path in self.prompt and path not in self.own:
            return path
        lines = (line.strip() for data in contents for line in data.decode("utf-8", "replace").splitlines())
        return next((line for line in lines if self._is_foreign(line)), None)

    def _is_foreign(self, line: str) -> bool:
        return line[:MIN_LINE] in self.starts and line in self.prompt and line not in self.own


def breached(path: str) -> CouldNotRun:
    """The stop for a breach. It is our own fault, so it names the file and shows nothing of it."""
    return CouldNotRun(
        f"a prompt holds text of {path}, which must not leave",
        why="the proof before sending failed: this is a bug in the tool; nothing was sent",
        fix="Report it; until then use the embedded proposer: propose --rules",
    )
