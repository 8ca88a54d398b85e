"""Which role a path has: whole components and Python's conventions first, this repository's policy before them.

The order is from what must never be mistaken (oracle, candidate) to what is left (production, unknown).
A path that nothing claims is unknown, and whoever asks decides what that means: the gate counts it as
production, `propose` leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

import pathspec

from inventory.records import PROPOSED_DIR, Policy, Role

KEPT_FROM_SUBJECT = frozenset({Role.TEST, Role.FIXTURE, Role.SNAPSHOT, Role.CASSETTE, Role.ORACLE, Role.CANDIDATE})
"""What code under test never gets to see: whatever could tell it the expected answer."""

_VENDOR = {"_vendor", "vendor", "vendored", "third_party", "thirdparty", "node_modules", "site-packages"}
_TEST_ROOTS = {"test", "testing", "unittests", "benchmarks", "benchmark", "bench"}
_DATA = {"data", "fixtures", "fixture", "testdata", "test_data", "resources", "golden", "goldens", "corpus"}
_DOC_ROOTS = {"docs", "doc", "documentation"}
_EXAMPLE_ROOTS = {"docs_src", "examples", "example", "samples", "demo", "demos", "tutorials"}
_TOOL_ROOTS = {"scripts", "tools", "ci", "build_tools", "packaging", "docker", "requirements.d"}
_TOOL_FILES = {
    "setup.py", "setup.cfg", "pyproject.toml", "noxfile.py", "fabfile.py", "dodo.py", "makefile", "dockerfile",
    "justfile", "codeowners", "manifest.in", "pipfile", "procfile", "mypy.ini", "tox.ini", "pytest.ini", "ruff.toml",
}  # fmt: skip
_TOOL_ANYWHERE = {"dockerfile", "makefile", "py.typed", ".gitkeep", ".gitignore", ".gitattributes"}
_LOCKFILE = re.compile(
    r"(poetry|uv|pdm|pipfile|cargo|yarn|composer|gemfile|conda-lock|pixi)\.lock"
    r"|package-lock\.json|pnpm-lock\.ya?ml|conda-lock\.ya?ml|(requirements|constraints)[\w.-]*\.(txt|in|lock)",
    re.IGNORECASE,
)
_TEST_FILE = re.compile(r"conftest\.py|tests?_.*\.py|.*_tests?\.py|tests\.py")
_GENERATED_FILE = re.compile(r".*_pb2(_grpc)?\.pyi?|.*[._]generated\.\w+|.*\.g\.py")
_DOC_FILE = re.compile(
    r".*\.(md|rst|adoc|mdx|cff|[1-8])|(readme|licen[cs]e|copying|changes|changelog|news|authors|contributors|notice)(\..*)?",
    re.IGNORECASE,
)
_SOURCE_SUFFIXES = {
    "py", "pyi", "pyx", "pxd", "pxi", "c", "h", "cc", "cpp", "hpp", "cxx", "rs", "go", "js", "mjs", "ts", "tsx", "jsx",
    "java", "kt", "rb", "php", "cs", "swift", "scala", "lua", "sql", "sh", "bash", "fish", "zsh",
    "html", "css", "j2", "jinja",
}  # fmt: skip


def role_of(path: str, policy: Policy) -> Role:
    """The role of a path from the repository's root, `/` between components."""
    told = _reserved(path) or declared_role(path, policy)
    return told or next((role for rule in _RULES if (role := rule(path.split("/")))), Role.UNKNOWN)


def declared_role(path: str, policy: Policy) -> Role | None:
    """The role that this repository's policy gives a path; None where it says nothing."""
    return next((role for role, globs in policy.roles.items() if _spec(globs).match_file(path)), None)


def is_seen(path: str, role: Role) -> bool:
    """Whether the code under test may see a path of this role, import it or read it.

    What it may see counts as production for the gate: scripts, settings, the texts that lie in a package.
    What it never sees cannot change what it does: its tests and the oracle, the files of forge and git, and
    the documentation, at the root or in a folder of its own.
    """
    parts = path.split("/")
    if role is Role.TOOLING:
        return parts[-1].lower() != "codeowners" and not any(part.startswith(".") for part in parts)
    if role is Role.DOCS:
        return len(parts) > 1 and parts[0].lower() not in _DOC_ROOTS
    return role not in KEPT_FROM_SUBJECT


def is_python(path: str) -> bool:
    """Whether a path holds Python source, by its name."""
    return path.endswith(".py")


def _reserved(path: str) -> Role | None:
    if path.startswith(f"{PROPOSED_DIR}/"):
        is_candidate = path.endswith(".yaml") and path.count("/") == PROPOSED_DIR.count("/") + 1
        is_keeper = path.endswith(("/.gitkeep", "/README.md"))
        return Role.CANDIDATE if is_candidate or is_keeper else Role.UNKNOWN
    return Role.ORACLE if path.startswith("invariants/") else None


@lru_cache(maxsize=64)
def _spec(globs: tuple[str, ...]) -> pathspec.PathSpec[pathspec.Pattern]:
    return pathspec.PathSpec.from_lines("gitignore", globs)


def _vendored(parts: list[str]) -> Role | None:
    return Role.VENDORED if _VENDOR & set(parts[:-1]) else None


def _documentation(parts: list[str]) -> Role | None:
    if len(parts) > 1 and parts[0] in _EXAMPLE_ROOTS:
        return Role.EXAMPLE
    return Role.DOCS if len(parts) > 1 and parts[0].lower() in _DOC_ROOTS else None


def _tested(parts: list[str]) -> Role | None:
    folders, name = parts[:-1], parts[-1]
    if "__snapshots__" in folders or name.endswith((".ambr", ".snap")):
        return Role.SNAPSHOT
    if "cassettes" in folders:
        return Role.CASSETTE
    at = _first_test_folder(folders)
    if at is not None:
        return _below_tests(set(folders[at:]), name)
    if folders and folders[0] in ("fixtures", "testdata", "test_data"):
        return Role.FIXTURE
    return Role.TEST if _TEST_FILE.fullmatch(name) else None


def _below_tests(folders: set[str], name: str) -> Role:
    if "snapshots" in folders:
        return Role.SNAPSHOT
    if folders & _DATA:
        return Role.FIXTURE
    if name.endswith((".py", ".pyi")):
        return Role.TEST
    return Role.DOCS if _DOC_FILE.fullmatch(name) else Role.FIXTURE


def _first_test_folder(folders: list[str]) -> int | None:
    """`tests` anywhere; `test` and its like only at the root, for packages ship modules of that name."""
    if folders and (folders[0].lower() in _TEST_ROOTS or folders[0].startswith("tests_")):
        return 0
    return folders.index("tests") if "tests" in folders else None


def _generated(parts: list[str]) -> Role | None:
    return Role.GENERATED if _GENERATED_FILE.fullmatch(parts[-1]) else None


def _locked(parts: list[str]) -> Role | None:
    return Role.LOCKFILE if _LOCKFILE.fullmatch(parts[-1]) or (parts[0] == "requirements" and len(parts) > 1) else None


def _described(parts: list[str]) -> Role | None:
    return Role.DOCS if _DOC_FILE.fullmatch(parts[-1]) and not is_python(parts[-1]) else None


def _tooling(parts: list[str]) -> Role | None:
    if parts[0].startswith(".") or (len(parts) > 1 and parts[0] in _TOOL_ROOTS):
        return Role.TOOLING
    at_root = len(parts) == 1 and (parts[0].lower() in _TOOL_FILES or parts[0].endswith((".toml", ".cfg", ".ini")))
    return Role.TOOLING if at_root or parts[-1].lower() in _TOOL_ANYWHERE else None


def _source(parts: list[str]) -> Role | None:
    return Role.PRODUCTION if parts[-1].rpartition(".")[2] in _SOURCE_SUFFIXES and "." in parts[-1] else None


_RULES: tuple[Callable[[list[str]], Role | None], ...] = (
    _vendored,
    _documentation,
    _tested,
    _generated,
    _locked,
    _described,
    _tooling,
    _source,
)
