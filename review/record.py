"""Recording: the calls that a command of the reviewer's choice makes of a function, as a draft fixture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inventory.errors import CouldNotRun, Refused, WrongUsage
from inventory.escapes import visible
from inventory.functions import Binding, Function
from inventory.modules import project_of
from inventory.records import Target
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
        raise _nothing(target, run, seen, draft, _project(desk, target))
    desk.write_draft(path, draft.samples)
    return Recording(run, seen, draft, function)


def ended(code: int) -> str:
    """How a command ended, in words."""
    return f"the command ended with {code}" if code >= 0 else f"the command was ended by signal {-code}"


def counted(seen: Seen, draft: Recorded) -> str:
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
    tail = "/" + place.removeprefix("src/")
    watch = Watch((desk.git.root / place).resolve(), tail, function.name, function.first, function.last, bound)
    return function, watch


def _project(desk: Desk, target: Target) -> str:
    return project_of(desk.modules.path(target.module) or "", desk.work.entries)


def _nothing(target: Target, run: Run, seen: Seen, draft: Recorded, project: str) -> Refused | CouldNotRun:
    if not run.watched:
        why = "it started no Python that could be watched: none, one with -I or -E, or one without this PYTHONPATH"
        fix = "Run the suite with its own interpreter: … -- python -m pytest (tox and the like drop PYTHONPATH)."
    elif seen.elsewhere and not seen.total:
        why = f"the module was loaded from {visible(seen.elsewhere)}, which is not the file of this tree"
        fix = "Install this tree in place first: pip install -e ."
    elif not seen.total:
        why = f"{target.fn} was not called" + (", and the command did not succeed either" if run.code else "")
        such = "" if project == "." else f", such as the tests of its project: … -- python -m pytest {project}"
        fix = f"Give a command that calls it{such}" + "." * (not such)
    elif seen.odd:
        why = f"none of {seen.total} calls had plain data only (first: {visible(seen.why)})"
        fix = "Name a function that takes plain data: texts, numbers, lists, mappings."
    else:
        why, fix = counted(seen, draft), "Write the fixture by hand."
    return Refused(f"nothing to write: {ended(run.code)}", why=why, fix=fix)
