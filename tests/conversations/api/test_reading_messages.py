"""``GET /conversations/{id}/messages``."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from conversations.models import Run
from tests.api.client import Api, assert_problem, fields
from tests.conversations.factories import ANSWER, PROMPT, make_run_tree

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(owner: User) -> Run:
    return make_run_tree(owner, "done")


def path(run: Run, query: str = "") -> str:
    return f"/conversations/{run.conversation_id}/messages{query}"


def test_a_message_object(api: Api, run: Run) -> None:
    got = api.get(path(run)).json()["items"][0]
    assert got.pop("created_at").endswith("Z")
    assert got == {
        "id": str(run.request_id),
        "number": 1,
        "run_id": str(run.pk),
        "task_run_id": None,
        "author": "alice",
        "role": "user",
        "text": PROMPT,
        "state": "complete",
    }


def test_messages_come_in_order_with_those_of_the_workers(api: Api, run: Run) -> None:
    got = api.get(path(run)).json()
    numbers = [message["number"] for message in got["items"]]
    assert numbers == sorted(numbers)
    assert got["count"] == len(numbers) == run.messages.count()
    assert got["items"][-1]["text"] == ANSWER
    request = got["items"][2]
    assert (request["author"], request["role"]) == ("SUPPORT_SUPERVISOR", "user")
    assert request["text"] == "Show the account of customer C-1001."


def test_only_those_after_a_number(api: Api, run: Run) -> None:
    every = api.get(path(run)).json()["items"]
    third = every[2]["number"]
    got = api.get(path(run, f"?after={third}")).json()
    assert got["items"] == every[3:]
    assert got["count"] == len(every) - 3


def test_a_page_of_them(api: Api, run: Run) -> None:
    every = api.get(path(run)).json()["items"]
    got = api.get(path(run, "?limit=2&offset=1")).json()
    assert got == {"items": every[1:3], "count": len(every)}


def test_only_those_of_one_run(api: Api, owner: User, run: Run) -> None:
    later = make_run_tree(owner, "failed", conversation=run.conversation)
    got = api.get(path(run, f"?run_id={later.pk}")).json()["items"]
    assert {message["run_id"] for message in got} == {str(later.pk)}


@pytest.mark.parametrize(
    ("query", "field"),
    [("?limit=201", "limit"), ("?offset=-1", "offset"), ("?after=x", "after")],
)
def test_a_wrong_page_is_named(api: Api, run: Run, query: str, field: str) -> None:
    problem = assert_problem(api.get(path(run, query)), 422, "invalid")
    assert fields(problem) == [field]


def test_the_queries_do_not_grow(
    api: Api, owner: User, run: Run, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    api.get(path(run))
    with django_assert_num_queries(7):
        api.get(path(run))
    make_run_tree(owner, "sent", conversation=run.conversation)
    with django_assert_num_queries(7):
        api.get(path(run))
