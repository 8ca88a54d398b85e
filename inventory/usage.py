"""A command line that cannot be read: what is wrong with it, why, and the line that would do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import typer

from inventory.errors import WrongUsage

_MISSING = re.compile(r"Missing \w+ '[^']*'")


def wrong_usage(error: typer.TyperException, name: str, root: Any, words: Sequence[str]) -> WrongUsage:
    """What to tell for an error of the parser; `root` is the command called `name`, started with these words."""
    path, command = _meant(error, name, root, words)
    message = " ".join(error.format_message().split()).removesuffix(".")
    param = getattr(error, "param", None)
    if param is not None and (missing := _MISSING.match(message)):
        return WrongUsage(missing[0], why=f"{path} needs it: {param.help}", fix=_synopsis(path, command))
    what, _, detail = message.partition(": ")
    if param is not None and detail:
        return WrongUsage(what, why=detail.removeprefix("Value error, "), fix=f"{path} --help")
    return WrongUsage(message, why=_expected(path, command), fix=f"{path} --help")


def _meant(error: typer.TyperException, name: str, root: Any, words: Sequence[str]) -> tuple[str, Any]:
    """The command that could not be read, with its words; the parser does not always tell."""
    context = getattr(error, "ctx", None)
    if context is not None:
        return context.command_path, context.command
    inner = _commands(root).get(words[0]) if words else None
    return (f"{name} {words[0]}", inner) if inner else (name, root)


def _expected(path: str, command: Any) -> str:
    known = ", ".join(_commands(command))
    return (
        f"the commands of {path} are {known}" if known else f"the command is: {_synopsis(path, command, '[OPTIONS]')}"
    )


def _synopsis(path: str, command: Any, *more: str) -> str:
    """The command with all that it needs; what stands behind -- comes last."""
    return " ".join([path, *sorted([*_needed(command), *more], key=lambda word: word.startswith("-- "))])


def _needed(command: Any) -> Iterator[str]:
    for param in command.params:
        if param.required:
            option = param.param_type_name == "option"
            yield f"{param.opts[0]} {param.metavar}" if option else param.metavar or param.name.upper()


def _commands(command: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = getattr(command, "commands", {})
    return found
