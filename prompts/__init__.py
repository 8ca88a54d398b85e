"""The prompt templates that `propose` sends to an endpoint."""

from __future__ import annotations

from importlib.resources import files

NAMES = ("system.j2", "request.j2", "again.j2", "laws.j2")


def templates() -> dict[str, str]:
    """File name -> source of each template."""
    return {name: files(__name__).joinpath(name).read_text("utf-8") for name in NAMES}
