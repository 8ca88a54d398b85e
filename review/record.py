"""Recording: the calls that a command of the reviewer's choice makes of a function, as a draft fixture."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from inventory.errors import CouldNotRun, Refused, WrongUsage
from inventory.escapes import visible
from inventory.functions import Binding, Function
from inventory.modules import project_of
from inventory.records import Role, Target
from inventory.roles import role_of
from review.calls import Seen, read
from review.desk import Desk
from review.recorded import Recorded, recorded
from review.samples import demand_place
from review.watched import Run, Watch, run_watched


@dataclass(frozen=True)
class Recording:
    """What came of a recording: how the command ended, what was seen of it, and the draft."""

    run: Run
    seen: Seen
    draft: Recorded
    function: Function


def record(desk: Desk, target: Target, path: str, command: Sequence[str]) -> Recording:
    """Run the command with the target watched and write what it was called with to a new file at `path`.

    Raises WrongUsage where there is no such function, Refused for an unfit path and where nothing usable was seen,
    CouldNotRun where the command cannot be started.
    """
    demand_place(path, desk.oracle.policy, target.fn.rpartition(".")[2])
    desk.demand_free(path)
    function, watch = _watch(desk, target)
    run = run_watched(command, watch)
    seen = read(run.files)
    draft = recorded(seen)
    if not draft.samples:
        raise _nothing(target, run, seen, draft, _project(desk, target, command))
    desk.write_draft(path, draft.samples)
    return Recording(run, seen, draft, function)


def ended(code: int) -> str:
    """How a command ended, in words."""
    return f"the command ended with {code}" if code >= 0 else f"the command was ended by signal {-code}"


def tally(seen: Seen, draft: Recorded) -> str:
    """What was seen, in one line."""
    parts = [f"{seen.total} calls, {draft.distinct} distinct"]
    if seen.odd:
        parts.append(f"{seen.odd} had arguments that are not plain data (first: {visible(seen.why)})")
    if draft.raised and not draft.all_raised:
        parts.append(f"left out: {draft.raised} that ended in an exception")
    if draft.unfit:
        parts.append(f"left out: {draft.unfit} that need another call shape")
    return "; ".join(parts)


def _watch(desk: Desk, target: Target) -> tuple[Function, Watch]:
    place = desk.modules.path(target.module)
    function = desk.function(target)
    if place is None or function is None:
        where = f"{place} does not define it" if place else f"no file of this tree is the module {target.module}"
        raise WrongUsage(f"there is no function {target}", why=where, fix=desk.modules.way_to(target))
    if function.binding not in (Binding.FUNCTION, Binding.STATIC):
        raise Refused(
            f"{target} needs an instance",
            why=f"it is a method of kind {function.binding}: a property calls functions, static and class methods",
            fix="Record a function that calls it.",
        )
    bound = int("classmethod" in function.decorators)
    tail = f"/{target.module.replace('.', '/')}" + ("/__init__.py" if place.endswith("/__init__.py") else ".py")
    watch = Watch((desk.git.root / place).resolve(), tail, function.name, function.first, function.last, bound)
    return function, watch


@dataclass(frozen=True)
class _Project:
    """The folder of the project that the function belongs to, and whether it holds tests that were not run alone."""

    folder: str
    has_more: bool


def _project(desk: Desk, target: Target, command: Sequence[str]) -> _Project:
    folder = project_of(desk.modules.path(target.module) or "", desk.work.entries)
    tests = (path for path in desk.work.entries if role_of(path, desk.oracle.policy) is Role.TEST)
    has_tests = folder != "." and any(path.startswith(f"{folder}/") for path in tests)
    return _Project(folder, has_tests and not any(folder in word for word in command))


def _uncalled(fn: str, run: Run, project: _Project) -> tuple[str, str]:
    """Why nothing was seen of a function in what ran, and what to do."""
    alone = f" the tests of its project: … -- python -m pytest {shlex.quote(project.folder)}"
    if run.code:
        return (
            f"{fn} was not called, and the command did not succeed either",
            "Mend what it printed; or run only" + alone
            if project.has_more
            else "Mend what it printed, then once more.",
        )
    return f"{fn} was not called", (
        "Give a command that calls it, such as" + alone
        if project.has_more
        else "Give a command that calls it, or write the samples by hand: a JSON list of inputs."
    )


def _nothing(target: Target, run: Run, seen: Seen, draft: Recorded, project: _Project) -> Refused | CouldNotRun:
    if not run.watched:
        why = "it started no Python that could be watched: none, one with -I or -E, or one without this PYTHONPATH"
        fix = "Run the suite with its own interpreter: … -- python -m pytest (tox and the like drop PYTHONPATH)."
    elif seen.elsewhere and not seen.total:
        why = f"the module was loaded from {visible(seen.elsewhere)}, which is not the file of this tree"
        fix = f"Install this tree in place first: pip install -e {shlex.quote(project.folder)}"
    elif not seen.total:
        why, fix = _uncalled(target.fn, run, project)
    elif seen.odd:
        why = f"none of {seen.total} calls had plain data only (first: {visible(seen.why)})"
        fix = "Name a function that takes plain data: texts, numbers, lists, mappings."
    else:
        why, fix = tally(seen, draft), "Write the fixture by hand."
    return Refused(f"nothing to write: {ended(run.code)}", why=why, fix=fix)
