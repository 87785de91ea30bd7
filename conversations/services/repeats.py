"""A request that was sent before: known by the id that its client gave it."""

from __future__ import annotations

from django.contrib.auth.models import User

from conversations.models import Conversation, HumanRequest, Run


def repeated(
    user: User, conversation: Conversation | None, client_id: str
) -> Run | None:
    """The run that the person's request of this id started or, in a conversation,
    answered a question of. Without a conversation any of the person's runs counts."""
    if not client_id:
        return None
    runs = Run.objects.filter(client_id=client_id, requested_by=user)
    if conversation is None:
        return runs.order_by("created_at").first()
    return runs.filter(conversation=conversation).first() or _answered(
        user, conversation, client_id
    )


def _answered(user: User, conversation: Conversation, client_id: str) -> Run | None:
    answers = HumanRequest.objects.filter(
        run__conversation=conversation, client_id=client_id, decided_by=user
    )
    first = answers.select_related("run").first()
    return first.run if first else None
