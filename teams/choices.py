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


class Process(models.TextChoices):
    SEQUENTIAL = "sequential", _("Sequential")


class Approval(models.TextChoices):
    NEVER = "never", _("Never ask")
    ALWAYS = "always", _("Always ask")
