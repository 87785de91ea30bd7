from __future__ import annotations

from typing import Any

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from teams.choices import ToolType
from teams.models.base import Definition
from teams.sentences import LENGTH


def never() -> str:
    return "never"


class Tool(Definition):
    """Something an agent can call, with the word on how to use it.

    ``approval`` is ``"never"``, ``"always"`` or ``{"when": <JSON Schema>}``: ask if
    the arguments satisfy the schema. ``replay_safe`` says that running
    it again after a crash does no harm; without it the person is asked. ``action`` and
    ``action_done`` say to people what a call will do and has done (``sentences``).
    """

    tool_type = models.CharField(
        _("type"), max_length=20, choices=ToolType.choices, default=ToolType.FUNCTION
    )
    instruction = models.TextField(
        _("instruction"),
        blank=True,
        help_text=_("What it does and when to call it. The model reads this."),
    )
    function = models.CharField(
        _("function"),
        max_length=200,
        blank=True,
        help_text=_("The registered name of a Python function."),
    )
    action = models.CharField(
        _("will do"),
        max_length=LENGTH,
        blank=True,
        help_text=_(
            "What a call will do, for the person who is asked: Send an e-mail to {to}. "
            "Names in braces stand for its arguments."
        ),
    )
    action_done = models.CharField(
        _("has done"),
        max_length=LENGTH,
        blank=True,
        help_text=_("The same once it is done: sent an e-mail to {to}."),
    )
    tool_params = models.JSONField(_("settings"), default=dict, blank=True)
    parameters: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        _("parameters"),
        default=dict,
        blank=True,
        help_text=_("JSON Schema of the arguments. A Python function brings its own."),
    )
    read_only = models.BooleanField(
        _("read only"), default=False, help_text=_("Changes nothing anywhere.")
    )
    replay_safe = models.BooleanField(
        _("safe to repeat"),
        default=False,
        help_text=_("May run again after a crash without asking."),
    )
    approval: models.JSONField[Any, Any] = models.JSONField(
        _("approval"), default=never, blank=True
    )
    remember_approval = models.BooleanField(
        _("approval may be remembered"),
        default=False,
        help_text=_("A person may allow it once for the rest of a conversation."),
    )
    timeout = models.PositiveIntegerField(
        _("timeout"),
        default=60,
        validators=[MinValueValidator(1), MaxValueValidator(3600)],
        help_text=_("Seconds."),
    )

    class Meta(Definition.Meta):
        verbose_name = _("tool")
        verbose_name_plural = _("tools")
