"""What is sent again with its ``client_id`` is done once, whatever it was."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection

from conversations.choices import RequestKind
from conversations.models import Conversation, HumanRequest, Message, Run
from teams.models import Team
from tests.api.client import Api, assert_problem
from tests.conversations.factories import make_run_tree

pytestmark = pytest.mark.usefixtures("idle")

AT_ONCE = 4


@pytest.fixture
def asking(owner: User) -> Run:
    """A run that waits with one open question."""
    run = make_run_tree(owner, "waiting")
    HumanRequest.objects.update(kind=RequestKind.QUESTION, prompt="Which customer?")
    return run


def say(api: Api, run: Run, content: str, client_id: str) -> Any:
    body = {"content": content, "client_id": client_id}
    return api.post(f"/conversations/{run.conversation_id}/messages", body)


def all_at_once(api: Api, path: str, body: object) -> list[Any]:
    """The answers to one request that came several times in the same moment."""
    barrier = Barrier(AT_ONCE)

    def send() -> Any:
        try:
            barrier.wait(timeout=30)
            return api.post(path, body)
        finally:
            connection.close()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        sent = [pool.submit(send) for _ in range(AT_ONCE)]
        return [each.result() for each in sent]


@pytest.mark.django_db
def test_an_answer_sent_again_returns_the_run_that_it_answered(
    api: Api, asking: Run
) -> None:
    first = say(api, asking, "C-1001", "a-1")
    again = say(api, asking, "C-1001", "a-1")

    for answer in (first, again):
        assert answer.status_code == 202
        assert answer.json()["run"]["id"] == str(asking.pk)
    assert Run.objects.count() == 1


@pytest.mark.django_db
def test_an_answer_sent_again_answers_no_later_question(api: Api, asking: Run) -> None:
    say(api, asking, "C-1001", "a-1")
    HumanRequest.objects.update(state="PENDING", answer="")
    Run.objects.update(state="WAITING_FOR_HUMAN")

    again = say(api, asking, "C-1001", "a-1")

    assert again.status_code == 202
    assert HumanRequest.objects.get().state == "PENDING"


@pytest.mark.django_db
@pytest.mark.parametrize("outcome", ["running", "waiting"])
def test_an_earlier_request_sent_again_returns_its_run_while_a_later_one_is_open(
    api: Api, owner: User, outcome: str
) -> None:
    earlier = make_run_tree(owner, "done")
    Run.objects.update(client_id="r-1")
    make_run_tree(owner, outcome, conversation=earlier.conversation)
    messages = Message.objects.count()

    as_message = say(api, earlier, "Hello", "r-1")
    body = {"prompt": "Hello", "client_id": "r-1"}
    as_run = api.post("/runs", body | {"conversation_id": str(earlier.conversation_id)})

    assert as_message.json()["run"]["id"] == str(earlier.pk)
    assert as_run.json()["id"] == str(earlier.pk)
    assert Message.objects.count() == messages


@pytest.mark.django_db
def test_two_people_may_use_the_same_id_in_one_conversation(
    api: Api, admin_api: Api, owner: User
) -> None:
    done = make_run_tree(owner, "done")
    first = say(api, done, "Hello", "1").json()["run"]
    Run.objects.filter(pk=first["id"]).update(state="SUCCEEDED")

    other = say(admin_api, done, "May I help?", "1")

    assert other.status_code == 202
    assert other.json()["run"]["prompt"] == "May I help?"


@pytest.mark.django_db(transaction=True)
def test_the_same_request_at_the_same_moment_opens_one_conversation(
    api: Api, support_team: Team
) -> None:
    body = {"team": "SUPPORT_TEAM", "prompt": "Hello", "client_id": "click"}

    answers = all_at_once(api, "/runs", body)

    assert {answer.status_code for answer in answers} == {202}
    assert {answer.json()["id"] for answer in answers} == {str(Run.objects.get().pk)}
    assert Conversation.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("outcome", ["done", "asking"])
def test_the_same_message_at_the_same_moment_is_taken_once(
    api: Api, owner: User, outcome: str, request: pytest.FixtureRequest
) -> None:
    run = (
        request.getfixturevalue("asking")
        if outcome == "asking"
        else make_run_tree(owner, outcome)
    )
    path = f"/conversations/{run.conversation_id}/messages"

    answers = all_at_once(api, path, {"content": "C-1001", "client_id": "click"})

    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["run"]["id"] for answer in answers}) == 1
    assert Run.objects.count() == (1 if outcome == "asking" else 2)


@pytest.mark.django_db
def test_another_answer_to_a_settled_question_is_still_told_of_the_first(
    api: Api, asking: Run
) -> None:
    say(api, asking, "C-1001", "a-1")
    settled = HumanRequest.objects.get()

    late = api.post(f"/human-requests/{settled.pk}/respond", {"answer": "C-1002"})

    problem = assert_problem(late, 409, "already_decided")
    assert problem["request"]["answer"] == "C-1001"
