"""``GET /runs/{id}``: the run object of docs/api.md."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from conversations.models import HumanRequest, ModelCall
from tests.api.client import Api, assert_problem
from tests.conversations.factories import ANSWER, E_MAIL, PROMPT, make_run_tree

pytestmark = pytest.mark.django_db


def test_a_run_that_succeeded(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "done")
    got = api.get(f"/runs/{run.pk}").json()
    assert got["usage"].pop("cost") == pytest.approx(float(run.cost))
    assert got.pop("started_at") < got.pop("finished_at")
    assert got.pop("created_at").endswith("Z")
    assert got == {
        "id": str(run.pk),
        "team": "SUPPORT_TEAM",
        "version": 1,
        "conversation_id": str(run.conversation_id),
        "state": "SUCCEEDED",
        "prompt": PROMPT,
        "answer": ANSWER,
        "outputs": [{"agent": "SUPPORT_SUPERVISOR", "text": ANSWER, "kind": "output"}],
        "error": None,
        "human_requests": [],
        "human_request": None,
        "path": [
            "ACCOUNT_AGENT/ACCOUNT_MANAGEMENT_TASK",
            "PAYMENT_AGENT/PAYMENT_LOOKUP_TASK",
        ],
        "handoffs": [],
        "active_agent": None,
        "ended_by": None,
        "retry_of": None,
        "read_only": False,
        "debug": False,
        "user": "alice",
        "usage": {
            "input_tokens": run.input_tokens,
            "output_tokens": run.output_tokens,
        },
    }


def test_a_run_that_waits_shows_what_it_waits_for(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "waiting")
    got = api.get(f"/runs/{run.pk}").json()
    assert got["state"] == "WAITING_FOR_HUMAN"
    assert got["finished_at"] is None
    assert got["human_requests"] == [got["human_request"]]
    request = got["human_request"]
    assert request.pop("created_at") < request.pop("expires_at")
    assert request == {
        "id": str(HumanRequest.objects.get().pk),
        "kind": "approval",
        "state": "PENDING",
        "prompt": "",
        "choices": [],
        "tool": "send_email",
        "arguments": E_MAIL,
        "edited": False,
        "may_remember": False,
        "remember": False,
        "agent": "NOTIFICATION_AGENT",
        "task": "NOTIFICATION_TASK",
        "path": ["NOTIFICATION_AGENT/NOTIFICATION_TASK"],
        "run_id": str(run.pk),
        "conversation_id": str(run.conversation_id),
        "decided_by": None,
        "decided_at": None,
        "answer": "",
        "reason": "",
    }


def test_a_failed_run_says_why_in_a_sentence(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "failed")
    run.error_params = {"seconds": 60}
    run.save()
    got = api.get(f"/runs/{run.pk}").json()
    assert got["error"] == {
        "code": "model_timeout",
        "message": "The model's server did not answer within 60 s.",
    }
    assert got["outputs"] == []
    assert got["answer"] == ""


def test_a_stranger_is_told_the_same_as_for_no_run(
    api: Api, stranger_api: Api, owner: User
) -> None:
    run = make_run_tree(owner)
    for ending in ("", "/trace", "/events"):
        refused = stranger_api.get(f"/runs/{run.pk}{ending}")
        assert_problem(refused, 404, "not_found")
        assert refused.content == stranger_api.get(f"/runs/{uuid4()}{ending}").content
    assert api.get(f"/runs/{run.pk}").status_code == 200


def test_the_prompt_of_a_model_call_is_for_who_may_read_the_run(
    api: Api, stranger_api: Api, owner: User
) -> None:
    run, other = make_run_tree(owner), make_run_tree(owner)
    call = ModelCall.objects.filter(task_run__run=run)[0]
    path = f"/runs/{run.pk}/model-calls/{call.pk}/prompt"
    assert set(api.get(path).json()) == {"body", "agrees"}
    refused = stranger_api.get(path)
    assert_problem(refused, 404, "not_found")
    elsewhere = f"/runs/{other.pk}/model-calls/{call.pk}/prompt"
    assert refused.content == api.get(elsewhere).content


def test_nobody_reads_without_logging_in(anonymous: Api, owner: User) -> None:
    run = make_run_tree(owner)
    for ending in ("", "/trace", "/events"):
        refused = anonymous.get(f"/runs/{run.pk}{ending}")
        assert_problem(refused, 401, "not_authenticated")


def test_an_administrator_reads_every_run(admin_api: Api, owner: User) -> None:
    run = make_run_tree(owner)
    assert admin_api.get(f"/runs/{run.pk}").json()["user"] == "alice"


def test_what_is_no_uuid_is_under_no_path(api: Api) -> None:
    assert_problem(api.get("/runs/17"), 404, "no_such_path")


@pytest.mark.parametrize("method", ["PUT", "POST", "PATCH", "DELETE"])
def test_a_run_cannot_be_written(api: Api, owner: User, method: str) -> None:
    run = make_run_tree(owner)
    assert_problem(api.call(method, f"/runs/{run.pk}"), 405, "method_not_allowed")
