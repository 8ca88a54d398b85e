"""Starting a typer app: how it ends becomes the exit code, and a wrong command line is told in three lines."""

from __future__ import annotations

import sys

import pytest
import typer

from inventory.commands import start
from inventory.console import describe
from inventory.errors import Exit, Refused

app = typer.Typer(add_completion=False)


@app.command()
def rule(number: int) -> int:
    if number < 0:
        raise Refused("no", why="negative", fix="Give another.")
    return number


@app.command()
def leave() -> None:
    raise typer.Exit(code=Exit.NO)


@app.command()
def abort() -> None:
    raise typer.Abort


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["rule", "0"], Exit.DONE),
        (["rule", "3"], Exit.COULD_NOT_RUN),
        (["rule", "--", "-1"], Exit.NO),
        (["rule", "many"], Exit.USAGE),
        (["rule"], Exit.USAGE),
        (["rule", "1", "2"], Exit.USAGE),
        (["rule", "--odd"], Exit.USAGE),
        (["no\x1b[31msuch"], Exit.USAGE),
        (["leave"], Exit.NO),
        (["abort"], Exit.INTERRUPTED),
        (["--help"], Exit.DONE),
        (["rule", "-h"], Exit.DONE),
    ],
)
def test_every_way_to_end_has_its_exit_code(
    words: list[str], code: Exit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["rule", *words])
    assert start("rule", app) == code
    told = capsys.readouterr().err
    assert "internal fault" not in told
    assert "\x1b" not in told
    assert code is not Exit.USAGE or ("error:" in told and "why:" in told and "next:" in told)


def test_what_an_error_quotes_is_cut_and_the_next_step_is_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["rule", "rule", "1", "x" * 100_000])
    assert start("rule", app) == Exit.USAGE
    told = capsys.readouterr().err
    assert len(told) < 1000
    assert told.endswith("\nnext: rule rule --help\n")
    assert len(describe(Refused("y" * 100_000, why="long", fix="Cut it."))) < 1000
