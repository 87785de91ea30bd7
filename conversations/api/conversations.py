"""``/conversations`` and their messages."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from ninja import Query, Router, Status

from conversations import describe
from conversations.api.bodies import (
    ConversationFilters,
    ConversationIn,
    ConversationPatch,
    MessageIn,
)
from conversations.api.runs import run_answer
from conversations.api.schemas import (
    ConversationOut,
    ConversationPage,
    MessagePage,
    PostedOut,
)
from conversations.models import Conversation, Message, Run
from conversations.permissions import conversation_for, visible_conversations
from conversations.selectors.private import hidden_tasks, said_to_people
from conversations.services import conversations as service
from conversations.services.messages import post_message
from conversations.services.runs import RunOptions
from supervisor_site.api_base import ApiRequest, Paging, page
from teams.selectors import team_for_run

router = Router(tags=["conversations"])


@router.get(
    "",
    response=ConversationPage,
    summary="List conversations",
    operation_id="list_conversations",
)
def list_conversations(
    request: ApiRequest,
    filters: Query[ConversationFilters],
    paging: Query[Paging],
) -> dict[str, Any]:
    """One's own, newest first; with ``all=true`` every one that one may read."""
    rows = visible_conversations(request.user)
    if not filters.everyone:
        rows = rows.filter(owner=request.user)
    rows = describe.for_conversation_objects(rows.order_by("-updated_at", "-pk"))
    return page(rows, paging, describe.conversation_object)


@router.post(
    "",
    response={201: ConversationOut},
    summary="Open a conversation",
    operation_id="create_conversation",
)
def create_conversation(request: ApiRequest, body: ConversationIn) -> Status[Any]:
    team = team_for_run(request.user, body.team)
    conversation = service.create_conversation(
        user=request.user, team=team, title=body.title
    )
    return Status(201, one_conversation(request, conversation.pk))


@router.get(
    "/{uuid:conversation_id}",
    response=ConversationOut,
    summary="Read a conversation",
    operation_id="get_conversation",
)
def get_conversation(request: ApiRequest, conversation_id: UUID) -> dict[str, Any]:
    return one_conversation(request, conversation_id)


@router.patch(
    "/{uuid:conversation_id}",
    response=ConversationOut,
    summary="Rename it",
    operation_id="rename_conversation",
)
def rename_conversation(
    request: ApiRequest, conversation_id: UUID, body: ConversationPatch
) -> dict[str, Any]:
    conversation = conversation_for(request.user, conversation_id)
    service.rename(user=request.user, conversation=conversation, title=body.title)
    return one_conversation(request, conversation_id)


@router.delete(
    "/{uuid:conversation_id}",
    response={204: None},
    summary="Delete it",
    operation_id="delete_conversation",
)
def delete_conversation(request: ApiRequest, conversation_id: UUID) -> Status[None]:
    conversation = conversation_for(request.user, conversation_id)
    service.delete(user=request.user, conversation=conversation)
    return Status(204, None)


@router.post(
    "/{uuid:conversation_id}/end",
    response=ConversationOut,
    summary="End a conversation",
    operation_id="end_conversation",
)
def end_conversation(request: ApiRequest, conversation_id: UUID) -> dict[str, Any]:
    """By its owner or an operator; a run at work is stopped."""
    conversation = conversation_for(request.user, conversation_id)
    service.end(user=request.user, conversation=conversation)
    return one_conversation(request, conversation_id)


@router.post(
    "/{uuid:conversation_id}/reopen",
    response=ConversationOut,
    summary="Open it again",
    operation_id="reopen_conversation",
)
def reopen_conversation(request: ApiRequest, conversation_id: UUID) -> dict[str, Any]:
    conversation = conversation_for(request.user, conversation_id)
    service.reopen(user=request.user, conversation=conversation)
    return one_conversation(request, conversation_id)


@router.get(
    "/{uuid:conversation_id}/messages",
    response=MessagePage,
    summary="Read its texts",
    operation_id="list_messages",
)
def list_messages(
    request: ApiRequest,
    conversation_id: UUID,
    paging: Query[Paging],
    after: int = 0,
    run_id: UUID | None = None,
) -> dict[str, Any]:
    """In order of their numbers, those of the workers' threads included; ``after``
    gives those with a higher number only. What a team hides from people is left out,
    and so are notices to agents."""
    conversation = conversation_for(request.user, conversation_id)
    runs = Run.objects.filter(conversation=conversation)
    rows = Message.objects.filter(conversation=conversation, number__gt=after)
    if run_id:
        runs, rows = runs.filter(pk=run_id), rows.filter(run_id=run_id)
    rows = said_to_people(rows, hidden_tasks(runs))
    rows = rows.defer("reasoning").order_by("number")
    return page(rows, paging, describe.message_object)


@router.post(
    "/{uuid:conversation_id}/messages",
    response={202: PostedOut},
    summary="Say something",
    operation_id="create_message",
)
def create_message(
    request: ApiRequest, conversation_id: UUID, body: MessageIn
) -> Status[Any]:
    """Starts a run, or answers the one open question of the run that waits."""
    run = post_message(
        user=request.user,
        conversation=conversation_for(request.user, conversation_id),
        content=body.content,
        options=RunOptions(
            read_only=body.read_only, debug=body.debug, client_id=body.client_id
        ),
    )
    return Status(202, {"run": run_answer(run.pk)})


def one_conversation(request: ApiRequest, conversation_id: UUID) -> dict[str, Any]:
    # Refuses what is not there or not theirs.
    found = conversation_for(request.user, conversation_id)
    row = describe.for_conversation_objects(Conversation.objects.filter(pk=found.pk))
    return describe.conversation_object(row.get())
