"""Posting a message: a new request, an answer, or a refusal that keeps the text."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from conversations.models import HumanRequest, Message, Run
from tests.conversations.chat.page import read
from tests.conversations.factories import make_run_tree

SCRIPT = {"HX-Request": "true"}


def test_a_follow_up_starts_the_next_run(alice: Client, done_run: Run) -> None:
    path = f"/c/{done_run.conversation_id}/messages/"

    answer = alice.post(path, {"content": "And the last one?"})

    run = Run.objects.exclude(pk=done_run.pk).get()
    assert answer.status_code == 303
    assert answer["Location"] == f"/c/{done_run.conversation_id}/"
    assert (run.follows_id, run.request.text) == (done_run.pk, "And the last one?")


def test_the_script_is_told_that_something_changed(
    alice: Client, done_run: Run
) -> None:
    path = f"/c/{done_run.conversation_id}/messages/"

    answer = alice.post(path, {"content": "More"}, headers=SCRIPT)

    assert answer.status_code == 202
    assert answer["HX-Trigger"] == "chat-changed"
    assert answer.content == b""


def test_a_resent_message_is_taken_once(alice: Client, done_run: Run) -> None:
    path = f"/c/{done_run.conversation_id}/messages/"
    message = {"content": "More", "client_id": "abc"}

    assert [alice.post(path, message).status_code for _ in range(2)] == [303, 303]
    assert Run.objects.count() == 2


def test_an_open_question_is_answered_by_a_message(
    alice: Client, waiting_run: Run
) -> None:
    HumanRequest.objects.update(kind="question", prompt="Which one?")

    alice.post(f"/c/{waiting_run.conversation_id}/messages/", {"content": "C-1001"})

    request = HumanRequest.objects.get()
    assert (request.state, request.answer) == ("ANSWERED", "C-1001")
    assert not Message.objects.filter(text="C-1001").exists()


@pytest.mark.parametrize(
    ("outcome", "content", "status", "words"),
    [
        ("running", "And now?", 409, "still working on the last request"),
        ("waiting", "yes", 409, "waits for your decision"),
        ("done", "", 422, "the message is empty"),
        ("done", "x" * 200_000, 422, "at most 100000 are allowed"),
    ],
)
def test_a_refusal_says_why_and_keeps_the_text(
    alice: Client, owner: User, outcome: str, content: str, status: int, words: str
) -> None:
    run = make_run_tree(owner, outcome)
    path = f"/c/{run.conversation_id}/messages/"
    before = Message.objects.count()

    plain = alice.post(path, {"content": content})
    script = alice.post(path, {"content": content}, headers=SCRIPT)

    page = read(plain)
    assert (plain.status_code, script.status_code) == (status, status)
    assert words in page.one(id="composer-error").text
    assert words in script.content.decode()
    assert page.one("textarea").text == content
    assert Message.objects.count() == before
    assert list(HumanRequest.objects.exclude(state="PENDING")) == []


def test_who_may_only_read_writes_nothing(
    charlie: Client, stranger: User, done_run: Run
) -> None:
    stranger.user_permissions.add(Permission.objects.get(codename="view_all"))
    path = f"/c/{done_run.conversation_id}/messages/"

    answer = charlie.post(path, {"content": "Me too"}, headers=SCRIPT)

    assert answer.status_code == 403
    assert Run.objects.count() == 1


def test_an_error_s_text_is_escaped(alice: Client, done_run: Run) -> None:
    answer = alice.post("/", {"team": "<b>x</b>", "content": "Hi"}, headers=SCRIPT)

    assert "<b>" not in answer.content.decode()
    assert "&lt;b&gt;" in answer.content.decode()
