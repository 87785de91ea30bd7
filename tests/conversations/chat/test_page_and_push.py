"""The page and the push are made of the same leaves: either way one sees the same."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client

from conversations import rendering
from conversations.choices import EventKind
from conversations.models import Conversation, Event
from tests.conversations.chat.page import Element, read, read_html
from tests.conversations.factories import make_run_tree


def shape(element: Element | str) -> object:
    """An element as plain data, without CSRF fields, white space and running times."""
    if isinstance(element, str):
        return re.sub(r"\s+", " ", element).strip()
    if {"data-since", "data-until"} & element.attributes.keys():
        return (element.tag, element.attributes)
    children = [shape(child) for child in element.children if not _is_token(child)]
    kept = [child for child in children if child != ""]
    return (element.tag, element.attributes, kept)


def _is_token(child: Element | str) -> bool:
    if isinstance(child, str):
        return False
    return child.attributes.get("name") == "csrfmiddlewaretoken"


def put(page: Element, leaf: dict[str, object]) -> None:
    """As the script does: into its container, by its number."""
    if leaf["html"] == "":
        return
    (fresh,) = read_html(str(leaf["html"])).all(id=str(leaf["id"]))
    here = page.all(id=str(leaf["id"]))
    if here and leaf["frame"]:
        return
    if here:
        here[0].attributes, here[0].children = fresh.attributes, fresh.children
        return
    container = page.one(id=str(leaf["parent"]))
    container.children.append(fresh)
    container.children = sorted(
        (child for child in container.children if isinstance(child, Element)),
        key=lambda child: int(child.attributes["data-order"]),
    )


def note_messages(conversation: Conversation) -> None:
    """The engine notes each message at its own number; sample runs leave some out."""
    noted = set(Event.objects.values_list("row", flat=True))
    Event.objects.bulk_create(
        Event(
            conversation=conversation,
            run_id=message.run_id,
            number=message.number,
            kind=EventKind.MESSAGE,
            row=message.id,
            created_at=message.created_at,
        )
        for message in conversation.messages.exclude(id__in=noted)
    )


@pytest.mark.parametrize("outcome", ["done", "sent", "waiting", "failed", "running"])
def test_a_transcript_put_together_from_pushes_equals_the_page(
    alice: Client, owner: User, outcome: str
) -> None:
    run = make_run_tree(owner, outcome)
    conversation = Conversation.objects.select_related("team", "owner").get()
    note_messages(conversation)
    whole = read(alice.get(f"/c/{run.conversation_id}/")).one(id="transcript")
    built = Element("div", whole.attributes)
    page = Element("", {}, [built])
    known: set[str] = set()

    for number in range(conversation.last_number):
        for frame in rendering.changes(conversation, number, owner, known):
            for leaf in frame["leaves"]:
                put(page, leaf)

    assert shape(built) == shape(whole)


def test_a_frame_stays_below_64_kilobytes(owner: User) -> None:
    run = make_run_tree(owner, "done")
    for _ in range(12):
        run.conversation.refresh_from_db()
        make_run_tree(owner, "sent", conversation=run.conversation)
    run.conversation.messages.update(text="Lorem **ipsum** “dolor” <sit> " * 250)
    conversation = Conversation.objects.select_related("team", "owner").get()

    frames = rendering.changes(conversation, 0, owner, set())

    sizes = [len(str(frame).encode()) for frame in frames]
    assert len(sizes) > 1
    assert max(sizes) < 64_000
