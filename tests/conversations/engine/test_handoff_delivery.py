"""A handover is checked when it is delivered; agents are known by id (H8, H9)."""

from __future__ import annotations

from django.contrib.auth.models import User

from conversations import events
from conversations.choices import RunState
from conversations.models import Conversation
from conversations.services.runs import start_run
from teams.models import Agent, HandoffRule, Team, TeamMember
from tests.conversations.engine.conftest import go_on
from tests.conversations.engine.handing import heard, rule, say, to
from tests.support.scripted_model import (
    Queue,
    ScriptedModel,
    calls,
    text,
    text_and_calls,
)
from tests.support.teams import make_circle


def test_a_rule_removed_since_the_start_forbids_the_handover(
    asker: User, circle: Team, triage: Queue, scripted_model: ScriptedModel
) -> None:
    rule(circle, "TRIAGE", "ORDERS")
    rule(circle, "TRIAGE", "REFUNDS")
    triage.add(calls(to("ORDERS")), text("I stay."))
    run = start_run(user=asker, prompt="Order", team=circle)
    HandoffRule.objects.filter(target__name="ORDERS").delete()
    run = go_on(run)
    assert run.answer == "I stay."
    assert triage.requests[1].messages[-1]["content"] == (
        "Error: This handover is no longer allowed."
    )


def test_a_disabled_target_is_refused(asker: User, circle: Team, triage: Queue) -> None:
    triage.add(calls(to("ORDERS")), text("Not now."))
    run = start_run(user=asker, prompt="Order", team=circle)
    Agent.objects.filter(name="ORDERS").update(enabled=False)
    assert go_on(run).answer == "Not now."
    assert triage.requests[1].messages[-1]["content"] == (
        "Error: This agent has been disabled."
    )


def test_a_target_the_rules_do_not_name_is_no_tool(
    asker: User, circle: Team, triage: Queue
) -> None:
    rule(circle, "TRIAGE", "ORDERS")
    triage.add(calls(to("REFUNDS")), text("I cannot."))
    say(asker, circle, "Refund")
    assert (
        triage.requests[1]
        .messages[-1]["content"]
        .startswith("Error: There is no tool 'handoff_to_REFUNDS'.")
    )


def test_an_active_agent_that_left_the_team_is_followed_by_the_start_agent(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    triage.add(calls(to("ORDERS")), text("I take over."))
    orders.add(text("Which order?"))
    first = say(asker, circle, "Order")
    TeamMember.objects.filter(agent__name="ORDERS").delete()
    second = say(asker, circle, "12345", first)
    assert second.answer == "I take over."
    assert second.notices == [
        {"code": "active_agent_left", "params": {"agent": "TRIAGE"}}
    ]
    assert ("user", "[ORDERS] Which order?") in heard(triage, 1)


def test_renaming_the_active_agent_changes_nothing(
    asker: User,
    circle: Team,
    triage: Queue,
    orders: Queue,
    scripted_model: ScriptedModel,
) -> None:
    triage.add(calls(to("ORDERS")))
    orders.add(text("Which order?"), text("On its way."))
    first = say(asker, circle, "Order")
    agent = Agent.objects.get(name="ORDERS")
    agent.name = "ORDER_DESK"
    agent.save()
    assert say(asker, circle, "12345", first).answer == "On its way."


def test_hidden_and_intermediate_agents_do_not_give_the_answer(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    Team.objects.update(outputs={"intermediate": ["ORDERS"], "hidden": []})
    circle.refresh_from_db()
    triage.add(text_and_calls("I ask a colleague.", to("ORDERS")))
    orders.add(text("(thinking)"))
    assert say(asker, circle, "Order").answer == "I ask a colleague."


def test_sixty_turns_work(
    asker: User, circle: Team, scripted_model: ScriptedModel
) -> None:
    def reply(body: dict) -> object:
        said = body["messages"][-1]["content"]
        if said.startswith("go") and body["messages"][-1]["role"] == "user":
            return calls((body["tools"][-2]["function"]["name"], {}))
        return text(f"turn {len(body['messages'])}")

    scripted_model.answer_with(reply)  # type: ignore[arg-type]
    run = None
    for turn in range(60):
        run = say(asker, circle, f"{'go' if turn % 7 == 3 else 'word'} {turn}", run)
        assert run.state == RunState.SUCCEEDED, run.error_code
    assert Conversation.objects.get().runs.count() == 60
    said = scripted_model.requests[-1].body["messages"]
    own = [
        m["content"]
        for m in said
        if m["content"] and str(m["content"]).startswith("word")
    ]
    assert len(own) == len(set(own))


def test_agents_with_chinese_and_arabic_names_hand_over(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_circle(scripted_model.base_url)
    for old, new in (("TRIAGE", "接待"), ("ORDERS", "订单"), ("REFUNDS", "مبالغ")):
        agent = Agent.objects.get(name=old)
        agent.name = new
        agent.save()
    scripted_model.queue("start", system="You are TRIAGE.").answer_with(
        lambda body: calls((body["tools"][0]["function"]["name"], {}))
    )
    scripted_model.queue("next", system="You are ORDERS.").add(text("您好"))
    run = say(asker, team, "订单")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "您好")
    names = scripted_model.requests[0].tools
    assert len(names) == len(set(names)) == 3


def test_a_hidden_agent_is_not_streamed(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    Team.objects.update(outputs={"hidden": ["ORDERS"]})
    circle.refresh_from_db()
    heard_live: list[str] = []

    def listen(delta: events.DraftDelta) -> None:
        heard_live.append(delta.agent)

    events.on_delta(listen)
    try:
        triage.add(text_and_calls("One moment.", to("ORDERS")))
        orders.add(text("(secret)"))
        say(asker, circle, "Order")
    finally:
        events.off(listen)
    assert set(heard_live) == {"TRIAGE"}


def test_two_agents_of_one_display_name_are_told_apart(
    asker: User, circle: Team, triage: Queue, refunds: Queue
) -> None:
    """Participants are known by id (H8)."""
    Agent.objects.exclude(name="TRIAGE").update(display_name="Desk")
    circle.refresh_from_db()
    triage.add(calls(to("REFUNDS")))
    refunds.add(text("Refunds here."))
    run = say(asker, circle, "Refund")
    assert run.answer == "Refunds here."
    assert triage.requests[0].tools[:2] == ["handoff_to_ORDERS", "handoff_to_REFUNDS"]
