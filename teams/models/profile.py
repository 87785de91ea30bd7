from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from supervisor_site.common import crypto
from teams.choices import Provider
from teams.models.base import Definition


class Profile(Definition):
    """A connection to a model: which server, which model, how it is called.

    The API key is encrypted and never shown again. ``compat`` holds switches for
    servers that contradict each other (see ``teams.providers.compat``).
    ``parameters`` go into the request body as they are (temperature, …).
    Prices are per million tokens.
    """

    provider = models.CharField(
        _("provider"), max_length=16, choices=Provider.choices, default=Provider.OPENAI
    )
    # No URLField: its validator refuses hosts without a dot, such as a service's name.
    base_url = models.CharField(_("base URL"), max_length=500, blank=True)
    api_key_encrypted = models.TextField(blank=True, editable=False)
    model = models.CharField(_("model"), max_length=200, blank=True)
    parameters = models.JSONField(_("parameters"), default=dict, blank=True)
    compat = models.JSONField(_("compatibility"), default=dict, blank=True)
    timeout = models.PositiveIntegerField(
        _("timeout"),
        default=60,
        validators=[MinValueValidator(1), MaxValueValidator(3600)],
        help_text=_("Seconds without a sign of life from the server."),
    )
    max_retries = models.PositiveIntegerField(
        _("retries"), default=2, validators=[MaxValueValidator(10)]
    )
    context_window = models.PositiveIntegerField(
        _("context window"), null=True, blank=True, help_text=_("Tokens.")
    )
    input_price = models.DecimalField(
        _("input price"),
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        help_text=_("Per million tokens."),
    )
    output_price = models.DecimalField(
        _("output price"),
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        help_text=_("Per million tokens."),
    )
    calls_tools = models.BooleanField(
        _("calls tools"),
        null=True,
        blank=True,
        help_text=_("Whether the model can; a trial call finds out."),
    )

    class Meta(Definition.Meta):
        verbose_name = _("profile")
        verbose_name_plural = _("profiles")
        permissions = [("use_credentials", _("Can use the credentials of profiles"))]

    @property
    def has_key(self) -> bool:
        return bool(self.api_key_encrypted)

    def set_api_key(self, key: str) -> None:
        self.api_key_encrypted = crypto.encrypt(key)

    def api_key(self) -> str:
        """The key in clear, for the call to its own base URL only."""
        return crypto.decrypt(self.api_key_encrypted)
