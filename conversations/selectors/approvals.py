"""Tools that need no more approval in a conversation."""

from __future__ import annotations

from django.db.models import OuterRef, QuerySet, Subquery

from conversations.models import Conversation, StandingApproval
from teams.models import Tool


def standing_approvals(
    conversations: QuerySet[Conversation],
) -> QuerySet[StandingApproval]:
    """With ``tool_name``, as the tool is called now; empty once it is gone."""
    names = Tool.objects.filter(uid=OuterRef("tool_uid")).values("name")
    approvals = StandingApproval.objects.filter(conversation__in=conversations)
    return approvals.annotate(tool_name=Subquery(names[:1]))
