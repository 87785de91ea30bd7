"""The list of a person's conversations, and what waits for a person."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import OuterRef, QuerySet, Subquery

from conversations.choices import RequestState, RunState
from conversations.models import Conversation, HumanRequest, Run
from conversations.permissions import answers_all

CONVERSATIONS_A_PAGE = 40


@dataclass(frozen=True)
class Item:
    """A conversation in the list with the state of its last run, empty without one."""

    conversation: Conversation
    state: str

    def get_state_display(self) -> str:
        return str(RunState(self.state).label) if self.state else ""

    @property
    def tells(self) -> bool:
        """Whether the state is worth a badge: what is done needs none."""
        return self.state not in ("", RunState.SUCCEEDED)


def conversation_list(user: User, *, offset: int = 0) -> tuple[list[Item], bool]:
    """The person's own, newest first, and whether there are more; one query."""
    last_run = Run.objects.filter(conversation=OuterRef("pk")).order_by("-created_at")
    rows = (
        Conversation.objects.filter(owner=user, deleted_at__isnull=True)
        .select_related("team")
        .order_by("-updated_at")
        .annotate(state=Subquery(last_run.values("state")[:1]))
    )
    found = list(rows[offset : offset + CONVERSATIONS_A_PAGE + 1])
    items = [Item(row, row.state or "") for row in found[:CONVERSATIONS_A_PAGE]]
    return items, len(found) > CONVERSATIONS_A_PAGE


def waiting_requests(user: User) -> QuerySet[HumanRequest]:
    """What the person may decide now, the first to expire first."""
    requests = HumanRequest.objects.filter(
        state=RequestState.PENDING, run__conversation__deleted_at__isnull=True
    )
    if not answers_all(user):
        requests = requests.filter(run__conversation__owner=user)
    return requests.select_related(
        "run__conversation__owner", "task_run", "call"
    ).order_by("expires_at")
