"""Make, rename and delete a conversation."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.choices import EventKind
from conversations.events import Journal
from conversations.models import Conversation, Run
from conversations.permissions import answers_all
from conversations.services.runs import cancel_run, open_run, refuse_if_busy
from supervisor_site.common.errors import Forbidden, NotFound, invalid
from teams.models import Team
from teams.permissions import can_run

TITLE_MAX = 200
FIELDS = ("title", "deleted_at", "ended_at", "ended_by", "opened_number")


def create_conversation(*, user: User, team: Team, title: str = "") -> Conversation:
    """An empty conversation with a team the person may run."""
    if not can_run(user, team):
        raise NotFound(_("There is no such team."))
    return Conversation.objects.create(owner=user, team=team, title=_title(title))


def rename(*, user: User, conversation: Conversation, title: str) -> Conversation:
    _check_owner(user, conversation)
    if not title.strip():
        raise invalid("title", _("A title is needed."))
    conversation.title = _title(title)
    _note(conversation, title=True)
    return conversation


def delete(*, user: User, conversation: Conversation) -> None:
    """Hide the conversation for good; what ran stays in the history for auditors.

    Raises ``conversation_busy`` while a run is open: stop it first.
    """
    _check_owner(user, conversation)
    if open_run(conversation):
        refuse_if_busy(conversation)
    conversation.deleted_at = timezone.now()
    _note(conversation, deleted=True)


def end(*, user: User, conversation: Conversation) -> Conversation:
    """End the conversation (H10), by its owner or an operator. An open run is stopped;
    ``ended_by`` says who ended it: ``user`` or ``operator``."""
    _check_may_end(user, conversation)
    who = "user" if conversation.owner_id == user.pk else "operator"
    run = open_run(conversation)
    if run is not None:
        cancel_run(user=user, run=run)
        Run.objects.filter(pk=run.pk).update(ended_by=who)
    conversation.ended_at, conversation.ended_by = timezone.now(), who
    _note(conversation, ended=True)
    return conversation


def reopen(*, user: User, conversation: Conversation) -> Conversation:
    """Open an ended conversation again; what was said before ends it no more (H6)."""
    _check_may_end(user, conversation)
    last = Conversation.objects.values_list("last_number", flat=True)
    conversation.opened_number = last.get(pk=conversation.pk)
    conversation.ended_at, conversation.ended_by = None, ""
    _note(conversation, ended=False)
    return conversation


def _check_may_end(user: User, conversation: Conversation) -> None:
    if conversation.owner_id != user.pk and not answers_all(user):
        raise Forbidden(_("Only the owner or an operator can do this."))


def _title(title: str) -> str:
    title = " ".join(title.split())
    if len(title) > TITLE_MAX:
        raise invalid(
            "title", _("Keep the title below %(n)d characters.") % {"n": TITLE_MAX}
        )
    return title


def _check_owner(user: User, conversation: Conversation) -> None:
    if conversation.owner_id != user.pk:
        raise Forbidden(_("Only the owner of the conversation can do this."))


def _note(conversation: Conversation, **data: bool) -> None:
    from django.db import transaction

    now = timezone.now()
    journal = Journal(conversation.pk)
    journal.update(conversation, *FIELDS)
    journal.note(EventKind.CONVERSATION, conversation, **data)
    with transaction.atomic():
        journal.write(now)
