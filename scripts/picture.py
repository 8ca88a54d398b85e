"""Draws docs/blocked.svg: the terminal of a patch that the gate blocks, as a real run printed it."""

from __future__ import annotations

import io
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from rich.console import Console  # noqa: E402
from rich.text import Text  # noqa: E402

from scripts import last_chapter  # noqa: E402

PICTURE = ROOT / "docs" / "blocked.svg"
COMMAND = ("gate", "check", "--base", "main")
COLUMNS = 100
STYLES = {"BLOCK": "bold red", "ALLOW": "bold green", "row ": "bold", "$ ": "bold cyan", "next:": "cyan"}


def lines() -> list[str]:
    """What is typed, and what is printed."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve() / "story"
        root.mkdir()
        last_chapter.build(root)
        _, out, err = last_chapter.run(root, *COMMAND)
    if "invariant_miss" not in out:
        sys.exit(f"the run did not end as the picture is to show it, on a machine that is busy perhaps:\n{out}{err}")
    return [f"$ {' '.join(COMMAND)}", *out.rstrip("\n").split("\n")]


def main() -> int:
    """Draw the picture. The colours are added; the words are the gate's."""
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    for line in lines():
        style = next((style for start, style in STYLES.items() if line.lstrip().startswith(start)), "")
        console.print(Text(line, style), soft_wrap=False)
    drawn = console.export_svg(title="an agent's branch, its own tests green", unique_id="blocked")
    PICTURE.write_text(re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL))  # no font from elsewhere
    return 0


if __name__ == "__main__":
    sys.exit(main())
