"""``POST /conversations/{id}/messages``."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from conversations.models import HumanRequest, Message, Run
from tests.api.client import Api, assert_problem, fields
from tests.conversations.factories import make_run_tree

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("idle")]


@pytest.fixture
def done(owner: User) -> Run:
    return make_run_tree(owner, "done")


def say(api: Api, run: Run, body: Any) -> Any:
    return api.post(f"/conversations/{run.conversation_id}/messages", body)


def test_a_message_starts_a_run(api: Api, done: Run) -> None:
    posted = say(api, done, {"content": "And the plan?"})
    assert posted.status_code == 202
    run = posted.json()["run"]
    assert (run["state"], run["prompt"]) == ("QUEUED", "And the plan?")
    assert run["conversation_id"] == str(done.conversation_id)
    assert run == api.get(f"/runs/{run['id']}").json()


def test_its_options_stand_in_the_run(api: Api, done: Run) -> None:
    body = {"content": "Hello", "read_only": True, "debug": True}
    run = say(api, done, body).json()["run"]
    assert (run["read_only"], run["debug"]) == (True, True)


def test_a_repeated_client_id_gives_the_first_run(api: Api, done: Run) -> None:
    body = {"content": "Hello", "client_id": "c-1"}
    first = say(api, done, body)
    again = say(api, done, body)
    assert first.json()["run"]["id"] == again.json()["run"]["id"]
    assert (first.status_code, again.status_code) == (202, 202)
    assert Run.objects.count() == 2


def test_a_message_while_the_run_works_is_refused_with_that_run(
    api: Api, owner: User
) -> None:
    run = make_run_tree(owner, "running")
    messages = Message.objects.count()
    problem = assert_problem(
        say(api, run, {"content": "Faster"}), 409, "conversation_busy"
    )
    assert problem["run"]["id"] == str(run.pk)
    assert Message.objects.count() == messages


def test_free_text_never_approves(api: Api, owner: User) -> None:
    run = make_run_tree(owner, "waiting")
    problem = assert_problem(say(api, run, {"content": "yes"}), 409, "decision_needed")
    assert problem["run"]["human_request"]["state"] == "PENDING"
    assert HumanRequest.objects.get().state == "PENDING"


@pytest.mark.parametrize(
    ("body", "code", "field"),
    [
        ({}, "invalid", "content"),
        ({"content": ""}, "invalid", "content"),
        ({"content": "x" * 100_001}, "prompt_too_long", "content"),
        ({"content": "x" * 200_000}, "prompt_too_long", "content"),
        ({"content": "a", "team": "b"}, "invalid", "team"),
    ],
)
def test_a_bad_message_is_refused_by_field(
    api: Api, done: Run, body: object, code: str, field: str
) -> None:
    messages = Message.objects.count()
    problem = assert_problem(say(api, done, body), 422, code)
    assert fields(problem) == [field]
    assert Message.objects.count() == messages


def test_nobody_says_anything(anonymous: Api, done: Run) -> None:
    refused = say(anonymous, done, {"content": "Hello"})
    assert_problem(refused, 401, "not_authenticated")
