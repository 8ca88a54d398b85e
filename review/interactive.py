"""The interactive session: one candidate at a time on a terminal, each decision saved at once."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from inventory.console import describe
from inventory.errors import Overtaken, Stop
from review import deciding, ledger
from review.decide import samples_at
from review.desk import Desk, open_desk
from review.page import difference_page, fixture_page, page, provenance_page
from review.promote import Ask
from review.queue import Item
from review.rehearse import rehearse
from review.samples import draft_path
from review.screen import check_text
from review.session import Session
from review.telling import tell
from review.terminal import Terminal
from review.view import View, view_of

KEYS = "p promote  r reject  s skip  u undo  j/k next, previous  ? help  q quit"
HELP = """\
p  promote: a seed, a fixture and its digest make a property of it
r  reject, with a reason that is remembered
s  skip for now                      u  undo the last decision
j  next undecided                    k  previous undecided
g  go to a number                    /  search by id or function
d  difference to the nearest property
i  provenance: who proposed it       o  the fixture of this function; drafts one where there is none
t  try it now, on this tree, on base and on mutants of the function
q  quit; every decision is saved already"""


def folded(text: str, width: int) -> str:
    """`text` with its lines broken between words where they are wider than the window."""
    return "\n".join(textwrap.fill(line, width - 1, subsequent_indent="   ") for line in text.split("\n"))


@dataclass(frozen=True)
class Turn:
    """What a key led to. `fresh` asks for a new look at the repository, `over` ends the session."""

    session: Session
    fresh: bool = False
    over: bool = False
    redraw: bool = True


@dataclass
class Sitting:
    """One reviewer at one terminal."""

    terminal: Terminal
    source: str | None = None
    base: str | None = None
    targets: dict[str, str] = field(default_factory=dict)

    def run(self) -> None:
        """Sit until the reviewer quits or the queue is empty."""
        with self._desk() as desk:
            ids = tuple(item.id for item in desk.queue)
            self.targets = {item.id: item.claim.target for item in desk.queue if item.claim}
            if not ids:
                self.terminal.show(f"no candidates: the queue is empty\nnext: {desk.way_on()}")
                return
        turn = Turn(Session(ids))
        while not turn.over:
            with self._desk() as desk:
                turn = self._look(desk, turn.session)
        self._leave(turn.session)

    def _look(self, desk: Desk, session: Session) -> Turn:
        turn = Turn(session)
        view = None
        while not (turn.fresh or turn.over):
            if turn.redraw:
                view = self._draw(desk, turn.session)
            turn = self._press(turn.session, view)
        return turn

    def _draw(self, desk: Desk, session: Session) -> View | None:
        view, text = None, ""
        try:
            view = view_of(desk, desk.find(session.current), self._ask(session.current))
            text = page(view, self.terminal.width)
        except Stop as stop:
            kind = session.decided.get(session.current)
            text = f"{session.current}  {kind}; u takes back the last decision" if kind else describe(stop)
        rule = "-" * min(self.terminal.width - 1, 100)
        self.terminal.show(f"{rule}\n[{session.at + 1}/{len(session.ids)}] {text}")
        keys = KEYS if session.left else f"nothing is left: {session.summary()}. u undo  q quit"
        self.terminal.show(f"\n{folded(keys, self.terminal.width)}")
        return view

    def _press(self, session: Session, view: View | None) -> Turn:
        key = self.terminal.key().name
        if key in ("q", "end"):
            return Turn(session, over=True)
        if key == "resize":
            return Turn(session)
        try:
            if key in _ALWAYS:
                return _ALWAYS[key](self, session)
            if view and view.item.candidate:
                return self._about(key, session, view)
        except Stop as stop:
            self.terminal.show(describe(stop))
            return Turn(session, fresh=isinstance(stop, Overtaken), redraw=False)
        return Turn(session, redraw=False)

    def _about(self, key: str, session: Session, view: View) -> Turn:
        """A key that is about the candidate in view; any other does nothing."""
        if key in _SHOWS:
            self.terminal.show(_SHOWS[key](view, self.terminal.width))
        elif key == "t":
            return self._try(session, view.item)
        elif key == "o":
            return self._fixture(session, view.item)
        elif key in _DECIDES and session.current not in session.decided:
            return self._decide(_DECIDES[key], session, view.item)
        return Turn(session, redraw=False)

    def help(self, session: Session) -> Turn:
        """Tell the keys."""
        self.terminal.show(folded(HELP, self.terminal.width))
        return Turn(session, redraw=False)

    def _decide(self, decide: deciding.Decide, session: Session, shown: Item) -> Turn:
        """Decide about what is shown. Raises Overtaken where the file says something else by now."""
        with self._desk() as desk:
            if desk.find(shown.id).candidate != shown.candidate:
                raise Overtaken(
                    f"{shown.path} changed meanwhile",
                    why="it does not say what you were shown",
                    fix="Read it anew; nothing was decided.",
                )
            done = decide(self.terminal, desk, shown, self._ask(shown.id))
        if done is None:
            self.terminal.show("nothing was decided")
            return Turn(session, redraw=False)
        self.terminal.show(f"{done.kind} {shown.id}")
        return Turn(session.settled(done.kind, done.changes), fresh=True)

    def undo(self, session: Session) -> Turn:
        """Take the last decision back, its files included."""
        if not session.steps:
            self.terminal.show("nothing to undo")
            return Turn(session, redraw=False)
        step = session.steps[-1]
        if step.changes:
            with self._desk() as desk:
                ledger.undo(desk.git, step.changes)
        self.terminal.show(f"took back: {step.kind} {step.id}")
        return Turn(session.undone(), fresh=True)

    def go(self, session: Session) -> Turn:
        """Go to a number."""
        number = self.terminal.ask(f"go to (1 to {len(session.ids)}):")
        return Turn(session.gone_to(int(number) if number and number.isdecimal() else 0))

    def search(self, session: Session) -> Turn:
        """Go to the next id or function that holds a text."""
        text = self.terminal.ask("search:")
        found = session.found(text, self.targets) if text else session
        if found is None:
            self.terminal.show("no id and no function holds that")
        return Turn(found or session, redraw=found is not None)

    def _try(self, session: Session, shown: Item) -> Turn:
        self.terminal.show("trying it …")
        with self._desk() as desk:  # a fixture may have been edited meanwhile
            item = desk.find(shown.id)
            done = rehearse(desk, item, self._ask(item.id))
            if done.trials:
                desk.remember(item, done.finding)
        self.terminal.show(check_text(item, done))
        return Turn(session, redraw=False)

    def _fixture(self, session: Session, shown: Item) -> Turn:
        """Show the fixture of the function, else the draft for this candidate, else offer to make one."""
        with self._desk() as desk:
            item, path = desk.find(shown.id), draft_path(shown.id)
            found = view_of(desk, item, self._ask(item.id)).fixture
            if found is None and path in desk.work:
                found = samples_at(desk, path).fixture
            if found:
                self.terminal.show(fixture_page(found, self.terminal.width))
            else:
                deciding.draft(self.terminal, desk, item)
        return Turn(session, redraw=False)

    def _leave(self, session: Session) -> None:
        self.terminal.show(session.summary())
        changes = [change for step in session.steps for change in step.changes]
        if changes:
            last = {change.path: change for change in changes}
            with self._desk() as desk:
                fixtures = tuple(desk.oracle.fixtures)
                tell(desk, last.values(), "review/queue", f"Review: {session.summary()}", also=fixtures)

    def _ask(self, candidate_id: str) -> Ask:
        return Ask(candidate_id, source=self.source, base=self.base)

    def _desk(self) -> AbstractContextManager[Desk]:
        return open_desk(Path.cwd(), source=self.source, base=self.base)


def _skip(session: Session) -> Session:
    return session if session.current in session.decided else session.settled("skipped")


_ALWAYS: dict[str, Callable[[Sitting, Session], Turn]] = {
    "j": lambda _, session: Turn(session.moved(1)),
    "k": lambda _, session: Turn(session.moved(-1)),
    "s": lambda _, session: Turn(_skip(session)),
    "g": Sitting.go,
    "/": Sitting.search,
    "u": Sitting.undo,
    "?": Sitting.help,
}
_SHOWS: dict[str, Callable[[View, int], str]] = {
    "d": difference_page,
    "i": lambda view, width: provenance_page(view.item.candidate, width) if view.item.candidate else "",
}
_DECIDES: dict[str, deciding.Decide] = {"p": deciding.promote, "r": deciding.reject}
