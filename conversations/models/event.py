from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.choices import EventKind
from conversations.models.conversation import Conversation
from conversations.models.run import Run


class Event(models.Model):
    """Append-only: something changed. Drives stream, trace and audit.

    ``row`` is the id of the row that changed, ``data`` a few codes (such as the
    old and the new state), never content.
    """

    conversation = models.ForeignKey(
        Conversation,
        verbose_name=_("conversation"),
        on_delete=models.CASCADE,
        related_name="events",
    )
    run: models.ForeignKey[Run | None, Run | None] = models.ForeignKey(
        Run,
        verbose_name=_("run"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="events",
    )
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(_("kind"), max_length=24, choices=EventKind.choices)
    row: models.UUIDField[UUID, UUID] = models.UUIDField(_("id of the row"))
    data: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("details"), default=dict, blank=True
    )
    created_at = models.DateTimeField(_("created"))

    class Meta:
        ordering = ["number"]
        verbose_name = _("event")
        verbose_name_plural = _("events")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "number"], name="event_number_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.kind}"
