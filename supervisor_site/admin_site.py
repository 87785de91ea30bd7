"""The admin: Django's own, with our name and mark."""

from __future__ import annotations

from django.contrib.admin import AdminSite
from django.utils.translation import gettext_lazy as _


class SupervisorAdminSite(AdminSite):
    site_header = _("Supervisor Site")
    site_title = _("Supervisor Site")
    index_title = _("Teams and runs")
