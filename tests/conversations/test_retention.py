"""Old conversations go, with all that happened in them; nothing else does."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from conversations.models import Conversation, Event, Message, Payload, Run, ToolCall
from conversations.services.retention import remove_old
from tests.conversations.factories import make_run_tree

pytestmark = pytest.mark.django_db


def aged(user: User, days: int, outcome: str = "done") -> Run:
    run = make_run_tree(user, outcome)
    then = timezone.now() - timedelta(days=days)
    Conversation.objects.filter(pk=run.conversation_id).update(updated_at=then)
    return run


def test_what_is_older_than_the_days_is_deleted_with_all_its_rows(owner: User) -> None:
    old, young = aged(owner, 31), aged(owner, 29)

    assert remove_old(30) == 1

    assert set(Conversation.objects.all()) == {young.conversation}
    assert set(Run.objects.all()) == {young}
    for rows in (
        Event.objects.filter(conversation=old.conversation_id),
        Message.objects.filter(conversation=old.conversation_id),
        ToolCall.objects.exclude(task_run__run=young),
    ):
        assert not rows.exists()
    assert Message.objects.filter(run=young).exists()


def test_a_run_that_waits_for_a_person_keeps_its_conversation(owner: User) -> None:
    waiting = aged(owner, 400, "waiting")

    assert remove_old(30) == 0
    assert Run.objects.filter(pk=waiting.pk).exists()


def test_large_texts_that_nothing_refers_to_any_more_go_too(owner: User) -> None:
    aged(owner, 31)
    used = set(ToolCall.objects.values_list("full_result", flat=True)) - {None}
    Payload.objects.create(digest="x" * 64, text="nobody's")
    hours_ago = timezone.now() - timedelta(hours=2)
    Payload.objects.update(created_at=hours_ago)

    remove_old(30)

    assert not Payload.objects.filter(pk__in=[*used, "x" * 64]).exists()


@pytest.mark.parametrize("days", [0, None])
def test_nothing_is_deleted_unless_days_are_set(owner: User, days: int | None) -> None:
    aged(owner, 4000)

    assert remove_old(days) == 0
    assert Run.objects.count() == 1


def test_the_command_says_what_would_go_and_lets_it_go(owner: User) -> None:
    aged(owner, 31)
    said = StringIO()

    call_command("retention", "--days", "30", "--dry-run", stdout=said)
    call_command("retention", "--days", "30", stdout=said)

    assert said.getvalue().splitlines() == [
        "Conversations that would be deleted: 1",
        "Conversations deleted: 1",
    ]
    assert not Conversation.objects.exists()


def test_the_command_wants_an_age() -> None:
    with pytest.raises(CommandError, match="--days 90"):
        call_command("retention")
