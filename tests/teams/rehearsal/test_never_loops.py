"""A turn ends whatever comes back: no call twice, and a bounded number of calls."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from teams.providers.rehearsal.moves import Call
from teams.providers.rehearsal.policy import next_move
from teams.providers.rehearsal.working import MAX_CALLS
from tests.teams.rehearsal import facilities
from tests.teams.rehearsal.bodies import called, user
from tests.teams.rehearsal.playing import ASK, TODAY, function

TOOLS = [function(name, *about) for name, about in facilities.TOOLS.items()]
REQUESTS = (
    "Book a room for 3 people on Friday at noon, order coffee and post it",
    "Show tickets T-1, T-2, T-3 and T-4 and post them to the office channel",
    "Find rooms for ten and ten and ten",
    "Post it",
    "Report that T-1 is broken in room Birch, then report that T-2 is broken too",
)
RESULTS = (
    "Error: no",
    "Denied: no",
    "(empty)",
    "",
    "[]",
    '{"ticket_id": "T-99", "room": "Cedar"}',
    '[{"room": "Elm"}, {"room": "Fir"}]',
    "T-100, T-101 and T-102, tomorrow, 12 people, room Oak",
)
ANSWERS = ("", "no idea", "tomorrow", "T-55, room Elm", "7", "vegetarian")


@pytest.mark.parametrize("seed", range(40))
def test_a_turn_ends(seed: int) -> None:
    chance = random.Random(seed)
    messages: list[dict[str, Any]] = [user(chance.choice(REQUESTS))]
    made: list[str] = []
    while True:
        body = {"messages": messages, "tools": [*TOOLS, ASK]}
        move = next_move(body, today=TODAY)
        if not isinstance(move, Call):
            break
        made.append(json.dumps([move.name, move.arguments], sort_keys=True))
        result = chance.choice(ANSWERS if move.name == "ask_human" else RESULTS)
        messages += called(move.name, result, **move.arguments)

    assert move.text
    assert len(made) == len(set(made))
    assert len(made) <= MAX_CALLS


def test_many_ids_are_not_followed_for_ever() -> None:
    ids = ", ".join(f"T-{n}" for n in range(100, 180))
    messages: list[dict[str, Any]] = [user(f"Show tickets {ids}")]
    for _round in range(MAX_CALLS):
        move = next_move({"messages": messages, "tools": TOOLS}, today=TODAY)
        assert isinstance(move, Call)
        messages += called(move.name, '{"state": "new"}', **move.arguments)

    move = next_move({"messages": messages, "tools": TOOLS}, today=TODAY)
    assert not isinstance(move, Call)
