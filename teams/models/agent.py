from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from teams.choices import BudgetStrategy
from teams.models.base import Definition
from teams.models.profile import Profile
from teams.models.tool import Tool


class Agent(Definition):
    """A role text and a profile (S1). ``supervisor``: may lead a team."""

    profile = models.ForeignKey(
        Profile,
        on_delete=models.PROTECT,
        related_name="agents",
        verbose_name=_("profile"),
    )
    role = models.TextField(
        _("role"),
        help_text=_("Who the agent is, what it does and what it leaves alone."),
    )
    supervisor = models.BooleanField(
        _("can lead a team"),
        default=False,
        help_text=_("May be named as a team's supervisor."),
    )
    enable_human_tool = models.BooleanField(_("may ask the person"), default=True)
    tools = models.ManyToManyField(
        Tool, blank=True, related_name="agents", verbose_name=_("own tools")
    )
    max_iterations = models.PositiveIntegerField(
        _("rounds at most"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1), MaxValueValidator(25)],
        help_text=_("Model calls in one task; empty for the site's ceiling."),
    )
    timeout = models.PositiveIntegerField(
        _("timeout"),
        default=300,
        validators=[MinValueValidator(1), MaxValueValidator(86400)],
        help_text=_(
            "Seconds of work in one task, without waiting for people or workers."
        ),
    )

    delegates: models.ManyToManyField[Any, Any] = models.ManyToManyField(
        "self",
        blank=True,
        symmetrical=False,
        related_name="delegated_by",
        verbose_name=_("delegates"),
        help_text=_(
            "Agents it may call as tools; their role is the tool's description."
        ),
    )
    run_as = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("run as"),
        help_text=_("Whose rights its tools use; empty for the person who asks."),
    )
    input_token_budget = models.PositiveIntegerField(
        _("input tokens at most"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("In one task."),
    )
    output_token_budget = models.PositiveIntegerField(
        _("output tokens at most"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("In one task."),
    )
    budget_strategy = models.CharField(
        _("when a budget is used up"),
        max_length=20,
        choices=BudgetStrategy.choices,
        default=BudgetStrategy.ATTEMPT_COMPLETE,
    )
    output_schema: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = (
        models.JSONField(
            _("output schema"),
            null=True,
            blank=True,
            help_text=_("JSON Schema its answer must satisfy."),
        )
    )

    class Meta(Definition.Meta):
        verbose_name = _("agent")
        verbose_name_plural = _("agents")


class Task(Definition):
    """An instruction and the tools it may use (S1)."""

    instruction = models.TextField(
        _("instruction"),
        help_text=_(
            "What to do, what is needed for it, when to ask, and what to give back. "
            "{query} stands for the request."
        ),
    )
    tools = models.ManyToManyField(
        Tool, blank=True, related_name="tasks", verbose_name=_("tools")
    )
    enable_human_tool = models.BooleanField(
        _("may ask the person"),
        null=True,
        blank=True,
        help_text=_("Empty: as its agent."),
    )

    input = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="feeds",
        verbose_name=_("input"),
        help_text=_(
            "In a fixed order: the task whose result it gets; empty: the step before."
        ),
    )

    class Meta(Definition.Meta):
        verbose_name = _("task")
        verbose_name_plural = _("tasks")
