from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class SupervisorSiteConfig(AppConfig):
    name = "supervisor_site"

    def ready(self) -> None:
        from supervisor_site.checks import register_checks

        register_checks()


class SupervisorAdminConfig(AdminConfig):
    default_site = "supervisor_site.admin_site.SupervisorAdminSite"
