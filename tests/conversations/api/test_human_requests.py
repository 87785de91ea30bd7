"""``/human-requests``: reading what waits, and deciding it once."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User
from pytest_django import DjangoAssertNumQueries

from conversations.models import HumanRequest, Run
from tests.api.client import Api, assert_problem, fields
from tests.conftest import make_user
from tests.conversations.factories import E_MAIL, make_run_tree

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("idle")]


@pytest.fixture
def waiting(owner: User) -> HumanRequest:
    return make_run_tree(owner, "waiting").human_requests.get()


@pytest.fixture
def operator_api(db: None) -> Api:
    user = make_user("agent", is_staff=True)
    names = ["answer_any", "view_all"]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    return Api(user)


def respond(api: Api, request: HumanRequest, body: Any) -> Any:
    return api.post(f"/human-requests/{request.pk}/respond", body)


def test_what_waits_is_listed_and_read(
    api: Api, owner: User, waiting: HumanRequest
) -> None:
    make_run_tree(owner, "sent")
    every = api.get("/human-requests").json()
    assert every["count"] == 2
    pending = api.get("/human-requests?state=PENDING").json()
    assert [item["id"] for item in pending["items"]] == [str(waiting.pk)]
    one = api.get(f"/human-requests/{waiting.pk}").json()
    assert one == pending["items"][0]
    assert one == api.get(f"/runs/{waiting.run_id}").json()["human_request"]
    by_run = api.get(f"/human-requests?run_id={waiting.run_id}").json()
    assert by_run == pending


def test_an_approval_is_recorded_with_who_and_when(
    api: Api, waiting: HumanRequest
) -> None:
    settled = respond(api, waiting, {"decision": "approve", "reason": "Fine."})
    assert settled.status_code == 200
    got = settled.json()
    assert (got["state"], got["decided_by"]) == ("APPROVED", "alice")
    assert (got["reason"], got["arguments"]) == ("Fine.", E_MAIL)
    assert got["decided_at"]
    assert Run.objects.get().state == "RESUMING"


def test_a_denial_keeps_its_reason(api: Api, waiting: HumanRequest) -> None:
    got = respond(api, waiting, {"decision": "deny", "reason": "Not now."}).json()
    assert (got["state"], got["reason"]) == ("DENIED", "Not now.")


def test_the_second_word_gets_the_first_one(api: Api, waiting: HumanRequest) -> None:
    first = respond(api, waiting, {"decision": "deny", "reason": "No."}).json()
    refused = respond(api, waiting, {"decision": "approve"})
    problem = assert_problem(refused, 409, "already_decided")
    assert problem["request"] == first
    assert HumanRequest.objects.get().state == "DENIED"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "decision"),
        ({"answer": "yes"}, "decision"),
        ({"decision": "retry"}, "decision"),
        ({"decision": "maybe"}, "decision"),
        ({"decision": "deny", "reason": "x" * 2001}, "reason"),
        ({"decision": "approve", "remember": True}, "remember"),
        ({"decision": "approve", "arguments": "x"}, "arguments"),
        ({"decision": "approve", "because": "x"}, "because"),
    ],
)
def test_a_bad_decision_decides_nothing(
    api: Api, waiting: HumanRequest, body: object, field: str
) -> None:
    problem = assert_problem(respond(api, waiting, body), 422, "invalid")
    assert fields(problem) == [field]
    assert HumanRequest.objects.get().state == "PENDING"


def test_arguments_are_changed_by_those_who_may(
    api: Api, owner: User, waiting: HumanRequest
) -> None:
    changed = E_MAIL | {"subject": "Your plan"}
    body = {"decision": "approve", "arguments": changed}
    assert_problem(respond(api, waiting, body), 403, "forbidden")
    assert HumanRequest.objects.get().state == "PENDING"
    owner.user_permissions.add(Permission.objects.get(codename="edit_arguments"))
    got = respond(api, waiting, body).json()
    assert (got["state"], got["edited"]) == ("APPROVED", True)
    assert got["arguments"] == changed


def test_a_stranger_finds_nothing_and_decides_nothing(
    stranger_api: Api, waiting: HumanRequest
) -> None:
    assert stranger_api.get("/human-requests").json() == {"items": [], "count": 0}
    for method, ending in (("GET", ""), ("POST", "/respond")):
        body = {"decision": "approve"} if ending else None
        path = f"/human-requests/{waiting.pk}{ending}"
        refused = stranger_api.call(method, path, body)
        assert_problem(refused, 404, "not_found")
        none = f"/human-requests/{uuid4()}{ending}"
        assert refused.content == stranger_api.call(method, none, body).content
    assert HumanRequest.objects.get().state == "PENDING"


def test_nobody_reads_or_decides(anonymous: Api, waiting: HumanRequest) -> None:
    assert_problem(anonymous.get("/human-requests"), 401, "not_authenticated")
    refused = respond(anonymous, waiting, {"decision": "approve"})
    assert_problem(refused, 401, "not_authenticated")


def test_an_operator_decides_for_others(
    operator_api: Api, waiting: HumanRequest
) -> None:
    got = respond(operator_api, waiting, {"decision": "approve"}).json()
    assert (got["state"], got["decided_by"]) == ("APPROVED", "agent")


def test_who_may_only_read_may_not_decide(waiting: HumanRequest) -> None:
    auditor = make_user("auditor")
    auditor.user_permissions.add(Permission.objects.get(codename="view_all"))
    caller = Api(auditor)
    assert caller.get(f"/human-requests/{waiting.pk}").status_code == 200
    refused = respond(caller, waiting, {"decision": "approve"})
    assert_problem(refused, 403, "forbidden")
    assert HumanRequest.objects.get().state == "PENDING"


def test_the_queries_do_not_grow(
    api: Api,
    owner: User,
    waiting: HumanRequest,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    api.get("/human-requests")
    with django_assert_num_queries(6):
        api.get("/human-requests")
    make_run_tree(owner, "waiting")
    make_run_tree(owner, "sent")
    with django_assert_num_queries(6):
        api.get("/human-requests")


def test_a_wrong_method_is_refused(api: Api, waiting: HumanRequest) -> None:
    path = f"/human-requests/{waiting.pk}"
    for method, ending in (("POST", ""), ("DELETE", ""), ("GET", "/respond")):
        refused = api.call(method, path + ending)
        assert_problem(refused, 405, "method_not_allowed")
