"""Autonomous mode, its limits, and what ends a conversation (H5, H6, H10)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import override_settings

from conversations.choices import RunState
from conversations.models import Message, Run, TaskRun
from conversations.services.conversations import end, reopen
from conversations.services.runs import start_run
from supervisor_site.common.errors import Conflict
from teams.models import Team
from teams.toolbox.predicates import termination_predicate
from tests.conversations.engine.handing import heard, say, to
from tests.support.scripted_model import Queue, ScriptedModel, calls, text
from tests.support.teams import make_circle

CONTINUE = "User did not respond. Continue assisting autonomously."


@termination_predicate
def says_finished(text: str) -> bool:
    return "finished" in text


def make_team(model: ScriptedModel, **fields: Any) -> Team:
    return make_circle(model.base_url, **fields)


def test_an_agent_goes_on_until_its_limit_of_further_turns(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = make_team(scripted_model, autonomous={"turn_limit": 2})
    triage.add(text("one"), text("two"), text("three"))
    run = say(asker, team, "Go")
    assert (run.state, run.answer) == (RunState.SUCCEEDED, "three")
    assert run.ended_by == "limit:autonomous_turns"
    assert heard(triage, 2) == [
        ("user", "Go"),
        ("assistant", "one"),
        ("user", CONTINUE),
        ("assistant", "two"),
        ("user", CONTINUE),
    ]


def test_the_continuation_prompt_travels_to_nobody(
    asker: User, scripted_model: ScriptedModel, triage: Queue, orders: Queue
) -> None:
    team = make_team(scripted_model, autonomous={"agents": ["TRIAGE"], "turn_limit": 5})
    triage.add(text("one"), calls(to("ORDERS")))
    orders.add(text("mine"))
    run = say(asker, team, "Go")
    assert heard(orders) == [("user", "Go"), ("user", "[TRIAGE] one")]
    # ORDERS is not on the list: it returns control after one reply.
    assert (run.answer, run.ended_by) == ("mine", "")


def test_prompts_and_limits_may_differ_by_agent(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = make_team(
        scripted_model,
        autonomous={
            "turn_limit": 9,
            "turn_limits": {"TRIAGE": 1},
            "prompts": {"TRIAGE": "Keep at it."},
        },
    )
    triage.add(text("one"), text("two"))
    say(asker, team, "Go")
    assert heard(triage, 1)[-1] == ("user", "Keep at it.")


def test_a_limit_of_nothing_is_no_autonomy(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = make_team(scripted_model, autonomous={"turn_limit": 0})
    triage.add(text("one"))
    run = say(asker, team, "Go")
    assert (run.answer, run.ended_by) == ("one", "")


def test_the_same_reply_twice_stops_with_a_reason(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = make_team(scripted_model, autonomous={"turn_limit": 50})
    triage.add(text("same"), text("same"))
    assert say(asker, team, "Go").ended_by == "limit:repeated_reply"


def test_a_handover_starts_the_count_anew(
    asker: User, scripted_model: ScriptedModel, triage: Queue, orders: Queue
) -> None:
    team = make_team(scripted_model, autonomous={"turn_limit": 1})
    triage.add(text("one"), calls(to("ORDERS")))
    orders.add(text("two"), text("three"))
    run = say(asker, team, "Go")
    turns = TaskRun.objects.filter(run=run).order_by("position")
    assert [(t.agent_name, t.autonomous_turns) for t in turns] == [
        ("TRIAGE", 1),
        ("ORDERS", 1),
    ]


@override_settings(RUN_MAX_HANDOFFS=4)
def test_ping_pong_stops_with_a_reason(
    asker: User, scripted_model: ScriptedModel, triage: Queue, orders: Queue
) -> None:
    team = make_team(scripted_model)
    triage.answer_with(lambda body: calls(to("ORDERS")))
    orders.answer_with(lambda body: calls(to("TRIAGE")))
    run = say(asker, team, "Go")
    assert (run.state, run.ended_by, run.handoffs) == (
        RunState.SUCCEEDED,
        "limit:handoffs",
        4,
    )


@pytest.mark.parametrize(
    ("condition", "which"),
    [
        ({"contains": "WELCOME"}, "condition:contains"),
        ({"regex": "wel.*me"}, "condition:regex"),
        ({"predicate": "says_finished"}, "condition:predicate:says_finished"),
    ],
)
def test_a_condition_ends_the_conversation_and_says_which(
    asker: User,
    scripted_model: ScriptedModel,
    triage: Queue,
    condition: dict[str, Any],
    which: str,
) -> None:
    team = make_team(
        scripted_model, termination=condition, autonomous={"turn_limit": 9}
    )
    triage.add(text("one moment"), text("You are welcome, finished"))
    run = say(asker, team, "Thanks")
    assert (run.answer, run.ended_by) == ("You are welcome, finished", which)
    conversation = run.conversation
    conversation.refresh_from_db()
    assert (conversation.ended_at is not None, conversation.ended_by) == (True, which)


def test_a_persons_text_does_not_end_it_unless_the_team_says_so(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = make_team(
        scripted_model, termination={"contains": "welcome", "scope": "any"}
    )
    triage.add(text("Yes, it is."))
    run = say(asker, team, "Is this the welcome pack?")
    assert (run.answer, run.ended_by) == ("Yes, it is.", "")


def test_where_it_says_so_no_model_is_called(
    asker: User, scripted_model: ScriptedModel
) -> None:
    team = make_team(
        scripted_model, termination={"contains": "bye", "include_user": True}
    )
    run = say(asker, team, "Bye")
    assert (run.state, run.ended_by) == (RunState.SUCCEEDED, "condition:contains")
    assert scripted_model.requests == []


def test_case_counts_where_the_team_says_so(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = make_team(
        scripted_model, termination={"contains": "DONE", "ignore_case": False}
    )
    triage.add(text("done"))
    assert say(asker, team, "Go").ended_by == ""


def ended(asker: User, model: ScriptedModel, triage: Queue) -> tuple[Team, Run]:
    team = make_team(model, termination={"contains": "bye", "scope": "any"})
    triage.add(text("Good bye."))
    return team, say(asker, team, "Thanks")


def test_an_ended_conversation_takes_no_message_until_it_is_reopened(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team, run = ended(asker, scripted_model, triage)
    with pytest.raises(Conflict) as refused:
        say(asker, team, "One more", run)
    assert refused.value.code == "conversation_ended"
    assert Message.objects.count() == 2
    reopen(user=asker, conversation=run.conversation)
    triage.add(text("Yes?"))
    # What was said before the reopening does not end it again.
    again = say(asker, team, "One more", run)
    assert (again.answer, again.ended_by) == ("Yes?", "")


def test_a_person_may_end_and_reopen_at_any_time(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = make_team(scripted_model)
    triage.add(text("Hello."), text("Again."))
    run = say(asker, team, "Hello")
    end(user=asker, conversation=run.conversation)
    run.conversation.refresh_from_db()
    assert run.conversation.ended_by == "user"
    reopen(user=asker, conversation=run.conversation)
    assert say(asker, team, "Hello", run).answer == "Again."


def test_ending_stops_an_open_run(
    asker: User, scripted_model: ScriptedModel, triage: Queue
) -> None:
    team = make_team(scripted_model)
    run = start_run(user=asker, prompt="Hello", team=team)
    end(user=asker, conversation=run.conversation)
    run.refresh_from_db()
    assert (run.state, run.ended_by) == (RunState.CANCELLED, "user")
