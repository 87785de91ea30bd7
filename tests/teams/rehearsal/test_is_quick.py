"""A move costs next to nothing, and a huge prompt not much more."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.teams.rehearsal.bodies import made, move, user
from tests.teams.rehearsal.playing import Play, pure_mind
from tests.teams.rehearsal.support_desk import team
from tests.teams.rehearsal.test_never_loops import TOOLS

# Milliseconds of CPU; several times what is usual, so that a busy machine passes.
USUAL, HUGE = 12.0, 150.0


def cpu_ms(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def test_a_move_of_a_usual_prompt_is_quick() -> None:
    times: list[float] = []

    def timed(body: dict[str, Any]) -> dict[str, Any]:
        replies: list[dict[str, Any]] = []
        times.append(cpu_ms(lambda: replies.append(pure_mind(body))))
        return replies[0]

    for number in range(1001, 1011):
        request = f"Show the account and the last three payments of customer C-{number}"
        Play(
            team(lookup_account=lambda customer_id: {"id": customer_id}), mind=timed
        ).say(f"{request} and e-mail it to me")

    assert len(times) > 50
    assert sorted(times)[len(times) // 2] < USUAL


def test_a_huge_prompt_is_read_in_part() -> None:
    request = "Show ticket T-204. " + "Some more words, 12 of them, on 3 May. " * 2600

    assert len(request) > 100_000
    assert cpu_ms(lambda: move(user(request), tools=TOOLS)) < HUGE
    assert made(move(user(request), tools=TOOLS)) == (
        "ticket_status",
        {"ticket_id": "T-204"},
    )


@pytest.mark.parametrize("part", ["x", "票", "1", "A-1,", "a@", "2026-", "“"])
def test_a_huge_text_without_spaces_is_read_in_part(part: str) -> None:
    assert cpu_ms(lambda: move(user(part * (100_000 // len(part))), tools=TOOLS)) < HUGE
