"""The admin's lists of what happened: their rows, searches, filters and queries."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from conversations.admin.base import ReadOnlyAdmin
from conversations.models import (
    Event,
    HumanRequest,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree

LISTS = [
    "conversation",
    "run",
    "taskrun",
    "toolcall",
    "modelcall",
    "humanrequest",
    "event",
]
OUTCOMES = ["done", "failed", "waiting"]


def listed(client, model, **query) -> str:
    url = reverse(f"admin:conversations_{model}_changelist")
    response = client.get(url, query)
    assert response.status_code == 200
    return str(response.content.decode())


def rows(text: str) -> int:
    return text.count('<td class="field-')


@pytest.mark.parametrize("model", LISTS)
def test_queries_do_not_grow_with_rows(
    client, administrator, owner, model, monkeypatch
):
    monkeypatch.setattr(ReadOnlyAdmin, "list_per_page", 1000)
    client.force_login(administrator)
    for outcome in OUTCOMES:
        make_run_tree(owner, outcome)
    listed(client, model)
    with CaptureQueriesContext(connection) as few:
        short = listed(client, model)
    # Of the others a run has many.
    more = 27 if model in {"conversation", "run", "humanrequest"} else 6
    for number in range(more):
        make_run_tree(owner, OUTCOMES[number % 3])
    with CaptureQueriesContext(connection) as many:
        long = listed(client, model)
    assert rows(long) >= 3 * rows(short)
    assert len(many) == len(few)


@pytest.mark.parametrize("model", LISTS)
def test_nothing_can_be_added_changed_or_deleted(client, administrator, owner, model):
    client.force_login(administrator)
    make_run_tree(owner, "waiting")
    assert client.get(reverse(f"admin:conversations_{model}_add")).status_code == 403
    text = listed(client, model)
    assert "delete_selected" not in text


def test_a_run_says_what_it_waits_for_or_failed_on(client, administrator, owner):
    client.force_login(administrator)
    make_run_tree(owner, "waiting")
    make_run_tree(owner, "failed")
    text = listed(client, "run")
    assert "NOTIFICATION_AGENT: Approval: send_email" in text
    assert "The model&#x27;s server did not answer within 60 s." in text
    assert "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK" in text


@pytest.mark.parametrize(
    "words", ["Zürich", "alice", "SUPPORT_TEAM", "PAYMENT_LOOKUP", "Business"]
)
def test_runs_are_found_by_prompt_person_team_task_and_answer(
    client, administrator, owner, words
):
    client.force_login(administrator)
    run = make_run_tree(owner, "done", prompt="Ask about Zürich")
    assert str(run.pk) in listed(client, "run", q=words)
    assert str(run.pk) not in listed(client, "run", q=words + "x")


def test_runs_are_found_by_their_own_id_and_their_conversations(
    client, administrator, owner
):
    client.force_login(administrator)
    run, other = make_run_tree(owner), make_run_tree(owner)
    for wanted in (run.pk, run.conversation_id):
        text = listed(client, "run", q=str(wanted))
        assert f"/run/{run.pk}/" in text
        assert f"/run/{other.pk}/" not in text


def test_runs_are_filtered_by_state(client, administrator, owner):
    client.force_login(administrator)
    done, failed = make_run_tree(owner, "done"), make_run_tree(owner, "failed")
    text = listed(client, "run", state__exact="FAILED")
    assert str(failed.pk) in text
    assert str(done.pk) not in text


def test_the_filter_does_not_say_that_it_waits_for_the_reader(
    client, administrator, owner
):
    client.force_login(administrator)
    make_run_tree(owner, "waiting")
    for query in ({}, {"_facets": "True"}, {"state__exact": "WAITING_FOR_HUMAN"}):
        for model in ("run", "taskrun", "toolcall"):
            assert "Waiting for you" not in listed(client, model, **query)


@pytest.mark.parametrize(
    ("model", "words", "count"),
    [
        ("taskrun", "C-1001", 3),
        ("toolcall", "lookup_account", 1),
        ("toolcall", "Ada Byron", 2),
        ("modelcall", "PAYMENT_AGENT", 2),
        ("humanrequest", "send_email", 1),
        ("conversation", "Ada Byron", 1),
    ],
)
def test_other_rows_are_found_by_what_they_hold(
    client, administrator, owner, model, words, count
):
    client.force_login(administrator)
    make_run_tree(owner, "waiting")
    url = reverse(f"admin:conversations_{model}_changelist")
    assert client.get(url, {"q": words}).context["cl"].result_count == count


@pytest.mark.parametrize("model", [TaskRun, ToolCall, ModelCall, HumanRequest])
def test_a_row_opens_in_the_trace_of_its_run(client, administrator, owner, model):
    client.force_login(administrator)
    run = make_run_tree(owner, "sent")
    row = model.objects.order_by("pk")[0]
    name = model._meta.model_name
    response = client.get(reverse(f"admin:conversations_{name}_change", args=[row.pk]))
    assert response.status_code == 302
    expected = reverse("admin:conversations_run_change", args=[run.pk])
    assert response["Location"] == f"{expected}?step={row.pk}"
    page = client.get(response["Location"]).content.decode()
    assert f'id="step-{row.pk}"' in page or model is ToolCall


def test_the_page_of_a_conversation_lists_its_runs(client, administrator, owner):
    client.force_login(administrator)
    run = make_run_tree(owner, "done")
    url = reverse("admin:conversations_conversation_change", args=[run.conversation_id])
    text = client.get(url).content.decode()
    assert reverse("admin:conversations_run_change", args=[run.pk]) in text


def test_the_page_of_a_run_is_its_trace(client, administrator, owner):
    client.force_login(administrator)
    run = make_run_tree(owner, "sent")
    url = reverse("admin:conversations_run_change", args=[run.pk])
    text = client.get(url).content.decode()
    assert 'id="trace-live"' in text
    assert Run.objects.get().request.text in text
    assert " style=" not in text


def test_runs_are_found_by_pattern_and_by_why_they_ended(client, administrator, owner):
    client.force_login(administrator)
    make_run_tree(owner)
    limited = make_run_tree(owner)
    Run.objects.filter(pk=limited.pk).update(ended_by="limit:handoffs", handoffs=30)
    text = listed(client, "run")
    assert "The limit of handovers was reached: it is your turn." in text
    assert '<div class="list-waits">Supervisor · 30 handovers</div>' in text
    assert rows(listed(client, "run", ended="limit")) == rows(text) / 2
    assert rows(listed(client, "run", ended="condition")) == 0
    by_pattern = {"team_version__team__pattern__exact": "supervisor"}
    assert rows(listed(client, "run", **by_pattern)) == rows(text)


def test_what_a_person_added_to_an_approval_is_shown(client, administrator, owner):
    client.force_login(administrator)
    make_run_tree(owner, "sent")
    HumanRequest.objects.update(edited={"to": "me"}, remember=True)
    text = listed(client, "humanrequest")
    assert "changed arguments, for the conversation" in text
    assert rows(listed(client, "humanrequest", edited__isempty=1)) == 0
    assert rows(listed(client, "humanrequest", remember__exact=1)) == rows(text)


def asked(client, model, **query) -> list[tuple[str, int, bool]]:
    """The questions above a list: their words, their answers, which is chosen."""
    url = reverse(f"admin:conversations_{model}_changelist")
    found = client.get(url, query).context["questions"]
    return [(str(each["word"]), each["count"], each["chosen"]) for each in found]


def test_a_list_answers_what_works_waits_and_failed_first(client, administrator, owner):
    client.force_login(administrator)
    for outcome in ("done", "failed", "waiting", "running"):
        make_run_tree(owner, outcome)
    long_ago = timezone.now() - timedelta(days=9)
    make_run_tree(owner, "failed", started=long_ago)
    assert asked(client, "run") == [
        ("working", 1, False),
        ("waiting", 1, False),
        ("failed in seven days", 1, False),
    ]
    assert asked(client, "humanrequest") == [("waiting", 1, False)]
    assert asked(client, "toolcall")[0] == ("waiting", 1, False)
    assert asked(client, "modelcall")[0] == ("working", 1, False)
    assert asked(client, "taskrun")[0] == ("waiting", 1, False)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_an_answer_leads_to_its_rows(client, administrator, owner, number):
    client.force_login(administrator)
    for outcome in ("done", "failed", "waiting", "running"):
        make_run_tree(owner, outcome)
    url = reverse("admin:conversations_run_changelist")
    question = client.get(url).context["questions"][number]
    response = client.get(f"{url}?{question['query']}")
    assert response.context["cl"].result_count == question["count"] == 1
    assert response.context["questions"][number]["chosen"]


def test_the_answers_count_what_the_person_may_read(client, owner):
    make_run_tree(owner, "waiting")
    clerk = make_user("clerk", is_staff=True)
    clerk.user_permissions.add(Permission.objects.get(codename="view_run"))
    client.force_login(clerk)
    assert [count for _word, count, _chosen in asked(client, "run")] == [0, 0, 0]


def test_an_empty_list_teaches_and_a_search_without_result_says_so(
    client, administrator, owner
):
    client.force_login(administrator)
    for model in (*LISTS, "standingapproval"):
        assert '<p class="empty">' in listed(client, model)
    assert "Start in the chat; each request is listed here." in listed(client, "run")
    make_run_tree(owner)
    assert "Nothing matches." in listed(client, "run", q="nowhere")


def test_an_event_is_told_in_words(client, administrator, owner):
    client.force_login(administrator)
    run = make_run_tree(owner)
    Event.objects.filter(kind="run.state").update(
        data={"old": "RUNNING", "new": "WAITING_FOR_HUMAN"}
    )
    assert "Working → Waiting" in listed(client, "event", q=str(run.pk))


def test_a_delegation_is_told_by_its_worker_and_request(client, administrator, owner):
    client.force_login(administrator)
    make_run_tree(owner)
    text = listed(client, "toolcall")
    assert "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK: Show the account" in text
