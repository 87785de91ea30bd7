"""Approval of tool calls: shown, decided one by one, run exactly as stored (H7)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User

from conversations.choices import RequestState, RunState, ToolCallState
from conversations.models import HumanRequest, Run, ToolCall
from conversations.services.messages import post_message
from conversations.services.requests import answer_request
from supervisor_site.common.errors import Conflict, Forbidden, Invalid
from teams.models import Team, Tool
from tests.conftest import make_user
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, calls, text
from tests.support.teams import EFFECTS


def letter(words: str) -> tuple[str, dict[str, str]]:
    return ("send_letter", {"text": words})


@pytest.fixture
def asks_approval(ask: Ask, lead: Queue, post: Queue) -> Run:
    lead.add(calls(delegate("POST/LETTERS", "Write to Bob")), text("Settled."))
    post.add(calls(letter("Dear Bob")), text("Told."))
    run = ask("Write to Bob")
    assert run.state == RunState.WAITING_FOR_HUMAN
    assert EFFECTS == []
    return run


def decide(run: Run, user: User | None = None, **decision: str) -> Run:
    request = HumanRequest.objects.filter(run=run, state=RequestState.PENDING).first()
    assert request is not None
    answer_request(user=user or run.requested_by, request=request, **decision)  # type: ignore[arg-type]
    return go_on(run)


def test_an_approved_call_runs_once_as_stored(asks_approval: Run, post: Queue) -> None:
    run = decide(asks_approval, decision="approve")
    assert run.state == RunState.SUCCEEDED
    assert EFFECTS == [("letter", "Dear Bob")]
    assert post.requests[1].messages[-1]["content"] == "sent for alice"


def test_a_denied_call_never_runs_and_the_model_is_told_why(
    asks_approval: Run, post: Queue
) -> None:
    run = decide(asks_approval, decision="deny", reason="Bob has left")
    assert EFFECTS == []
    call = ToolCall.objects.get(task_run__run=run, name="send_letter")
    assert call.state == ToolCallState.DENIED
    assert call.task_run.failed_tools == 0
    assert post.requests[1].messages[-1]["content"] == (
        "Denied: the person did not approve this call. Reason: Bob has left "
        "Do not try it again."
    )


def test_free_text_never_approves(asks_approval: Run) -> None:
    with pytest.raises(Conflict) as refused:
        post_message(
            user=asks_approval.requested_by,
            conversation=asks_approval.conversation,
            content="yes, approve",
        )
    assert refused.value.code == "decision_needed"
    assert EFFECTS == []
    decide(asks_approval, decision="deny")


@pytest.mark.parametrize("word", ["", "yes", "true", "APPROVE"])
def test_only_the_word_approve_approves(asks_approval: Run, word: str) -> None:
    request = HumanRequest.objects.get(run=asks_approval)
    with pytest.raises(Invalid):
        answer_request(user=asks_approval.requested_by, request=request, decision=word)
    assert EFFECTS == []
    decide(asks_approval, decision="deny")


def test_other_arguments_need_the_right_to_change_them(asks_approval: Run) -> None:
    request = HumanRequest.objects.get(run=asks_approval)
    with pytest.raises(Forbidden):
        answer_request(
            user=asks_approval.requested_by,
            request=request,
            decision="approve",
            arguments={"text": "Dear Eve"},
        )
    decide(asks_approval, decision="deny")


def test_a_stranger_cannot_approve(asks_approval: Run) -> None:
    request = HumanRequest.objects.get(run=asks_approval)
    with pytest.raises(Forbidden):
        answer_request(user=make_user("charlie"), request=request, decision="approve")
    assert HumanRequest.objects.get(run=asks_approval).state == RequestState.PENDING
    decide(asks_approval, decision="deny")


def test_several_in_one_reply_are_all_decided_before_any_runs(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write three")), text("Done."))
    post.add(calls(letter("A"), letter("B"), letter("C")), text("Done."))
    run = ask("Write three letters")
    requests = list(HumanRequest.objects.filter(run=run).order_by("created_at"))
    assert [request.call.arguments["text"] for request in requests] == ["A", "B", "C"]
    # Decided in another order than asked.
    answer_request(user=run.requested_by, request=requests[2], decision="approve")
    assert go_on(run).state == RunState.WAITING_FOR_HUMAN
    answer_request(user=run.requested_by, request=requests[0], decision="approve")
    assert EFFECTS == []
    answer_request(user=run.requested_by, request=requests[1], decision="deny")
    assert go_on(run).state == RunState.SUCCEEDED
    assert EFFECTS == [("letter", "A"), ("letter", "C")]
    results = [
        m["content"][:6] for m in post.requests[1].messages if m["role"] == "tool"
    ]
    assert results == ["sent f", "Denied", "sent f"]


def test_a_call_that_cannot_run_is_not_put_to_a_person(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Done."))
    post.add(calls(("send_letter", {"txt": "A"})), text("I could not."))
    run = ask("Write")
    assert run.state == RunState.SUCCEEDED
    assert HumanRequest.objects.filter(run=run).count() == 0
    assert EFFECTS == []


def test_a_call_that_was_denied_is_not_put_to_anybody_again(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Settled."))
    post.add(calls(letter("A")), calls(letter("A")), text("I leave it."))
    run = decide(ask("Write"), decision="deny")
    assert run.state == RunState.SUCCEEDED
    assert HumanRequest.objects.filter(run=run).count() == 1
    assert EFFECTS == []
    assert post.requests[2].messages[-1]["content"] == (
        "Denied: the person has denied this very call."
    )


def test_changed_arguments_run_and_the_model_is_told(
    asks_approval: Run, post: Queue
) -> None:
    user = asks_approval.requested_by
    user.user_permissions.add(Permission.objects.get(codename="edit_arguments"))
    user = User.objects.get(pk=user.pk)
    request = HumanRequest.objects.get(run=asks_approval)
    answer_request(
        user=user, request=request, decision="approve", arguments={"text": "Dear Eve"}
    )
    go_on(asks_approval)
    assert EFFECTS == [("letter", "Dear Eve")]
    request.refresh_from_db()
    call = ToolCall.objects.get(task_run__run=asks_approval, name="send_letter")
    assert (request.edited, call.asked) == (
        {"text": "Dear Eve"},
        '{"text": "Dear Bob"}',
    )
    assert (
        post.requests[1]
        .messages[-1]["content"]
        .startswith('(A person changed the arguments to {"text": "Dear Eve"}.)')
    )


def test_the_person_is_asked_in_the_tool_s_words(
    ask: Ask, lead: Queue, post: Queue, office: Team
) -> None:
    Tool.objects.filter(name="send_letter").update(action="Send “{text}” by post")
    lead.add(calls(delegate("POST/LETTERS", "Write")))
    post.add(calls(letter("Dear Bob")))
    ask("Write")
    assert HumanRequest.objects.get().prompt == "Send “Dear Bob” by post"


def test_a_remembered_approval_holds_for_the_conversation(
    ask: Ask, lead: Queue, post: Queue, office: Team
) -> None:
    Tool.objects.filter(name="send_letter").update(remember_approval=True)
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Done."))
    post.add(calls(letter("A")), text("Done."))
    run = ask("Write")
    request = HumanRequest.objects.get(run=run)
    answer_request(
        user=run.requested_by, request=request, decision="approve", remember=True
    )
    go_on(run)
    lead.add(calls(delegate("POST/LETTERS", "Again")), text("Done."))
    post.add(calls(letter("B")), text("Done."))
    assert ask("Again", run.conversation).state == RunState.SUCCEEDED
    assert EFFECTS == [("letter", "A"), ("letter", "B")]
    assert HumanRequest.objects.count() == 1


def test_a_condition_on_the_arguments_decides_whether_to_ask(
    ask: Ask, lead: Queue, post: Queue, office: Team
) -> None:
    when = {"properties": {"text": {"pattern": "money"}}}
    Tool.objects.filter(name="send_letter").update(approval={"when": when})
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Done."))
    post.add(calls(letter("hello")), calls(letter("send money")), text("Done."))
    run = ask("Write")
    assert EFFECTS == [("letter", "hello")]
    assert HumanRequest.objects.get(run=run).call.arguments == {"text": "send money"}
    assert decide(run, decision="deny").state == RunState.SUCCEEDED
