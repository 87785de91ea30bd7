"""A socket that is open closes when its reader may no longer read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.utils import timezone

from conversations import consumers
from conversations.models import Conversation, Run
from tests.conversations.push.sockets import Socket, in_loop, session_of
from tests.conversations.push.test_waking import in_another_thread, say


def log_out() -> None:
    Session.objects.all().delete()


def deactivate() -> None:
    User.objects.update(is_active=False)


def change_the_password() -> None:
    user = User.objects.get(username="alice")
    user.set_password("another")
    user.save()


def delete_the_conversation() -> None:
    Conversation.objects.update(deleted_at=timezone.now())


LOSSES = [log_out, deactivate, change_the_password, delete_the_conversation]


@pytest.mark.parametrize("lose", LOSSES)
def test_the_next_push_closes_it_and_tells_nothing(
    run: Run, owner: User, lose: Callable[[], None]
) -> None:
    async def work() -> int:
        socket = Socket(run.conversation_id, session, after=number)
        await socket.open()
        await in_another_thread(lose)
        await in_another_thread(say, run, "A secret")
        message = await socket.line.receive_output(timeout=5)
        assert message["type"] == "websocket.close", message
        await socket.leave()
        return int(message["code"])

    session, number = session_of(owner), run.conversation.last_number

    assert in_loop(work) == 4404


def test_the_next_heartbeat_closes_it_where_nothing_happens(
    run: Run, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> int:
        socket = Socket(run.conversation_id, session, after=number)
        await socket.open()
        assert (await socket.frame())["beat"] == number
        await in_another_thread(log_out)
        code = await socket.close_code()
        await socket.leave()
        return code

    monkeypatch.setattr(consumers, "HEARTBEAT_SECONDS", 0.2)
    session, number = session_of(owner), run.conversation.last_number

    assert in_loop(work) == 4404
