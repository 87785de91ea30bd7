"""The legal actions on runs: stop what works or waits, retry what ended badly."""

from __future__ import annotations

import pytest
from django.urls import reverse

from conversations import dispatch
from conversations.choices import RunState
from conversations.models import Run
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree


@pytest.fixture
def queued(monkeypatch):
    """The runs handed to a worker; none starts here."""
    handed: list[object] = []
    monkeypatch.setattr(dispatch, "enqueue", handed.append)
    return handed


def act(client, action: str, *runs: Run) -> str:
    response = client.post(
        reverse("admin:conversations_run_changelist"),
        {"action": action, "_selected_action": [str(run.pk) for run in runs]},
        follow=True,
    )
    return str(response.content.decode())


def state(run: Run) -> str:
    return Run.objects.get(pk=run.pk).state


def test_stop_ends_waiting_runs_and_leaves_ended_ones(client, administrator, owner):
    client.force_login(administrator)
    waiting, done = make_run_tree(owner, "waiting"), make_run_tree(owner, "done")
    text = act(client, "stop", waiting, done)
    assert "1 run stopped." in text
    assert state(waiting) == RunState.CANCELLED
    assert state(done) == RunState.SUCCEEDED


@pytest.mark.django_db(transaction=True)
def test_retry_takes_up_failed_runs_and_leaves_succeeded_ones(client, queued):

    administrator = make_user("admin", is_staff=True, is_superuser=True)
    owner = make_user("alice")
    client.force_login(administrator)
    failed, done = make_run_tree(owner, "failed"), make_run_tree(owner, "done")
    text = act(client, "retry", failed, done)
    assert "1 run goes on." in text
    assert state(failed) == RunState.QUEUED
    assert state(done) == RunState.SUCCEEDED
    assert queued == [failed.pk]


def test_what_cannot_be_done_is_said(client, administrator, owner, queued):
    client.force_login(administrator)
    first = make_run_tree(owner, "failed")
    make_run_tree(owner, "done", conversation=first.conversation)
    text = act(client, "retry", first)
    assert "A later request exists in this conversation" in text
    assert "0 runs go on." in text
    assert state(first) == RunState.FAILED
