"""What readers are not told: notices, copies for others, hidden agents (H9)."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from conversations.engine.loop import advance
from conversations.models import HumanRequest, Message, Run
from conversations.services.requests import answer_request
from conversations.services.runs import RunOptions, start_run
from teams.models import Agent, Team
from tests.api.client import Api
from tests.conversations.api.sse_reader import read_all
from tests.support.scripted_model import ScriptedModel, calls, text, text_and_calls
from tests.support.teams import make_circle

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("idle"),
]
TO_ORDERS = ("handoff_to_ORDERS", {"reason": "about an order"})
FIND = ("find_file", {"number": "12"})


def work(owner: User, team: Team, prompt: str = "Money back") -> Run:
    run = start_run(user=owner, prompt=prompt, team=team)
    advance(run.pk)
    run.refresh_from_db()
    return run


def texts(rows: list[dict[str, Any]]) -> list[str]:
    return [row["text"] for row in rows if row["text"]]


@pytest.fixture
def hidden_orders(scripted_model: ScriptedModel) -> Team:
    """TRIAGE hands to ORDERS, which is hidden and hands back."""
    scripted_model.add(
        text_and_calls("One moment.", TO_ORDERS),
        calls(FIND),
        text_and_calls("Between us.", ("handoff_to_TRIAGE", {})),
        text("File 12 is there."),
    )
    return make_circle(scripted_model.base_url, outputs={"hidden": ["ORDERS"]})


def test_a_hidden_participant_is_not_read_in_messages_nor_in_the_stream(
    api: Api, owner: User, hidden_orders: Team
) -> None:
    run = work(owner, hidden_orders)
    assert run.answer == "File 12 is there."
    path = f"/conversations/{run.conversation_id}/messages"
    got = api.get(path).json()
    assert texts(got["items"]) == ["Money back", "One moment.", "File 12 is there."]
    events = read_all(owner, run)
    said = [e.data for e in events if e.kind == "message.completed"]
    assert texts(said) == ["Money back", "One moment.", "File 12 is there."]
    assert [e for e in events if e.kind == "tool_call.state" if e.data["tool"]] == []
    tasks = [e.data for e in events if e.kind == "task_run.state"]
    assert {task["agent"] for task in tasks} == {"TRIAGE"}
    outputs = [e.data["text"] for e in events if e.kind == "output"]
    assert outputs == ["One moment.", "File 12 is there."]
    assert "Between us." not in str([e.data for e in events])


def test_a_hidden_participant_is_read_in_the_trace_by_who_may_read_all(
    api: Api, admin_api: Api, owner: User, hidden_orders: Team
) -> None:
    run = work(owner, hidden_orders)
    mine = api.get(f"/runs/{run.pk}/trace").json()["task_runs"]
    assert [task["agent"] for task in mine] == ["TRIAGE", "TRIAGE"]
    all_of_it = admin_api.get(f"/runs/{run.pk}/trace").json()["task_runs"]
    assert [task["agent"] for task in all_of_it] == ["TRIAGE", "ORDERS", "TRIAGE"]
    call_id = mine[1]["model_calls"][0]["id"]
    refused = api.get(f"/runs/{run.pk}/model-calls/{call_id}/prompt")
    assert (refused.status_code, refused.json()["code"]) == (409, "prompt_unavailable")
    assert (
        admin_api.get(f"/runs/{run.pk}/model-calls/{call_id}/prompt").status_code == 200
    )
    for path, mine_count, all_count in (("task-runs", 2, 3), ("tool-calls", 1, 3)):
        assert api.get(f"/history/{path}").json()["count"] == mine_count
        assert admin_api.get(f"/history/{path}").json()["count"] == all_count


def test_a_question_and_its_answer_are_read_once(
    api: Api, owner: User, scripted_model: ScriptedModel
) -> None:
    team = make_circle(scripted_model.base_url)
    scripted_model.add(
        calls(("ask_human", {"question": "Which order?"})), text("Thank you.")
    )
    run = work(owner, team)
    request = HumanRequest.objects.get(run=run)
    answer_request(user=owner, request=request, answer="12345")
    advance(run.pk)
    assert Message.objects.filter(text__in=["Which order?", "12345"]).count() == 2
    path = f"/conversations/{run.conversation_id}/messages"
    assert texts(api.get(path).json()["items"]) == ["Money back", "Thank you."]
    got = api.get(f"/runs/{run.pk}").json()
    assert [output["text"] for output in got["outputs"]] == ["Thank you."]


def test_a_notice_to_an_agent_is_no_message_of_the_conversation(
    api: Api, owner: User, scripted_model: ScriptedModel
) -> None:
    team = make_circle(scripted_model.base_url, autonomous={"turn_limit": 1})
    scripted_model.add(text("First."), text("Second."))
    run = work(owner, team)
    assert Message.objects.filter(run=run, author="").count() == 1
    path = f"/conversations/{run.conversation_id}/messages"
    assert texts(api.get(path).json()["items"]) == ["Money back", "First.", "Second."]
    said = [e.data for e in read_all(owner, run) if e.kind == "message.completed"]
    assert texts(said) == ["Money back", "First.", "Second."]


def test_the_active_agent_is_named_though_it_is_hidden(
    api: Api, owner: User, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(calls(TO_ORDERS), text("Between us."))
    team = make_circle(scripted_model.base_url, outputs={"hidden": ["ORDERS"]})
    run = work(owner, team)
    got = api.get(f"/runs/{run.pk}").json()
    assert (got["active_agent"], got["answer"], got["outputs"]) == ("ORDERS", "", [])
    assert Agent.objects.get(name="ORDERS").uid == run.conversation.active_agent_uid


def test_a_debug_run_tells_of_every_model_call_as_it_happens(
    owner: User, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(calls(TO_ORDERS), text("Which order?"))
    team = make_circle(scripted_model.base_url)
    options = RunOptions(debug=True)
    run = start_run(user=owner, prompt="Hello", team=team, options=options)
    advance(run.pk)
    events = read_all(owner, run)
    told = [e.data["state"] for e in events if e.kind == "model_call.state"]
    assert told == ["RUNNING", "SUCCEEDED", "RUNNING", "SUCCEEDED"]
    begun = {
        e.data["id"]: e.data["agent"] for e in events if e.kind == "task_run.state"
    }
    speakers = [
        begun[e.data["task_run_id"]] for e in events if e.kind == "model_call.state"
    ]
    assert speakers == ["TRIAGE", "TRIAGE", "ORDERS", "ORDERS"]


def test_the_trace_tells_what_the_person_was_told(
    api: Api, owner: User, scripted_model: ScriptedModel
) -> None:
    scripted_model.add(text("Hello."))
    run = work(owner, make_circle(scripted_model.base_url))
    Run.objects.filter(pk=run.pk).update(
        notices=[{"code": "active_agent_left", "params": {"agent": "TRIAGE"}}]
    )
    got = api.get(f"/runs/{run.pk}/trace").json()
    (notice,) = got["notices"]
    assert notice["code"] == "active_agent_left"
    assert "TRIAGE takes over" in notice["message"]
    task = got["task_runs"][0]
    assert (task["budget_used_up"], task["autonomous_turns"]) == (None, 0)
    assert task["output_tokens"] == task["model_calls"][0]["usage"]["output_tokens"]
