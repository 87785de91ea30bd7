"""A page may ping. Anything else it sends changes nothing, and does no harm."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from conversations.models import Run
from tests.conversations.push.sockets import Socket, in_loop, session_of


async def opened(run: Run, session: str, number: int) -> Socket:
    socket = Socket(run.conversation_id, session, after=number)
    assert (await socket.open())[0]
    return socket


def test_a_ping_is_answered_with_its_number(run: Run, owner: User) -> None:
    async def work() -> object:
        socket = await opened(run, session, number)
        await socket.say('{"ping": 42}')
        frame = await socket.frame()
        await socket.leave()
        return frame

    session, number = session_of(owner), run.conversation.last_number

    assert in_loop(work) == {"pong": 42}


@pytest.mark.parametrize(
    "frame",
    [
        "no json",
        "[]",
        "null",
        '"ping"',
        '{"ping": "x"}',
        '{"type": "websocket.close"}',
        "{" + " " * 5000,
        "[" * 150,
    ],
)
def test_a_bad_frame_is_ignored(run: Run, owner: User, frame: str) -> None:
    async def work() -> object:
        socket = await opened(run, session, number)
        await socket.say(frame)
        await socket.say(data=b"\x00\xff")
        await socket.say('{"ping": 1}')
        answer = await socket.frame()
        await socket.leave()
        return answer

    session, number = session_of(owner), run.conversation.last_number

    assert in_loop(work) == {"pong": 1}


def test_too_many_bad_frames_close_the_socket(run: Run, owner: User) -> None:
    async def work() -> int:
        socket = await opened(run, session, number)
        for _ in range(21):
            await socket.say("nonsense")
        code = await socket.close_code()
        await socket.leave()
        return code

    session, number = session_of(owner), run.conversation.last_number

    assert in_loop(work) == 4400
