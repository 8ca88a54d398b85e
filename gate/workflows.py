"""What a CI configuration says of the gate's job: whether it runs for each patch, sees history, and can fail; pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import yaml

GITHUB_FOLDER = ".github/workflows"
GITLAB_FILE = ".gitlab-ci.yml"
# What `review init` writes where it does not know how this tool is installed: a step that fails until it is edited.
PLACEHOLDER = "echo 'put here what installs invariant-inventory for you, as pipx install git+URL@COMMIT'; exit 3"
PLACEHOLDER_EDIT = (
    "edit the install line in {path}: what installs invariant-inventory for you, such as pipx install git+URL@COMMIT"
)
_DEFAULT_TYPES = ("opened", "synchronize", "reopened")  # of pull_request, as GitHub documents it
_TYPES = (*_DEFAULT_TYPES, "edited")  # an edit can turn a pull request to another base
_RUNS_GATE = re.compile(r"\bgate[\"']?\s+check\b")
_ACTION = re.compile(r"\S*/invariant-inventory@\S+")
_SWALLOWED = re.compile(r"gate[\"']?\s+check[^\n]*(\|\||;)\s*(true|:|exit 0)")


@dataclass(frozen=True)
class Weakness:
    """One way in which a patch could get past the gate's job, and what to change."""

    what: str
    fix: str


def runs_gate(text: str) -> bool:
    """Whether a CI configuration mentions the command, or the action that runs it, at all."""
    if _RUNS_GATE.search(text):
        return True
    try:
        data = yaml.safe_load(text) if _ACTION.search(text) else None
    except (yaml.YAMLError, RecursionError, ValueError):
        return True  # it might, and `weaknesses` says that it cannot be read
    jobs = data.get("jobs") if isinstance(data, dict) else None
    return isinstance(jobs, dict) and any(_is_gate(step) for job in jobs.values() for step in _steps(job))


def weaknesses(path: str, text: str) -> tuple[Weakness, ...]:
    """The weaknesses of a CI configuration that runs the gate; one that cannot be read is one."""
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problem = str(error).splitlines()[0]
        return (Weakness(f"it cannot be read as YAML: {problem}", "mend it, so that the job runs at all"),)
    if not isinstance(data, dict):
        return (Weakness("it is no mapping", "write it as the forge documents it"),)
    found = list(_github(data) if path.startswith(f"{GITHUB_FOLDER}/") else _gitlab(data))
    if _SWALLOWED.search(text):
        found.append(Weakness("the exit code of gate check is thrown away", "let the step fail: no || true behind it"))
    return tuple(found)


# -- GitHub --------------------------------------------------------------------------------


def _github(data: dict[Any, Any]) -> Iterator[Weakness]:
    yield from _triggers(data.get("on", data.get(True)))  # YAML 1.1 reads the key `on` as true
    jobs = data.get("jobs")
    for name, job in jobs.items() if isinstance(jobs, dict) else ():
        if gates := [step for step in _steps(job) if _is_gate(step)]:
            yield from _github_job(str(name), job, gates)


def _triggers(on: Any) -> Iterator[Weakness]:
    events = on if isinstance(on, dict) else dict.fromkeys([on] if isinstance(on, str) else on or ())
    if "pull_request" not in events:
        yield Weakness("it does not run on pull_request", "add pull_request to its triggers")
    elif missing := _missing_types(events["pull_request"]):
        yield Weakness(
            f"pull_request does not start it when one is {' or '.join(missing)}, and another base is another patch",
            f"pull_request: types: [{', '.join(_TYPES)}]",
        )
    if "pull_request_target" in events:
        yield Weakness(
            "pull_request_target runs the patch's code with the repository's secrets",
            "use pull_request, without secrets",
        )
    for event, filters in events.items():
        skipping = {"paths", "paths-ignore"} & set(filters if isinstance(filters, dict) else ())
        if skipping:
            yield Weakness(
                f"{event} is filtered by {', '.join(sorted(skipping))}, so a patch can skip it", "drop the filter"
            )


def _missing_types(settings: Any) -> list[str]:
    given = settings.get("types", _DEFAULT_TYPES) if isinstance(settings, dict) else _DEFAULT_TYPES
    named = given if isinstance(given, list | tuple) else [given]
    return [kind for kind in _TYPES if kind not in named]


def _steps(job: Any) -> list[dict[Any, Any]]:
    steps = job.get("steps") if isinstance(job, dict) else None
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []


def _is_gate(step: dict[Any, Any]) -> bool:
    """Whether a step decides: the action can also run a witness or propose, which decide nothing."""
    given = step.get("with")
    given = given if isinstance(given, dict) else {}
    decides = given.get("lane") in (None, "merge") and not given.get("propose")
    return bool(_RUNS_GATE.search(_words(step))) or (decides and bool(_ACTION.fullmatch(str(step.get("uses")))))


def _github_job(name: str, job: dict[Any, Any], gates: list[dict[Any, Any]]) -> Iterator[Weakness]:
    steps = _steps(job)
    parts = [job, *gates]
    if any(part.get("continue-on-error") not in (None, False) for part in parts):
        yield Weakness(f"the job {name} may fail and go on (continue-on-error)", "drop continue-on-error")
    if any("if" in part for part in parts):
        yield Weakness(f"the job {name} runs only if a condition holds; a skipped job counts as passed", "drop the if")
    checkouts = [step for step in steps if str(step.get("uses", "")).startswith("actions/checkout")]
    depths = [(step.get("with") or {}).get("fetch-depth") for step in checkouts]
    if not any(str(depth) == "0" for depth in depths):
        yield Weakness(f"the job {name} checks out without the whole history", "actions/checkout with fetch-depth: 0")


# -- GitLab --------------------------------------------------------------------------------


def _gitlab(data: dict[Any, Any]) -> Iterator[Weakness]:
    for name, job in data.items():
        if isinstance(job, dict) and _RUNS_GATE.search(_words(job)):
            yield from _gitlab_job(str(name), job, data.get("variables"))


def _gitlab_job(name: str, job: dict[Any, Any], shared: Any) -> Iterator[Weakness]:
    if job.get("allow_failure") not in (None, False):
        yield Weakness(f"the job {name} may fail (allow_failure)", "drop allow_failure")
    if job.get("when") == "manual":
        yield Weakness(f"the job {name} waits for somebody to start it", "drop when: manual")
    if "changes:" in _words({"rules": job.get("rules"), "only": job.get("only"), "except": job.get("except")}):
        yield Weakness(
            f"the job {name} runs for some paths only, so a patch can skip it", "drop changes: from its rules"
        )
    variables = {**(shared if isinstance(shared, dict) else {}), **(job.get("variables") or {})}
    if str(variables.get("GIT_DEPTH")) != "0":
        yield Weakness(f"the job {name} checks out without the whole history", 'variables: GIT_DEPTH: "0"')


def _words(value: Any) -> str:
    """All the text in a value, keys with a colon behind, one word a line."""
    if isinstance(value, dict):
        return "\n".join(f"{key}:\n{_words(inner)}" for key, inner in value.items())
    return "\n".join(map(_words, value)) if isinstance(value, list) else str(value)
