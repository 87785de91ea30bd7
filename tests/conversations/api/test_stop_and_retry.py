"""``POST /runs/{id}/cancel`` and ``/retry``."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User

from conversations.models import HumanRequest, Run
from tests.api.client import Api, assert_problem
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("idle"),
]
ACTIONS = pytest.mark.parametrize("action", ["cancel", "retry"])


def test_a_run_that_waits_is_stopped_with_what_it_asked(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "waiting")
    stopped = api.post(f"/runs/{run.pk}/cancel")
    assert stopped.status_code == 200
    got = stopped.json()
    assert (got["state"], got["human_requests"]) == ("CANCELLED", [])
    assert HumanRequest.objects.get().state == "CANCELLED"


def test_stopping_what_has_ended_changes_nothing(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "done")
    before = api.get(f"/runs/{run.pk}").json()
    stopped = api.post(f"/runs/{run.pk}/cancel")
    assert (stopped.status_code, stopped.json()) == (200, before)


def test_a_failed_run_is_opened_again(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "failed")
    again = api.post(f"/runs/{run.pk}/retry")
    assert again.status_code == 202
    got = again.json()
    assert (got["id"], got["state"], got["error"]) == (str(run.pk), "QUEUED", None)


def test_a_succeeded_run_is_asked_again_as_a_new_one(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "done")
    again = api.post(f"/runs/{run.pk}/retry")
    assert again.status_code == 202
    got = again.json()
    assert got["id"] != str(run.pk)
    assert (got["retry_of"], got["prompt"]) == (str(run.pk), run.request.text)


@pytest.mark.parametrize("outcome", ["running", "waiting"])
def test_a_run_at_work_is_not_retried(api: Api, owner: User, outcome: str) -> None:
    run = make_run_tree(owner, outcome)
    problem = assert_problem(
        api.post(f"/runs/{run.pk}/retry"), 409, "conversation_busy"
    )
    assert problem["run"]["id"] == str(run.pk)
    assert Run.objects.count() == 1


@ACTIONS
def test_a_stranger_changes_nothing(
    stranger_api: Api, owner: User, action: str
) -> None:
    run = make_run_tree(owner, "failed")
    refused = stranger_api.post(f"/runs/{run.pk}/{action}")
    assert_problem(refused, 404, "not_found")
    assert refused.content == stranger_api.post(f"/runs/{uuid4()}/{action}").content
    assert Run.objects.get().state == "FAILED"


@ACTIONS
def test_who_may_only_read_changes_nothing(owner: User, action: str) -> None:
    run = make_run_tree(owner, "failed")
    auditor = make_user("auditor")
    auditor.user_permissions.add(Permission.objects.get(codename="view_all"))
    refused = Api(auditor).post(f"/runs/{run.pk}/{action}")
    assert_problem(refused, 403, "forbidden")
    assert Run.objects.get().state == "FAILED"


@ACTIONS
def test_nobody_changes_anything(anonymous: Api, owner: User, action: str) -> None:
    run = make_run_tree(owner, "failed")
    refused = anonymous.post(f"/runs/{run.pk}/{action}")
    assert_problem(refused, 401, "not_authenticated")


@ACTIONS
def test_it_is_a_post(api: Api, owner: User, action: str) -> None:
    run = make_run_tree(owner, "failed")
    refused = api.get(f"/runs/{run.pk}/{action}")
    assert_problem(refused, 405, "method_not_allowed")
