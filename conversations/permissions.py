"""Who may see and do what: one function a question, used by pages, API and sockets.

A stranger gets the same answer as for an object that does not exist.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from conversations.models import Conversation, HumanRequest, Run
from supervisor_site.common.errors import NotFound

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser, User

    Person = User | AnonymousUser


M = TypeVar("M", bound=Model)


def sees_all(user: Person) -> bool:
    return user.is_active and user.has_perm("conversations.view_all")


def answers_all(user: Person) -> bool:
    return user.is_active and user.has_perm("conversations.answer_any")


def visible_conversations(user: Person) -> QuerySet[Conversation]:
    """The person's own; all of them with the right to read every one."""
    conversations = Conversation.objects.filter(deleted_at__isnull=True)
    if not user.is_active or user.pk is None:
        return conversations.none()
    return conversations if sees_all(user) else conversations.filter(owner_id=user.pk)


def visible_runs(user: Person) -> QuerySet[Run]:
    if not user.is_active or user.pk is None:
        return Run.objects.none()
    if sees_all(user):
        # Deleting hides a conversation from its owner; an auditor still reads it.
        return Run.objects.all()
    return Run.objects.filter(
        conversation__owner_id=user.pk, conversation__deleted_at__isnull=True
    )


def conversation_for(user: Person, conversation_id: UUID | str) -> Conversation:
    """Raises ``NotFound`` for strangers and for what does not exist alike."""
    found = _by_id(
        visible_conversations(user).select_related("team", "owner"), conversation_id
    )
    if found is None:
        raise NotFound(_("There is no such conversation."))
    return found


def run_for(user: Person, run_id: UUID | str) -> Run:
    runs = visible_runs(user).select_related(
        "conversation__team", "requested_by", "request"
    )
    found = _by_id(runs, run_id)
    if found is None:
        raise NotFound(_("There is no such run."))
    return found


def request_for(user: Person, request_id: UUID | str) -> HumanRequest:
    requests = HumanRequest.objects.filter(run__in=visible_runs(user)).select_related(
        "run__conversation__owner", "task_run", "call", "decided_by"
    )
    found = _by_id(requests, request_id)
    if found is None:
        raise NotFound(_("There is no such request."))
    return found


def may_answer(user: Person, request: HumanRequest) -> bool:
    return may_operate(user, request.run)


def may_operate(user: Person, run: Run) -> bool:
    """Answer, stop and retry: the owner, and who may answer for everyone."""
    return run.conversation.owner_id == user.pk or answers_all(user)


def _by_id(rows: QuerySet[M], row_id: UUID | str) -> M | None:
    try:
        key = row_id if isinstance(row_id, UUID) else UUID(str(row_id))
    except ValueError:
        return None
    return rows.filter(pk=key).first()
