"""The steps of the GitHub action: an environment outside the checkout, then the gate on what the event names.

Standard library only, for the runner's own Python 3.11 or newer. The tool is installed from the copy that the
runner fetched of this repository, at the pin that the workflow names, so a patch replaces neither. What the
event leaves open is an error: an empty base would be an empty patch.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

COULD_NOT_RUN = 3
_HOME = Path(__file__).resolve().parent.parent
_OLDEST = (3, 11)
_NO_COMMIT = "0" * 40


class Unfit(Exception):
    """What the runner gives cannot be worked with: what, why, and one next step."""


def main(argv: list[str]) -> int:
    """Run one of the steps and return its exit code."""
    steps = {"install": install, "judge": judge}
    try:
        return steps[argv[0]](os.environ)
    except Unfit as unfit:
        what, why, fix = unfit.args
        print(f"::error title=could not run::{_escaped(f'{what}: {why}. {fix}')}")
        print(f"error: {what}\nwhy: {why}\nnext: {fix}", file=sys.stderr)
        if argv[0] == "judge":
            _output(os.environ, decision="could_not_run", report="")
        return COULD_NOT_RUN


def install(env: Mapping[str, str]) -> int:
    """Make the tool's environment in the runner's temporary folder. Raises Unfit where that fails."""
    if sys.version_info < _OLDEST:
        raise Unfit(
            f"python3 is {sys.version.split()[0]}",
            "the tool needs 3.11 or newer",
            "Put actions/setup-python before it.",
        )
    tool = _tool(env)
    _must([sys.executable, "-I", "-m", "venv", str(tool)])
    _must([str(tool / "bin/python"), "-I", "-m", "pip", "--disable-pip-version-check", "-q", "install", str(_HOME)])
    return 0


def judge(env: Mapping[str, str]) -> int:
    """Run what is asked for, and say what came of it in the outputs, which proposing leaves empty.

    The exit code is that of the command. Raises Unfit for an input that means nothing, and without the first step.
    """
    if not (_tool(env) / "bin/python").exists():
        raise Unfit(
            "the tool is not installed", f"{_tool(env)} is not there", "Run the step `install` before this one."
        )
    lane = env.get("INPUT_LANE") or "merge"
    if lane not in ("merge", "witness"):
        raise Unfit(f"there is no lane {lane!r}", "it is merge or witness", "See the inputs in action.yml.")
    if env.get("INPUT_PROPOSE"):
        return _propose(env, env["INPUT_PROPOSE"])
    report = _tool(env).parent / f"{lane}.json"
    words = ["check", f"--base={_base(env)}"] if lane == "merge" else ["run", "--lane", "witness"]
    words += ["--python", env["INPUT_PYTHON"]] if env.get("INPUT_PYTHON") else []
    code = _command(env, "gate", *words, "--report", str(report))
    decisions = {"merge": ("allow", "block"), "witness": ("pass", "red")}[lane]
    decision = decisions[code] if code in (0, 1) else "could_not_run"
    _output(env, decision=decision, report=str(report) if report.exists() else "")
    return code


def _propose(env: Mapping[str, str], branch: str) -> int:
    """Leave candidates for the patch on a branch of their own; they have no vote, and none of its code runs."""
    if not env.get("OPENAI_BASE_URL"):
        print("::notice title=propose::no endpoint is set here, as for a pull request from a fork: the rules propose")
    event = _event(env)
    head = _text(event, "pull_request", "head", "sha") or "HEAD"
    return _command(env, "propose", f"--base={_base(env)}", f"--head={head}", f"--to-branch={branch}")


# -- what the event says -----------------------------------------------------------------


def _base(env: Mapping[str, str]) -> str:
    """The commit that the patch is compared with. Raises Unfit where neither input nor event names one."""
    if env.get("INPUT_BASE"):
        return env["INPUT_BASE"]
    event, name = _event(env), env.get("GITHUB_EVENT_NAME", "")
    found = {
        "pull_request": lambda: _merged_into(event) or _text(event, "pull_request", "base", "sha"),
        "pull_request_target": lambda: _text(event, "pull_request", "base", "sha"),
        "merge_group": lambda: _text(event, "merge_group", "base_sha"),
        "push": lambda: _before_push(event),
    }.get(name, lambda: "")()
    if not found:
        raise Unfit(f"no base for the event {name or '(none)'}", "it does not say where the patch goes", "Give: base.")
    return found


def _merged_into(event: Mapping[str, Any]) -> str:
    """The first parent, where the runner checked out the merge of the pull request into its base.

    The base that the event names may be older than the one that was merged into.
    """
    parents = subprocess.run(["git", "rev-parse", "HEAD^1", "HEAD^2"], capture_output=True, text=True, check=False)
    first, *second = parents.stdout.split() if parents.returncode == 0 else ["", ""]
    return first if second == [_text(event, "pull_request", "head", "sha")] else ""


def _before_push(event: Mapping[str, Any]) -> str:
    """What the branch was before; of a branch that is new, the default branch."""
    before = _text(event, "before")
    return before if before != _NO_COMMIT else f"origin/{_text(event, 'repository', 'default_branch')}"


def _event(env: Mapping[str, str]) -> Mapping[str, Any]:
    path = env.get("GITHUB_EVENT_PATH", "")
    try:
        event = json.loads(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        raise Unfit(
            "the event cannot be read", f"{path or 'GITHUB_EVENT_PATH is not set'}: {error}", "Give: base."
        ) from None
    return event if isinstance(event, dict) else {}


def _text(event: Mapping[str, Any], *keys: str) -> str:
    value: Any = event
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value if isinstance(value, str) else ""


# -- processes and outputs ---------------------------------------------------------------


def _tool(env: Mapping[str, str]) -> Path:
    if not env.get("RUNNER_TEMP"):
        raise Unfit("RUNNER_TEMP is not set", "the tool must lie outside the checkout", "Run this as an action.")
    return Path(env["RUNNER_TEMP"]) / "invariant-inventory" / "tool"


def _command(env: Mapping[str, str], *words: str) -> int:
    start = [str(_tool(env) / "bin/python"), "-I", "-m", "invariant_inventory"]
    return subprocess.run([*start, *words], check=False).returncode


def _must(command: list[str]) -> None:
    if subprocess.run(command, check=False).returncode:
        raise Unfit("the tool cannot be installed", f"{' '.join(command)} failed, see above", "Mend what it names.")


def _output(env: Mapping[str, str], **values: str) -> None:
    if env.get("GITHUB_OUTPUT"):
        with Path(env["GITHUB_OUTPUT"]).open("a", encoding="utf-8") as file:
            file.writelines(f"{name}={value}\n" for name, value in values.items())


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
