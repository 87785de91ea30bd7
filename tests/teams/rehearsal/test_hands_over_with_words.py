"""A call that comes with words: both reach the client, whole and streamed."""

from __future__ import annotations

import asyncio
import json
import random
from typing import Any

import httpx2
import openai
import pytest

from teams.providers.rehearsal.moves import Call
from teams.providers.rehearsal.policy import next_move
from teams.providers.rehearsal.transport import RehearsalTransport
from tests.teams.rehearsal.bodies import called, user
from tests.teams.rehearsal.playing import ASK, TODAY, function
from tests.teams.rehearsal.sharing import RULES
from tests.teams.rehearsal.test_shared_conversation import TARGET, TOOLS

FIND = function(
    "find_ticket",
    "Finds a ticket by its id, such as T-1.",
    {
        "type": "object",
        "properties": {"ticket_id": {"type": "string"}},
        "required": ["ticket_id"],
    },
)
MESSAGES = [
    {"role": "system", "content": RULES},
    user("Find ticket T-1 and show me the plants"),
    *called("find_ticket", '{"ticket_id": "T-1", "seat": 4}', ticket_id="T-1"),
]


async def _ask(**options: Any) -> Any:
    transport = RehearsalTransport(piece_delay=0, today=lambda: TODAY)
    async with openai.AsyncOpenAI(
        api_key="none",
        base_url="http://rehearsal.invalid/v1",
        http_client=httpx2.AsyncClient(transport=transport),
    ) as client:
        messages: Any = MESSAGES
        tools: Any = [FIND, TARGET]
        reply: Any = await client.chat.completions.create(
            model="any", messages=messages, tools=tools, **options
        )
        return [chunk async for chunk in reply] if options.get("stream") else reply


def test_whole() -> None:
    choice = asyncio.run(_ask()).choices[0]

    assert choice.finish_reason == "tool_calls"
    assert choice.message.content == "- Ticket id: T-1\n- Seat: 4"
    (call,) = choice.message.tool_calls
    assert call.function.name == "handoff_to_BOTANY"
    assert json.loads(call.function.arguments) == {
        "reason": "Ticket T-1 and show me the plants"
    }


def test_streamed() -> None:
    chunks = asyncio.run(_ask(stream=True))
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]

    assert "".join(delta.content or "" for delta in deltas) == (
        "- Ticket id: T-1\n- Seat: 4"
    )
    calls = [call for delta in deltas for call in delta.tool_calls or ()]
    assert calls[0].function.name == "handoff_to_BOTANY"
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


PARTS = [
    "plants", "flowers", "a tour", "ticket T-1", "P-12", "tomorrow", "please", "and",
    "find", "book", "what", "never mind", "last week", "?", ".", "[GATE] hello",
    "Please go on with my request.", "花", "植物", "hello", "it",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(30))
def test_whatever_is_said_a_turn_ends(seed: int) -> None:
    chance = random.Random(seed)
    tools = [*(function(name, *about) for name, about in TOOLS.items()), FIND, TARGET]
    messages: list[dict[str, Any]] = [{"role": "system", "content": RULES}]
    for _turn in range(4):
        messages.append(user(" ".join(chance.choices(PARTS, k=chance.randint(1, 9)))))
        for _round in range(25):
            body = {"messages": messages, "tools": [*tools, ASK]}
            move = next_move(body, today=TODAY)
            if not isinstance(move, Call):
                messages.append({"role": "assistant", "content": move.text})
                break
            result = chance.choice(["ok", "Error: no", '{"a": 1}', "P-12", "Denied."])
            messages += called(move.name, result, **move.arguments)
            if move.name == "handoff_to_BOTANY" and chance.random() < 0.5:
                messages.append(user("[BOTANY] That is not mine."))
        else:
            raise AssertionError("it goes round and round")
