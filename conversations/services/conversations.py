"""Make, rename and delete a conversation."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.choices import EventKind
from conversations.events import Journal, lock
from conversations.models import Conversation, Run
from conversations.permissions import answers_all
from conversations.services.runs import cancel_run, open_run, refuse_if_busy
from supervisor_site.common.errors import Forbidden, NotFound, invalid
from teams.models import Team
from teams.permissions import can_run

TITLE_MAX = 200


def create_conversation(*, user: User, team: Team, title: str = "") -> Conversation:
    """An empty conversation with a team the person may run."""
    if not can_run(user, team):
        raise NotFound(_("There is no such team."))
    return Conversation.objects.create(owner=user, team=team, title=_title(title))


def rename(*, user: User, conversation: Conversation, title: str) -> Conversation:
    _check_owner(user, conversation)
    if not title.strip():
        raise invalid("title", _("A title is needed."))
    _write(conversation, {"title": _title(title)}, title=True)
    return conversation


def delete(*, user: User, conversation: Conversation) -> None:
    """Hide the conversation for good; what ran stays in the history for auditors.

    Raises ``conversation_busy`` while a run is open: stop it first.
    """
    _check_owner(user, conversation)
    with transaction.atomic():
        lock(conversation.pk)
        refuse_if_busy(conversation)
        _write(conversation, {"deleted_at": timezone.now()}, deleted=True)


def end(*, user: User, conversation: Conversation) -> Conversation:
    """End the conversation (H10), by its owner or an operator. An open run is stopped;
    ``ended_by`` says who ended it: ``user`` or ``operator``."""
    _check_may_end(user, conversation)
    who = "user" if conversation.owner_id == user.pk else "operator"
    # First of all: no run starts any more, so that the one stopped is the last.
    _write(conversation, {"ended_at": timezone.now(), "ended_by": who}, ended=True)
    run = open_run(conversation)
    if run is not None:
        cancel_run(user=user, run=run)
        Run.objects.filter(pk=run.pk).update(ended_by=who)
    return conversation


def reopen(*, user: User, conversation: Conversation) -> Conversation:
    """Open an ended conversation again; what was said before ends it no more (H6)."""
    _check_may_end(user, conversation)
    last = Conversation.objects.values_list("last_number", flat=True)
    opened = {"opened_number": last.get(pk=conversation.pk)}
    _write(conversation, {**opened, "ended_at": None, "ended_by": ""}, ended=False)
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


def _write(conversation: Conversation, values: dict[str, Any], **data: bool) -> None:
    """Change these fields and no others, which somebody else may be changing."""
    for name, value in values.items():
        setattr(conversation, name, value)
    journal = Journal(conversation.pk)
    journal.update(conversation, *values)
    journal.note(EventKind.CONVERSATION, conversation, **data)
    with transaction.atomic():
        journal.write(timezone.now())
