"""Approvals beside questions, handovers, delegations and other agents (H7, rule 7)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from conversations.choices import RequestState, RunState, ToolCallState
from conversations.engine.answers import expire_due
from conversations.models import HumanRequest, Run, TaskRun, ToolCall
from conversations.services.requests import answer_request
from conversations.services.runs import retry_run, start_run
from teams.models import Agent, Team, Tool
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.handing import heard, say, to
from tests.conversations.engine.test_approvals import decide, letter
from tests.conversations.engine.test_delegation import delegate
from tests.support.scripted_model import Queue, ScriptedModel, calls, text
from tests.support.teams import EFFECTS, make_chief, make_tool


@pytest.mark.parametrize("amount", [250, "250", "250.0"])
def test_a_condition_judges_the_arguments_that_will_run(
    ask: Ask, lead: Queue, clerk: Queue, office: Team, amount: object
) -> None:
    """A number in quotes is a number for the tool, and so it is for the condition."""
    when = {"properties": {"copies": {"type": "number", "minimum": 100}}}
    task = office.members.get(agent__name="CLERK").task
    assert task is not None
    task.tools.add(make_tool("copy_file", approval={"when": when}))
    lead.add(calls(delegate("CLERK/FILES", "Copy")), text("Done."))
    clerk.add(calls(("copy_file", {"copies": amount})), text("Done."))
    run = ask("Copy")
    assert EFFECTS == []
    request = HumanRequest.objects.get(run=run)
    assert request.call.arguments == {"copies": 250}
    assert decide(run, decision="approve").state == RunState.SUCCEEDED
    assert EFFECTS == [("copy", 250)]


def test_a_denied_call_is_not_put_to_anybody_by_another_task_either(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    again = calls(delegate("POST/LETTERS", "Write"))
    lead.add(again, again, text("Left."))
    post.add(calls(letter("A")), text("No."), calls(letter("A")), text("No again."))
    run = decide(ask("Write"), decision="deny")
    assert run.state == RunState.SUCCEEDED
    assert HumanRequest.objects.filter(run=run).count() == 1
    assert EFFECTS == []


def test_after_the_person_has_answered_a_question_it_may_be_put_again(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Sent."))
    post.add(
        calls(letter("A")),
        calls(("ask_human", {"question": "Shall I really not?"})),
        calls(letter("A")),
        text("Sent."),
    )
    run = decide(ask("Write"), decision="deny")
    (question,) = HumanRequest.objects.filter(run=run, state=RequestState.PENDING)
    answer_request(user=run.requested_by, request=question, answer="Do send it")
    run = decide(go_on(run), decision="approve")
    assert run.state == RunState.SUCCEEDED
    assert EFFECTS == [("letter", "A")]


def test_what_nobody_approved_in_time_is_told_as_such_when_it_is_repeated(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Left."))
    post.add(calls(letter("A")), calls(letter("A")), text("No."))
    run = ask("Write")
    HumanRequest.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    expire_due()
    assert go_on(run).state == RunState.SUCCEEDED
    assert post.requests[2].messages[-1]["content"] == (
        "Denied: nobody approved this very call in time."
    )


def test_one_expired_among_several_waits_for_the_others(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write two")), text("Done."))
    post.add(calls(letter("A"), letter("B")), text("Done."))
    run = ask("Write two")
    first, second = HumanRequest.objects.filter(run=run).order_by("created_at")
    HumanRequest.objects.filter(pk=first.pk).update(
        expires_at=timezone.now() - timedelta(seconds=1)
    )
    expire_due()
    assert go_on(run).state == RunState.WAITING_FOR_HUMAN
    answer_request(user=run.requested_by, request=second, decision="approve")
    assert go_on(run).state == RunState.SUCCEEDED
    assert EFFECTS == [("letter", "B")]
    first.refresh_from_db()
    assert first.state == RequestState.EXPIRED


def test_an_expired_question_beside_an_approval_ends_the_run_and_a_retry_asks_both(
    ask: Ask, lead: Queue, post: Queue, asker: User
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Done."))
    post.add(calls(letter("A"), ("ask_human", {"question": "To whom?"})), text("Done."))
    run = ask("Write")
    HumanRequest.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    expire_due()
    run = go_on(run)
    assert run.state == RunState.EXPIRED
    retry_run(user=asker, run=run)
    run = go_on(run)
    assert run.state == RunState.WAITING_FOR_HUMAN
    # Whether the approval was settled first or ended with the run, it expired.
    pending = HumanRequest.objects.filter(run=run, state=RequestState.PENDING)
    question = pending.get(kind="question")
    answer_request(user=asker, request=question, answer="To Bob")
    for approval in pending:
        answer_request(user=asker, request=approval, decision="deny")
    assert go_on(run).state == RunState.SUCCEEDED
    assert EFFECTS == []


def test_an_approval_three_delegates_deep_pauses_the_whole_stack(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_chief(scripted_model.base_url, "L1")
    profile = Agent.objects.get(name="CHIEF").profile
    upper = Agent.objects.get(name="L1")
    for name in ("L2", "L3"):
        lower = Agent.objects.create(name=name, profile=profile, role=f"You are {name}")
        upper.delegates.add(lower)
        upper = lower
    upper.tools.add(make_tool("send_letter", approval="always"))
    for name in ("L1", "L2", "L3"):
        scripted_model.add(calls((name, {"prompt": "Write"})))
    scripted_model.add(calls(letter("A")))
    run = go_on(start_run(user=asker, prompt="Write", team=team))
    states = TaskRun.objects.filter(run=run).order_by("depth")
    assert [(t.depth, t.state) for t in states] == [
        (0, "RUNNING"),
        (1, "RUNNING"),
        (2, "RUNNING"),
        (3, "WAITING_FOR_HUMAN"),
    ]
    scripted_model.add(text("three"), text("two"), text("one"), text("top"))
    run = decide(run, decision="approve")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "top")
    assert EFFECTS == [("letter", "A")]
    answers = TaskRun.objects.filter(run=run).order_by("depth")
    assert [t.result for t in answers] == ["top", "one", "two", "three"]


def everything(circle: Team, scripted_model: ScriptedModel) -> Queue:
    """REFUNDS starts, and may do all that can be done in one reply."""
    refunds = Agent.objects.get(name="REFUNDS")
    refunds.tools.add(Tool.objects.get(name="find_file"))
    expert = Agent.objects.create(
        name="EXPERT", profile=refunds.profile, role="You are EXPERT."
    )
    refunds.delegates.add(expert)
    Team.objects.update(start_agent=refunds)
    circle.refresh_from_db()
    return scripted_model.queue("expert", system="You are EXPERT.")


def test_everything_in_one_reply_happens_in_the_documented_order(
    asker: User,
    circle: Team,
    refunds: Queue,
    orders: Queue,
    scripted_model: ScriptedModel,
) -> None:
    """Decision 0013: people first, then tools and delegations in the model's order,
    then the first handover."""
    expert = everything(circle, scripted_model)
    refunds.add(
        calls(
            to("ORDERS"),
            ("EXPERT", {"prompt": "How much?"}),
            letter("Money"),
            ("ask_human", {"question": "Which account?"}),
            ("find_file", {"number": "7"}),
            to("TRIAGE"),
            ("no_such_tool", {}),
        )
    )
    run = say(asker, circle, "Refund")
    asked = list(HumanRequest.objects.filter(run=run).order_by("created_at"))
    assert [(r.kind, r.call.name) for r in asked] == [
        ("approval", "send_letter"),
        ("question", "ask_human"),
    ]
    assert (EFFECTS, expert.requests) == ([], [])
    answer_request(user=asker, request=asked[1], answer="The blue one")
    assert go_on(run).state == RunState.WAITING_FOR_HUMAN
    answer_request(user=asker, request=asked[0], decision="approve")
    expert.add(text("Ten."))
    orders.add(text("Yours."))
    run = go_on(run)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Yours.")
    made = ToolCall.objects.filter(task_run__run=run, task_run__parent=None)
    done = sorted(made, key=lambda call: (call.finished_at, call.position))
    assert [(c.name, c.state) for c in done if c.kind != "ask_human"] == [
        ("no_such_tool", ToolCallState.FAILED),
        ("EXPERT", ToolCallState.SUCCEEDED),
        ("send_letter", ToolCallState.SUCCEEDED),
        ("find_file", ToolCallState.SUCCEEDED),
        ("handoff_to_ORDERS", ToolCallState.SUCCEEDED),
        ("handoff_to_TRIAGE", ToolCallState.FAILED),
    ]
    assert heard(orders) == [
        ("user", "Refund"),
        ("user", "[REFUNDS] Which account?"),
        ("user", "The blue one"),
    ]


def test_a_question_of_a_delegate_and_its_answer_reach_every_participant(
    asker: User,
    circle: Team,
    refunds: Queue,
    orders: Queue,
    scripted_model: ScriptedModel,
) -> None:
    """Nothing that the person says is lost to a participant (H3)."""
    expert = everything(circle, scripted_model)
    refunds.add(calls(("EXPERT", {"prompt": "How much?"})), calls(to("ORDERS")))
    expert.add(calls(("ask_human", {"question": "In euros?"})), text("Ten."))
    orders.add(text("Yours."))
    run = say(asker, circle, "Refund")
    answer_request(
        user=asker, request=HumanRequest.objects.get(run=run), answer="In yen"
    )
    go_on(run)
    assert heard(orders) == [
        ("user", "Refund"),
        ("user", "[EXPERT] In euros?"),
        ("user", "In yen"),
    ]
    assert heard(expert, 1)[1:] == [("assistant", None), ("tool", "In yen")]


def test_denials_are_no_failed_attempts_nor_is_what_follows_from_them(
    asker: User, circle: Team, refunds: Queue, scripted_model: ScriptedModel
) -> None:
    """Nine failures, and three denials with their handovers, are nine failures."""
    everything(circle, scripted_model)
    for number in range(3):
        refunds.add(calls(letter(str(number)), to("ORDERS")))
    refunds.add(*[calls((f"no_tool_{n}", {})) for n in range(9)], text("Enough."))
    run = say(asker, circle, "Refund")
    for _ in range(3):
        run = decide(run, decision="deny")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Enough.")
    assert TaskRun.objects.get(run=run).failed_tools == 9


def test_two_tabs_decide_two_approvals_and_the_run_goes_on_once(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    """Staged: both requests are read before either decision is written."""
    lead.add(calls(delegate("POST/LETTERS", "Write two")), text("Done."))
    post.add(calls(letter("A"), letter("B")), text("Done."))
    run = ask("Write two")
    seen = list(HumanRequest.objects.filter(run=run).select_related("run", "call"))
    for request in seen:
        answer_request(user=run.requested_by, request=request, decision="approve")
    resumed = run.events.filter(kind="run.state", data__new="RESUMING")
    assert resumed.count() == 1
    assert go_on(run).state == RunState.SUCCEEDED
    assert EFFECTS == [("letter", "A"), ("letter", "B")]


def test_a_wish_with_words_that_are_no_text_is_told_to_the_model_as_such(
    ask: Ask, lead: Queue, clerk: Queue
) -> None:
    lead.add(
        calls(("delegate_to_worker", {"worker": "CLERK/FILES", "request": None})),
        calls(("delegate_to_worker", {"worker": "CLERK/FILES", "request": {"n": 7}})),
        text("Done."),
    )
    clerk.add(text("Seven."))
    run: Run = ask("Seven")
    assert run.state == RunState.SUCCEEDED
    assert (
        lead.requests[1]
        .messages[-1]["content"]
        .startswith("Error: The request is empty")
    )
    assert clerk.requests[0].messages[-1]["content"] == '{"n": 7}'
