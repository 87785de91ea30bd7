"""Pages read in a number of queries that does not grow with what they show."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from conversations import rendering
from conversations.models import Conversation, Run
from tests.conversations.factories import make_run_tree

CONVERSATION_PAGE = 19
START_PAGE = 9
PUSH = 14


def queries(work: Any) -> int:
    work()
    with CaptureQueriesContext(
        connection,
    ) as captured:
        work()
    return len(captured)


def test_a_conversation_s_page(alice: Client, owner: User, done_run: Run) -> None:
    address = f"/c/{done_run.conversation_id}/"
    few = queries(lambda: alice.get(address))
    for outcome in ("done", "sent", "failed", "waiting"):
        done_run.conversation.refresh_from_db()
        make_run_tree(owner, outcome, conversation=done_run.conversation)

    many = queries(lambda: alice.get(address))

    # What waits costs one query more.
    assert many <= few + 1
    assert many <= CONVERSATION_PAGE


def test_the_start_page(alice: Client, owner: User, done_run: Run) -> None:
    few = queries(lambda: alice.get("/"))
    for _ in range(5):
        make_run_tree(owner, "done")

    many = queries(lambda: alice.get("/"))

    assert many == few
    assert many <= START_PAGE


@pytest.mark.parametrize("outcome", ["done", "sent", "waiting"])
def test_a_push(owner: User, outcome: str) -> None:
    run = make_run_tree(owner, outcome)
    conversation = Conversation.objects.select_related("team", "owner").get()
    last = run.conversation.last_number

    one = queries(lambda: rendering.changes(conversation, last - 1, owner, set()))
    all_of_it = queries(lambda: rendering.changes(conversation, 0, owner, set()))

    assert all_of_it <= one + 1
    assert all_of_it <= PUSH
