"""What a socket is sent when it opens: all after the number its page has."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from conversations.models import Message, Run
from tests.conversations.push.sockets import Socket, in_loop, leaf_ids, session_of


def test_a_page_without_anything_is_sent_every_leaf_once(run: Run, owner: User) -> None:
    async def work() -> list[str]:
        socket = Socket(run.conversation_id, session)
        await socket.open()
        last = await socket.until(lambda frame: "number" in frame)
        assert last["number"] == number
        assert await socket.nothing()
        await socket.leave()
        return leaf_ids(socket.frames)

    session, number = session_of(owner), run.conversation.last_number
    ids = in_loop(work)

    assert len(ids) == len(set(ids))
    assert f"turn-{run.id}" in ids
    assert f"run-{run.id}" in ids
    said = Message.objects.filter(role="assistant").exclude(text="")
    assert {f"message-{message.id}" for message in said} <= set(ids)


def test_a_page_that_has_everything_is_sent_nothing(run: Run, owner: User) -> None:
    async def work() -> bool:
        socket = Socket(run.conversation_id, session, after=number)
        await socket.open()
        quiet = await socket.nothing(0.5)
        await socket.leave()
        return quiet

    session, number = session_of(owner), run.conversation.last_number

    assert in_loop(work)


def test_a_page_is_sent_only_what_came_after_its_number(run: Run, owner: User) -> None:
    async def work() -> list[str]:
        socket = Socket(run.conversation_id, session, after=number - 1)
        await socket.open()
        await socket.until(lambda frame: "number" in frame)
        await socket.leave()
        return leaf_ids(socket.frames)

    session, number = session_of(owner), run.conversation.last_number
    ids = in_loop(work)

    # The last event is the run's end; containers come along for a page without them.
    assert [i for i in ids if not i.startswith(("turn-", "task-"))] == [f"run-{run.id}"]


@pytest.mark.parametrize("after", ["", "-5", "one", "9" * 40, "٣"])
def test_a_number_that_is_none_counts_as_nothing_seen(
    run: Run, owner: User, after: str
) -> None:
    async def work() -> int:
        socket = Socket(run.conversation_id, session, after=after)
        await socket.open()
        last = await socket.until(lambda frame: "number" in frame)
        await socket.leave()
        return int(last["number"])

    session = session_of(owner)

    assert in_loop(work) == run.conversation.last_number


def test_the_last_frame_says_how_the_run_stands(waiting_run: Run, owner: User) -> None:
    async def work() -> dict[str, object]:
        socket = Socket(waiting_run.conversation_id, session)
        await socket.open()
        last = await socket.until(lambda frame: "number" in frame)
        await socket.leave()
        return last

    session = session_of(owner)
    last = in_loop(work)

    assert last["state"] == "WAITING_FOR_HUMAN"
    assert last["open"] is True
    assert last["waits"] is True
    assert last["bar"]["status"].count("Waiting for you") == 1  # type: ignore[index]
