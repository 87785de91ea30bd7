from __future__ import annotations

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from teams.models import Team


class Conversation(models.Model):
    """One person's talk with a team. ``last_number`` numbers all that happens in it.

    In a handoff team ``active_agent_uid`` is who spoke last. ``ended_by`` says how an
    ended one ended; ``opened_number`` is where it was opened last.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("owner"),
        on_delete=models.PROTECT,
        related_name="conversations",
    )
    team = models.ForeignKey(
        Team,
        verbose_name=_("team"),
        on_delete=models.PROTECT,
        related_name="conversations",
    )
    title = models.CharField(_("title"), max_length=200, blank=True)
    last_number = models.PositiveIntegerField(default=0, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    updated_at = models.DateTimeField(_("changed"), auto_now=True, db_index=True)
    active_agent_uid = models.UUIDField(null=True, blank=True, editable=False)
    opened_number = models.PositiveIntegerField(default=0, editable=False)
    ended_at = models.DateTimeField(_("ended"), null=True, blank=True)
    ended_by = models.CharField(max_length=200, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-updated_at"]
        verbose_name = _("conversation")
        verbose_name_plural = _("conversations")
        permissions = [("view_all", _("Can read every conversation and run"))]
        indexes = [
            models.Index(fields=["owner", "-updated_at"], name="conversation_owner")
        ]

    def __str__(self) -> str:
        return self.title or str(self.id)
