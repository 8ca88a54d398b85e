"""The command line of `gate`."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated

import typer

from gate.annotations import as_annotations
from gate.check import check as check_patch
from gate.classify import Class, parse_lane
from gate.classify import classify as classify_lanes
from gate.code_quality import as_code_quality
from gate.doctor import Health, examine, finding_text
from gate.junit import junit as junit_of
from gate.lane import LaneSettings, run_lane
from gate.lane_text import FINE, lane_text
from gate.markdown import as_markdown
from gate.outfile import append_report, write_report
from gate.report import as_data, as_text, row_data, row_text
from gate.reproduce import reproduce as reproduce_property
from gate.rows import Checked, Decision
from gate.sarif import as_sarif
from gate.staged import check_staged
from gate.verdicts import SCHEMA_VERSION, Verdict
from inventory.catalogue import CATALOGUE, SHAPES, CheckSpec
from inventory.commands import VERSION_TOLD, start
from inventory.console import say, show
from inventory.errors import CouldNotRun, Exit, WrongUsage
from inventory.escapes import visible
from inventory.git import Git
from inventory.oracle import Oracle, first_step
from inventory.reading import read_oracle
from inventory.tree import work_tree

MAX_REPORT = 256 << 20
_LANE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")

_OF_DECISION = {
    Decision.ALLOW: Exit.DONE,
    Decision.BLOCK: Exit.NO,
    Decision.COULD_NOT_RUN: Exit.COULD_NOT_RUN,
}

app = typer.Typer(
    help="Runs the human inventory as its own lane and decides. Writes nothing in the repository.",
    no_args_is_help=True,
    epilog=VERSION_TOLD,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

Repeat = Annotated[
    int | None, typer.Option(metavar="N", min=2, max=20, help="Repeats of each property; default: the policy's.")
]
LaneName = Annotated[
    str, typer.Option(metavar="NAME", help="How the report calls this run: merge, or witness on a second host.")
]
Python = Annotated[str | None, typer.Option(metavar="PATH", help="The interpreter in which production code runs.")]
Report = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the JSON document to this file as well.")]
Junit = Annotated[Path | None, typer.Option(metavar="FILE", help="Write JUnit XML to this file as well.")]
AllowEmpty = Annotated[bool, typer.Option("--allow-empty", help="An inventory without properties is no fault.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document instead of text.")]


def main() -> int:
    """Run `gate` on the arguments of the process and return its exit code."""
    return start("gate", app)


@app.command()
def check(
    base: Annotated[str, typer.Option(metavar="REF", help="Where the patch goes: a branch or commit, as origin/main.")],
    python: Python = None,
    json_: Json = False,
    report: Report = None,
    junit: Junit = None,
    sarif: Annotated[Path | None, typer.Option(metavar="FILE", help="Write SARIF 2.1.0 to this file as well.")] = None,
    code_quality: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write GitLab's code-quality JSON as well.")
    ] = None,
    allow_empty: AllowEmpty = False,
) -> int:
    """The merge gate: judge the patch from base to HEAD. The whole decision table has its say."""
    settings = LaneSettings(_today(), python)
    checked = check_patch(Git.open(Path.cwd()), base, settings, allow_empty=allow_empty)
    for notice in checked.lane.notices if checked.lane else ():
        say(f"notice: {visible(notice)}")
    document = json.dumps(as_data(checked), indent=2)
    if report:
        write_report(report, document.encode())
    if junit and checked.lane:
        write_report(junit, junit_of(checked.lane))
    if sarif:
        write_report(sarif, json.dumps(as_sarif(checked), indent=2).encode())
    if code_quality:
        write_report(code_quality, json.dumps(as_code_quality(checked), indent=2).encode())
    if os.environ.get("GITHUB_ACTIONS") == "true":
        _tell_github(checked)
    show(document if json_ else as_text(checked))
    return _OF_DECISION[checked.judgement.decision]


def _tell_github(checked: Checked) -> None:
    """Annotations on the talk side, so that stdout stays one document, and the summary where the runner wants it."""
    say(as_annotations(checked))
    summary = os.environ.get("GITHUB_STEP_SUMMARY")
    if summary:
        append_report(Path(summary), as_markdown(checked).encode())


@app.command()
def staged(json_: Json = False) -> int:
    """Judge what is staged by its files alone, before a commit. Runs no code, and replaces no gate check."""
    found = check_staged(Git.open(Path.cwd()), _today())
    if json_:
        listed = [row_data(row) for row in found.rows]
        show(json.dumps({"schema_version": SCHEMA_VERSION, "kind": "staged", "rows": listed}, indent=2))
    else:
        show("\n\n".join(row_text(row) for row in found.rows) or "what is staged leaves the oracle as it should")
    return Exit.NO if found.blocks else Exit.DONE


@app.command()
def run(
    repeat: Repeat = None,
    lane: LaneName = "merge",
    python: Python = None,
    json_: Json = False,
    report: Report = None,
    junit: Junit = None,
    allow_empty: AllowEmpty = False,
) -> int:
    """Run every property of the inventory on the work tree. Each runs in fresh processes and gets its class."""
    if not _LANE.fullmatch(lane):
        raise WrongUsage(
            f"{lane!r} is no name of a lane", why="it is letters, digits, - and _", fix="Try --lane witness"
        )
    git = Git.open(Path.cwd())
    head = git.head()
    with work_tree(git) as tree:
        oracle = _oracle(read_oracle(tree), allow_empty=allow_empty)
        settings = LaneSettings(_today(), python, repeat, lane)
        ran = run_lane(tree, oracle, settings)
    dirty = ran.tree != git.tree_of(head.id)
    ran = ran.model_copy(update={"commit": head.id, "dirty": dirty})
    for notice in ran.notices:
        say(f"notice: {visible(notice)}")
    if dirty:
        say(f"notice: the work tree is judged, and it differs from HEAD ({head.id[:12]})")
    document = ran.model_dump_json(indent=2)
    if report:
        write_report(report, document.encode())
    if junit:
        write_report(junit, junit_of(ran))
    show(document if json_ else lane_text(ran))
    return exit_code({result.status for result in ran.results})


def _today() -> date:
    return datetime.now(UTC).date()  # noqa: TID251


def exit_code(statuses: AbstractSet[Verdict]) -> Exit:
    """3 when anything could not be judged, 1 when anything is red, else 0."""
    if Verdict.PROTOCOL_ERROR in statuses:
        return Exit.COULD_NOT_RUN
    return Exit.DONE if statuses <= FINE else Exit.NO


@app.command()
def reproduce(
    property_id: Annotated[str, typer.Argument(metavar="ID", help="The property to run again.")],
    sample: Annotated[int | None, typer.Option(metavar="N", help="Only this sample of its fixture, from 0.")] = None,
    base: Annotated[str | None, typer.Option(metavar="REF", help="Run base beside it, as gate check does.")] = None,
    python: Python = None,
    json_: Json = False,
) -> int:
    """Run one property again on the work tree. Tells input, both values, law, and the line to run it again."""
    git = Git.open(Path.cwd())
    found = reproduce_property(git, property_id, sample, base, LaneSettings(_today(), python))
    show(json.dumps(found.as_data(), indent=2) if json_ else found.as_text())
    return Exit.NO if found.blocks else exit_code({found.result.status})


@app.command()
def classify(
    left: Annotated[Path, typer.Argument(metavar="A.json", help="The report of one lane.")],
    right: Annotated[Path, typer.Argument(metavar="B.json", help="The report of the other lane.")],
    json_: Json = False,
) -> int:
    """Compare two lanes. Prints the class of each property, as `id<TAB>class`; exit codes are never averaged."""
    rows = classify_lanes(parse_lane(_read(left), str(left)), parse_lane(_read(right), str(right)))
    if not rows:
        raise CouldNotRun("neither lane names a property", why="nothing was judged", fix="Run the lanes again.")
    if json_:
        listed = [{"prop_id": row.prop_id, "class": row.found, "why": row.why} for row in rows]
        show(json.dumps({"schema_version": SCHEMA_VERSION, "kind": "classification", "rows": listed}, indent=2))
    else:
        for row in rows:
            show(f"{visible(row.prop_id)}\t{row.found}")
    for row in rows:
        if row.why:
            say(f"{visible(row.prop_id)}: {visible(row.why)}")
    found = {row.found for row in rows}
    if Class.PROTOCOL_ERROR in found:
        return Exit.COULD_NOT_RUN
    return Exit.DONE if found <= {Class.PASS, Class.FROZEN} else Exit.NO


@app.command()
def doctor(json_: Json = False) -> int:
    """Show whether the oracle is really gated, and what to change. Owners, CI, attributes, look-alikes."""
    with work_tree(Git.open(Path.cwd())) as tree:
        findings = examine(tree, read_oracle(tree))
    if json_:
        listed = [{"health": f.health, "subject": f.subject, "what": f.what, "fix": f.fix} for f in findings]
        show(json.dumps({"schema_version": SCHEMA_VERSION, "kind": "doctor", "findings": listed}, indent=2))
    else:
        show("\n".join(finding_text(finding) for finding in findings))
    return Exit.NO if any(finding.health is Health.BAD for finding in findings) else Exit.DONE


@app.command()
def checks(json_: Json = False) -> int:
    """Show the catalogue of built-in checks. Law, parameters and how each calls the function."""
    if json_:
        listed = [_spec_data(spec) for spec in CATALOGUE.values()]
        show(json.dumps({"schema_version": SCHEMA_VERSION, "kind": "checks", "checks": listed}, indent=2))
        return Exit.DONE
    for spec in CATALOGUE.values():
        show(f"{spec.name}\n  law     {spec.law}\n  call    {SHAPES[spec.shape]}")
        for param in spec.params:
            need = "required" if param.required else "optional"
            show(f"  param   {param.name} ({param.kind}, {need}): {param.meaning}")
    return Exit.DONE


def _spec_data(spec: CheckSpec) -> dict[str, object]:
    params = [{"name": p.name, "kind": p.kind, "required": p.required, "meaning": p.meaning} for p in spec.params]
    return {"name": spec.name, "law": spec.law, "call": SHAPES[spec.shape], "params": params}


def _oracle(oracle: Oracle, *, allow_empty: bool) -> Oracle:
    if oracle.faults:
        raise CouldNotRun(
            "the oracle does not hold together",
            why="every fixture is locked, and every lock entry is a fixture's",
            fix="Rebuild the lock with a note: review lock",
            faults=oracle.faults,
        )
    if not oracle.inventory.properties and not allow_empty:
        raise CouldNotRun(
            "no oracle: the inventory has no property",
            why="an empty inventory judges nothing, so it cannot say that all is well",
            fix=f"{first_step(oracle)}; or allow it: --allow-empty",
        )
    return oracle


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > MAX_REPORT:
            raise CouldNotRun(f"{path} is too large", why=f"more than {MAX_REPORT >> 20} MB", fix="Give a lane report.")
        return path.read_bytes()
    except OSError as error:
        raise CouldNotRun(
            f"{path} cannot be read", why=error.strerror or str(error), fix="Give the two files of gate run --json."
        ) from None
