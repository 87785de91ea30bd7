"""The admin: Django's own, with our name and mark, in the order people need it."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

# What is not listed comes after, by name.
ORDER: dict[str, list[str]] = {
    "conversations": [
        "Run",
        "HumanRequest",
        "Conversation",
        "TaskRun",
        "ToolCall",
        "ModelCall",
        "Event",
    ],
    "teams": [
        "Team",
        "Agent",
        "Task",
        "Tool",
        "Profile",
        "TeamVersion",
        "ApiToken",
    ],
    "auth": ["User", "Group"],
}
# Apps whose own name says nothing to people.
NAMES = {"axes": _("Log-ins")}


class SupervisorAdminSite(AdminSite):
    site_header = _("Supervisor Site")
    site_title = _("Supervisor Site")
    index_title = _("Runs and teams")

    def get_app_list(
        self, request: HttpRequest, app_label: str | None = None
    ) -> list[Any]:
        """Apps and models as ``ORDER`` has them."""
        apps: list[Any] = super().get_app_list(request, app_label)
        for app in apps:
            app["name"] = NAMES.get(app["app_label"], app["name"])
            wanted = ORDER.get(app["app_label"], [])
            app["models"].sort(key=lambda model: _place(wanted, model["object_name"]))
        return sorted(apps, key=lambda app: _place(list(ORDER), app["app_label"]))


def _place(wanted: list[str], name: str) -> int:
    return wanted.index(name) if name in wanted else len(wanted)
