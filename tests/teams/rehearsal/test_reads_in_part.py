"""Of a huge prompt its beginning and its end are read, so that it costs no more."""

from __future__ import annotations

import pytest

from teams.providers.rehearsal.text import ANALYSED_HEAD, ANALYSED_TAIL, analysed
from tests.teams.rehearsal.bodies import made, move, user
from tests.teams.rehearsal.test_never_loops import TOOLS

HUGE = 100_000


def test_a_huge_prompt_is_answered_as_its_beginning_asks() -> None:
    request = "Show ticket T-204. " + "Some more words, 12 of them, on 3 May. " * 2600
    assert len(request) > HUGE
    assert made(move(user(request), tools=TOOLS)) == (
        "ticket_status",
        {"ticket_id": "T-204"},
    )


@pytest.mark.parametrize("part", ["x", "票", "1", "A-1,", "a@", "2026-", "“", "a b "])
def test_no_more_than_its_two_ends_is_looked_at(part: str) -> None:
    text = part * (HUGE // len(part))
    assert len(analysed(text)) <= ANALYSED_HEAD + ANALYSED_TAIL + 1


@pytest.mark.timeout(20)
@pytest.mark.parametrize("part", ["x", "票", "1", "A-1,", "a@", "2026-", "“"])
def test_a_huge_text_without_spaces_is_answered(part: str) -> None:
    """A pattern that backtracks over it would take for ever."""
    assert move(user(part * (HUGE // len(part))), tools=TOOLS)
