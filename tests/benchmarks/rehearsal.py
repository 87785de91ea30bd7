"""What a move of the rehearsal model costs: ``python -m tests.benchmarks.rehearsal``.

Milliseconds of CPU, of a usual prompt and, as a ratio to it, of huge ones.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import django

from tests.teams.rehearsal.bodies import move, user
from tests.teams.rehearsal.playing import Play, pure_mind
from tests.teams.rehearsal.support_desk import team
from tests.teams.rehearsal.test_never_loops import TOOLS

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")

HUGE = 100_000
PARTS = (
    "Some more words, 12 of them, on 3 May. ",
    "x",
    "票",
    "1",
    "A-1,",
    "a@",
    "2026-",
)


def cpu_ms(work: Callable[[], Any]) -> float:
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def usual_moves() -> list[float]:
    """The moves of ten requests that need two or three workers each."""
    times: list[float] = []

    def timed(body: dict[str, Any]) -> dict[str, Any]:
        replies: list[dict[str, Any]] = []
        times.append(cpu_ms(lambda: replies.append(pure_mind(body))))
        return replies[0]

    for number in range(1001, 1011):
        request = f"Show the account and the last three payments of customer C-{number}"
        lookup = team(lookup_account=lambda customer_id: {"id": customer_id})
        Play(lookup, mind=timed).say(f"{request} and e-mail it to me")
    return times


def main() -> None:
    django.setup()
    usual = statistics.median(usual_moves())
    print(f"a usual move: {usual:.2f} ms CPU (median)")
    for part in PARTS:
        body = user(part * (HUGE // len(part)))
        spent = statistics.median(
            cpu_ms(partial(move, body, tools=TOOLS)) for _ in range(5)
        )
        print(f"{HUGE} characters of {part!r}: {spent:.1f} ms, {spent / usual:.0f} x")


if __name__ == "__main__":
    main()
