"""Handoff teams: who speaks, what travels, how a turn ends (H1, H2, H3, H4, H9)."""

from __future__ import annotations

from django.contrib.auth.models import User

from conversations.choices import RunState, TaskRunState, ToolCallState
from conversations.models import HumanRequest, TaskRun, ToolCall
from conversations.services.requests import answer_request
from teams.models import Team
from tests.conversations.engine.conftest import go_on
from tests.conversations.engine.handing import heard, rule, say, to
from tests.support.scripted_model import (
    Queue,
    calls,
    text,
    text_and_calls,
)
from tests.support.teams import EFFECTS


def test_the_receiver_takes_over_with_the_whole_conversation_so_far(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    triage.add(text_and_calls("One moment.", to("ORDERS", "about an order")))
    orders.add(text("Which order?"))
    run = say(asker, circle, "I need help with my order")
    assert (run.state, run.answer, run.handoffs) == (
        RunState.SUCCEEDED,
        "Which order?",
        1,
    )
    assert heard(orders) == [
        ("user", "I need help with my order"),
        ("user", "[TRIAGE] One moment."),
    ]
    tasks = list(TaskRun.objects.filter(run=run).order_by("position"))
    assert [(t.agent_name, t.state) for t in tasks] == [
        ("TRIAGE", TaskRunState.HANDED_OVER),
        ("ORDERS", TaskRunState.SUCCEEDED),
    ]
    assert tasks[1].origin_call is not None
    assert tasks[1].origin_call.arguments == {"reason": "about an order"}


def test_without_rules_everyone_may_hand_to_everyone(
    asker: User, circle: Team, triage: Queue
) -> None:
    triage.add(text("Hello."))
    say(asker, circle, "Hello")
    assert triage.requests[0].tools == [
        "handoff_to_ORDERS",
        "handoff_to_REFUNDS",
        "ask_human",
    ]


def test_one_rule_switches_the_default_off(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    rule(circle, "TRIAGE", "ORDERS")
    triage.add(calls(to("ORDERS")))
    orders.add(text("Yes?"))
    say(asker, circle, "Order")
    assert triage.requests[0].tools == ["handoff_to_ORDERS", "ask_human"]
    assert orders.requests[0].tools == ["find_file", "ask_human"]


def test_the_next_message_goes_to_who_spoke_last(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    triage.add(calls(to("ORDERS")))
    orders.add(text("Which order?"), text("It is on its way."))
    first = say(asker, circle, "Where is my order?")
    second = say(asker, circle, "12345", first)
    assert second.answer == "It is on its way."
    assert heard(orders, 1) == [
        ("user", "Where is my order?"),
        ("assistant", "Which order?"),
        ("user", "12345"),
    ]


def test_or_to_the_start_agent_which_knows_what_was_said(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    Team.objects.update(return_to="start")
    circle.refresh_from_db()
    triage.add(calls(to("ORDERS")), text("Noted."))
    orders.add(text("Which order?"))
    first = say(asker, circle, "Where is my order?")
    say(asker, circle, "12345", first)
    said = heard(triage, 1)
    assert said[0] == ("user", "Where is my order?")
    assert said[-2:] == [("user", "[ORDERS] Which order?"), ("user", "12345")]


def test_tool_calls_and_results_never_travel(
    asker: User, circle: Team, triage: Queue, orders: Queue, refunds: Queue
) -> None:
    triage.add(calls(to("ORDERS", "secret reason")))
    orders.add(
        calls(("find_file", {"number": "7"})),
        text_and_calls("It arrived.", to("REFUNDS")),
    )
    refunds.add(text("How much?"))
    say(asker, circle, "My order 7 is broken")
    assert heard(refunds) == [
        ("user", "My order 7 is broken"),
        ("user", "[ORDERS] It arrived."),
    ]
    sent = str(refunds.requests[0].body["messages"][1:])
    assert "secret reason" not in sent
    assert "Title of 7" not in sent


def test_handed_back_without_a_word_the_model_gets_a_neutral_turn(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    triage.add(calls(to("ORDERS")), text("Here I am again."))
    orders.add(calls(to("TRIAGE")))
    run = say(asker, circle, "Help")
    assert run.answer == "Here I am again."
    assert heard(triage, 1) == [
        ("user", "Help"),
        ("assistant", None),
        ("tool", "Handed over to ORDERS."),
        ("user", "Please go on with my request."),
    ]


def test_tools_run_before_the_handover_and_the_first_handover_counts(
    asker: User, circle: Team, triage: Queue, orders: Queue, refunds: Queue
) -> None:
    """Defined order: people first, then tools in the model's order, handovers last."""
    triage.add(calls(to("ORDERS")))
    orders.add(calls(to("REFUNDS"), ("find_file", {"number": "7"}), to("TRIAGE")))
    refunds.add(text("Refunds here."))
    run = say(asker, circle, "Order 7")
    made = ToolCall.objects.filter(task_run__run=run, task_run__agent_name="ORDERS")
    assert list(made.order_by("position").values_list("name", "state", "result")) == [
        ("handoff_to_REFUNDS", ToolCallState.SUCCEEDED, "Handed over to REFUNDS."),
        (
            "find_file",
            ToolCallState.SUCCEEDED,
            '{"number": "7", "title": "Title of 7"}',
        ),
        (
            "handoff_to_TRIAGE",
            ToolCallState.FAILED,
            "Error: Another handover came first.",
        ),
    ]
    found = made.get(name="find_file")
    handed = made.get(name="handoff_to_REFUNDS")
    assert found.finished_at is not None
    assert handed.finished_at is not None
    assert found.finished_at < handed.finished_at


def test_a_denied_sibling_keeps_the_handover_until_the_model_has_read_it(
    asker: User, circle: Team, triage: Queue, refunds: Queue
) -> None:
    triage.add(calls(to("REFUNDS")))
    refunds.add(
        calls(("send_letter", {"text": "Money"}), to("TRIAGE")),
        text("As you wish."),
    )
    run = say(asker, circle, "Refund")
    request = HumanRequest.objects.get(run=run)
    answer_request(user=asker, request=request, decision="deny", reason="too much")
    run = go_on(run)
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "As you wish.")
    assert EFFECTS == []
    results = [
        m["content"] for m in refunds.requests[1].messages if m["role"] == "tool"
    ]
    assert results[0].startswith("Denied: the person did not approve this call.")
    assert results[1].startswith("Error: Not handed over: the person denied")


def test_an_answer_to_a_question_reaches_everyone_and_its_asker_once(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    triage.add(calls(("ask_human", {"question": "Which number?"})), calls(to("ORDERS")))
    orders.add(text("Found."))
    run = say(asker, circle, "My order")
    answer_request(
        user=asker, request=HumanRequest.objects.get(run=run), answer="12345"
    )
    go_on(run)
    assert heard(triage, 1) == [
        ("user", "My order"),
        ("assistant", None),
        ("tool", "12345"),
    ]
    assert heard(orders) == [
        ("user", "My order"),
        ("user", "[TRIAGE] Which number?"),
        ("user", "12345"),
    ]


def test_text_before_an_approval_is_not_lost_to_the_others(
    asker: User, circle: Team, triage: Queue, refunds: Queue
) -> None:
    triage.add(calls(to("REFUNDS")), text("All settled."))
    refunds.add(
        text_and_calls("I will write to you.", ("send_letter", {"text": "Money"})),
        text_and_calls("Written.", to("TRIAGE")),
    )
    run = say(asker, circle, "Refund")
    answer_request(
        user=asker, request=HumanRequest.objects.get(run=run), decision="approve"
    )
    go_on(run)
    assert heard(triage, 1)[-2:] == [
        ("user", "[REFUNDS] I will write to you."),
        ("user", "[REFUNDS] Written."),
    ]
