"""Who may open a conversation's socket."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib.auth.models import Permission, User

from conversations.models import Run
from tests.conversations.push.sockets import Socket, in_loop, session_of


def connected(*args: Any, **kwargs: Any) -> tuple[bool, Any]:
    async def work() -> tuple[bool, Any]:
        socket = Socket(*args, **kwargs)
        answer = await socket.open()
        if answer[0]:
            await socket.leave()
        return answer

    return in_loop(work)


def test_the_owner_is_let_in(run: Run, owner: User) -> None:
    assert connected(run.conversation_id, session_of(owner))[0]


def test_a_stranger_is_answered_as_for_a_conversation_that_is_not_there(
    run: Run, stranger: User
) -> None:
    session = session_of(stranger)

    theirs = connected(run.conversation_id, session)

    assert theirs == connected(uuid4(), session)
    assert theirs[0] is False


def test_nobody_is_let_in_without_a_log_in(run: Run) -> None:
    assert connected(run.conversation_id)[0] is False
    assert connected(run.conversation_id, "no-such-session")[0] is False


def test_who_may_read_all_is_let_in(run: Run, stranger: User) -> None:
    stranger.user_permissions.add(Permission.objects.get(codename="view_all"))

    assert connected(run.conversation_id, session_of(stranger))[0]


def test_a_deactivated_person_is_refused(run: Run, owner: User) -> None:
    session = session_of(owner)
    User.objects.update(is_active=False)

    assert connected(run.conversation_id, session)[0] is False


def test_a_page_of_another_site_is_refused(run: Run, owner: User) -> None:
    session = session_of(owner)

    assert connected(run.conversation_id, session, origin="http://evil.example")[0] is (
        False
    )


def test_an_unknown_address_is_refused(run: Run, owner: User) -> None:
    assert connected("not-a-uuid", session_of(owner))[0] is False
