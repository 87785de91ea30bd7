from __future__ import annotations

from typing import Any

from django.contrib.auth.models import Group
from django.core.validators import MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from teams.choices import Pattern, Process, ReturnTo
from teams.models.agent import Agent, Task
from teams.models.base import Definition


class Team(Definition):
    """The runnable and shareable unit: agent-task pairs and who leads them (S2)."""

    pattern = models.CharField(
        _("pattern"), max_length=16, choices=Pattern.choices, default=Pattern.SUPERVISOR
    )
    process = models.CharField(
        _("process"), max_length=16, choices=Process.choices, default=Process.SEQUENTIAL
    )
    supervisor_agent = models.ForeignKey(
        Agent,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="leads",
        verbose_name=_("supervisor"),
    )
    starters: models.JSONField[list[str], list[str]] = models.JSONField(
        _("starter prompts"), default=list, blank=True
    )
    access_everyone = models.BooleanField(
        _("everyone may run it"),
        default=True,
        help_text=_("Everyone who is logged in."),
    )
    access_groups = models.ManyToManyField(
        Group,
        blank=True,
        related_name="teams",
        verbose_name=_("groups that may run it"),
    )

    start_agent = models.ForeignKey(
        Agent,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="starts",
        verbose_name=_("start agent"),
    )
    return_to = models.CharField(
        _("the next message goes to"),
        max_length=10,
        choices=ReturnTo.choices,
        default=ReturnTo.PREVIOUS,
    )
    autonomous: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = (
        models.JSONField(_("autonomous mode"), null=True, blank=True)
    )
    termination: models.JSONField[dict[str, Any] | None, dict[str, Any] | None] = (
        models.JSONField(_("termination condition"), null=True, blank=True)
    )
    outputs: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("outputs"), default=dict, blank=True
    )
    overridable: models.JSONField[list[str], list[str]] = models.JSONField(
        _("overridable at run time"), default=list, blank=True
    )
    run_token_budget = models.PositiveIntegerField(
        _("tokens at most"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("In one run, over all agents."),
    )
    run_cost_budget = models.DecimalField(
        _("cost at most"),
        max_digits=14,
        decimal_places=6,
        null=True,
        blank=True,
        help_text=_("Of one run, over all agents."),
    )
    run_timeout = models.PositiveIntegerField(
        _("time at most"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("Seconds of one run, without waiting for people."),
    )

    class Meta(Definition.Meta):
        verbose_name = _("team")
        verbose_name_plural = _("teams")
        permissions = [("run_any_team", _("Can run every team"))]


class TeamMember(models.Model):
    """One agent-task pair, in list order; in a supervised team the order is no plan."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="members")
    position = models.PositiveIntegerField(_("position"), default=0)
    agent = models.ForeignKey(
        Agent,
        on_delete=models.PROTECT,
        related_name="memberships",
        verbose_name=_("agent"),
    )
    task = models.ForeignKey(
        Task,
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        related_name="memberships",
        verbose_name=_("task"),
    )

    class Meta:
        ordering = ["position", "pk"]
        verbose_name = _("member")
        verbose_name_plural = _("members")

    def __str__(self) -> str:
        return f"{self.agent.name}/{self.task.name}" if self.task else self.agent.name


class HandoffRule(models.Model):
    """Who may hand to whom (H1). A team without rules: everyone to everyone."""

    team = models.ForeignKey(Team, on_delete=models.CASCADE, related_name="handoffs")
    source = models.ForeignKey(
        Agent, on_delete=models.PROTECT, related_name="+", verbose_name=_("from")
    )
    target = models.ForeignKey(
        Agent, on_delete=models.PROTECT, related_name="+", verbose_name=_("to")
    )
    description = models.TextField(_("when to hand over"), blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("handoff rule")
        verbose_name_plural = _("handoff rules")
        constraints = [
            models.UniqueConstraint(
                fields=["team", "source", "target"], name="handoffrule_unique"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source.name} → {self.target.name}"


class TeamVersion(models.Model):
    """A team frozen with all it uses, without secrets; runs point here.

    ``definition`` is a ``teams.definition.TeamDefinition`` as JSON.
    """

    team = models.ForeignKey(
        Team, verbose_name=_("team"), on_delete=models.PROTECT, related_name="versions"
    )
    number = models.PositiveIntegerField(_("number"))
    digest = models.CharField(_("digest"), max_length=64)
    schema = models.PositiveSmallIntegerField(_("schema"), default=1)
    definition: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("definition")
    )
    overrides: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("overrides"), default=dict, blank=True
    )
    created_at = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        ordering = ["team", "-number"]
        verbose_name = _("team version")
        verbose_name_plural = _("team versions")
        constraints = [
            models.UniqueConstraint(
                fields=["team", "number"], name="teamversion_number_unique"
            ),
            models.UniqueConstraint(
                fields=["team", "digest"], name="teamversion_digest_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.team.name} v{self.number}"
