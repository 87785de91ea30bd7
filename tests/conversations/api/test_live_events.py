"""Following a run while it works: wake-ups, drafts, loss of the right to read."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from conversations.api import events as endpoint
from conversations.api.events import Reader, stream
from conversations.choices import EventKind, MessageState
from conversations.events import DraftDelta, publish_delta, wake
from conversations.models import Event, Message, ModelCall, Run
from conversations.sse import _subscriptions
from supervisor_site.api_auth import Caller
from teams.models import ApiToken
from tests.conversations.api.sse_reader import Follower, Got, follow
from tests.conversations.factories import make_run_tree

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def run(owner: User) -> Run:
    """The payment agent's model call is under way."""
    return make_run_tree(owner, "running")


def asynchronously(test: Callable[[], Awaitable[None]]) -> None:
    async def within() -> None:
        async with asyncio.timeout(20):
            await test()

    asyncio.run(within())


def working_call(run: Run) -> ModelCall:
    return ModelCall.objects.select_related("task_run").get(
        task_run__run=run, state="RUNNING"
    )


def piece(run: Run, call: ModelCall, offset: int, text: str) -> DraftDelta:
    return DraftDelta(
        run.conversation_id,
        run.pk,
        call.task_run_id,
        call.pk,
        call.task_run.agent_name,
        1,
        offset,
        text,
    )


def write_draft(run: Run, call: ModelCall, text: str, state: str) -> Message:
    """The row of the reply, as the engine flushes it; complete ones are noted."""
    now, number = timezone.now(), run.conversation.last_number + 1
    message, _made = Message.objects.update_or_create(
        pk=call.pk,
        defaults={
            "conversation": run.conversation,
            "run": run,
            "task_run": call.task_run,
            "model_call": call,
            "number": number,
            "role": "assistant",
            "author": call.task_run.agent_name,
            "text": text,
            "state": state,
            "created_at": now,
        },
    )
    if state == MessageState.COMPLETE:
        Event.objects.create(
            conversation=run.conversation,
            run=run,
            number=number,
            kind=EventKind.MESSAGE,
            row=message.pk,
            created_at=now,
        )
    return message


def is_delta(event: Got) -> bool:
    return event.kind == "message.delta"


async def caught_up(follower: Follower) -> None:
    """Read what has happened so far."""
    last = ("task_run.state", "PAYMENT_AGENT")
    await follower.until(lambda event: (event.kind, event.data.get("agent")) == last)


def test_a_text_comes_piece_by_piece_as_it_is_written(owner: User, run: Run) -> None:
    call, follower = working_call(run), follow(owner, run)

    async def test() -> None:
        await caught_up(follower)
        publish_delta(piece(run, call, 0, "Three "))
        first = await follower.until(is_delta)
        publish_delta(piece(run, call, 6, "payments"))
        second = await follower.until(is_delta)
        assert [event.data for event in first + second] == [
            {
                "message_id": str(call.pk),
                "task_run_id": str(call.task_run_id),
                "agent": "PAYMENT_AGENT",
                "attempt": 1,
                "offset": offset,
                "text": text,
            }
            for offset, text in ((0, "Three "), (6, "payments"))
        ]
        assert first[0].id is None

    asynchronously(test)


def test_who_joins_in_the_middle_gets_the_beginning_from_the_row(
    owner: User, run: Run
) -> None:
    call, follower = working_call(run), follow(owner, run)
    write_draft(run, call, "Three pay", MessageState.PARTIAL)

    async def test() -> None:
        got = await follower.until(is_delta)
        assert (got[-1].data["offset"], got[-1].data["text"]) == (0, "Three pay")
        publish_delta(piece(run, call, 9, "ments"))
        got = await follower.until(is_delta)
        assert (got[-1].data["offset"], got[-1].data["text"]) == (9, "ments")

    asynchronously(test)


def test_a_finished_message_replaces_its_draft(owner: User, run: Run) -> None:
    call, follower = working_call(run), follow(owner, run)

    async def test() -> None:
        await caught_up(follower)
        publish_delta(piece(run, call, 0, "Three "))
        await follower.until(is_delta)
        complete = MessageState.COMPLETE
        await sync_to_async(write_draft)(run, call, "Three payments", complete)
        publish_delta(piece(run, call, 6, "pay"))
        wake(run.conversation_id, 99)
        got = await follower.until(lambda event: event.kind == "message.completed")
        assert got[-1].data["text"] == "Three payments"
        pieces = [event.data["text"] for event in got if is_delta(event)]
        assert "".join(pieces) == "payments"
        publish_delta(piece(run, call, 9, "ments"))
        await sync_to_async(Run.objects.update)(state="CANCELLED")
        wake(run.conversation_id, 99)
        assert [event.kind for event in await follower.rest()] == ["run.ended"]

    asynchronously(test)


def test_rows_of_another_process_are_found_without_a_wake_up(
    owner: User, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "LOOK_SECONDS", 0.05)
    call, follower = working_call(run), follow(owner, run)

    async def test() -> None:
        await caught_up(follower)
        await sync_to_async(write_draft)(run, call, "Three", MessageState.PARTIAL)
        got = await follower.until(is_delta)
        assert got[-1].data["text"] == "Three"
        complete = MessageState.COMPLETE
        await sync_to_async(write_draft)(run, call, "Three payments", complete)
        got = await follower.until(lambda event: event.kind == "message.completed")
        assert got[-1].data["text"] == "Three payments"

    asynchronously(test)


def test_pieces_of_other_runs_and_conversations_are_left_out(
    owner: User, run: Run
) -> None:
    call, follower = working_call(run), follow(owner, run)
    other = make_run_tree(owner, "running")
    foreign = working_call(other)

    async def test() -> None:
        await caught_up(follower)
        publish_delta(piece(other, foreign, 0, "Not for you"))
        publish_delta(piece(run, call, 0, "For you"))
        got = await follower.until(is_delta)
        assert [event.data["text"] for event in got if is_delta(event)] == ["For you"]

    asynchronously(test)


def test_silence_is_filled_with_heartbeats(
    owner: User, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "LOOK_SECONDS", 0.02)
    monkeypatch.setattr(endpoint, "HEARTBEAT_SECONDS", 0.1)
    follower = follow(owner, run)

    async def test() -> None:
        await caught_up(follower)
        async for text in follower.texts:
            assert text == ": still here\n\n"
            break

    asynchronously(test)


@pytest.mark.parametrize("loss", ["token", "account", "conversation"])
def test_who_may_no_longer_read_is_told_no_more(
    owner: User, run: Run, loss: str
) -> None:
    follower = follow(owner, run)

    def lose() -> None:
        if loss == "token":
            ApiToken.objects.all().delete()
        elif loss == "account":
            User.objects.filter(pk=owner.pk).update(is_active=False)
        else:
            run.conversation.deleted_at = timezone.now()
            run.conversation.save()
        Run.objects.update(state="CANCELLED")

    async def test() -> None:
        await caught_up(follower)
        await sync_to_async(lose)()
        wake(run.conversation_id, 99)
        assert await follower.rest() == []

    asynchronously(test)


@pytest.mark.parametrize("loss", ["logout", "password", "account"])
def test_a_session_that_has_ended_ends_its_streams(
    owner: User, run: Run, loss: str
) -> None:
    client = Client()
    client.force_login(owner)
    caller = Caller(owner, session_key=client.session.session_key or "")
    reads = Reader(caller, run.pk, run.conversation_id, 0)
    follower = Follower(stream(reads))

    def lose() -> None:
        if loss == "logout":
            client.logout()
        elif loss == "password":
            owner.set_password("another-password")
            owner.save()
        else:
            User.objects.filter(pk=owner.pk).update(is_active=False)

    async def test() -> None:
        await caught_up(follower)
        await sync_to_async(lose)()
        wake(run.conversation_id, 99)
        assert await follower.rest() == []

    asynchronously(test)


def test_a_right_that_was_taken_away_ends_the_stream(
    administrator: User, run: Run
) -> None:
    follower = follow(administrator, run)

    async def test() -> None:
        await caught_up(follower)
        users = User.objects.filter(pk=administrator.pk)
        await sync_to_async(users.update)(is_superuser=False)
        wake(run.conversation_id, 99)
        assert await follower.rest() == []

    asynchronously(test)


def test_nobody_listens_after_the_last_reader_has_left(owner: User, run: Run) -> None:
    follower = follow(owner, run)

    async def test() -> None:
        await caught_up(follower)
        assert list(_subscriptions) == [run.conversation_id]
        await follower.texts.aclose()  # type: ignore[attr-defined]
        assert not _subscriptions

    asynchronously(test)
