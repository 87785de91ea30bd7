from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.choices import ModelCallState, ToolCallKind, ToolCallState
from conversations.models.run import TaskRun


class Payload(models.Model):
    """A large text by its SHA-256, outside the hot rows."""

    digest = models.CharField(primary_key=True, max_length=64)
    text = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.digest


class ModelCall(models.Model):
    """One call of a model.

    ``system``, ``tools`` (JSON) and ``last_number`` are enough to rebuild the
    exact prompt with the rendering rules ``rules``; ``body_digest`` is the hash of
    the body sent, so that a reader is told whether the rebuilt one agrees.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    task_run = models.ForeignKey(
        TaskRun,
        verbose_name=_("task run"),
        on_delete=models.CASCADE,
        related_name="model_calls",
    )
    round = models.PositiveIntegerField(_("round"))
    profile_uid = models.UUIDField(_("profile id"))
    profile_name = models.CharField(_("profile name"), max_length=125)
    model = models.CharField(_("model"), max_length=200, blank=True)
    state = models.CharField(
        _("state"),
        max_length=12,
        choices=ModelCallState.choices,
        default=ModelCallState.RUNNING,
    )
    system = models.ForeignKey(
        Payload,
        verbose_name=_("system text"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    tools = models.ForeignKey(
        Payload,
        verbose_name=_("tools offered"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    last_number = models.PositiveIntegerField(_("last message"), default=0)
    rules = models.PositiveSmallIntegerField(
        _("version of the prompt's rules"), default=1
    )
    body_digest = models.CharField(
        _("hash of the body sent"), max_length=64, blank=True
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=1)
    input_tokens = models.PositiveIntegerField(_("input tokens"), null=True, blank=True)
    output_tokens = models.PositiveIntegerField(
        _("output tokens"), null=True, blank=True
    )
    cost = models.DecimalField(
        _("cost"), max_digits=14, decimal_places=6, null=True, blank=True
    )
    finish_reason = models.CharField(_("finish reason"), max_length=40, blank=True)
    error_code = models.CharField(_("error"), max_length=60, blank=True)
    error_params: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("details of the error"), default=dict, blank=True
    )
    started_at = models.DateTimeField(_("started"))
    first_token_at = models.DateTimeField(_("first token"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        ordering = ["started_at"]
        verbose_name = _("model call")
        verbose_name_plural = _("model calls")

    def __str__(self) -> str:
        return f"{self.profile_name} #{self.round}"


class ToolCall(models.Model):
    """One call a model asked for; its result, exactly one, stands in this row.

    ::

        PROPOSED -> RUNNING -> SUCCEEDED | FAILED | UNKNOWN
        PROPOSED -> WAITING_FOR_HUMAN -> PROPOSED (approved) | DENIED
        WAITING_FOR_HUMAN -> SUCCEEDED (a question answered);  open -> CANCELLED

    ``asked`` is the model's own text, ``arguments`` what is executed.
    ``full_result`` holds a result too long for ``result``.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    model_call = models.ForeignKey(
        ModelCall,
        verbose_name=_("model call"),
        on_delete=models.CASCADE,
        related_name="tool_calls",
    )
    task_run = models.ForeignKey(
        TaskRun,
        verbose_name=_("task run"),
        on_delete=models.CASCADE,
        related_name="tool_calls",
    )
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    kind = models.CharField(_("kind"), max_length=10, choices=ToolCallKind.choices)
    name = models.CharField(_("name"), max_length=200)
    tool_uid = models.UUIDField(_("tool id"), null=True, blank=True)
    tool_name = models.CharField(_("tool"), max_length=125, blank=True)
    provider_id = models.CharField(
        _("id given by the model"), max_length=200, blank=True
    )
    agent_uid = models.UUIDField(_("agent id"), null=True, blank=True)
    asked = models.TextField(_("arguments as asked"), blank=True)
    arguments: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("arguments"), default=dict, blank=True
    )
    approved = models.BooleanField(_("approved"), default=False)
    edited = models.BooleanField(_("changed by a person"), default=False)
    state = models.CharField(
        _("state"),
        max_length=20,
        choices=ToolCallState.choices,
        default=ToolCallState.PROPOSED,
    )
    result = models.TextField(_("result"), blank=True)
    full_result = models.ForeignKey(
        Payload,
        verbose_name=_("result in full"),
        on_delete=models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
    )
    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    created_at = models.DateTimeField(_("created"))
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        ordering = ["created_at", "position"]
        verbose_name = _("tool call")
        verbose_name_plural = _("tool calls")
        constraints = [
            models.UniqueConstraint(
                fields=["model_call", "position"], name="toolcall_position_unique"
            )
        ]
        indexes = [models.Index(fields=["-created_at"], name="toolcall_newest")]

    def __str__(self) -> str:
        return self.name
