"""Stopping and retrying from the run page: through the services, for operators."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from conversations import dispatch
from conversations.choices import RunState
from conversations.models import Run
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree


@pytest.fixture
def no_workers(monkeypatch):
    monkeypatch.setattr(dispatch, "enqueue", lambda run_id: None)


def post(client, name: str, run: Run, **headers):
    return client.post(reverse(name, args=[run.pk]), follow=True, headers=headers)


def state(run: Run) -> str:
    return Run.objects.get(pk=run.pk).state


def test_the_owner_stops_a_waiting_run(client, owner):
    run = make_run_tree(owner, "waiting")
    client.force_login(owner)
    response = post(client, "run_trace_cancel", run)
    assert state(run) == RunState.CANCELLED
    assert response.redirect_chain[-1][0] == reverse("run_trace", args=[run.pk])
    assert "Stopped" in response.content.decode()


def test_the_owner_retries_a_failed_run(client, owner, no_workers):
    run = make_run_tree(owner, "failed")
    client.force_login(owner)
    post(client, "run_trace_retry", run)
    assert state(run) == RunState.QUEUED


def test_a_reader_who_is_no_operator_changes_nothing(client, owner, no_workers):
    auditor = make_user("auditor")
    auditor.user_permissions.add(Permission.objects.get(codename="view_all"))
    waiting, failed = make_run_tree(owner, "waiting"), make_run_tree(owner, "failed")
    client.force_login(auditor)
    text = post(client, "run_trace_cancel", waiting).content.decode()
    assert "Only the person who asked can do this, or an operator." in text
    post(client, "run_trace_retry", failed)
    assert state(waiting) == RunState.WAITING_FOR_HUMAN
    assert state(failed) == RunState.FAILED


def test_what_cannot_be_retried_says_why(client, owner, no_workers):
    run = make_run_tree(owner, "failed")
    make_run_tree(owner, "done", conversation=run.conversation)
    client.force_login(owner)
    text = post(client, "run_trace_retry", run).content.decode()
    assert "A later request exists in this conversation" in text


def test_a_button_in_the_admin_leads_back_to_the_admin(client, administrator, owner):
    run = make_run_tree(owner, "waiting")
    client.force_login(administrator)
    page = reverse("admin:conversations_run_change", args=[run.pk])
    response = post(client, "run_trace_cancel", run, Referer=f"http://testserver{page}")
    assert response.redirect_chain[-1][0] == page


def test_reading_a_page_never_stops_a_run(client, owner):
    run = make_run_tree(owner, "waiting")
    client.force_login(owner)
    assert client.get(reverse("run_trace_cancel", args=[run.pk])).status_code == 405
    assert state(run) == RunState.WAITING_FOR_HUMAN
