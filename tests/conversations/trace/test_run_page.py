"""The run page: who may read it, what it says, what it never does."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from conversations.models import HumanRequest, Message, ModelCall, TaskRun, ToolCall
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree

ATTACK = '"><script>alert(1)</script><img src=x onerror=alert(1)>'


def page(client, run, **query):
    return client.get(reverse("run_trace", args=[run.pk]), query)


def test_the_owner_reads_it(client, owner):
    client.force_login(owner)
    text = page(client, make_run_tree(owner)).content.decode()
    assert "Show the account and the last three payments of customer C-1001" in text
    assert "ACCOUNT_MANAGEMENT_TASK" in text
    assert "is on the <strong>Business</strong> plan" in text


def test_a_stranger_gets_the_same_answer_as_for_no_run(client, owner, stranger):
    run = make_run_tree(owner)
    client.force_login(stranger)
    for name in ("run_trace", "run_trace_live"):
        assert client.get(reverse(name, args=[run.pk])).status_code == 404
        assert client.get(reverse(name, args=[uuid4()])).status_code == 404
    step = TaskRun.objects.get(run=run, depth=0).pk
    for name in ("run_trace_step", "run_trace_prompt"):
        assert client.get(reverse(name, args=[run.pk, step])).status_code == 404
    for name in ("run_trace_cancel", "run_trace_retry"):
        assert client.post(reverse(name, args=[run.pk])).status_code == 404


def test_who_may_read_everything_reads_it(client, owner):
    auditor = make_user("auditor")
    auditor.user_permissions.add(Permission.objects.get(codename="view_all"))
    client.force_login(auditor)
    response = page(client, make_run_tree(owner, "waiting"))
    assert response.status_code == 200
    assert "Waiting for a person" in response.content.decode()
    assert "run_trace_cancel" not in response.content.decode()


def test_nobody_is_asked_to_log_in(client, owner):
    response = page(client, make_run_tree(owner))
    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


def test_a_step_of_another_run_is_not_found(client, owner, stranger):
    run, other = make_run_tree(owner), make_run_tree(stranger)
    step = TaskRun.objects.get(run=other, depth=0)
    client.force_login(owner)
    url = reverse("run_trace_step", args=[run.pk, step.pk])
    assert client.get(url).status_code == 404


@pytest.mark.parametrize("outcome", ["done", "sent", "failed", "waiting", "running"])
def test_every_step_opens(client, owner, outcome):
    run = make_run_tree(owner, outcome)
    client.force_login(owner)
    ids = re.findall(r'id="step-([0-9a-f-]{36})"', page(client, run).content.decode())
    assert len(ids) > 5
    for step_id in ids:
        response = client.get(reverse("run_trace_step", args=[run.pk, step_id]))
        assert response.status_code == 200
        assert "detail-title" in response.content.decode()


def test_an_open_run_asks_again_and_an_ended_one_stops(client, owner):
    client.force_login(owner)
    assert "every 3s" in page(client, make_run_tree(owner, "running")).content.decode()
    run = make_run_tree(owner, "done")
    assert "every 3s" not in page(client, run).content.decode()
    live = client.get(reverse("run_trace_live", args=[run.pk]))
    assert live["HX-Trigger"] == '{"run-ended": {}}'


def test_a_waiting_run_is_drawn_again_only_when_something_happened(client, owner):
    run = make_run_tree(owner, "waiting")
    client.force_login(owner)
    url = reverse("run_trace_live", args=[run.pk])
    number = run.conversation.last_number
    assert f"{url}?seen={number}" in page(client, run).content.decode()
    assert client.get(url, {"seen": number}).status_code == 204
    assert client.get(url, {"seen": number - 1}).status_code == 200


def test_the_live_part_keeps_the_step_of_the_address_selected(client, owner):
    run = make_run_tree(owner, "running")
    step = ModelCall.objects.filter(task_run__run=run)[0]
    client.force_login(owner)
    response = client.get(
        reverse("run_trace_live", args=[run.pk]),
        headers={"HX-Current-URL": f"http://testserver/runs/{run.pk}/?step={step.pk}"},
    )
    marked = re.findall(
        r'id="step-([0-9a-f-]{36})"[^>]*aria-current', response.content.decode()
    )
    assert marked == [str(step.pk)]


def test_texts_of_models_tools_and_people_run_nothing(client, owner):
    run = make_run_tree(owner, "sent")
    Message.objects.all().update(text=ATTACK, reasoning=ATTACK)
    TaskRun.objects.all().update(
        request=ATTACK, result=ATTACK, agent_name=ATTACK, task_name=ATTACK
    )
    ToolCall.objects.all().update(
        name=ATTACK, tool_name=ATTACK, asked=ATTACK, result=ATTACK,
        arguments={ATTACK: ATTACK},
    )  # fmt: skip
    HumanRequest.objects.all().update(
        prompt=ATTACK,
        answer=ATTACK,
        reason=ATTACK,
        choices=[ATTACK],
        edited={"a": ATTACK},
    )
    ModelCall.objects.all().update(
        profile_name=ATTACK, model=ATTACK, finish_reason="<b>"
    )
    client.force_login(owner)
    whole = page(client, run).content.decode()
    ids = re.findall(r'id="step-([0-9a-f-]{36})"', whole)
    parts = [
        client.get(reverse("run_trace_step", args=[run.pk, i])).content.decode()
        for i in ids
    ]
    for text in (whole, *parts):
        assert "<script>alert" not in text
        assert "<img" not in text
        assert "<b>" not in text


def test_no_style_and_no_script_stands_in_the_page(client, owner):
    client.force_login(owner)
    text = page(client, make_run_tree(owner, "sent")).content.decode()
    assert " style=" not in text
    assert not re.search(r"<script(?![^>]*src=)", text)
    assert not re.search(r"\son\w+=", text)


def test_long_payloads_are_cut_and_shown_in_full_on_demand(client, owner):
    run = make_run_tree(owner, "done")
    call = ToolCall.objects.get(tool_name="list_payments")
    call.result = "x" * 60_000
    call.save()
    client.force_login(owner)
    url = reverse("run_trace_step", args=[run.pk, call.pk])
    cut = client.get(url).content.decode()
    assert "40\u202f000 characters left out" in cut
    assert "Show long texts in full" in cut
    assert "x" * 60_000 in client.get(url, {"full": "1"}).content.decode()


def test_the_page_takes_as_many_queries_for_one_delegation_as_for_three(
    client, owner, django_assert_num_queries
):
    small, large = make_run_tree(owner, "failed"), make_run_tree(owner, "sent")
    client.force_login(owner)
    page(client, small)
    with CaptureQueriesContext(connection) as counted:
        page(client, small)
    with django_assert_num_queries(len(counted)):
        page(client, large)


def test_a_run_of_more_than_a_thousand_steps_says_how_many_are_shown(client, owner):
    run = make_run_tree(owner, "done")
    first = ModelCall.objects.filter(task_run__run=run)[0]
    ModelCall.objects.bulk_create(
        ModelCall(
            task_run_id=first.task_run_id,
            round=number,
            profile_uid=first.profile_uid,
            profile_name="DEFAULT",
            started_at=first.started_at,
        )
        for number in range(1200)
    )
    client.force_login(owner)
    text = page(client, run).content.decode()
    assert text.count('class="line line-') == 1000
    assert "First 1\u202f000 of 1\u202f212 steps." in text
