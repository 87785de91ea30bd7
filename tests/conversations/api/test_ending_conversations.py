"""``POST /conversations/{id}/end`` and ``/reopen`` (H10)."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission, User

from conversations.models import Run
from tests.api.client import Api, assert_problem
from tests.conftest import make_user
from tests.conversations.factories import make_run_tree

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.usefixtures("idle"),
]
ACTIONS = pytest.mark.parametrize("action", ["end", "reopen"])


@pytest.fixture
def done(owner: User) -> Run:
    return make_run_tree(owner, "done")


def path(run: Run, ending: str) -> str:
    return f"/conversations/{run.conversation_id}/{ending}"


def test_an_ended_conversation_says_by_whom_and_takes_no_message(
    api: Api, done: Run
) -> None:
    ended = api.post(path(done, "end"))
    assert ended.status_code == 200
    assert ended.json()["ended_by"] == "user"
    assert ended.json()["ended_at"]
    refused = api.post(path(done, "messages"), {"content": "Hello"})
    assert_problem(refused, 409, "conversation_ended")


def test_a_reopened_one_takes_messages_again(api: Api, done: Run) -> None:
    api.post(path(done, "end"))
    reopened = api.post(path(done, "reopen"))
    assert reopened.status_code == 200
    assert (reopened.json()["ended_by"], reopened.json()["ended_at"]) == (None, None)
    assert api.post(path(done, "messages"), {"content": "Hello"}).status_code == 202


def test_ending_stops_the_run_that_waits(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "waiting")
    assert api.post(path(run, "end")).json()["open_run_id"] is None
    got = api.get(f"/runs/{run.pk}").json()
    assert (got["state"], got["ended_by"]) == ("CANCELLED", "user")


def test_an_operator_may_end_it_too(done: Run) -> None:
    user = make_user("agent", is_staff=True)
    names = ["answer_any", "view_all"]
    user.user_permissions.set(Permission.objects.filter(codename__in=names))
    assert Api(user).post(path(done, "end")).json()["ended_by"] == "operator"


@ACTIONS
def test_others_change_nothing(
    stranger_api: Api, anonymous: Api, done: Run, action: str
) -> None:
    refused = stranger_api.post(path(done, action))
    assert_problem(refused, 404, "not_found")
    none = stranger_api.post(f"/conversations/{uuid4()}/{action}")
    assert refused.content == none.content
    assert_problem(anonymous.post(path(done, action)), 401, "not_authenticated")
    auditor = make_user("auditor")
    auditor.user_permissions.add(Permission.objects.get(codename="view_all"))
    assert_problem(Api(auditor).post(path(done, action)), 403, "forbidden")
    done.conversation.refresh_from_db()
    assert done.conversation.ended_at is None


@ACTIONS
def test_it_is_a_post(api: Api, done: Run, action: str) -> None:
    assert_problem(api.get(path(done, action)), 405, "method_not_allowed")
