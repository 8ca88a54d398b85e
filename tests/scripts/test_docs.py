"""Every command line and every file in the documentation is tried; a block that nothing claims fails."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml
from pytest_httpserver import HTTPServer

import gate.cli
import propose.cli
import review.cli
from gate.own_checks import Checks
from gate.verdicts import Sighting
from gate.workflows import runs_gate, weaknesses
from inventory.catalogue import CATALOGUE
from inventory.codec import parse_candidate, parse_inventory, parse_lock
from inventory.law_syntax import parse_law
from inventory.records import Property
from scripts import reference
from tests.fence import ROOT
from tests.repo import Repo, Result

PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
EXAMPLES = sorted((ROOT / "docs" / "examples").iterdir())
APPS = {"propose": propose.cli.app, "review": review.cli.app, "gate": gate.cli.app}
ELSEWHERE = {"pipx", "cd", "git", "echo"}  # lines that set the scene: of other tools, and run in the tutorial
STARTS_OTHERS = ("review record", "review mine")  # take seconds; the tutorial runs them
HEX = "0123456789abcdef" * 4
WORDS = {"ID": "window_settles", "HEX": HEX, "3f1c…": HEX, "origin/main": "main"}


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, the line of its fence, its language, its text."""

    page: str
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """The command lines of it, each as one line."""
        return [line for line in re.sub(r"\\\n\s*", "", self.text).split("\n") if line and not line.startswith("#")]


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page in their order."""
    found: list[str] | None = None
    start, language = 0, ""
    for number, line in enumerate(page.read_text().split("\n"), 1):
        if not line.startswith("```"):
            if found is not None:
                found.append(line)
        elif found is None:
            found, start, language = [], number, line[3:]
        else:
            yield Block(page.relative_to(ROOT).as_posix(), start, language, "\n".join(found))
            found = None
    assert found is None, f"{page}: a block does not end"


BLOCKS = [block for page in PAGES for block in blocks_of(page)]


def of(*languages: str) -> list[Block]:
    return [block for block in BLOCKS if block.language in languages]


def test_every_block_says_what_it_is() -> None:
    assert {block.language for block in BLOCKS} <= {"sh", "yaml", "json", "python", "text"}


# -- command lines ------------------------------------------------------------------------


@pytest.mark.parametrize("block", of("sh"), ids=str)
def test_command_lines_are_read_by_the_command(block: Block) -> None:
    for line in block.commands:
        judge_line(shlex.split(line, comments=True))


def judge_line(words: Sequence[str]) -> None:
    """Fails for words that the command does not take, and for a script or tool that there is not."""
    name = words[0]
    if name == "invariant-inventory":
        judge_line(words[1:])
    elif name in APPS:
        read(name, [WORDS.get(word, word) for word in words[1:] if word != "…"])
    elif name.startswith("scripts/"):
        assert (ROOT / name).stat().st_mode & 0o111, name
    else:
        assert name in ELSEWHERE, name


def read(name: str, words: list[str]) -> None:
    """Parse by the real parser of the command, without running anything. Raises what it raises for wrong usage."""
    command: Any = typer.main.get_command(APPS[name])
    if words == ["--version"]:
        return
    context = command.make_context(name, words)
    if hasattr(command, "resolve_command"):
        rest = [*context._protected_args, *context.args]  # noqa: SLF001  # where a group keeps the words of a subcommand
        if rest:
            sub, inner, left = command.resolve_command(context, rest)
            inner.make_context(sub, left, parent=context)


@pytest.mark.parametrize(
    "line", ["gate check", "gate run --no-such", "review promote", "propose --base", "gate nothing"]
)
def test_the_parser_would_notice(line: str) -> None:
    with pytest.raises(typer.TyperException):
        judge_line(shlex.split(line))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """A repository as the pages have it: a property, a candidate, a branch that changed code."""
    repo = Repo.create(tmp_path_factory.mktemp("docs") / "repo")
    repo.commit("Start", {"app/__init__.py": "", "app/window.py": WINDOW, "tests/fixtures/window_cases.json": CASES})
    assert repo.call("review", "init", "--owner", "@ada").code == 0
    repo.write({"invariants/inventory.yaml": f"version: 1\nproperties:\n{PROPERTY}freezes:\n"})
    assert repo.call("review", "lock", "--note", "First").code == 0
    other = CANDIDATE.replace("window_settles", "window_range").replace("deterministic", "never_raises")
    waiting = {"window_settles": CANDIDATE, "window_range": other}
    repo.commit("Oracle", {f"invariants/proposed/{name}.yaml": text for name, text in waiting.items()})
    repo.branch("work")
    repo.commit("Work", {"app/window.py": WINDOW.replace("max(lo", "max( lo") + "\n\ndef two(x):\n    return x\n"})
    return repo


WINDOW = "def clamp(lo: int, hi: int, x: int) -> int:\n    return max(lo, min(hi, x))\n"
CASES = '[{"lo": 0, "hi": 9, "x": 12}, {"lo": -4, "hi": 4, "x": 1}]\n'
TARGET = "    module: app.window\n    fn: clamp\n"
PROPERTY = (
    f"  - id: window_bounds\n{TARGET}    seed: 7\n    fixture: tests/fixtures/window_cases.json\n"
    "    checks: [output_in_range]\n"
)
CANDIDATE = "id: window_settles\nmodule: app.window\nfn: clamp\nchecks: [deterministic]\n"


def lines_of(page: Path) -> list[str]:
    """The command lines of ours on a page that is no story of its own."""
    if page.name in ("tutorial.md", "story.md"):
        return []
    lines = [line for block in of("sh") if ROOT / block.page == page for line in block.commands]
    return [line for line in lines if line.split()[0] in APPS and not line.startswith(STARTS_OTHERS)]


@pytest.mark.parametrize("page", [page for page in PAGES if lines_of(page)], ids=lambda page: page.name)
def test_command_lines_run(page: Path, house: Repo, tmp_path: Path) -> None:
    """In a repository like the page's each ends with 0, or with 1: the answer is no."""
    repo = house.copy(tmp_path / "repo")
    for line in lines_of(page):
        done = repo.call(*(WORDS.get(word, word) for word in shlex.split(line, comments=True) if word != "…"))
        assert done.code in (0, 1), f"{line}: {done.code}: {done.err}"
        repo.commit(line)


# -- the tutorial ---------------------------------------------------------------------------


def test_the_tutorial_comes_true(repo: Repo) -> None:
    test = "from app.window import clamp\n\n\ndef test_clamp():\n"
    calls = ((0, 9, 12, 9), (0, 9, 4, 4), (-3, 3, -7, -3), (1, 2, 0, 1))
    test += "".join(f"    assert clamp({a}, {b}, {x}) == {y}\n" for a, b, x, y in calls)
    repo.commit("History", {"app/__init__.py": "", "app/window.py": WINDOW, "tests/test_window.py": test})
    own_environment(repo)
    told = ""
    for line in [line for block in of("sh") if block.page == "docs/tutorial.md" for line in block.commands]:
        found = re.findall(r"invariants/proposed/(\w+)\.yaml", told)
        done = typed(repo, line.replace(" ID", f" {found[0]}") if found else line)
        told = f"{told}{done.out}"
        if line.startswith("review promote"):
            assert done.code == 1
            done = typed(repo, re.findall(r"^review promote .*$", done.err, re.MULTILINE)[0])
        if line == "git switch --create broken":
            repo.write({"app/window.py": WINDOW.replace("min(hi, x))", "min(hi, x)) + 1")})
        expected = 1 if done.out.startswith("BLOCK") else 0
        assert done.code == expected, f"{line}: {done.out}{done.err}"
    assert "ALLOW  main" in told
    assert "invariant_miss" in told.rpartition("BLOCK  main")[2]


PAGED = ROOT / "docs" / "story.md"
STEP = "[items[at : at + size] for at in range(0, len(items), size)]"
FULL = "[items[at : at + size] for at in range(0, len(items) - size + 1, size)]"
PAGE_TESTS = (
    "from app.pages import pages\n\n\ndef test_pages():\n    assert pages([1, 2, 3, 4], 2) == [[1, 2], [3, 4]]\n"
    "    assert pages([5, 6, 7], 2) == [[5, 6], [7]]\n    assert pages([], 3) == []\n"
    "    assert pages(['a'], 4) == [['a']]\n"
)


def proposals() -> str:
    """What the model of the story answers: a law, and an example that is none."""
    common = {"target": "app.pages:pages", "evidence": "def pages(items, size):", "checks": [], "samples": []}
    common |= {"statement": "Cutting loses nothing.", "breaks_if": "the rest is dropped", "new_checks": []}
    laws = {
        "pages_keep_items": "[item for page in pages(items, size) for item in page] == items",
        "an_example": "pages([1, 2], 1) == [[1], [2]]",
    }
    drafts = [common | {"id": name, "law": law, "relation": "round trip"} for name, law in laws.items()]
    choice = {"index": 0, "finish_reason": "stop"}
    message = {"role": "assistant", "content": json.dumps({"candidates": drafts})}
    return json.dumps(
        {"id": "1", "object": "chat.completion", "model": "m", "choices": [choice | {"message": message}]}
    )


def test_the_story_of_a_law_comes_true(repo: Repo, httpserver: HTTPServer) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_data(proposals(), content_type="application/json")
    [code] = [block for block in of("python") if ROOT / block.page == PAGED]
    files = {"app/__init__.py": "", "app/pages.py": code.text, "tests/test_pages.py": PAGE_TESTS}
    repo.commit("History", files)
    assert repo.call("review", "init", "--owner", "@ada").code == 0
    repo.commit("Lay the inventory")
    repo.branch("faster-pages")
    repo.commit(
        "Take generators", {"app/pages.py": code.text.replace("    return", "    items = list(items)\n    return")}
    )
    own_environment(repo)
    told = ""
    for line in [line for block in of("sh") if ROOT / block.page == PAGED for line in block.commands]:
        if line.startswith("git commit --all"):
            source = repo.read("app/pages.py").replace(STEP, FULL)
            repo.write({"app/pages.py": source, "tests/test_pages.py": PAGE_TESTS.replace("[[5, 6], [7]]", "[[5, 6]]")})
        done = typed(repo, line.replace("http://127.0.0.1:8000", httpserver.url_for("").rstrip("/")))
        told = f"{told}{done.out}"
        if line.startswith("review promote"):
            assert done.code == 1
            done = typed(repo, re.findall(r"^review promote .*$", done.err, re.MULTILINE)[0])
        expected = 1 if done.out.startswith("BLOCK") else 0
        assert done.code == expected, f"{line}: {done.out}{done.err}"
    law = "[item for page in pages(items, size) for item in page] == items"
    assert all(part in told for part in ("an example, not a law", "ALLOW  main", law, "specimen"))
    assert "invariant_miss" in told.rpartition("BLOCK  main")[2]


def own_environment(repo: Repo) -> None:
    """`.venv` as the tutorial has it: an interpreter in which the tests can run."""
    venv.create(repo.root / ".venv", symlinks=True)
    [packages] = (repo.root / ".venv/lib").glob("python*/site-packages")
    (packages / "tests.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))


def typed(repo: Repo, line: str) -> Result:
    """What a line of the tutorial comes to; installing the tool is left to tests of their own."""
    words = shlex.split(line)
    if words[0] in APPS:
        return repo.call(*words)
    if words[0] == "pipx":
        return Result(0, "", "")
    done = subprocess.run(["sh", "-c", line], cwd=repo.root, env=repo.environment(), capture_output=True, check=False)
    return Result(done.returncode, done.stdout.decode(), done.stderr.decode())


# -- files ------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", of("yaml", "json", "python"), ids=str)
def test_files_are_read_as_what_they_are(block: Block) -> None:
    text = block.text.replace("3f1c…", HEX)
    match block.language:
        case "json":
            assert parse_lock(text.encode(), str(block)).entries
        case "python":
            judge_python(text)
        case _:
            judge_yaml(text, str(block))


def judge_python(text: str) -> None:
    """Fails for a check that does not hold of a function that keeps it, and for code that does not run."""
    if "keeps_the_total" in text:
        check = Checks(text.encode()).find("keeps_the_total")
        check(lambda amount, ways: [amount // ways] * ways, {"amount": 6, "ways": 3})
    else:
        found: dict[str, Any] = {}
        exec(compile(text, "block", "exec"), found)  # noqa: S102  # the page's own lines
        assert found["pages"]([1, 2, 3], 2) == [[1, 2], [3]]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_read_as_what_they_are(path: Path) -> None:
    judge_yaml(path.read_text(), path.name)
    if path.name == "github.yml":
        text = path.read_text().replace("TOOL@", "owner/invariant-inventory@")
        assert runs_gate(text)
        assert not weaknesses(".github/workflows/gate.yml", text)


def judge_yaml(text: str, name: str) -> None:
    """Fails for a file that its reader would not take, and for one that nobody here knows."""
    data = yaml.safe_load(text)
    if isinstance(data, list):
        judge_steps(data)
    elif "repos" in data:
        hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
        assert {hook["id"] for repo in data["repos"] for hook in repo["hooks"]} <= {hook["id"] for hook in hooks}
    elif "id" in data:
        assert parse_candidate(text.encode(), name).checks
    elif "jobs" in data:
        for job in data["jobs"].values():
            judge_steps(job["steps"])
    elif any("script" in job for job in data.values() if isinstance(job, dict)):
        for job in data.values():
            judge_shell("\n".join(job["script"]))
    elif data.keys() <= {"version", "properties", "freezes"}:
        head = "" if "version" in data else "version: 1\n"
        found = parse_inventory(f"{head}{text}".encode(), name)
        assert found.properties or found.freezes
    else:
        judge_keys(data)


def judge_keys(data: dict[str, Any]) -> None:
    """Some keys of a property."""
    target = {"id": "any_id", "module": "app.window", "fn": "clamp", "seed": 1, "fixture": "tests/a.json"}
    whole = {**target, "checks": ["deterministic"]} | data
    assert Property.model_validate_json(json.dumps(whole)).id == "any_id"
    for use in data.get("checks", ()):
        parse_law(use["law"])


def judge_steps(steps: Sequence[dict[str, Any]]) -> None:
    inputs = yaml.safe_load((ROOT / "action.yml").read_text())["inputs"]
    for step in steps:
        judge_shell(step.get("run", ""))
        if step.get("uses") == "TOOL@PIN":
            assert step.get("with", {}).keys() <= inputs.keys()


def judge_shell(script: str) -> None:
    """The command lines of ours in a script, wherever they stand in it."""
    for line in script.split("\n"):
        lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
        lexer.whitespace_split = True
        words: list[str] = []
        for word in [*lexer, ";"]:
            if re.fullmatch(r"[;|&<>()]+", word):
                if words and (name := Path(words[0]).name) in APPS:
                    judge_line([name, *words[1:]])
                words = []
            else:
                words.append(word)


# -- text --------------------------------------------------------------------------------------


@pytest.mark.parametrize("block", of("text"), ids=str)
def test_text_is_what_is_printed(block: Block) -> None:
    """Pictures name what there is; lines of output have the form of the output."""
    lines = block.text.split("\n")
    if block.page == "docs/gate.md":
        assert [str(sighting(line)) for line in lines] == lines
    elif block.page == "docs/review.md":
        assert re.match(r"the command ended with \d+$", lines[0])
        assert re.match(r"wrote \S+: \d+ samples, for --call args$", lines[-1])
    elif block.page == "docs/design.md":
        words = [word for line in lines for word in re.split(r"\s{2,}", line.strip())]
        named = [word for word in words if re.fullmatch(r"\w+/|\w+\.py|\.ci/run", word)]
        assert named
        assert all((ROOT / name).exists() for name in named)
    else:
        assert block.page == "README.md"
        assert all(name in block.text for name in (*APPS, "invariants/proposed/", "invariants/inventory.yaml"))


def sighting(line: str) -> Sighting:
    kinds = {"reads the clock": "clock", "draws entropy": "entropy", "uses the network": "network"}
    does, _, rest = line.removeprefix("production ").partition(": ")
    source, _, at = rest.rpartition(" at ")
    return Sighting.model_validate({"kind": kinds[does], "source": source, "at": at})


def test_the_reference_is_what_the_code_says() -> None:
    assert reference.PAGE.read_text() == reference.page(), "stale: scripts/reference"


def test_the_readme_claims_what_was_measured() -> None:
    measured = (ROOT / "docs" / "measured.md").read_text()
    [hacks] = re.findall(r"^\| \*\*all\*\* \| (\d+) \| (\d+) \| (\d+) \|", measured, re.MULTILINE)
    [honest] = re.findall(
        r"^\| honest changes \| gate refuses .*\n\|[-|]+\n\| (\d+) \| (\d+) \|", measured, re.MULTILINE
    )
    readme = " ".join((ROOT / "README.md").read_text().split())
    claims = (
        r"Measured on (\d+) ways to make tests green around one unfixed bug: pytest lets (\d+) pass, the gate (\w+)\.",
        r"Of (\d+) honest changes the gate refuses (\w+)\.",
        r"one of (\d+) that come with it",
    )
    found = [
        tuple("0" if n == "none" else n for n in match.groups()) for c in claims if (match := re.search(c, readme))
    ]
    assert found == [hacks, honest, (str(len(CATALOGUE)),)]
