"""Closed sets of values used by the definitions."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Provider(models.TextChoices):
    OPENAI = "openai", _("OpenAI-compatible server")
    ENV = "env", _("From the environment")
    REHEARSAL = "rehearsal", _("Rehearsal (offline, no model)")


class ToolType(models.TextChoices):
    FUNCTION = "FUNCTION", _("Python function")


class Pattern(models.TextChoices):
    SUPERVISOR = "supervisor", _("Supervisor leads workers")
    SEQUENTIAL = "sequential", _("Fixed order")
    HANDOFF = "handoff", _("Agents hand over to each other")


class Process(models.TextChoices):
    SEQUENTIAL = "sequential", _("Sequential")


class Approval(models.TextChoices):
    """A third kind is no plain word: ``{"when": <JSON Schema>}``."""

    NEVER = "never", _("Never ask")
    ALWAYS = "always", _("Always ask")


class BudgetStrategy(models.TextChoices):
    """What happens when an agent's budget for a task is used up (D9)."""

    ATTEMPT_COMPLETE = "attempt_complete", _("Three more rounds, with a notice")
    ERROR = "error", _("Fail")
    SUMMARIZE = "summarize", _("Report how far it came")
    IGNORE = "ignore", _("Go on")


class ReturnTo(models.TextChoices):
    """Who gets the next message of a person in a handoff team (H4)."""

    PREVIOUS = "previous", _("The agent that spoke last")
    START = "start", _("The start agent")


class Overridable(models.TextChoices):
    """What a run may replace for itself where its team allows it (S11)."""

    PROFILE = "profile", _("The profile")
    TOOL_PARAMS = "tool_params", _("Settings of tools")
