"""Approvals for the rest of a conversation: taken back."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.choices import EventKind
from conversations.events import Journal
from conversations.models import StandingApproval
from conversations.permissions import answers_all
from supervisor_site.common.errors import Forbidden


def may_revoke(user: User, approval: StandingApproval) -> bool:
    """The owner of the conversation, and who may answer for everyone."""
    return approval.conversation.owner_id == user.pk or answers_all(user)


def revoke(*, user: User, approval: StandingApproval) -> None:
    """From its next call on the tool asks again; an event keeps that it was allowed.

    A run at work reads it anew when it is next taken up.
    """
    if not may_revoke(user, approval):
        raise Forbidden(_("Only the owner or an operator can do this."))
    conversation = approval.conversation
    journal = Journal(conversation.pk)
    journal.note(
        EventKind.CONVERSATION,
        conversation,
        revoked=str(approval.tool_uid),
        by=user.get_username(),
    )
    with transaction.atomic():
        journal.write(timezone.now())
        approval.delete()
