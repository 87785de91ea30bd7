from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.choices import RequestKind, RequestState
from conversations.models.calls import ToolCall
from conversations.models.conversation import Conversation
from conversations.models.run import Run, TaskRun


class StandingApproval(models.Model):
    """A tool that needs no more approval in one conversation, by a person's word."""

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="standing_approvals"
    )
    tool_uid = models.UUIDField()
    given_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("given by"),
        on_delete=models.CASCADE,
        related_name="+",
    )
    created_at = models.DateTimeField(_("given"), auto_now_add=True)

    class Meta:
        ordering = ["-created_at"]
        verbose_name = _("standing approval")
        verbose_name_plural = _("standing approvals")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "tool_uid"], name="standingapproval_unique"
            )
        ]

    def __str__(self) -> str:
        return str(self.tool_uid)


class HumanRequest(models.Model):
    """A question, an approval or a recovery choice that waits for a person.

    ``PENDING -> ANSWERED | APPROVED | DENIED | EXPIRED | CANCELLED``; single use.
    A recovery choice is ANSWERED with ``answer`` retry, skip or fail.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    run = models.ForeignKey(
        Run,
        verbose_name=_("run"),
        on_delete=models.CASCADE,
        related_name="human_requests",
    )
    task_run = models.ForeignKey(
        TaskRun,
        verbose_name=_("task run"),
        on_delete=models.CASCADE,
        related_name="human_requests",
    )
    call = models.ForeignKey(
        ToolCall,
        verbose_name=_("call"),
        on_delete=models.CASCADE,
        related_name="human_requests",
    )
    kind = models.CharField(_("kind"), max_length=10, choices=RequestKind.choices)
    state = models.CharField(
        _("state"),
        max_length=10,
        choices=RequestState.choices,
        default=RequestState.PENDING,
    )
    prompt = models.TextField(_("prompt"), blank=True)
    choices: models.JSONField[list[str], list[str]] = models.JSONField(
        _("choices"), default=list, blank=True
    )
    answer = models.TextField(_("answer"), blank=True)
    reason = models.TextField(_("reason"), blank=True)
    edited: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = (
        models.JSONField(_("changed arguments"), null=True, blank=True)
    )
    remember = models.BooleanField(_("for the whole conversation"), default=False)
    # The id that a client gave the message which answered this; see Run.client_id.
    client_id = models.CharField(
        _("id given by the client"),
        max_length=100,
        blank=True,
        default="",
        db_default="",
    )
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("decided by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    decided_at = models.DateTimeField(_("decided"), null=True, blank=True)
    expires_at = models.DateTimeField(_("expires"))
    created_at = models.DateTimeField(_("created"))

    class Meta:
        ordering = ["created_at"]
        verbose_name = _("human request")
        verbose_name_plural = _("human requests")
        permissions = [
            ("answer_any", _("Can answer for everyone, stop and retry")),
            ("edit_arguments", _("Can change the arguments of a call to approve")),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["call"],
                condition=models.Q(state="PENDING"),
                name="humanrequest_one_open_per_call",
            )
        ]
        indexes = [
            models.Index(fields=["state", "expires_at"], name="humanrequest_due")
        ]

    def __str__(self) -> str:
        return self.prompt[:60] or self.get_kind_display()
