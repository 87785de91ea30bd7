"""The sample runs say what they claim."""

from __future__ import annotations

import pytest

from conversations.models import Event, HumanRequest, ToolCall
from tests.conversations.factories import make_run_tree

PATHS = {
    "done": ["ACCOUNT_AGENT", "PAYMENT_AGENT"],
    "sent": ["ACCOUNT_AGENT", "PAYMENT_AGENT", "NOTIFICATION_AGENT"],
    "waiting": ["ACCOUNT_AGENT", "PAYMENT_AGENT", "NOTIFICATION_AGENT"],
    "failed": ["ACCOUNT_AGENT"],
    "running": ["ACCOUNT_AGENT", "PAYMENT_AGENT"],
}


@pytest.mark.parametrize("outcome", PATHS)
def test_each_outcome_delegates_to_its_workers(owner, outcome):
    run = make_run_tree(owner, outcome)
    workers = run.task_runs.filter(depth=1).order_by("started_at")
    assert [worker.agent_name for worker in workers] == PATHS[outcome]
    assert run.is_open == (outcome in {"waiting", "running"})


def test_a_waiting_run_has_one_open_request(owner):
    run = make_run_tree(owner, "waiting")
    assert HumanRequest.objects.get(run=run).state == "PENDING"
    assert ToolCall.objects.get(name="send_email").state == "WAITING_FOR_HUMAN"


def test_events_are_numbered_without_a_second(owner):
    run = make_run_tree(owner)
    make_run_tree(owner, conversation=run.conversation)
    numbers = list(Event.objects.values_list("number", flat=True))
    assert len(numbers) == len(set(numbers))
