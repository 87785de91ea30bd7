"""Who is let in: a token, or a session with the CSRF token."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from teams.models import ApiToken
from tests.api.client import Api, assert_problem

pytestmark = pytest.mark.django_db


def test_nobody_is_refused_with_401(anonymous: Api) -> None:
    refused = anonymous.get("/tokens")
    assert_problem(refused, 401, "not_authenticated")
    assert refused.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("value", ["Bearer wrong", "Bearer ", "Bearer", "bearer x y"])
def test_a_wrong_token_is_refused(anonymous: Api, value: str) -> None:
    anonymous.headers["Authorization"] = value
    assert_problem(anonymous.get("/tokens"), 401, "not_authenticated")


def test_a_session_does_not_lift_a_wrong_token(owner: User) -> None:
    caller = Api()
    caller.client.force_login(owner)
    assert caller.get("/tokens").status_code == 200
    caller.headers["Authorization"] = "Bearer wrong"
    assert_problem(caller.get("/tokens"), 401, "not_authenticated")


def test_a_token_acts_for_its_person_whoever_is_logged_in(
    api: Api, owner: User, stranger: User
) -> None:
    api.client.force_login(stranger)
    api.post("/tokens", {"name": "another"})
    assert ApiToken.objects.filter(user=owner).count() == 2
    assert not ApiToken.objects.filter(user=stranger).exists()


def test_an_inactive_person_is_refused_by_token_and_by_session(
    api: Api, owner: User
) -> None:
    by_session = Api()
    by_session.client.force_login(owner)
    User.objects.filter(pk=owner.pk).update(is_active=False)
    assert_problem(api.get("/tokens"), 401, "not_authenticated")
    assert_problem(by_session.get("/tokens"), 401, "not_authenticated")


def test_a_session_reads_without_and_writes_with_the_csrf_token(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert client.get("/api/tokens").status_code == 200
    body = {"name": "browser"}
    refused = client.post("/api/tokens", body, content_type="application/json")
    assert_problem(refused, 403, "csrf_failed")
    assert not ApiToken.objects.exists()
    client.cookies["csrftoken"] = "a" * 32
    made = client.post(
        "/api/tokens",
        body,
        content_type="application/json",
        headers={"X-CSRFToken": "a" * 32},
    )
    assert made.status_code == 201


def test_a_token_needs_no_csrf_token(owner: User) -> None:
    caller = Api(owner)
    caller.client = Client(enforce_csrf_checks=True)
    assert caller.post("/tokens", {"name": "script"}).status_code == 201


def test_nobody_is_asked_to_log_in_before_anything_is_said_of_csrf(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    refused = client.post("/api/tokens", {"name": "x"}, content_type="application/json")
    assert_problem(refused, 401, "not_authenticated")
