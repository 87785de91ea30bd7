"""The transport under the real openai client, which must not notice."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx2
import openai
import pytest

from teams.providers.rehearsal import transport
from teams.providers.rehearsal.transport import RehearsalTransport
from tests.teams.rehearsal import facilities, staff_desk
from tests.teams.rehearsal.bodies import user
from tests.teams.rehearsal.playing import TODAY, Play, function, schema

LIKE = {"type": "string", "description": "Such as P-1."}
TRACK = function(
    "track_parcel", "Finds a parcel.", schema(("parcel_id",), parcel_id=LIKE)
)


def client(**options: Any) -> openai.AsyncOpenAI:
    transport = RehearsalTransport(
        **{"piece_delay": 0, "today": lambda: TODAY, **options}
    )
    return openai.AsyncOpenAI(
        api_key="none",
        base_url="http://rehearsal.invalid/v1",
        http_client=httpx2.AsyncClient(transport=transport),
        max_retries=0,
    )


def run(work: Callable[[openai.AsyncOpenAI], Awaitable[Any]], **options: Any) -> Any:
    async def running() -> Any:
        async with client(**options) as made:
            return await work(made)

    return asyncio.run(running())


def ask(made: openai.AsyncOpenAI, text: str, **others: Any) -> Awaitable[Any]:
    messages: Any = [user(text)]
    return made.chat.completions.create(model="any", messages=messages, **others)


async def chunks_of(made: openai.AsyncOpenAI, text: str, **others: Any) -> list[Any]:
    stream = await ask(made, text, stream=True, **others)
    return [chunk async for chunk in stream]


def test_a_text_comes_whole() -> None:
    reply = run(lambda made: ask(made, "Hello", tools=[TRACK]))

    assert reply.model == "rehearsal"
    assert reply.choices[0].finish_reason == "stop"
    assert reply.choices[0].message.content.startswith("Hello!")
    assert reply.usage.total_tokens == (
        reply.usage.prompt_tokens + reply.usage.completion_tokens
    )


def test_a_call_comes_whole() -> None:
    reply = run(lambda made: ask(made, "Track parcel P-7", tools=[TRACK]))

    (call,) = reply.choices[0].message.tool_calls
    assert reply.choices[0].finish_reason == "tool_calls"
    assert call.id.startswith("call_")
    assert call.function.name == "track_parcel"
    assert json.loads(call.function.arguments) == {"parcel_id": "P-7"}


def test_a_text_streams_in_pieces() -> None:
    chunks = run(lambda made: chunks_of(made, "Hello", tools=[TRACK]))

    pieces = [c.choices[0].delta.content for c in chunks if c.choices[0].delta.content]
    assert len(pieces) > 3
    assert "".join(pieces).startswith("Hello!\n\nI can help with this:")
    assert chunks[-1].choices[0].finish_reason == "stop"
    assert {chunk.model for chunk in chunks} == {"rehearsal"}


def test_a_call_streams_in_pieces() -> None:
    chunks = run(lambda made: chunks_of(made, "Track parcel P-7", tools=[TRACK]))

    parts = [part for c in chunks for part in c.choices[0].delta.tool_calls or []]
    assert [part.index for part in parts] == [0] * len(parts)
    assert parts[0].function.name == "track_parcel"
    arguments = "".join(part.function.arguments for part in parts)
    assert json.loads(arguments) == {"parcel_id": "P-7"}
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


def test_usage_comes_last_when_it_is_asked_for() -> None:
    wanted = {"include_usage": True}
    chunks = run(
        lambda made: chunks_of(made, "Hello", tools=[TRACK], stream_options=wanted)
    )

    assert chunks[-1].choices == []
    assert chunks[-1].usage.prompt_tokens > 10


def test_pieces_take_their_time() -> None:
    async def timed(made: openai.AsyncOpenAI) -> float:
        loop = asyncio.get_running_loop()
        start = loop.time()
        await chunks_of(made, "Hello", tools=[TRACK])
        return loop.time() - start

    assert run(timed, piece_delay=0.01) > 0.05


def test_a_long_text_streams_in_few_pieces() -> None:
    text = "A long text.\n" * 2000
    chunks = run(lambda made: chunks_of(made, text))

    assert "".join(c.choices[0].delta.content or "" for c in chunks) == text.strip()
    assert len(chunks) <= 90


def test_call_ids_differ() -> None:
    async def twice(made: openai.AsyncOpenAI) -> set[str]:
        replies = [await ask(made, "Track parcel P-7", tools=[TRACK]) for _ in "12"]
        return {reply.choices[0].message.tool_calls[0].id for reply in replies}

    assert len(run(twice)) == 2


def test_the_one_model_is_listed() -> None:
    async def listed(made: openai.AsyncOpenAI) -> list[str]:
        return [model.id async for model in made.models.list()]

    assert run(listed) == ["rehearsal"]


def test_a_bad_request_is_refused() -> None:
    wrong: Any = "hi"
    with pytest.raises(openai.BadRequestError, match="messages"):
        run(lambda made: made.chat.completions.create(model="any", messages=wrong))


def test_other_addresses_are_not_found() -> None:
    with pytest.raises(openai.NotFoundError):
        run(lambda made: made.embeddings.create(model="any", input="hi"))


def test_bytes_that_are_no_json_are_refused() -> None:
    async def posted() -> int:
        transport = RehearsalTransport(piece_delay=0)
        async with httpx2.AsyncClient(transport=transport) as raw:
            reply = await raw.post("http://any/v1/chat/completions", content=b"\xff{")
            return reply.status_code

    assert asyncio.run(posted()) == 400


def test_a_broken_rule_is_a_server_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_arguments: Any, **_more: Any) -> None:
        raise ValueError("a rule is wrong")

    monkeypatch.setattr(transport, "next_move", broken)
    with pytest.raises(openai.InternalServerError, match="rehearsal model failed"):
        run(lambda made: ask(made, "Hello"))


def wired(body: dict[str, Any]) -> dict[str, Any]:
    """A mind for ``Play``: over the client, streaming, put together again."""
    others = {key: body[key] for key in ("model", "messages", "tools")}

    async def talked(made: openai.AsyncOpenAI) -> dict[str, Any]:
        text, call = "", {"id": "", "name": "", "arguments": ""}
        stream = await made.chat.completions.create(**others, stream=True)
        async for chunk in stream:
            delta = chunk.choices[0].delta
            text += delta.content or ""
            for part in delta.tool_calls or []:
                call["id"] += part.id or ""
                call["name"] += part.function.name or ""
                call["arguments"] += part.function.arguments or ""
        if not call["id"]:
            return {"role": "assistant", "content": text}
        made_call = {"id": call.pop("id"), "type": "function", "function": call}
        return {"role": "assistant", "content": None, "tool_calls": [made_call]}

    reply: dict[str, Any] = run(talked)
    return reply


@pytest.mark.parametrize(
    ("team", "request_text", "path"),
    [
        (
            facilities.TEAM,
            "Look up ticket T-204 and post it to the kitchen channel",
            [facilities.REPAIRS, facilities.DESK],
        ),
        (
            staff_desk.TEAM,
            "查询员工E-17的剩余假期,然后发通知给我",
            [staff_desk.HOLIDAYS, staff_desk.NOTICES],
        ),
    ],
)
def test_strange_teams_work_over_the_wire(
    team: Any, request_text: str, path: list[str]
) -> None:
    over_the_wire, pure = Play(team, mind=wired), Play(team)

    assert over_the_wire.say(request_text) == pure.say(request_text)
    assert over_the_wire.path == pure.path == path
    assert over_the_wire.calls == pure.calls
