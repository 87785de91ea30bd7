"""What the API says of a run in which agents handed over to each other."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from conversations.engine.loop import advance
from conversations.models import Run
from conversations.services.runs import start_run
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
TO_REFUNDS: tuple[str, dict[str, str]] = ("handoff_to_REFUNDS", {})


@pytest.fixture
def circle(transactional_db: None, scripted_model: ScriptedModel) -> Team:
    scripted_model.add(
        text_and_calls("One moment.", TO_ORDERS),
        calls(TO_REFUNDS),
        text("Which order?"),
    )
    return make_circle(scripted_model.base_url)


def work(owner: User, circle: Team) -> Run:
    run = start_run(user=owner, prompt="Money back", team=circle)
    advance(run.pk)
    run.refresh_from_db()
    return run


def test_the_run_says_who_took_over_and_why(
    api: Api, owner: User, circle: Team
) -> None:
    run = work(owner, circle)
    got = api.get(f"/runs/{run.pk}").json()
    assert (got["state"], got["answer"]) == ("SUCCEEDED", "Which order?")
    assert got["path"] == ["TRIAGE", "ORDERS", "REFUNDS"]
    assert got["active_agent"] == "REFUNDS"
    steps = [(h["from"], h["to"], h["reason"]) for h in got["handoffs"]]
    assert steps == [
        ("TRIAGE", "ORDERS", "about an order"),
        ("ORDERS", "REFUNDS", ""),
    ]
    assert got["started_at"] <= got["handoffs"][0]["at"] <= got["handoffs"][1]["at"]
    assert got["outputs"] == [
        {"agent": "TRIAGE", "text": "One moment.", "kind": "output"},
        {"agent": "REFUNDS", "text": "Which order?", "kind": "output"},
    ]


def test_the_conversation_names_the_active_agent_as_it_is_called_now(
    api: Api, owner: User, circle: Team
) -> None:
    path = f"/conversations/{work(owner, circle).conversation_id}"
    assert api.get(path).json()["active_agent"] == "REFUNDS"
    Agent.objects.filter(name="REFUNDS").update(name="MONEY")
    assert api.get(path).json()["active_agent"] == "MONEY"
    assert api.get("/conversations").json()["items"][0]["active_agent"] == "MONEY"


def test_texts_are_folded_or_hidden_as_the_team_says(
    api: Api, owner: User, circle: Team
) -> None:
    circle.outputs = {"intermediate": ["TRIAGE"], "hidden": ["REFUNDS"]}
    circle.save()
    run = work(owner, circle)
    got = api.get(f"/runs/{run.pk}").json()
    assert got["outputs"] == [
        {"agent": "TRIAGE", "text": "One moment.", "kind": "intermediate"}
    ]


def test_a_handoff_is_an_event(owner: User, circle: Team) -> None:
    run = work(owner, circle)
    events = read_all(owner, run)
    handoffs = [event.data for event in events if event.kind == "handoff"]
    assert [(h["from"], h["to"]) for h in handoffs] == [
        ("TRIAGE", "ORDERS"),
        ("ORDERS", "REFUNDS"),
    ]
    outputs = [event.data["text"] for event in events if event.kind == "output"]
    assert outputs == ["One moment.", "Which order?"]
