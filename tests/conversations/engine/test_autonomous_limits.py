"""Autonomous mode beside budgets, schemas, approvals and conditions (H5, H6, D9, D10).

Each turn has the rounds and the time of a new request; tokens count for all turns of
an agent together, and a used-up budget gives control back.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from conversations.choices import RunState
from conversations.models import HumanRequest, TaskRun
from conversations.services.conversations import reopen
from conversations.services.requests import answer_request
from teams.models import Agent, Team, Tool
from tests.conversations.engine.conftest import go_on
from tests.conversations.engine.handing import heard, say, to
from tests.support.scripted_model import (
    Queue,
    ScriptedModel,
    calls,
    text,
    text_and_calls,
)
from tests.support.teams import EFFECTS, make_circle

LOOK = ("find_file", {"number": "7"})
PLAN = {
    "type": "object",
    "properties": {"plan": {"type": "string"}},
    "required": ["plan"],
}


def alone(model: ScriptedModel, mode: dict[str, Any], **agent: Any) -> Team:
    """The circle, where TRIAGE works on its own and may look into files."""
    team = make_circle(model.base_url, autonomous=mode)
    triage = Agent.objects.get(name="TRIAGE")
    triage.tools.add(Tool.objects.get(name="find_file"))
    Agent.objects.filter(pk=triage.pk).update(**agent)
    return team


def test_the_fifty_further_turns_of_the_default_are_all_worked(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    """A limit of N is N turns more, and no failure on the way."""
    team = alone(scripted_model, {})
    triage.add(*[text(f"turn {n}") for n in range(51)])
    run = say(asker, team, "Go")
    assert (run.state, run.ended_by) == (RunState.SUCCEEDED, "limit:autonomous_turns")
    assert run.answer == "turn 50"
    assert TaskRun.objects.get(run=run).autonomous_turns == 50


def test_within_one_turn_the_ceiling_of_rounds_holds(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = alone(scripted_model, {})
    triage.add(text("one"), *[calls(LOOK) for _ in range(25)])
    run = say(asker, team, "Go")
    assert (run.state, run.error_code) == (RunState.FAILED, "rounds_exceeded")


@pytest.mark.parametrize(
    ("strategy", "state", "said"),
    [
        ("error", RunState.FAILED, 2),
        ("attempt_complete", RunState.SUCCEEDED, 3),
        ("summarize", RunState.SUCCEEDED, 3),
        ("ignore", RunState.SUCCEEDED, 4),
    ],
)
def test_tokens_count_for_all_turns_together(
    asker: User,
    scripted_model: ScriptedModel,
    triage: Queue,
    strategy: str,
    state: str,
    said: int,
) -> None:
    """Ten tokens a turn against a budget of twenty, looked at before each call."""
    mode = {"turn_limit": 3}
    team = alone(scripted_model, mode, output_token_budget=20, budget_strategy=strategy)
    triage.add(*[text(f"turn {n}", usage=(1, 10)) for n in range(said)])
    run = say(asker, team, "Go")
    assert run.state == state
    ends = {"error": "", "ignore": "limit:autonomous_turns"}
    assert run.ended_by == ends.get(strategy, "limit:budget")
    assert run.error_code == ("budget_exceeded" if strategy == "error" else "")


def test_an_approval_in_the_middle_keeps_the_count(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = alone(scripted_model, {"turn_limit": 2})
    triage_agent = Agent.objects.get(name="TRIAGE")
    triage_agent.tools.add(Tool.objects.get(name="send_letter"))
    triage.add(
        text("one"),
        calls(("send_letter", {"text": "A"})),
        text("two"),
        text("three"),
    )
    run = say(asker, team, "Go")
    assert run.state == RunState.WAITING_FOR_HUMAN
    assert TaskRun.objects.get(run=run).autonomous_turns == 1
    (request,) = HumanRequest.objects.filter(run=run)
    answer_request(user=asker, request=request, decision="approve")
    run = go_on(run)
    assert (run.answer, run.ended_by) == ("three", "limit:autonomous_turns")
    assert EFFECTS == [("letter", "A")]


def test_an_agent_with_a_schema_still_ends_by_the_condition(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = alone(scripted_model, {"turn_limit": 5}, output_schema=PLAN)
    Team.objects.update(termination={"contains": "done"})
    team.refresh_from_db()
    triage.add(text('{"plan": "look"}'), text("No JSON"), text('{"plan": "done"}'))
    run = say(asker, team, "Go")
    assert (run.answer, run.ended_by) == ('{"plan": "done"}', "condition:contains")
    assert "does not satisfy the schema" in str(heard(triage, 2)[-1][1])


def test_each_turn_has_its_own_repair(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = alone(scripted_model, {"turn_limit": 1}, output_schema=PLAN)
    triage.add(
        text("No JSON"),
        text('{"plan": "one"}'),
        text("Again none"),
        text('{"plan": "two"}'),
    )
    run = say(asker, team, "Go")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, '{"plan": "two"}')


def test_a_condition_met_in_a_reply_that_hands_over_ends_before_the_receiver(
    asker: User, scripted_model: ScriptedModel, triage: Queue, orders: Queue
) -> None:
    team = make_circle(
        scripted_model.base_url, termination={"contains": "goodbye", "scope": "last"}
    )
    triage.add(text_and_calls("Goodbye then.", to("ORDERS")))
    run = say(asker, team, "Thanks")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "Goodbye then.")
    assert (run.ended_by, run.handoffs) == ("condition:contains", 0)
    assert orders.requests == []
    reopen(user=asker, conversation=run.conversation)
    triage.add(text("Yes?"))
    assert say(asker, team, "One more", run).answer == "Yes?"
    results = [m for m in triage.requests[1].messages if m["role"] == "tool"]
    assert len(results) == 1


def test_a_condition_met_in_a_reply_with_a_tool_lets_the_tool_work_first(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = alone(scripted_model, {"turn_limit": 5})
    Team.objects.update(termination={"contains": "done", "scope": "any"})
    team.refresh_from_db()
    triage.add(text_and_calls("Nearly done.", LOOK), text("Title of 7."))
    run = say(asker, team, "Go")
    assert (run.answer, run.ended_by) == ("Title of 7.", "condition:contains")


def test_the_answer_is_the_last_output_text_though_the_last_agent_said_nothing(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    """Ping-pong stopped: what was said to the person is the answer (H9)."""
    Team.objects.update(autonomous={"max_handoffs": 1, "turn_limit": 0})
    circle.refresh_from_db()
    triage.add(text_and_calls("I ask a colleague.", to("ORDERS")))
    orders.add(calls(to("REFUNDS")))
    run = say(asker, circle, "Order")
    assert (run.answer, run.ended_by) == ("I ask a colleague.", "limit:handoffs")


def test_a_question_is_no_answer_of_the_run(
    asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    Team.objects.update(outputs={"intermediate": ["ORDERS"]})
    circle.refresh_from_db()
    triage.add(
        text_and_calls("One moment.", ("ask_human", {"question": "Which one?"})),
        calls(to("ORDERS")),
    )
    orders.add(text("(thinking)"))
    run = say(asker, circle, "Order")
    (request,) = HumanRequest.objects.filter(run=run)
    answer_request(user=asker, request=request, answer="The blue one")
    assert go_on(run).answer == "One moment."
