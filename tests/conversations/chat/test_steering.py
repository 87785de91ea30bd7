"""Stop, retry, rename and delete."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from conversations.models import Conversation, Run
from tests.conversations.chat.page import read
from tests.conversations.factories import make_run_tree

SCRIPT = {"HX-Request": "true"}


def test_stop_ends_a_run_that_waits(alice: Client, waiting_run: Run) -> None:
    path = f"/c/{waiting_run.conversation_id}/runs/{waiting_run.id}/stop/"

    answer = alice.post(path, headers=SCRIPT)

    waiting_run.refresh_from_db()
    assert answer.status_code == 202
    assert waiting_run.state == "CANCELLED"


def test_stop_of_a_run_that_has_ended_changes_nothing(
    alice: Client, done_run: Run
) -> None:
    path = f"/c/{done_run.conversation_id}/runs/{done_run.id}/stop/"

    assert alice.post(path).status_code == 303
    done_run.refresh_from_db()
    assert done_run.state == "SUCCEEDED"


def test_retry_opens_a_failed_run_again(alice: Client, failed_run: Run) -> None:
    path = f"/c/{failed_run.conversation_id}/runs/{failed_run.id}/retry/"

    answer = alice.post(path, headers=SCRIPT)

    failed_run.refresh_from_db()
    assert answer.status_code == 202
    assert failed_run.state == "QUEUED"


def test_retry_of_a_run_that_is_not_the_last_says_so(
    alice: Client, owner: User, failed_run: Run
) -> None:
    make_run_tree(owner, "done", conversation=failed_run.conversation)
    path = f"/c/{failed_run.conversation_id}/runs/{failed_run.id}/retry/"

    answer = alice.post(path)

    assert answer.status_code == 409
    assert "later request" in read(answer).one(id="composer-error").text


def test_a_conversation_is_renamed(alice: Client, done_run: Run) -> None:
    path = f"/c/{done_run.conversation_id}/rename/"

    answer = alice.post(path, {"title": "  Ada's account  "}, headers=SCRIPT)

    assert answer.status_code == 202
    assert Conversation.objects.get().title == "Ada's account"


@pytest.mark.parametrize("title", ["", "  ", "x" * 201])
def test_a_title_that_is_none_is_refused(
    alice: Client, done_run: Run, title: str
) -> None:
    before = Conversation.objects.get().title
    path = f"/c/{done_run.conversation_id}/rename/"

    answer = alice.post(path, {"title": title}, headers=SCRIPT)

    assert answer.status_code == 422
    assert Conversation.objects.get().title == before


def test_a_conversation_is_deleted(alice: Client, done_run: Run) -> None:
    path = f"/c/{done_run.conversation_id}/delete/"

    answer = alice.post(path, headers=SCRIPT)

    assert answer["HX-Redirect"] == "/"
    assert read(alice.get("/")).all("a", class_="item") == []


def test_a_conversation_at_work_is_not_deleted(alice: Client, waiting_run: Run) -> None:
    path = f"/c/{waiting_run.conversation_id}/delete/"

    assert alice.post(path, headers=SCRIPT).status_code == 409
    assert Conversation.objects.get().deleted_at is None
