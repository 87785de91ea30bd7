"""Why a run or a conversation ended, in plain words."""

from __future__ import annotations

import pytest

from conversations.selectors.notes import how_ended

CONDITION = "The team's condition for the end was met"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", ""),
        ("user", "Ended by its owner."),
        ("operator", "Ended by an operator."),
        ("limit:handoffs", "The limit of handovers was reached: it is your turn."),
        ("limit:autonomous_turns", "The limit of turns was reached: it is your turn."),
        ("limit:repeated_reply", "The agent repeated itself: it is your turn."),
        ("limit:another", "A limit was reached: it is your turn."),
        ("condition:contains", f"{CONDITION}: a text contains it."),
        ("condition:regex", f"{CONDITION}: a text matches it."),
        ("condition:predicate:is_done", f"{CONDITION}: is_done."),
    ],
)
def test_an_end_is_told_in_words(code: str, words: str) -> None:
    assert how_ended(code) == words
