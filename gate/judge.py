"""The judge: a process of its own that runs the checks, and the only one who says red or green.

Nothing a subject does can turn its word into green: at worst it ends the judge, and no verdict is red.
It reads one setup and then jobs as JSON lines from stdin, and writes to what was its stdout when it was
started: a line for each subject that it starts, one for each property, and one when a job is done.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from gate.own_checks import Checks
from gate.patience import Patience
from gate.ruling import Case, Ruling, Trial
from gate.session import Launch, OutOfTime, Session, shield

_WATCH_S = 1.0


@dataclass(frozen=True)
class Judge:
    """Judges jobs: for each module one subject, in it one property after the other."""

    checks: Checks
    cases: dict[str, Case]
    limit_s: float
    report: TextIO

    def run(self, launch: Launch, ids: list[str]) -> Iterator[Ruling]:
        """Judge the properties named, module by module."""
        session: Session | None = None
        try:
            for case in sorted((self.cases[name] for name in ids), key=Case.place):
                if session and not (session.serves_on and session.serves == (case.module, case.clock_ns)):
                    session.close()
                    session = None
                if session is None:
                    session = Session(launch, case.module, case.clock_ns)
                    self.tell({"subject": session.pid})
                yield self._rule(case, session)
        finally:
            if session:
                session.close()

    def tell(self, message: dict[str, Any]) -> None:
        """Write one line of the report."""
        self.report.write(json.dumps(message) + "\n")
        self.report.flush()

    def _rule(self, case: Case, session: Session) -> Ruling:
        trial = Trial(case, self.checks, session, self.limit_s)
        started = time.monotonic()
        patience = Patience(session.pid, self.limit_s)
        signal.signal(signal.SIGALRM, lambda *_: _end(patience, session))
        signal.setitimer(signal.ITIMER_REAL, self.limit_s, 1.0)
        try:
            ruling = trial.rule()
        except OutOfTime:  # between two statements of the ruling itself
            ruling = trial.ruling
            ruling.fault = "the time was up before the ruling was"
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        ruling.seconds = round(time.monotonic() - started, 4)
        ruling.output = session.output()
        return ruling


def main() -> None:
    """Serve jobs until stdin ends."""
    _end_with(os.getppid())
    report = os.fdopen(os.dup(1), "w", encoding="ascii")
    os.dup2(2, 1)  # a check that prints must not write into the report
    shield()
    setup = sys.stdin.readline()
    if not setup:
        return  # there was nothing to judge
    judge = _judge(json.loads(setup), report)
    for line in sys.stdin:
        job = json.loads(line)
        for ruling in judge.run(Launch(**job["launch"]), job["ids"]):
            judge.tell({"ruling": vars(ruling)})
        judge.tell({"done": True})


def _end_with(parent: int) -> None:
    """End this process once its parent is gone: a check that catches everything would run on for ever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_WATCH_S)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _judge(setup: dict[str, Any], report: TextIO) -> Judge:
    cases = [Case(**data) for data in setup["cases"]]
    return Judge(Checks(b64decode(setup["checks"])), {case.id: case for case in cases}, setup["limit_s"], report)


def _end(patience: Patience, session: Session) -> None:
    if patience.is_over(waiting=session.waiting):
        raise OutOfTime


if __name__ == "__main__":
    main()
