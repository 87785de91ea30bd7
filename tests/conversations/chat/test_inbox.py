"""The inbox: what waits for me."""

from __future__ import annotations

from django.contrib.auth.models import Permission, User
from django.test import Client

from conversations.models import HumanRequest, Run
from tests.conversations.chat.page import read
from tests.conversations.factories import make_run_tree


def test_it_leads_to_the_card(alice: Client, waiting_run: Run) -> None:
    request = HumanRequest.objects.get()

    item = read(alice.get("/inbox/")).one("a", class_="inbox-item")

    assert item.attributes["href"] == (
        f"/c/{waiting_run.conversation_id}/#request-{request.id}"
    )
    assert "send_email" in item.text


def test_it_is_empty_when_nothing_waits(alice: Client, done_run: Run) -> None:
    assert "Nothing waits for you" in read(alice.get("/inbox/")).text


def test_it_shows_nobody_else_s(charlie: Client, waiting_run: Run) -> None:
    assert "Nothing waits for you" in read(charlie.get("/inbox/")).text


def test_an_operator_sees_all(
    charlie: Client, stranger: User, waiting_run: Run, owner: User
) -> None:
    stranger.user_permissions.add(Permission.objects.get(codename="answer_any"))
    make_run_tree(owner, "waiting")

    assert len(read(charlie.get("/inbox/")).all("a", class_="inbox-item")) == 2


def test_it_asks_for_a_log_in(client: Client) -> None:
    assert client.get("/inbox/")["Location"].startswith("/accounts/login/")
