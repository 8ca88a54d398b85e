"""What is read from the exit codes of two other tools, and the table that it becomes."""

from __future__ import annotations

import pytest

from scripts.rivals import CANNOT_JUDGE, PASSES, REFUSES, Counted, outcome, table_of


@pytest.mark.parametrize(
    ("exit_code", "said"),
    [(0, PASSES), (1, REFUSES), (2, CANNOT_JUDGE), (3, CANNOT_JUDGE), (4, CANNOT_JUDGE), (-1, CANNOT_JUDGE)],
)
def test_only_zero_passes_and_only_one_refuses(exit_code: int, said: str) -> None:
    assert outcome(exit_code) == said


def test_what_could_not_be_judged_is_counted_apart() -> None:
    table = table_of(
        [
            Counted("one 1.0", [PASSES, REFUSES, PASSES, CANNOT_JUDGE], [REFUSES]),
            Counted("two 2.0", [], [PASSES, CANNOT_JUDGE]),
        ]
    )
    assert table == (
        "| tool | hacks | lets pass | refuses | cannot judge | honest changes | lets pass | refuses | cannot judge |\n"
        "|---|---|---|---|---|---|---|---|---|\n"
        "| one 1.0 | 4 | 2 | 1 | 1 | 1 | 0 | 1 | 0 |\n"
        "| two 2.0 | 0 | 0 | 0 | 0 | 2 | 1 | 0 | 1 |\n"
    )
