"""Two people, two tabs, a tab and a run: what one writes the other does not undo."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from conversations.choices import RunState
from conversations.models import Conversation, Event, HumanRequest, Run
from conversations.services.conversations import delete, end, rename
from conversations.services.requests import answer_request
from conversations.services.runs import start_run
from supervisor_site.common.errors import AppError, Conflict, NotFound
from teams.models import Team
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.test_approvals import letter
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, calls, text
from tests.support.teams import EFFECTS


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Do all of it in threads that begin together; the codes of what was refused."""
    ready = threading.Barrier(len(acts))

    def do(act: Callable[[], object]) -> str:
        try:
            ready.wait(10)
            act()
        except AppError as refused:
            return refused.code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(len(acts)) as pool:
        return sorted(pool.map(do, acts))


def two_letters(ask: Ask, lead: Queue, post: Queue) -> tuple[Run, list[HumanRequest]]:
    lead.add(calls(delegate("POST/LETTERS", "Write two")), text("Done."))
    post.add(calls(letter("A"), letter("B")), text("Done."))
    run = ask("Write two")
    requests = HumanRequest.objects.filter(run=run).order_by("created_at")
    return run, list(requests.select_related("run__conversation", "call"))


def test_two_approvals_decided_at_the_same_instant_resume_the_run_once(
    ask: Ask, lead: Queue, post: Queue, asker: User
) -> None:
    run, requests = two_letters(ask, lead, post)

    def approve(request: HumanRequest) -> Callable[[], object]:
        return lambda: answer_request(user=asker, request=request, decision="approve")

    assert at_once(*map(approve, requests)) == ["", ""]
    run.refresh_from_db()
    assert run.state == RunState.RESUMING
    resumed = Event.objects.filter(run=run, kind="run.state", data__new="RESUMING")
    assert resumed.count() == 1
    assert go_on(run).state == RunState.SUCCEEDED
    assert EFFECTS == [("letter", "A"), ("letter", "B")]


def test_one_approval_decided_by_four_at_once_is_decided_once(
    ask: Ask, lead: Queue, post: Queue, asker: User
) -> None:
    run, (first, second) = two_letters(ask, lead, post)

    def decide(word: str) -> Callable[[], object]:
        seen = HumanRequest.objects.select_related("run__conversation", "call")
        mine = seen.get(pk=first.pk)
        return lambda: answer_request(user=asker, request=mine, decision=word)

    refused = at_once(*map(decide, ["approve", "approve", "approve", "approve"]))
    assert refused == ["", "already_decided", "already_decided", "already_decided"]
    settled = Event.objects.filter(run=run, kind="human_request.settled")
    assert settled.count() == 1
    answer_request(user=asker, request=second, decision="deny")
    go_on(run)
    assert EFFECTS == [("letter", "A")]


def test_a_new_name_does_not_open_what_was_ended_meanwhile(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(text("Hello."))
    seen = ask("Hello").conversation
    end(user=asker, conversation=Conversation.objects.get(pk=seen.pk))
    rename(user=asker, conversation=seen, title="Ours")
    now = Conversation.objects.get(pk=seen.pk)
    assert (now.title, now.ended_by) == ("Ours", "user")


def test_a_message_and_the_end_at_once_leave_no_open_run_in_an_ended_conversation(
    ask: Ask, lead: Queue, asker: User
) -> None:
    for _ in range(3):
        lead.add(text("Hello."))
        conversation = ask("Hello").conversation
        at_once(
            lambda: start_run(user=asker, prompt="More", conversation=conversation),  # noqa: B023
            lambda: end(user=asker, conversation=conversation),  # noqa: B023
        )
        conversation.refresh_from_db()
        assert conversation.ended_by == "user"
        states = set(conversation.runs.values_list("state", flat=True))
        assert states <= {RunState.SUCCEEDED, RunState.CANCELLED}


def test_a_conversation_read_before_it_was_ended_or_deleted_takes_no_message(
    ask: Ask, lead: Queue, asker: User, office: Team
) -> None:
    lead.add(text("Hello."))
    seen = ask("Hello").conversation
    end(user=asker, conversation=Conversation.objects.get(pk=seen.pk))
    with pytest.raises(Conflict):
        start_run(user=asker, prompt="More", conversation=seen)
    Conversation.objects.update(ended_at=None, deleted_at=timezone.now())
    with pytest.raises(NotFound):
        start_run(user=asker, prompt="More", conversation=seen)
    assert Run.objects.count() == 1


def test_a_conversation_at_work_is_not_deleted(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(calls(("ask_human", {"question": "Well?"})))
    conversation = ask("Hm").conversation
    with pytest.raises(Conflict) as refused:
        delete(user=asker, conversation=conversation)
    assert refused.value.code == "conversation_busy"
    assert Conversation.objects.get(pk=conversation.pk).deleted_at is None
