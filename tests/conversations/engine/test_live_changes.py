"""What is edited, switched off or taken away during a run (S14, H8, rule 8)."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from conversations.choices import RequestState, RunState
from conversations.models import HumanRequest, Run
from conversations.services.conversations import end
from conversations.services.requests import answer_request
from conversations.services.runs import RunOptions, start_run
from supervisor_site.common.errors import Conflict
from teams.models import Agent, Profile, Task, Team, TeamMember, Tool
from teams.services.definitions import drop
from tests.conftest import make_user
from tests.conversations.engine.conftest import Ask, go_on
from tests.conversations.engine.handing import heard, rule, say, to
from tests.conversations.engine.test_approvals import letter
from tests.conversations.engine.test_delegation import delegate
from tests.conversations.engine.test_patterns import make_line
from tests.support.scripted_model import Queue, ScriptedModel, calls, text
from tests.support.teams import (
    EFFECTS,
    make_chief,
    make_profile,
    make_tool,
)

QUESTION = calls(("ask_human", {"question": "Which one?"}))


def answer(run: Run, words: str = "The blue one") -> Run:
    request = HumanRequest.objects.get(run=run, state=RequestState.PENDING)
    answer_request(user=run.requested_by, request=request, answer=words)
    return go_on(run)


@pytest.fixture
def orders_ask(asker: User, circle: Team, triage: Queue, orders: Queue) -> Run:
    """ORDERS has the conversation and waits for an answer."""
    triage.add(calls(to("ORDERS")))
    orders.add(QUESTION)
    run = say(asker, circle, "Order")
    assert run.state == RunState.WAITING_FOR_HUMAN
    return run


def test_renamed_while_it_waits_the_active_agent_goes_on(
    orders_ask: Run, asker: User, circle: Team, orders: Queue
) -> None:
    agent = Agent.objects.get(name="ORDERS")
    agent.name, agent.role = "ORDER_DESK", "You are ORDERS. Be brief."
    agent.save()
    orders.add(text("On its way."), text("Yes."))
    run = answer(orders_ask)
    assert run.answer == "On its way."
    assert "Be brief" not in orders.requests[1].system
    # The next request works on the team as it is.
    assert say(asker, circle, "Sure?", run).answer == "Yes."
    assert "Be brief" in orders.requests[2].system


def test_removed_while_it_waits_it_finishes_and_the_start_agent_takes_over(
    orders_ask: Run, asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    TeamMember.objects.filter(agent__name="ORDERS").delete()
    orders.add(text("On its way."))
    run = answer(orders_ask)
    assert run.answer == "On its way."
    triage.add(text("I take over."))
    second = say(asker, circle, "And?", run)
    assert second.answer == "I take over."
    assert [notice["code"] for notice in second.notices] == ["active_agent_left"]


def test_disabled_while_it_waits_it_does_nothing_more_and_the_start_agent_takes_over(
    orders_ask: Run, asker: User, circle: Team, triage: Queue
) -> None:
    Agent.objects.filter(name="ORDERS").update(enabled=False)
    run = answer(orders_ask)
    assert (run.state, run.error_code) == (RunState.FAILED, "agent_disabled")
    triage.add(text("I take over."))
    second = say(asker, circle, "And?", run)
    assert second.answer == "I take over."
    assert second.notices == [
        {"code": "active_agent_off", "params": {"agent": "TRIAGE"}}
    ]
    assert ("user", "The blue one") in heard(triage, 1)


def test_with_return_to_start_an_answer_still_goes_to_who_asked(
    orders_ask: Run, asker: User, circle: Team, triage: Queue, orders: Queue
) -> None:
    Team.objects.update(return_to="start")
    circle.refresh_from_db()
    orders.add(text("On its way."))
    run = answer(orders_ask)
    assert run.answer == "On its way."
    triage.add(text("Anything else?"))
    assert say(asker, circle, "Thanks", run).answer == "Anything else?"


@pytest.mark.parametrize("change", ["left", "rules"])
def test_without_rules_a_change_of_the_team_forbids_a_handover_as_well(
    asker: User, circle: Team, triage: Queue, change: str
) -> None:
    triage.add(calls(to("ORDERS")), text("I stay."))
    run = start_run(user=asker, prompt="Order", team=circle)
    if change == "left":
        TeamMember.objects.filter(agent__name="ORDERS").delete()
    else:
        rule(circle, "TRIAGE", "REFUNDS")
    assert go_on(run).answer == "I stay."
    assert triage.requests[1].messages[-1]["content"] == (
        "Error: This handover is no longer allowed."
    )


def test_a_team_edited_in_flight_changes_nothing_for_the_run(
    ask: Ask, lead: Queue, clerk: Queue, office: Team
) -> None:
    lead.add(calls(delegate("CLERK/FILES", "Find 7")))
    clerk.add(QUESTION)
    run = ask("File 7")
    TeamMember.objects.filter(agent__name="CLERK").delete()
    Task.objects.filter(name="FILES").update(instruction="Do nothing.")
    Agent.objects.filter(name="LEAD").update(role="You lead nothing.")
    clerk.add(calls(("find_file", {"number": "7"})), text("Title of 7"))
    lead.add(calls(delegate("CLERK/FILES", "Once more")), text("Title of 7."))
    clerk.add(text("Again."))
    assert answer(run).answer == "Title of 7."
    assert all("Work with files." in request.system for request in clerk.requests)


def test_a_profile_dropped_in_flight_still_serves_the_run(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(QUESTION, text("Fine."))
    run = ask("Hm")
    Profile.objects.update(dropped_at=timezone.now())
    assert answer(run).answer == "Fine."


def test_a_team_dropped_in_flight_finishes_its_run_and_takes_no_other(
    ask: Ask, lead: Queue, asker: User, office: Team
) -> None:
    lead.add(QUESTION, text("Fine."))
    run = ask("Hm")
    drop("team", "OFFICE", user=make_user("admin", is_superuser=True))
    assert answer(run).answer == "Fine."


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"enabled": False}, "team_disabled"),
        ({"access_everyone": False}, "access_revoked"),
    ],
)
def test_a_run_that_waited_goes_on_only_where_it_may(
    ask: Ask, lead: Queue, asker: User, change: dict[str, bool], code: str
) -> None:
    lead.add(QUESTION)
    run = ask("Hm")
    Team.objects.update(**change)
    run = answer(run)
    assert (run.state, run.error_code) == (RunState.FAILED, code)
    assert len(lead.requests) == 1


def test_a_person_who_was_deactivated_works_on_nothing(
    ask: Ask, lead: Queue, asker: User
) -> None:
    lead.add(QUESTION)
    run = ask("Hm")
    boss = make_user("boss", is_superuser=True)
    User.objects.filter(pk=asker.pk).update(is_active=False)
    request = HumanRequest.objects.get(run=run)
    answer_request(user=boss, request=request, answer="Blue")
    assert go_on(run).error_code == "access_revoked"


def test_a_task_disabled_in_flight_ends_its_step(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_line(make_profile(scripted_model.base_url), "CUT", "GLUE")
    scripted_model.add(text("cut"))
    run = start_run(user=asker, prompt="wood", team=team)
    Task.objects.filter(name="GLUE").update(enabled=False)
    run = go_on(run)
    assert (run.state, run.error_code, run.error_params) == (
        RunState.FAILED,
        "task_disabled",
        {"name": "GLUE"},
    )


def test_a_tool_disabled_while_it_waits_for_approval_does_not_run(
    ask: Ask, lead: Queue, post: Queue
) -> None:
    lead.add(calls(delegate("POST/LETTERS", "Write")), text("Not sent."))
    post.add(calls(letter("A")), text("It is off."))
    run = ask("Write")
    Tool.objects.filter(name="send_letter").update(enabled=False)
    request = HumanRequest.objects.get(run=run)
    answer_request(user=run.requested_by, request=request, decision="approve")
    assert go_on(run).state == RunState.SUCCEEDED
    assert EFFECTS == []
    assert post.requests[1].messages[-1]["content"] == (
        "Error: This tool has been disabled."
    )


def test_a_conversation_ended_while_a_run_waits_stops_it_and_settles_its_card(
    orders_ask: Run, asker: User
) -> None:
    end(user=asker, conversation=orders_ask.conversation)
    run = go_on(orders_ask)
    assert (run.state, run.ended_by) == (RunState.CANCELLED, "user")
    request = HumanRequest.objects.select_related("run__conversation").get(run=run)
    assert request.state == RequestState.CANCELLED
    with pytest.raises(Conflict):
        answer_request(user=asker, request=request, answer="Too late")


def test_read_only_holds_for_an_agent_that_works_under_another_identity(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_chief(scripted_model.base_url)
    chief = Agent.objects.get(name="CHIEF")
    chief.tools.add(make_tool("send_letter"), make_tool("find_file", read_only=True))
    Agent.objects.filter(pk=chief.pk).update(run_as=make_user("boss"))
    scripted_model.add(calls(letter("A")), text("I may not."))
    options = RunOptions(read_only=True)
    go_on(start_run(user=asker, prompt="Go", team=team, options=options))
    assert scripted_model.requests[0].tools == ["find_file", "ask_human"]
    assert EFFECTS == []
