from __future__ import annotations

import uuid
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from conversations.choices import RUN_OPEN, RunState, TaskRunState
from conversations.models.conversation import Conversation
from teams.models import TeamVersion


class Run(models.Model):
    """One request being worked on.

    ::

        QUEUED -> RUNNING -> SUCCEEDED | FAILED
                  RUNNING -> WAITING_FOR_HUMAN -> RESUMING -> RUNNING
        any open state -> CANCELLED;  WAITING_FOR_HUMAN -> EXPIRED
        FAILED | CANCELLED | EXPIRED -> QUEUED (retry)

    ``lease_version`` goes up with every claim; a writer with an older one has
    lost the run. ``signal`` goes up when an answer or a stop arrives, and tells
    the holder to read the rows again.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(
        Conversation,
        verbose_name=_("conversation"),
        on_delete=models.CASCADE,
        related_name="runs",
    )
    team_version = models.ForeignKey(
        TeamVersion,
        verbose_name=_("version"),
        on_delete=models.PROTECT,
        related_name="runs",
    )
    requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("requested by"),
        on_delete=models.PROTECT,
        related_name="runs",
    )
    request = models.OneToOneField(
        "conversations.Message",
        verbose_name=_("request"),
        on_delete=models.PROTECT,
        related_name="started_run",
    )
    follows = models.ForeignKey(
        "self",
        verbose_name=_("follows"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="followers",
    )
    retry_of = models.ForeignKey(
        "self",
        verbose_name=_("retry of"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="retries",
    )
    client_id = models.CharField(
        _("id given by the client"), max_length=100, blank=True
    )
    read_only = models.BooleanField(_("read-only"), default=False)
    debug = models.BooleanField(_("debug"), default=False)
    variables: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("variables"), default=dict, blank=True
    )
    tool_state: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("state shared by tools"), default=dict, blank=True
    )
    state = models.CharField(
        _("state"), max_length=20, choices=RunState.choices, default=RunState.QUEUED
    )
    lease_owner = models.CharField(_("leased by"), max_length=100, blank=True)
    lease_until = models.DateTimeField(_("leased until"), null=True, blank=True)
    lease_version = models.PositiveIntegerField(_("version of the lease"), default=0)
    # When a sweep last handed the run over; empty again once it is claimed.
    offered_at = models.DateTimeField(_("offered"), null=True, blank=True)
    signal = models.PositiveIntegerField(_("signal"), default=0)
    cancel_requested_at = models.DateTimeField(
        _("stop asked for"), null=True, blank=True
    )
    cancel_requested_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("stop asked for by"),
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
    )
    delegations = models.PositiveIntegerField(_("delegations"), default=0)
    input_tokens = models.PositiveIntegerField(_("input tokens"), default=0)
    output_tokens = models.PositiveIntegerField(_("output tokens"), default=0)
    cost = models.DecimalField(_("cost"), max_digits=14, decimal_places=6, default=0)
    answer = models.TextField(_("answer"), blank=True)
    ended_by = models.CharField(_("ended by"), max_length=200, blank=True)
    notices: models.JSONField[list[dict[str, Any]], list[dict[str, Any]]] = (
        models.JSONField(_("notices"), default=list, blank=True)
    )
    output_schema: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = (
        models.JSONField(_("output schema"), null=True, blank=True)
    )
    handoffs = models.PositiveIntegerField(_("handoffs"), default=0)
    # What the caps of the run do not count: spent before it was opened again.
    spent_before: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("spent before"), default=dict, blank=True
    )
    waiting_since = models.DateTimeField(_("waits since"), null=True, blank=True)
    waited_ms = models.PositiveBigIntegerField(_("time waited (ms)"), default=0)
    error_code = models.CharField(_("error"), max_length=60, blank=True)
    error_params: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("details of the error"), default=dict, blank=True
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        ordering = ["-created_at"]
        verbose_name = _("run")
        verbose_name_plural = _("runs")
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"],
                condition=models.Q(state__in=RUN_OPEN),
                name="run_one_open_per_conversation",
            ),
            models.UniqueConstraint(
                fields=["conversation", "requested_by", "client_id"],
                condition=~models.Q(client_id=""),
                name="run_client_id_unique",
            ),
        ]
        indexes = [
            models.Index(
                fields=["lease_until"],
                condition=models.Q(state__in=("QUEUED", "RUNNING", "RESUMING")),
                name="run_claimable",
            ),
            models.Index(fields=["-created_at"], name="run_newest"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_open(self) -> bool:
        return self.state in RUN_OPEN


class Thread(models.Model):
    """One agent's own message list in a conversation.

    ``key`` names a thread that lasts (a supervisor's, an agent's alone) and is
    empty for a worker's, which serves one delegation.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="threads"
    )
    agent_uid = models.UUIDField()
    agent_name = models.CharField(max_length=125)
    key = models.CharField(max_length=100, blank=True)
    sees_conversation = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation", "key"],
                condition=~models.Q(key=""),
                name="thread_key_unique",
            )
        ]

    def __str__(self) -> str:
        return f"{self.agent_name} {self.id}"


class TaskRun(models.Model):
    """One agent working on one request inside a run: the delegation path itself.

    ``origin_call`` is the tool call that delegated; at most one child each.
    ``position`` is the step in a sequential team. Counters start again on retry.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    run = models.ForeignKey(
        Run, verbose_name=_("run"), on_delete=models.CASCADE, related_name="task_runs"
    )
    parent = models.ForeignKey(
        "self",
        verbose_name=_("delegated by"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="children",
    )
    origin_call = models.OneToOneField(
        "conversations.ToolCall",
        verbose_name=_("asked for by"),
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        related_name="child",
    )
    depth = models.PositiveSmallIntegerField(_("depth"), default=0)
    position = models.PositiveSmallIntegerField(_("position"), default=0)
    thread = models.ForeignKey(
        Thread,
        verbose_name=_("thread"),
        on_delete=models.CASCADE,
        related_name="task_runs",
    )
    agent_uid = models.UUIDField(_("agent id"))
    agent_name = models.CharField(_("agent"), max_length=125)
    task_uid = models.UUIDField(_("task id"), null=True, blank=True)
    task_name = models.CharField(_("task"), max_length=125, blank=True)
    leads = models.BooleanField(_("leads the team"), default=False)
    state = models.CharField(
        _("state"),
        max_length=20,
        choices=TaskRunState.choices,
        default=TaskRunState.RUNNING,
    )
    request = models.TextField(_("request"), blank=True)
    result = models.TextField(_("result"), blank=True)
    error_code = models.CharField(_("error"), max_length=60, blank=True)
    error_params: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("details of the error"), default=dict, blank=True
    )
    rounds = models.PositiveIntegerField(_("rounds"), default=0)
    failed_tools = models.PositiveIntegerField(_("failed tool calls"), default=0)
    worked_ms = models.PositiveIntegerField(_("time worked (ms)"), default=0)
    input_tokens = models.PositiveIntegerField(_("input tokens"), default=0)
    output_tokens = models.PositiveIntegerField(_("output tokens"), default=0)
    limit_hit = models.CharField(_("limit reached"), max_length=20, blank=True)
    rounds_at_limit = models.PositiveIntegerField(_("rounds at the limit"), default=0)
    repairs = models.PositiveSmallIntegerField(_("repairs"), default=0)
    autonomous_turns = models.PositiveIntegerField(_("autonomous turns"), default=0)
    started_at = models.DateTimeField(_("started"))
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        ordering = ["started_at"]
        verbose_name = _("task run")
        verbose_name_plural = _("task runs")
        indexes = [
            models.Index(fields=["run", "started_at"], name="taskrun_run"),
            models.Index(fields=["-started_at"], name="taskrun_newest"),
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """``AGENT/TASK``, as the path of a run names it."""
        return (
            f"{self.agent_name}/{self.task_name}" if self.task_name else self.agent_name
        )
