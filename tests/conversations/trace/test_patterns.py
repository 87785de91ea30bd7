"""Handovers, delegates, notices, budgets and changed arguments in the trace."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from conversations import dispatch
from conversations.engine.loop import advance
from conversations.models import HumanRequest, Message, ModelCall, Run, TaskRun
from conversations.services.requests import answer_request
from conversations.services.runs import RunOptions, start_run
from conversations.trace.chart import chart_of
from teams.models import Agent, Team
from tests.conftest import make_user
from tests.support.scripted_model import ScriptedModel, calls, text, text_and_calls
from tests.support.teams import make_chief, make_circle

pytestmark = pytest.mark.django_db(transaction=True)
TO_ORDERS = ("handoff_to_ORDERS", {"reason": "about an order"})
LETTER = ("send_letter", {"text": "Dear all"})


@pytest.fixture(autouse=True)
def _worked_on_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dispatch, "enqueue", advance)


def begin(
    owner: User, team: Team, after: Run | None = None, options: RunOptions | None = None
) -> Run:
    conversation = after.conversation if after else None
    run = start_run(
        user=owner,
        prompt="Hello",
        team=team,
        conversation=conversation,
        options=options,
    )
    run.refresh_from_db()
    return run


def tree(run: Run) -> list[str]:
    return [
        "  " * line.step.depth + line.title + (f" {line.note}" if line.note else "")
        for line in chart_of(run).lines
    ]


def read(client: Client, run: Run, step: object = "") -> str:
    name, query = reverse("run_trace", args=[run.pk]), {"step": str(step)}
    return " ".join(client.get(name, query).content.decode().split())


def test_a_handover_is_a_step_and_the_next_participant_stands_below(
    owner: User, scripted_model: ScriptedModel, client: Client
) -> None:
    scripted_model.add(text_and_calls("One moment.", TO_ORDERS), text("Which?"))
    run = begin(owner, make_circle(scripted_model.base_url))
    assert tree(run) == [
        "TRIAGE turn 1",
        "  Model call 1 → handoff_to_ORDERS",
        "  → ORDERS about an order",
        "ORDERS turn 2",
        "  Model call 1",
    ]
    client.force_login(owner)
    first, second = TaskRun.objects.filter(run=run).order_by("position")
    assert "Handed over</span>" in read(client, run, first.pk)
    assert f'href="?step={first.pk}">TRIAGE</a>' in read(client, run, second.pk)
    assert '1 <span class="muted">of 30</span>' in read(client, run)


def test_a_delegate_s_thread_is_named_and_marked_where_it_goes_on(
    owner: User, scripted_model: ScriptedModel, client: Client
) -> None:
    team = make_chief(scripted_model.base_url, "ANALYST")
    scripted_model.add(
        calls(("ANALYST", {"prompt": "How many?"})), text("Seven."), text("Seven.")
    )
    first = begin(owner, team)
    task = TaskRun.objects.get(run=first, agent_name="ANALYST")
    again = {"prompt": "And before?", "conversation_id": str(task.thread_id)}
    scripted_model.add(calls(("ANALYST", again)), text("Six."), text("Six."))
    run = begin(owner, team, after=first)
    assert "  ANALYST continued" in tree(run)
    assert "  ANALYST" in tree(first)
    client.force_login(owner)
    step = TaskRun.objects.get(run=run, agent_name="ANALYST")
    assert f"<code>{task.thread_id}</code> · continued" in read(client, run, step.pk)
    assert f"<code>{task.thread_id}</code></dd>" in read(client, first, task.pk)


def test_a_notice_stands_where_it_was_said_with_its_words(
    owner: User, scripted_model: ScriptedModel, client: Client
) -> None:
    team = make_circle(scripted_model.base_url, autonomous={"turn_limit": 1})
    scripted_model.add(text("First."), text("Second."))
    run = begin(owner, team)
    notice = Message.objects.get(run=run, author="")
    assert [line.strip().split(" User")[0] for line in tree(run)] == [
        "TRIAGE turn 1",
        "Model call 1",
        "Notice to the agent",
        "Model call 2",
    ]
    client.force_login(owner)
    page = read(client, run, notice.pk)
    assert "Continue assisting autonomously." in page
    assert "The limit of turns was reached: it is your turn." in page
    task = TaskRun.objects.get(run=run)
    assert "<dt>Autonomous turns</dt><dd>1</dd>" in read(client, run, task.pk)


def test_a_budget_that_was_used_up_is_marked(
    owner: User, scripted_model: ScriptedModel, client: Client
) -> None:
    scripted_model.add(calls(("find_file", {"number": "1"})), text("Enough."))
    team = make_circle(scripted_model.base_url)
    agent = Agent.objects.get(name="TRIAGE")
    agent.max_iterations = 1
    agent.save()
    agent.tools.add(*Agent.objects.get(name="ORDERS").tools.all())
    run = begin(owner, team)
    task = TaskRun.objects.get(run=run)
    assert task.limit_hit == "rounds"
    assert tree(run)[0] == "TRIAGE turn 1 · budget used up"
    client.force_login(owner)
    said = '<dt>Model calls</dt><dd class="is-hit">2 <span class="muted">of 1</span>'
    assert f"{said} · used up" in read(client, run, task.pk)


def test_arguments_that_a_person_changed_are_marked(
    owner: User, scripted_model: ScriptedModel, client: Client
) -> None:
    scripted_model.add(calls(("handoff_to_REFUNDS", {})), calls(LETTER), text("Sent."))
    run = begin(owner, make_circle(scripted_model.base_url))
    owner.user_permissions.add(Permission.objects.get(codename="edit_arguments"))
    request = HumanRequest.objects.get(run=run)
    answer_request(
        user=User.objects.get(pk=owner.pk),
        request=request,
        decision="approve",
        arguments={"text": "Dear Ada"},
    )
    line = "  send_letter text: Dear Ada (changed by a person)"
    assert line in tree(run)
    client.force_login(owner)
    for step in (request.pk, request.call_id):
        page = re.sub("<[^>]+>", "", read(client, run, step))
        assert "Dear Ada" in page
        assert "Dear all" in page


def test_how_it_was_worked_on_stands_with_the_run(
    owner: User, scripted_model: ScriptedModel, client: Client
) -> None:
    scripted_model.add(text("Hello."))
    modes = RunOptions(read_only=True, debug=True)
    run = begin(owner, make_circle(scripted_model.base_url), options=modes)
    client.force_login(owner)
    assert "· Read-only · Debug" in read(client, run)


def test_hidden_participants_are_for_who_may_read_everything(
    owner: User, scripted_model: ScriptedModel, client: Client
) -> None:
    scripted_model.add(
        calls(TO_ORDERS),
        text_and_calls("Between us.", ("handoff_to_TRIAGE", {})),
        text("Done."),
    )
    team = make_circle(scripted_model.base_url, outputs={"hidden": ["ORDERS"]})
    run = begin(owner, team)
    auditor = make_user("auditor")
    auditor.user_permissions.add(Permission.objects.get(codename="view_all"))
    hidden = TaskRun.objects.get(run=run, agent_name="ORDERS")
    last = ModelCall.objects.filter(task_run__run=run).latest("started_at")
    step = reverse("run_trace_step", args=[run.pk, hidden.pk])
    prompt = reverse("run_trace_prompt", args=[run.pk, last.pk])

    client.force_login(owner)
    assert "Between us." not in read(client, run) + read(client, run, last.pk)
    assert f"step-{hidden.pk}" not in read(client, run)
    assert client.get(step).status_code == 404
    assert client.get(prompt).status_code == 409

    client.force_login(auditor)
    assert f"step-{hidden.pk}" in read(client, run)
    assert "Between us." in read(client, run, last.pk)
    assert client.get(step).status_code == 200
    assert client.get(prompt).status_code == 200
