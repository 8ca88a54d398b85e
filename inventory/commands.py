"""How the typer apps of the three commands are started, so that usage errors and stops end alike."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version

import typer

from inventory import console
from inventory.errors import Exit
from inventory.escapes import visible
from inventory.usage import wrong_usage

VERSION_TOLD = "--version alone tells the version."


def start(name: str, app: typer.Typer) -> int:
    """Run `app` on the arguments of the process and return the exit code.

    A command function returns its exit code (None means done) or raises a `Stop`.
    """

    def command() -> int:
        if sys.argv[1:] == ["--version"]:
            console.show(f"invariant-inventory {_version()}")
            return Exit.DONE
        try:
            code = app(standalone_mode=False, prog_name=name, help_option_names=["-h", "--help"])
        except typer.Exit as leave:
            code = leave.exit_code
        except typer.Abort:
            raise KeyboardInterrupt from None
        except SystemExit:  # how typer ends when the reader of what it prints went away
            raise BrokenPipeError from None
        except typer.TyperException as error:
            message = error.format_message()
            if message.startswith("Usage:"):  # a bare command: what it can do is the answer
                console.say(visible(message, lines=True))
                return Exit.USAGE
            raise wrong_usage(error, name, typer.main.get_command(app), sys.argv[1:]) from None
        if code == Exit.INTERRUPTED:  # how typer passes an interrupt on
            raise KeyboardInterrupt
        return int(code or Exit.DONE)

    return console.run(name, command)


def _version() -> str:
    try:
        return version("invariant-inventory")
    except PackageNotFoundError:
        return "from a source tree"
