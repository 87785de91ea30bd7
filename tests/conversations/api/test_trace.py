"""``GET /runs/{id}/trace``: who did what, as a tree."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from conversations.models import ToolCall
from tests.api.client import Api
from tests.conversations.factories import ACCOUNT, make_run_tree

pytestmark = pytest.mark.django_db


def test_the_task_runs_are_a_tree_in_order_of_start(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "sent")
    trace = api.get(f"/runs/{run.pk}/trace").json()
    rows = trace["task_runs"]
    root = rows[0]["id"]
    assert [(row["agent"], row["depth"], row["parent_id"]) for row in rows] == [
        ("SUPPORT_SUPERVISOR", 0, None),
        ("ACCOUNT_AGENT", 1, root),
        ("PAYMENT_AGENT", 1, root),
        ("NOTIFICATION_AGENT", 1, root),
    ]
    assert rows[1]["request"] == "Show the account of customer C-1001."
    assert (
        rows[1]["result"] == "Customer C-1001 is **Ada Byron**, on the Business plan."
    )
    assert {row["state"] for row in rows} == {"SUCCEEDED"}
    assert trace["id"] == str(run.pk)
    assert trace["path"] == [f"{row['agent']}/{row['task']}" for row in rows[1:]]


def test_a_delegation_leads_to_its_task_run(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "done")
    root, account, payments = api.get(f"/runs/{run.pk}/trace").json()["task_runs"]
    calls = root["tool_calls"]
    assert [call["child_id"] for call in calls] == [account["id"], payments["id"]]
    assert {call["kind"] for call in calls} == {"delegate"}
    (lookup,) = account["tool_calls"]
    assert lookup["kind"] == "function"
    assert lookup["tool"] == "lookup_account"
    assert lookup["arguments"] == {"customer_id": "C-1001"}
    assert lookup["result"] == ToolCall.objects.get(pk=lookup["id"]).result
    assert ACCOUNT["name"] in lookup["result"]
    assert lookup["child_id"] is None


def test_model_calls_have_their_times_tokens_and_message(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "failed")
    root = api.get(f"/runs/{run.pk}/trace").json()["task_runs"][0]
    first, last = root["model_calls"]
    assert first["state"] == "SUCCEEDED"
    assert first["started_at"] < first["first_token_at"] < first["finished_at"]
    assert first["usage"]["input_tokens"] > 0
    assert first["message_id"]
    assert last["state"] == "FAILED"
    assert last["message_id"] is None
    assert last["usage"] == {"input_tokens": None, "output_tokens": None, "cost": None}
    assert last["error"]["code"] == "model_timeout"


def test_a_settled_request_stands_with_who_asked(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "sent")
    rows = api.get(f"/runs/{run.pk}/trace").json()["task_runs"]
    (request,) = rows[3]["human_requests"]
    assert (request["state"], request["decided_by"]) == ("APPROVED", "alice")
    assert [row["human_requests"] for row in rows[:3]] == [[], [], []]


def test_a_trace_costs_the_same_queries_whatever_its_size(
    api: Api, owner: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    small, large = make_run_tree(owner, "failed"), make_run_tree(owner, "sent")
    api.get(f"/runs/{small.pk}/trace")
    for run in (small, large):
        with django_assert_num_queries(10):
            api.get(f"/runs/{run.pk}/trace")
