"""A worker asks the person; the same worker goes on (S9)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from conversations.choices import RequestState, RunState, TaskRunState, ToolCallState
from conversations.models import Event, HumanRequest, Run, TaskRun
from conversations.services.messages import post_message
from conversations.services.requests import answer_request
from supervisor_site.common.errors import Conflict, Invalid
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, calls, text


@pytest.fixture
def waiting(ask: Ask, lead: Queue, clerk: Queue) -> Run:
    lead.add(calls(delegate("CLERK/FILES", "Find the file")), text("It is seven."))
    clerk.add(calls(("ask_human", {"question": "Which file?"})), text("Seven."))
    run = ask("Find the file")
    assert run.state == RunState.WAITING_FOR_HUMAN
    return run


def finish(run: Run) -> Run:
    """Use up what is scripted, for tests that look at the pause only."""
    request = HumanRequest.objects.get(run=run)
    if request.state == RequestState.PENDING:
        answer_request(user=run.requested_by, request=request, answer="7")
    return go_on(run)


def test_the_whole_team_pauses_and_nothing_is_held(waiting: Run, lead: Queue) -> None:
    assert (waiting.lease_until, waiting.lease_owner) == (None, "")
    states = dict(TaskRun.objects.filter(run=waiting).values_list("depth", "state"))
    assert states == {0: TaskRunState.RUNNING, 1: TaskRunState.WAITING_FOR_HUMAN}
    assert len(lead.requests) == 1
    finish(waiting)


def test_the_answer_is_the_calls_result_and_the_same_worker_goes_on(
    waiting: Run, clerk: Queue
) -> None:
    request = HumanRequest.objects.get(run=waiting)
    answered = answer_request(
        user=waiting.requested_by, request=request, answer="file 7"
    )
    assert (answered.state, answered.answer) == (RequestState.ANSWERED, "file 7")
    waiting.refresh_from_db()
    assert waiting.state == RunState.RESUMING
    run = go_on(waiting)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "It is seven.")
    assert clerk.requests[1].messages[-1]["content"] == "file 7"
    assert TaskRun.objects.filter(run=run, depth=1).count() == 1


def test_a_message_answers_the_one_open_question(waiting: Run) -> None:
    run = post_message(
        user=waiting.requested_by, conversation=waiting.conversation, content="7"
    )
    assert run.pk == waiting.pk
    assert HumanRequest.objects.get(run=run).answer == "7"
    assert go_on(run).state == RunState.SUCCEEDED


def test_an_empty_answer_changes_nothing(waiting: Run) -> None:
    request = HumanRequest.objects.get(run=waiting)
    with pytest.raises(Invalid):
        answer_request(user=waiting.requested_by, request=request, answer="  ")
    request.refresh_from_db()
    assert request.state == RequestState.PENDING
    finish(waiting)


def test_a_second_answer_is_told_who_was_first(waiting: Run) -> None:
    request = HumanRequest.objects.get(run=waiting)
    answer_request(user=waiting.requested_by, request=request, answer="7")
    with pytest.raises(Conflict) as refused:
        # The page still shows the card as open.
        answer_request(user=waiting.requested_by, request=request, answer="8")
    assert refused.value.code == "already_decided"
    assert "alice" in refused.value.message
    assert HumanRequest.objects.get(run=waiting).answer == "7"
    finish(waiting)


def test_two_answers_at_once_have_one_effect(waiting: Run) -> None:
    """Staged: the second is read before the first is written."""
    seen = [HumanRequest.objects.get(run=waiting) for _ in range(2)]
    results = []
    for request, words in zip(seen, ["first", "second"], strict=True):
        try:
            answer_request(user=waiting.requested_by, request=request, answer=words)
            results.append(words)
        except Conflict:
            results.append("refused")
    assert results == ["first", "refused"]
    assert Event.objects.filter(run=waiting, kind="human_request.settled").count() == 1
    finish(waiting)


def test_the_supervisor_may_ask_as_well(ask: Ask, lead: Queue) -> None:
    lead.add(
        calls(("ask_human", {"question": "Red or blue?", "choices": ["red", "blue"]})),
        text("Blue it is."),
    )
    run = ask("Choose")
    request = HumanRequest.objects.get(run=run)
    assert (request.prompt, request.choices) == ("Red or blue?", ["red", "blue"])
    answer_request(user=run.requested_by, request=request, answer="blue")
    assert go_on(run).answer == "Blue it is."


def test_asking_and_calling_in_one_reply_waits_before_anything_runs(
    ask: Ask, lead: Queue, clerk: Queue, asker: User
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")), text("Done."))
    clerk.add(
        calls(("find_file", {"number": "7"}), ("ask_human", {"question": "Sure?"})),
        text("Done."),
    )
    run = ask("File 7")
    states = list(
        TaskRun.objects.get(run=run, depth=1).tool_calls.values_list("name", "state")
    )
    assert states == [
        ("find_file", ToolCallState.PROPOSED),
        ("ask_human", ToolCallState.WAITING_FOR_HUMAN),
    ]
    answer_request(user=asker, request=HumanRequest.objects.get(run=run), answer="yes")
    go_on(run)
    results = [m["content"] for m in clerk.requests[1].messages if m["role"] == "tool"]
    assert results == ['{"number": "7", "title": "Title of 7"}', "yes"]
