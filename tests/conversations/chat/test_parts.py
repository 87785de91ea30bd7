"""What the page's script asks for over HTTP."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from conversations.models import Message, Run, ToolCall
from tests.conversations.chat.page import read, read_html


def test_changes_are_the_frames_of_the_push(alice: Client, done_run: Run) -> None:
    answer = alice.get(f"/c/{done_run.conversation_id}/changes/?after=0").json()

    last = answer["frames"][-1]
    assert last["number"] == done_run.conversation.last_number
    assert (last["state"], last["open"]) == ("SUCCEEDED", False)


@pytest.mark.parametrize("after", ["x", "-1", "", "1e9"])
def test_a_number_that_is_none_asks_for_everything(
    alice: Client, done_run: Run, after: str
) -> None:
    path = f"/c/{done_run.conversation_id}/changes/"

    assert alice.get(path, {"after": after}).json() == alice.get(path).json()


def test_nothing_new_is_no_frame(alice: Client, done_run: Run) -> None:
    number = done_run.conversation.last_number
    path = f"/c/{done_run.conversation_id}/changes/?after={number}"

    assert alice.get(path).json() == {"frames": []}


def test_a_leaf_is_sent_alone(alice: Client, done_run: Run) -> None:
    said = Message.objects.filter(author="ACCOUNT_AGENT").exclude(text="").get()

    html = alice.get(
        f"/c/{done_run.conversation_id}/leaves/{done_run.id}/{said.id}/"
    ).content.decode()

    assert read_html(html).children[0].attributes["id"] == f"message-{said.id}"


def test_a_leaf_that_does_not_exist_is_not_found(alice: Client, done_run: Run) -> None:
    path = f"/c/{done_run.conversation_id}/leaves/{done_run.id}/{uuid4()}/"

    assert alice.get(path).status_code == 404


def test_a_tool_call_is_shown_in_full(alice: Client, done_run: Run) -> None:
    call = ToolCall.objects.get(name="lookup_account")
    call.result = '{"note": "' + "x" * 15_000 + ' the end"}'
    call.save()
    path = f"/c/{done_run.conversation_id}/text/calls/{call.id}/"

    page = read(alice.get(path))

    assert '"customer_id": "C-1001"' in page.text
    assert "the end" in page.text
