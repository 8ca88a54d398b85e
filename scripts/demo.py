"""Tells the whole path once, on a small repository made for it, and fails where a step ends otherwise.

Every command below is the real one, in a process of its own; what it prints is shown as it is.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

FILES = Path(__file__).resolve().parent / "demo_files"
DATE = "2026-01-05T12:00:00+00:00"
UNUSABLE_ANSWER = 5  # a small model may say nothing usable; the embedded rules then go on
FIXTURE = "tests/fixtures/window_cases.json"


class StoryBroke(Exception):
    """A step did not turn out as told."""


class Story:
    """Tells and does: each step shows its command and the real output, and checks how it ended."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.endpoint = os.environ.get("OPENAI_BASE_URL")
        self._chapters = 0
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("GIT_", "PYTHON"))}
        self._env = kept | {"GIT_CONFIG_NOSYSTEM": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        self._env |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_AUTHOR_DATE": DATE, "GIT_COMMITTER_DATE": DATE}

    def chapter(self, title: str, text: str) -> None:
        """A heading and what is about to happen."""
        self._chapters += 1
        print(f"\n=== {self._chapters}. {title} ===\n")
        print(textwrap.fill(" ".join(text.split()), 96), flush=True)

    def run(self, *command: str, ends: int | tuple[int, ...] = 0, says: tuple[str, ...] = ()) -> str:
        """Run a command, show it with its output, result before talk, and return that.

        Raises StoryBroke when the exit code is not (one of) `ends` or one of `says` does not occur.
        """
        print(f"\n$ {shlex.join(command)}", flush=True)
        output, code = self._do(*command)
        print(textwrap.indent(output, "  ") or "  (no output)")
        print(f"  [exit {code}]", flush=True)
        missing = [text for text in says if text not in output]
        if code not in (ends if isinstance(ends, tuple) else (ends,)):
            raise StoryBroke(f"`{shlex.join(command)}` ended with {code}, the story says {ends}")
        if missing:
            raise StoryBroke(f"`{shlex.join(command)}` never says {missing}")
        return output

    def files(self, step: str) -> None:
        """Lay the files of a step over the work tree."""
        shutil.copytree(FILES / step, self.root, dirs_exist_ok=True)

    def git(self, *args: str) -> str:
        """Do something in git without a word about it. Raises StoryBroke when git fails."""
        output, code = self._do("git", *args)
        if code:
            raise StoryBroke(f"git {shlex.join(args)} ended with {code}: {output}")
        return output.strip()

    def commit(self, message: str) -> None:
        """Commit everything that changed, and say so."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message)
        print(f"\n  committed on {self.git('branch', '--show-current')}: {message}", flush=True)

    def switch(self, branch: str, start: str) -> None:
        """Start a branch, and say so."""
        self.git("switch", "--quiet", "--create", branch, start)
        print(f"\n  new branch {branch}, from {start}", flush=True)

    def merge(self, branch: str) -> None:
        """Merge a branch into main, as the host of the repository would."""
        self.git("switch", "--quiet", "main")
        self.git("merge", "--quiet", "--no-ff", "--message", f"Merge {branch}", branch)
        print(f"\n  merged {branch} into main", flush=True)

    def _do(self, *command: str) -> tuple[str, int]:
        done = subprocess.run(
            command,
            cwd=self.root,
            env=self._env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=300,
        )
        parts = [part.decode("utf-8", "replace").rstrip("\n") for part in (done.stdout, done.stderr)]
        return "\n\n".join(part for part in parts if part), done.returncode


def tell(story: Story) -> None:
    """The story, chapter by chapter."""
    start(story)
    agent_changes_code_and_tests(story)
    candidate = propose(story)
    promote_in_the_same_patch(story, candidate)
    merge_the_code(story)
    promote_on_a_branch_of_its_own(story, candidate)
    agent_breaks_the_invariant(story, candidate)


def start(story: Story) -> None:
    """A repository with history, tests and an owned inventory with one property."""
    story.chapter(
        "A repository with an oracle",
        """A small package, `app`, with tests. Its owners keep an inventory of invariants in
        `invariants/`: so far one property, that reading back a rendered line of settings loses nothing.""",
    )
    story.git("init", "--quiet", "--initial-branch=main")
    for key, value in (("user.name", "Demo"), ("user.email", "demo@example.org"), ("commit.gpgSign", "false")):
        story.git("config", key, value)
    story.files("1_start")
    story.commit("Read, render and clamp settings")
    story.run("review", "init", "--owner", "@oracle-team")
    story.files("1_oracle")
    story.run("review", "lock", "tests/fixtures/settings.json", "--note", "First samples, written by hand")
    story.commit("Keep the oracle in invariants/")
    story.run("gate", "run", says=("settings_roundtrip", "pass"))


def agent_changes_code_and_tests(story: Story) -> None:
    """The first patch: production and the expectations of its tests, together."""
    story.chapter(
        "An agent changes the code and rewrites its tests",
        """On a branch, an agent lets `clamp` take its bounds in either order, and edits the expected
        value of the test that said otherwise. All tests are green: they arrived with the code, so they
        are specimens of intent and prove nothing about it.""",
    )
    story.switch("agent/swapped-bounds", "main")
    story.files("2_agent")
    story.commit("Accept bounds in either order")
    story.run("git", "diff", "--stat", "main...HEAD")
    story.run("python3", "-m", "unittest", "-q", says=("OK",))


def propose(story: Story) -> str:
    """Candidates from the production part of the patch; the id of the one on the range of `clamp`."""
    story.chapter(
        "propose: candidates from the production part of the patch",
        """What must hold for the changed function? `propose` reads the production part alone; the
        rewritten test never reaches it. What it writes waits in `invariants/proposed/`, without a vote.""",
    )
    if story.endpoint:
        story.run("propose", "--base", "main", ends=(0, UNUSABLE_ANSWER))
    if not _on_the_range(story.root):
        story.run("propose", "--base", "main", "--rules", says=("invariants/proposed/",))
    story.run("git", "status", "--short", "--untracked-files=all")
    story.commit("Propose candidates")
    story.run("review", "list", says=("app.window:clamp",))
    found = _on_the_range(story.root)
    if not found:
        raise StoryBroke("no candidate speaks about the range of clamp")
    story.run("review", "show", found[0], says=("output_in_range",))
    return found[0]


def promote_in_the_same_patch(story: Story, candidate: str) -> None:
    """Refused by review, and blocked by the gate where somebody writes the files by hand."""
    story.chapter(
        "Promotion in the same patch is refused",
        """A property that arrives with the code it judges would be the agent marking its own work.
        `review promote` declines on a branch with production changes; whoever edits the files by hand
        meets the gate.""",
    )
    story.switch("agent/shortcut", "agent/swapped-bounds")
    story.files("3_promotion")
    story.run(*_promotion(story, candidate), ends=1)
    story.files("2_shortcut")
    (story.root / "invariants/proposed" / f"{candidate}.yaml").unlink()
    story.commit("Promote by hand, together with the code")
    story.run("gate", "check", "--base", "main", ends=1, says=("BLOCK", "same_patch_promotion"))


def merge_the_code(story: Story) -> None:
    """The honest branch: candidates have no vote, the inventory of base decides."""
    story.chapter(
        "The code merges on its own merits",
        """Without the shortcut the same code passes: the inventory of main votes, the edited test and
        the candidates do not.""",
    )
    story.git("switch", "--quiet", "agent/swapped-bounds")
    story.run("gate", "check", "--base", "main", says=("likely_safe", "specimen", "untrusted", "ALLOW"))
    story.merge("agent/swapped-bounds")


def promote_on_a_branch_of_its_own(story: Story, candidate: str) -> None:
    """A human: seed, fixture, digest, and a pull request without production changes."""
    story.chapter(
        "A human promotes, on a branch of its own",
        """A reviewer writes samples by hand, picks a seed and gives the digest of the samples that
        were looked at. Without them `review promote` changes nothing and says what is missing.""",
    )
    story.switch("promote/window", "main")
    story.files("3_promotion")
    story.git("add", FIXTURE)
    digest = hashlib.sha256((story.root / FIXTURE).read_bytes()).hexdigest()
    story.run("review", "promote", candidate, "--seed", "90210", "--fixture", FIXTURE, ends=1, says=(digest,))
    story.run(*_promotion(story, candidate))
    story.commit("Promote the range of clamp")
    story.run("gate", "check", "--base", "main", says=("likely_safe", "ALLOW"))
    story.merge("promote/window")


def agent_breaks_the_invariant(story: Story, candidate: str) -> None:
    """The second patch: wrong, and green by its own tests."""
    story.chapter(
        "A second patch breaks the invariant, and its own tests are green",
        """Now an agent gives the window soft edges: a value may pass its bound a little. It rewrites
        the tests to agree, and they do. The gate runs main's inventory on the new code.""",
    )
    story.switch("agent/soft-edges", "main")
    story.files("4_agent_again")
    story.commit("Give the window soft edges")
    story.run("python3", "-m", "unittest", "-q", says=("OK",))
    story.run("gate", "check", "--base", "main", ends=1, says=("BLOCK", "invariant_miss", candidate))


def _promotion(story: Story, candidate: str) -> tuple[str, ...]:
    digest = hashlib.sha256((story.root / FIXTURE).read_bytes()).hexdigest()
    pinned = ("--seed", "90210", "--fixture", FIXTURE, "--sha256", digest)
    return ("review", "promote", candidate, *pinned, "--reviewer", "ada", "--note", "Looked at every sample")


def _on_the_range(root: Path) -> list[str]:
    """The ids of the candidates that claim that clamp stays in its range."""
    files = sorted((root / "invariants/proposed").glob("*.yaml"))
    return [path.stem for path in files if "output_in_range" in path.read_text()]


def main() -> int:
    """Tell the story in the folder given, or in a new temporary one; 0 when all of it came true."""
    root = Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(tempfile.mkdtemp(prefix="invariant-demo-"))
    root.mkdir(parents=True, exist_ok=True)
    if any(root.iterdir()):
        print(f"error: {root} is not empty\nwhy: the story starts in an empty folder\nnext: name another one")
        return 2
    try:
        tell(Story(root))
    except StoryBroke as broke:
        print(f"\nThe story broke: {broke}\nThe repository as it stands: {root}")
        return 1
    print(f"\nAll of it came true. The repository is yours to play with: {root}")
    commands = Path(shutil.which("gate") or "").parent
    print(f"  export PATH={shlex.quote(str(commands))}:$PATH; cd {shlex.quote(str(root))}; gate checks")
    return 0


if __name__ == "__main__":
    sys.exit(main())
