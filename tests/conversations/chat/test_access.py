"""Every address of the chat: who is let in, and with which method."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from conversations.models import Conversation, HumanRequest, Message, Run, ToolCall

SCRIPT = {"HX-Request": "true"}

# The last part of the address, the method it takes, what a proper post says.
READS = ["", "changes/", "earlier/?before=1", "leaf", "text"]
COMMANDS = ["messages/", "stop", "retry", "request", "rename/", "delete/"]


def address(run: Run, part: str, conversation: UUID | None = None) -> str:
    if part == "leaf":
        part = f"leaves/{run.id}/{run.request_id}/"
    elif part == "text":
        part = f"text/messages/{run.request_id}/"
    elif part == "request":
        part = f"requests/{HumanRequest.objects.get(run=run).id}/"
    elif part in ("stop", "retry"):
        part = f"runs/{run.id}/{part}/"
    return f"/c/{conversation or run.conversation_id}/{part}"


@pytest.mark.parametrize("part", READS)
def test_the_owner_reads(alice: Client, waiting_run: Run, part: str) -> None:
    assert alice.get(address(waiting_run, part)).status_code == 200


@pytest.mark.parametrize("part", READS)
def test_a_stranger_reads_nothing(charlie: Client, waiting_run: Run, part: str) -> None:
    theirs = charlie.get(address(waiting_run, part))
    none = charlie.get(address(waiting_run, part, uuid4()))

    assert (theirs.status_code, none.status_code) == (404, 404)


@pytest.mark.parametrize("part", COMMANDS)
def test_a_stranger_commands_nothing(
    charlie: Client, waiting_run: Run, part: str
) -> None:
    before = list(Run.objects.values())
    data = {"content": "x", "decision": "approve", "title": "x"}

    theirs = charlie.post(address(waiting_run, part), data, headers=SCRIPT)
    none = charlie.post(address(waiting_run, part, uuid4()), data, headers=SCRIPT)

    assert (theirs.status_code, none.status_code) == (404, 404)
    assert theirs.content == none.content
    assert list(Run.objects.values()) == before
    assert HumanRequest.objects.get().state == "PENDING"
    assert Conversation.objects.get().deleted_at is None


@pytest.mark.parametrize("part", READS)
def test_nobody_reads_without_a_log_in(
    client: Client, waiting_run: Run, part: str
) -> None:
    path = address(waiting_run, part)

    assert client.get(path)["Location"].startswith("/accounts/login/?next=/c/")
    script = client.get(path, headers=SCRIPT)
    assert (script.status_code, script["HX-Redirect"]) == (401, "/accounts/login/")
    json = client.get(path, headers={"Accept": "application/json"})
    assert json.status_code == 401


@pytest.mark.parametrize("part", COMMANDS)
def test_nobody_commands_without_a_log_in(
    client: Client, waiting_run: Run, part: str
) -> None:
    answer = client.post(address(waiting_run, part), {"content": "x"})

    assert answer["Location"] == "/accounts/login/?next=/"
    assert client.post(address(waiting_run, part), headers=SCRIPT).status_code == 401


@pytest.mark.parametrize("part", READS)
def test_reads_take_no_post(alice: Client, waiting_run: Run, part: str) -> None:
    assert alice.post(address(waiting_run, part)).status_code == 405


@pytest.mark.parametrize("part", COMMANDS)
def test_commands_take_no_get(alice: Client, waiting_run: Run, part: str) -> None:
    assert alice.get(address(waiting_run, part)).status_code == 405
    assert alice.put(address(waiting_run, part)).status_code == 405


@pytest.mark.parametrize("part", ["stop", "retry", "request"])
def test_a_run_is_reached_through_its_own_conversation_only(
    alice: Client, owner: User, waiting_run: Run, part: str
) -> None:
    other = Conversation.objects.create(owner=owner, team=waiting_run.conversation.team)

    answer = alice.post(address(waiting_run, part, other.id), {"decision": "approve"})

    assert answer.status_code == 404
    assert HumanRequest.objects.get().state == "PENDING"


@pytest.mark.parametrize("kind", ["messages", "calls"])
def test_a_text_is_reached_through_its_own_conversation_only(
    alice: Client, owner: User, waiting_run: Run, kind: str
) -> None:
    other = Conversation.objects.create(owner=owner, team=waiting_run.conversation.team)
    rows = Message.objects if kind == "messages" else ToolCall.objects
    row = rows.first()
    assert row is not None

    here = alice.get(f"/c/{waiting_run.conversation_id}/text/{kind}/{row.pk}/")
    there = alice.get(f"/c/{other.id}/text/{kind}/{row.pk}/")

    assert (here.status_code, there.status_code) == (200, 404)


def test_a_forged_post_is_refused(owner: User, waiting_run: Run) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)

    answer = client.post(address(waiting_run, "request"), {"decision": "approve"})

    assert answer.status_code == 403
    assert HumanRequest.objects.get().state == "PENDING"


def test_a_deleted_conversation_is_gone(alice: Client, done_run: Run) -> None:
    alice.post(f"/c/{done_run.conversation_id}/delete/")

    assert alice.get(f"/c/{done_run.conversation_id}/").status_code == 404
