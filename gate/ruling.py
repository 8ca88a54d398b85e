"""Rules on one property in one repeat: every sample through every check, each of them red or green."""

from __future__ import annotations

import contextlib
import marshal
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from gate.own_checks import Checks, ChecksFault
from gate.session import NotStarted, OutOfTime, Session, SubjectLost
from gate.standin import StandIn, drawn_of, raised_of
from inventory.catalogue import CATALOGUE
from inventory.checks import Check
from inventory.functions import Parameter
from inventory.target import Around, BadCheck, BadSample, Function, Raised
from inventory.values import NotPlain, shown

MAX_DETAIL = 1000
LOST = "lost"  # in place of a digest: however a subject is lost, it is lost in the same way
ENDED = "ended"  # the same where only answers are wanted and the process ended, for time may be short for base as well
MAX_VALUE = 400
WAYS = "--python (of gate), `python` in invariants/policy.yaml, $VIRTUAL_ENV or .venv"  # to name the interpreter


class Fault(Exception):
    """The check, the fixture or the environment is at fault, not production."""


@dataclass(frozen=True)
class Case:
    """One property as the judge needs it."""

    id: str
    module: str
    fn: str
    call: str
    seed: int
    checks: tuple[tuple[str, dict[str, Any]], ...]
    samples: tuple[Any, ...]
    asks: bool = False  # only the answers are wanted: no check makes a sample red or is at fault
    clock_ns: int | None = None  # in nanoseconds since 1970, where the property pins it
    nonfinite: bool = False  # whether NaN and infinity may be answers
    backwards: bool = False  # whether a witness takes the samples from the other end
    parameters: Sequence[Mapping[str, Any]] | None = None  # of the function, where a law may name them
    siblings: Sequence[str] = ()

    def around(self) -> Around:
        """What a law may name besides the function."""
        known = None if self.parameters is None else tuple(Parameter(**told) for told in self.parameters)
        return Around(known, tuple(self.siblings))

    def place(self) -> tuple[str, int]:
        """Its place among the properties of a run: those that can share a subject lie side by side."""
        return self.module, -1 if self.clock_ns is None else self.clock_ns

    def order(self) -> list[int]:
        """The order of the samples, as the seed pins it, or the opposite."""
        order = list(range(len(self.samples)))
        random.Random(self.seed).shuffle(order)  # noqa: S311  # an order that comes back is what is wanted
        return order[::-1] if self.backwards else order


@dataclass
class Ruling:
    """What one repeat of a property showed; the lists follow the fixture."""

    id: str
    colours: list[str]
    digests: list[str]
    values: list[str]
    types: list[str]
    red: dict[str, Any] | None = None
    fault: str | None = None
    suspect: dict[str, Any] | None = None  # the red in place of the fault, if production made the check raise
    seen: list[dict[str, str | bool]] = field(default_factory=list)
    drawn: str | None = None  # state of the global generators, "" where nothing was drawn, None where unknown
    drawn_at: str = ""
    seconds: float = 0.0
    output: str = ""

    @classmethod
    def of(cls, case: Case) -> Ruling:
        """One in which no sample has been judged yet."""
        count = len(case.samples)
        return cls(case.id, [""] * count, [""] * count, [""] * count, [""] * count)


@dataclass
class Trial:
    """The ruling on one property under way."""

    case: Case
    checks: Checks
    session: Session
    limit_s: float
    ruling: Ruling = field(init=False)
    stand_in: StandIn = field(init=False)
    fn: Function = field(init=False)
    law: str | None = None  # the text of the law under way

    def __post_init__(self) -> None:
        self.ruling = Ruling.of(self.case)
        self.stand_in = StandIn(self.session, finite=not self.case.nonfinite)
        self.fn = self.stand_in.function(self.case.fn, self.case.call, self.case.around())

    def rule(self) -> Ruling:
        """Judge every sample. Silence, death and a broken wire make what is left red; a fault ends it."""
        self.session.waited = 0.0
        try:
            self._judge()
        except (Fault, ChecksFault, BadSample, BadCheck) as fault:
            self.ruling.fault = str(fault)[:MAX_DETAIL]
        except NotStarted as how:
            self.ruling.fault = f"the interpreter cannot run the subject: {how}; name another one by {WAYS}"
        except SubjectLost as lost:
            self._lose(f"the subject was lost: {lost}", digest=ENDED if self.case.asks else LOST)
        except OutOfTime:
            self._out_of_time()
        self.ruling.seen = self.stand_in.seen
        return self.ruling

    def _judge(self) -> None:
        checks = [(name, self.checks.find(name), params) for name, params in self.case.checks]
        imported = self.session.imported()
        self.stand_in.take_sightings(imported, importing=True)
        refusal = self._refusal(imported)
        if refusal:
            self._lose(*refusal)
            return
        self.session.begin()
        for index in self.case.order():
            self._sample(index, checks)
        if self.stand_in.lost:
            raise self.stand_in.lost
        self.ruling.drawn, self.ruling.drawn_at = drawn_of(self.session.end())
        if not self.stand_in.answered and not self.case.asks:
            raise Fault("no check called the function")

    def _sample(self, index: int, checks: list[tuple[str, Check, dict[str, Any]]]) -> None:
        self.stand_in.next_sample()
        packed = marshal.dumps(self.case.samples[index])  # each check gets a copy: it and production may change it
        red = next((red for use in checks if (red := self._check(index, packed, *use))), None)
        if self.stand_in.refused and not red:
            red = self._red(index, checks[0][0], self.stand_in.refused)
        if self.stand_in.lost:
            raise self.stand_in.lost
        self.ruling.red = self.ruling.red or red
        self.ruling.colours[index] = "r" if red else "g"
        self.ruling.digests[index] = self.stand_in.digest()
        self.ruling.values[index] = _in_source(self.stand_in.last)
        self.ruling.types[index] = ", ".join(self.stand_in.types)[:MAX_DETAIL]

    def _check(
        self, index: int, packed: bytes, name: str, check: Check, params: dict[str, Any]
    ) -> dict[str, Any] | None:
        self.law = params["law"] if name == "law" else None
        try:
            check(self.fn, marshal.loads(packed), **params)  # noqa: S302  # our own bytes
        except Raised as raised:
            return self._red(index, name, f"raised {raised}", raised.at)
        except AssertionError as error:
            return self._red(index, name, self.checks.in_words(error))
        except NotPlain as refused:
            return self._red(index, name, str(refused))
        except (SubjectLost, OutOfTime):
            raise
        except BaseException as error:  # noqa: BLE001  # a check may raise anything; it is not production's fault
            if not self.case.asks:
                self._blame(index, name, error)
        return None

    def _blame(self, index: int, name: str, error: BaseException) -> NoReturn:
        if isinstance(error, (BadSample, BadCheck, Fault)):
            raise error
        raised = f"raised {type(error).__name__}: {self.checks.in_words(error)}"
        if self.stand_in.types and isinstance(error, Exception):
            self.ruling.suspect = self._red(index, name, f"the check {raised}")
        raise Fault(f"the check {name} {raised}") from None

    # -- what is not an answer -----------------------------------------------------------

    def _refusal(self, answer: dict[str, Any]) -> tuple[str, str | None] | None:
        """Why the module cannot be used, and where; None when it can. Raises Fault for a gap of the environment."""
        if "r" in answer:
            return str(answer["r"])[:MAX_DETAIL], None
        if "x" not in answer:
            return None
        raised = raised_of(answer)
        missing = answer.get("module")
        if isinstance(missing, str) and not self._is_ours(missing):
            raise Fault(
                f"{self.case.module} imports {missing[:200]}, which this interpreter does not have"
                f"; name the one of this code by {WAYS}"
            )
        return f"{self.case.module} cannot be imported: {raised}", raised.at

    def _is_ours(self, module: str) -> bool:
        """Whether a missing module belongs to the code under test."""
        if f"{self.case.module}.".startswith(f"{module}."):
            return True
        top = module.partition(".")[0]
        return any(name.partition(".")[0] == top for root in self.session.roots for name in _listed(root))

    def _lose(self, reason: str, at: str | None = None, *, digest: str = LOST) -> None:
        """Everything not judged yet is red; when all has been judged, everything is."""
        self.session.usable = False
        left = [index for index in self.case.order() if not self.ruling.colours[index]] or self.case.order()
        for index in left:
            self.ruling.colours[index], self.ruling.digests[index] = "r", digest
        name = self.case.checks[0][0]
        self.ruling.red = self.ruling.red or self._red(left[0], name, reason, at)

    def _out_of_time(self) -> None:
        self.session.usable = False
        if self.session.waited * 2 >= self.limit_s:
            self._lose(f"no answer within {self.limit_s:g} s")
        else:
            self.ruling.fault = f"the checks took more than {self.limit_s:g} s themselves"

    def _red(self, index: int, name: str, detail: str, at: str | None = None) -> dict[str, Any]:
        last = self.stand_in.last
        return {
            "sample": index,
            "check": name,
            "law": self.law or (CATALOGUE[name].law if name in CATALOGUE else self.checks.law_of(name)),
            "detail": detail[:MAX_DETAIL],
            "input": shown(self.case.samples[index], MAX_VALUE),
            "value": None if last is None and not self.stand_in.answered else _in_source(last),
            "at": at or self.stand_in.at,
        }


def _in_source(value: Any) -> str:
    return f"raised {value}"[:MAX_VALUE] if isinstance(value, Raised) else shown(value, MAX_VALUE)


def _listed(folder: str) -> list[str]:
    with contextlib.suppress(OSError):
        return [path.name for path in Path(folder).iterdir()]
    return []
