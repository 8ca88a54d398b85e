"""The `propose` command: flags in, exit code out."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from inventory.candidates import write_candidates
from inventory.commands import VERSION_TOLD, start
from inventory.console import say, show
from inventory.errors import Exit, WrongUsage
from inventory.git import Git
from inventory.progress import progress
from inventory.records import PROPOSED_DIR
from inventory.tree import Tree
from prompts import templates
from propose import report
from propose.budget import Budget
from propose.endpoint import Endpoint, Flags, choose_endpoint
from propose.health import check_endpoint_once
from propose.outbox import commit_candidates, read_shelf
from propose.outcome import Outcome, Settings
from propose.pipeline import propose_with_endpoint, propose_with_rules
from propose.plan import Plan, find_range, make_batch, make_plan
from propose.prompt import Templates
from propose.proof import prove

app = typer.Typer(rich_markup_mode=None)


def main() -> int:
    """Run the command on the arguments of the process."""
    return start("propose", app)


@dataclass(frozen=True)
class _Run:
    """What the flags of one run say."""

    base: str | None
    head: str | None
    branch: str | None
    dry: bool
    as_json: bool
    settings: Settings


@app.command(epilog=VERSION_TOLD)
def propose(  # typer passes every option by name
    base: Annotated[
        str | None, typer.Option(metavar="REF", help="Where the branch started; default origin/HEAD, main or master.")
    ] = None,
    head: Annotated[
        str | None, typer.Option(metavar="REF", help="The commit to look at; default what is checked out.")
    ] = None,
    endpoint: Annotated[str | None, typer.Option(metavar="URL", help="Base URL of a chat completions server.")] = None,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="The model to ask there.")] = None,
    api_key_env: Annotated[
        str | None, typer.Option(metavar="NAME", help="Variable that holds the key for --endpoint.")
    ] = None,
    rules: Annotated[bool, typer.Option("--rules", help="Use the embedded proposer; ask no endpoint.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be sent and why; send nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
    to_branch: Annotated[
        str | None, typer.Option(metavar="NAME", help="Commit the candidates to this branch instead.")
    ] = None,
    check_endpoint: Annotated[bool, typer.Option("--check-endpoint", help="Ask the endpoint one tiny thing.")] = False,
    timeout: Annotated[
        int, typer.Option(metavar="N", min=1, max=3600, help="Seconds for all requests together.")
    ] = 120,
    context: Annotated[
        int, typer.Option(metavar="N", min=2048, max=4_000_000, help="The model's context in tokens.")
    ] = 8192,
    max_tokens: Annotated[
        int, typer.Option(metavar="N", min=64, max=1_000_000, help="Tokens kept for an answer.")
    ] = 2048,
) -> int:
    """Propose invariants for the production functions that a branch changes.

    Candidates go to invariants/proposed/ and have no vote. Without an endpoint (flags, else
    OPENAI_BASE_URL, OPENAI_MODEL and OPENAI_API_KEY) the embedded proposer is used.
    """
    if max_tokens > context // 2:
        raise WrongUsage("no room for a prompt", why="--max-tokens is more than half of --context", fix="Lower it.")
    chosen = choose_endpoint(Flags(endpoint, model, api_key_env, rules), os.environ)
    settings = Settings(Budget(context, max_tokens), timeout, Templates(templates()), say)
    if check_endpoint:
        return _check(chosen, settings, as_json)
    return _propose(chosen, _Run(base, head, to_branch, dry_run, as_json, settings))


def _propose(endpoint: Endpoint | None, run: _Run) -> int:
    git = Git.open(Path.cwd())
    span = find_range(git, run.base, run.head)
    shelf: Tree | None = None if run.branch is None else read_shelf(git, run.branch, span.base.id)
    plan = make_plan(git, span, shelf)
    say(report.span_text(plan))
    say(_who(endpoint))
    for notice in endpoint.notices if endpoint else ():
        say(f"note: {notice}")
    if run.dry:
        return _dry(git, plan, endpoint, run)
    if endpoint is None:
        return _finish(git, plan, propose_with_rules(plan), run)
    with progress("asking") as tick:
        outcome = propose_with_endpoint(git, plan, endpoint, replace(run.settings, tick=tick))
    return _finish(git, plan, outcome, run)


def _dry(git: Git, plan: Plan, endpoint: Endpoint | None, run: _Run) -> int:
    if endpoint is None:
        outcome = propose_with_rules(plan)
        text = [report.files_text(plan), report.outcome_text(outcome, (), _place(run))]
        return _print(
            run, "\n".join([*text, "no message would be sent"]), report.to_data(plan, outcome, None, dry_run=True)
        )
    batch = make_batch(plan, plan.subjects, run.settings.budget, run.settings.templates)
    prove(git, plan.production, batch.prompts, run.settings.templates)
    omitted = [f"left out: {o.label}: {o.reason}" for o in batch.packing.omitted]
    text = [report.files_text(plan), report.messages_text(batch.prompts), *omitted]
    return _print(run, "\n".join([*text, "nothing was sent"]), report.to_data(plan, None, batch, dry_run=True))


def _check(endpoint: Endpoint | None, settings: Settings, as_json: bool) -> int:
    if endpoint is None:
        raise WrongUsage(
            "no endpoint to check",
            why="neither --endpoint nor OPENAI_BASE_URL names one",
            fix="Give --endpoint URL --model NAME.",
        )
    found = check_endpoint_once(endpoint, settings)
    show(json.dumps(report.health_data(found), indent=2) if as_json else report.health_text(found))
    return Exit.DONE


def _finish(git: Git, plan: Plan, outcome: Outcome, run: _Run) -> int:
    new = outcome.admitted.new
    if run.branch is None:
        written: Sequence[str] = write_candidates(git, new)
    else:
        written = commit_candidates(git, run.branch, plan.span.base.id, new)
    text = report.outcome_text(outcome, written, _place(run))
    code = _print(run, text, report.to_data(plan, outcome, None, dry_run=False, written=list(written)))
    if written:
        branch, committed = run.branch or git.branch(), run.branch is not None
        say(report.next_text(len(written), branch, git.remote(), committed=committed))
    return code


def _print(run: _Run, text: str, data: dict[str, Any]) -> int:
    show(json.dumps(data, indent=2) if run.as_json else text)
    return Exit.DONE


def _place(run: _Run) -> str:
    return f"{PROPOSED_DIR}/ on the branch {run.branch}" if run.branch else f"{PROPOSED_DIR}/"


def _who(endpoint: Endpoint | None) -> str:
    if endpoint is None:
        return "proposer: the embedded rules, no endpoint is asked"
    return f"proposer: {endpoint.model} at {endpoint.origin}"
