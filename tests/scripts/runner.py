"""Runs the steps of action.yml as a runner of the forge would: inputs, event file, outputs, temporary folder."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.repo import Repo

_EXPRESSION = re.compile(r"\$\{\{\s*(inputs|runner)\.(\w+)\s*\}\}")


@dataclass(frozen=True)
class Ran:
    """How a step ended: its exit code, what it printed, its outputs and the summary."""

    code: int
    log: str
    outputs: dict[str, str]
    summary: str

    @property
    def report(self) -> dict[str, Any]:
        """The report that the outputs name."""
        read: dict[str, Any] = json.loads(Path(self.outputs["report"]).read_bytes())
        return read


@dataclass(frozen=True)
class Runner:
    """One machine of the forge; `action` is the runner's copy of this repository, `temp` its temporary folder."""

    action: Path
    temp: Path
    env: dict[str, str] = field(default_factory=dict)

    def step(
        self, name: str, repo: Repo, event: str = "push", payload: Mapping[str, Any] | None = None, **inputs: str
    ) -> Ran:
        """Run the step of this id in a checkout, for an event with its payload."""
        described = yaml.safe_load((self.action / "action.yml").read_text())
        step = next(step for step in described["runs"]["steps"] if step["id"] == name)
        given = {key: spec["default"] for key, spec in described["inputs"].items()} | inputs
        known = {"inputs": given, "runner": {"temp": str(self.temp)}}
        outputs, summary, payload_file = (self.temp / n for n in ("outputs", "summary.md", "event.json"))
        for path in (outputs, summary):
            path.write_text("")
        payload_file.write_text(json.dumps(payload or {}))
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=_filled(step["working-directory"], known) if "working-directory" in step else repo.root,
            env=repo.environment()
            | self.env
            | {
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(self.action),
                "GITHUB_EVENT_NAME": event,
                "GITHUB_EVENT_PATH": str(payload_file),
                "GITHUB_OUTPUT": str(outputs),
                "GITHUB_STEP_SUMMARY": str(summary),
                "RUNNER_TEMP": str(self.temp),
            }
            | {key: _filled(value, known) for key, value in step.get("env", {}).items()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        told = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
        return Ran(done.returncode, done.stdout, told, summary.read_text())


def _filled(text: str, known: Mapping[str, Mapping[str, str]]) -> str:
    return _EXPRESSION.sub(lambda found: known[found[1]][found[2]], text)
