"""Bearer tokens: made, shown once, used, revoked."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from teams.models import ApiToken
from tests.api.client import Api, assert_problem, fields

pytestmark = pytest.mark.django_db


def test_a_new_token_is_shown_once_and_works(api: Api) -> None:
    made = api.post("/tokens", {"name": "laptop"})
    assert made.status_code == 201
    assert set(made.json()) == {"id", "name", "token"}
    caller = Api()
    caller.headers["Authorization"] = f"Bearer {made.json()['token']}"
    listed = caller.get("/tokens").json()
    assert listed["count"] == 2
    assert [token["name"] for token in listed["items"]] == ["laptop", "tests"]
    assert set(listed["items"][0]) == {"id", "name", "created_at", "last_used_at"}


def test_only_the_hash_of_a_token_is_stored(api: Api) -> None:
    text = api.post("/tokens", {"name": "laptop"}).json()["token"]
    for row in ApiToken.objects.values():
        assert text not in str(row)


def test_a_revoked_token_is_refused(api: Api, owner: User) -> None:
    token = ApiToken.objects.get(user=owner)
    assert api.delete(f"/tokens/{token.pk}").status_code == 204
    assert_problem(api.get("/tokens"), 401, "not_authenticated")


def test_another_persons_token_cannot_be_revoked(
    api: Api, stranger_api: Api, stranger: User
) -> None:
    token = ApiToken.objects.get(user=stranger)
    refused = api.delete(f"/tokens/{token.pk}")
    assert_problem(refused, 404, "not_found")
    assert refused.content == api.delete(f"/tokens/{uuid4()}").content
    assert ApiToken.objects.filter(pk=token.pk).exists()


@pytest.mark.parametrize(
    ("body", "field"),
    [({}, "name"), ({"name": ""}, "name"), ({"name": "a", "scope": "all"}, "scope")],
)
def test_a_bad_body_is_refused_by_field(api: Api, body: object, field: str) -> None:
    problem = assert_problem(api.post("/tokens", body), 422, "invalid")
    assert fields(problem) == [field]
    assert ApiToken.objects.count() == 1


def test_the_time_of_use_is_written_at_most_once_a_minute(
    api: Api, owner: User
) -> None:
    api.get("/tokens")
    token = ApiToken.objects.get(user=owner)
    assert token.last_used_at is not None
    recent = timezone.now() - timedelta(seconds=50)
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=recent)
    api.get("/tokens")
    token.refresh_from_db()
    assert token.last_used_at == recent
    old = timezone.now() - timedelta(seconds=70)
    ApiToken.objects.filter(pk=token.pk).update(last_used_at=old)
    api.get("/tokens")
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert token.last_used_at > old
