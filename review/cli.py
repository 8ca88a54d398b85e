"""The command line of `review`: where its commands come together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from inventory.commands import VERSION_TOLD, start
from inventory.console import say, show
from inventory.errors import Exit, WrongUsage
from inventory.git import Git
from review import cli_decide, cli_inputs, cli_look, options, setup
from review.interactive import Sitting
from review.terminal import is_terminal, opened

app = typer.Typer(no_args_is_help=False, epilog=VERSION_TOLD, rich_markup_mode=None)


def main() -> int:
    """Run `review` and return its exit code."""
    return start("review", app)


@app.callback(invoke_without_command=True)
def queue(context: typer.Context, source: options.From = None, base: options.Base = None) -> int:
    """Rule on candidates. Without a command: one after the other on a terminal, else the queue as a list."""
    if context.invoked_subcommand:
        if source or base:
            raise WrongUsage(
                "--from and --base stand behind the command",
                why="before it they would speak of no command",
                fix=f"review {context.invoked_subcommand} … --from REF",
            )
        return Exit.DONE
    if not is_terminal():
        return cli_look.list_(source)
    with opened() as terminal:
        Sitting(terminal, source, base).run()
    return Exit.DONE


app.command("list")(cli_look.list_)
app.command("show")(cli_look.show_)
app.command("check")(cli_look.check)
app.command("fixture")(cli_look.fixture)
app.command("record")(cli_inputs.record)
app.command("mine")(cli_inputs.mine)
app.command("promote")(cli_decide.promote)
app.command("reject")(cli_decide.reject)
app.command("reopen")(cli_decide.reopen)
app.command("amend")(cli_decide.amend)
app.command("retire")(cli_decide.retire)
app.command("lock")(cli_decide.lock)
app.command("freeze")(cli_decide.freeze)


@app.command()
def init(
    owner: Annotated[str, typer.Option(metavar="WHO", help="Who owns the oracle: @user, @organisation/team, e-mail.")],
) -> int:
    """Lay an empty inventory, its owner lines and a workflow. What is there already stays as it is."""
    laid = setup.lay(Git.open(Path.cwd()), owner)
    for one in laid:
        show(f"{one.path}: {one.what}")
    edits = [f"{one.edit}\n  (until then that job fails); then " for one in laid if one.edit]
    say(
        f"\nnext: {''.join(edits)}bring these files to the default branch, then in the settings of the forge\n"
        "  - make the job `gate` a required check\n"
        "  - require a review by code owners, and let nobody push to the default branch directly"
    )
    return Exit.DONE
