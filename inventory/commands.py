"""How the typer apps of the three commands are started, so that usage errors and stops end alike."""

from __future__ import annotations

import typer

from inventory import console
from inventory.errors import Exit


def start(name: str, app: typer.Typer) -> int:
    """Run `app` on the arguments of the process and return the exit code.

    A command function returns its exit code (None means done) or raises a `Stop`.
    """

    def command() -> int:
        try:
            code = app(standalone_mode=False, prog_name=name)
        except typer.Exit as leave:
            return leave.exit_code
        except typer.Abort:
            raise KeyboardInterrupt from None
        except typer.TyperException as error:
            context = getattr(error, "ctx", None)
            usage = context.get_usage() if context else f"{name} --help"
            console.say(f"{name}: error: {console.visible(error.format_message())}")
            console.say(f"why: the command line cannot be read\nnext: {usage}")
            return Exit.USAGE
        return int(code or Exit.DONE)

    return console.run(name, command)
