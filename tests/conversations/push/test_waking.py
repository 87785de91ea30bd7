"""What happens is pushed at once where it is said, and soon where it is not."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connections, transaction
from django.utils import timezone

from conversations import push
from conversations.choices import EventKind
from conversations.events import Journal
from conversations.models import Conversation, Message, Run
from tests.conversations.push.sockets import Socket, in_loop, leaf_ids, session_of


def say(run: Run, text: str) -> Message:
    """Write a reply of the run's first task as the engine does."""
    task = run.task_runs.order_by("started_at").first()
    assert task is not None
    message = Message(
        conversation_id=run.conversation_id,
        run=run,
        task_run=task,
        thread_id=task.thread_id,
        role="assistant",
        author=task.agent_name,
        text=text,
        created_at=timezone.now(),
    )
    journal = Journal(run.conversation_id, run.id)
    journal.say(message)
    with transaction.atomic():
        journal.write(timezone.now())
    return message


def in_another_thread(work: Any, *args: Any) -> Any:
    def closing() -> Any:
        try:
            return work(*args)
        finally:
            connections.close_all()

    return asyncio.to_thread(closing)


def test_a_message_is_pushed_at_once_from_another_thread(
    run: Run, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> dict[str, Any]:
        socket = Socket(run.conversation_id, session, after=number)
        await socket.open()
        await in_another_thread(say, run, "One **more** thing")
        frame = await socket.until(lambda frame: "number" in frame)
        await socket.leave()
        return frame

    # Nobody looks: only the wake-up can tell.
    monkeypatch.setattr(push, "POLL_SECONDS", 3600)
    session, number = session_of(owner), run.conversation.last_number
    frame = in_loop(work)

    assert frame["number"] == number + 1
    message = Message.objects.get(text="One **more** thing")
    leaf = next(x for x in frame["leaves"] if x["id"] == f"message-{message.id}")
    assert leaf["parent"] == f"turn-body-{run.id}"
    assert leaf["order"] == message.number
    assert "One <strong>more</strong> thing" in leaf["html"]


def test_rows_of_another_process_are_found_by_looking(run: Run, owner: User) -> None:
    def write_without_a_word() -> None:
        conversation = Conversation.objects.get(pk=run.conversation_id)
        conversation.title, conversation.last_number = "Renamed", number + 1
        conversation.save()
        conversation.events.create(
            number=number + 1,
            kind=EventKind.CONVERSATION,
            row=conversation.id,
            created_at=timezone.now(),
        )

    async def work() -> dict[str, Any]:
        socket = Socket(run.conversation_id, session, after=number)
        await socket.open()
        await in_another_thread(write_without_a_word)
        frame = await socket.until(lambda frame: "number" in frame)
        await socket.leave()
        return frame

    session, number = session_of(owner), run.conversation.last_number

    assert in_loop(work)["title"] == "Renamed"


def test_nothing_is_sent_twice_to_a_page_that_catches_up_while_things_happen(
    run: Run, owner: User
) -> None:
    async def work() -> list[str]:
        socket = Socket(run.conversation_id, session, after=number)
        await in_another_thread(say, run, "before the socket")
        await socket.open()
        await in_another_thread(say, run, "after it")
        await socket.until(lambda frame: frame.get("number") == number + 2)
        assert await socket.nothing(2.5)
        await socket.leave()
        return [i for i in leaf_ids(socket.frames) if i.startswith("message-")]

    session, number = session_of(owner), run.conversation.last_number
    ids = in_loop(work)

    new = Message.objects.filter(text__in=["before the socket", "after it"])
    assert sorted(ids) == sorted(f"message-{message.id}" for message in new)


def test_two_pages_of_one_conversation_are_told_the_same(run: Run, owner: User) -> None:
    async def work() -> tuple[dict[str, Any], dict[str, Any]]:
        one = Socket(run.conversation_id, session, after=number)
        two = Socket(run.conversation_id, session, after=number)
        await one.open()
        await two.open()
        await in_another_thread(say, run, "Hello, both")
        frames = [await x.until(lambda frame: "number" in frame) for x in (one, two)]
        await one.leave()
        await two.leave()
        return frames[0], frames[1]

    session, number = session_of(owner), run.conversation.last_number
    first, second = in_loop(work)

    assert first == second


def test_another_conversation_hears_nothing(run: Run, owner: User) -> None:
    async def work() -> bool:
        socket = Socket(other.id, session)
        await socket.open()
        await in_another_thread(say, run, "Not for you")
        quiet = await socket.nothing(0.5)
        await socket.leave()
        return quiet

    other = Conversation.objects.create(owner=owner, team=run.conversation.team)
    session = session_of(owner)

    assert in_loop(work)


def test_a_large_text_is_sent_as_a_reference(run: Run, owner: User) -> None:
    async def work() -> dict[str, Any]:
        socket = Socket(run.conversation_id, session, after=number)
        await socket.open()
        await in_another_thread(say, run, "<b>&</b> " * 600_000)
        frame = await socket.until(lambda frame: "number" in frame)
        await socket.leave()
        return frame

    session, number = session_of(owner), run.conversation.last_number
    frame = in_loop(work)

    message = Message.objects.get(number=number + 1)
    leaf = next(x for x in frame["leaves"] if x["id"] == f"message-{message.id}")
    assert "html" not in leaf
    assert leaf["href"] == (f"/c/{run.conversation_id}/leaves/{run.id}/{message.id}/")
