"""The options of `review`, each described once."""

from __future__ import annotations

from typing import Annotated

import typer

from inventory.records import Call


def _named(who: str | None) -> str | None:
    if who is not None and not who.strip():
        raise typer.BadParameter("it is blank")
    return who


Id = Annotated[str, typer.Argument(metavar="ID", help="The id of a candidate.")]
AnyId = Annotated[str, typer.Argument(metavar="ID", help="The id of a candidate or property.")]
PropertyId = Annotated[str, typer.Argument(metavar="ID", help="The id of a property.")]
TargetOf = Annotated[str, typer.Argument(metavar="MODULE:FN", help="A function of this tree.")]
From = Annotated[str | None, typer.Option("--from", metavar="REF", help="Read candidates from this branch or commit.")]
Base = Annotated[str | None, typer.Option("--base", metavar="REF", help="What this branch is compared with.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Seed = Annotated[int | None, typer.Option(metavar="N", min=0, max=2**63 - 1, help="Fixes the order of the samples.")]
Fixture = Annotated[str | None, typer.Option(metavar="PATH", help="The samples: a JSON list, or JSON Lines.")]
Sha256 = Annotated[str | None, typer.Option(metavar="HEX", help="The digest of the fixture you looked at.")]
CallOf = Annotated[Call | None, typer.Option(metavar="|".join(Call), help="How a sample becomes a call.")]
Reviewer = Annotated[str | None, typer.Option(metavar="WHO", callback=_named, help="Who takes the decision.")]
NeededReviewer = Annotated[
    str, typer.Option("--reviewer", metavar="WHO", callback=_named, help="Who takes the decision.")
]
Note = Annotated[str | None, typer.Option(metavar="TEXT", help="Why.")]
NeededNote = Annotated[str, typer.Option("--note", metavar="TEXT", help="Why.")]
Expect = Annotated[
    str | None, typer.Option(metavar="DIGEST", help="Decide only about what has this digest; see review show.")
]
