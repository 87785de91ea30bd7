from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class DemoConfig(AppConfig):
    name = "teams.demo"
    label = "demo"
    verbose_name = _("Demo data")
