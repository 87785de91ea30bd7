"""The admin pages of agents and tasks."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from teams.admin.base import NAMING, DefinitionAdmin
from teams.admin.forms import DefinitionForm
from teams.admin.parts import listed
from teams.models import Agent, Task, Team, TeamMember, Tool


class AgentForm(DefinitionForm):
    kind = "agent"
    field_of = {"profile_name": "profile"}
    attribute_of = {
        "exists": "name",
        "in_use": "supervisor",
        "credential_forbidden": "profile_name",
    }
    plain = ("role", "supervisor", "enable_human_tool", "max_iterations", "timeout")

    class Meta:
        model = Agent
        exclude = ()

    def attributes(self) -> dict[str, Any]:
        given = self.cleaned_data
        return super().attributes() | {
            "profile_name": given["profile"].name,
            "tools": [tool.name for tool in given["tools"]],
        }


@admin.register(Agent)
class AgentAdmin(DefinitionAdmin):
    form = AgentForm
    list_display = (
        "name",
        "profile",
        "supervisor",
        "tool_names",
        "used_by",
        "enabled",
    )
    list_filter = [
        "enabled",
        "supervisor",
        ("profile", admin.RelatedOnlyFieldListFilter),
    ]
    list_select_related = ("profile",)
    search_fields = ["name", "display_name", "description", "role"]
    filter_horizontal = ("tools",)
    fieldsets = [
        (None, {"fields": NAMING}),
        (_("Who it is"), {"fields": ("role", "profile", "supervisor")}),
        (
            _("What it may use"),
            {
                "fields": ("tools", "enable_human_tool"),
                "description": _(
                    "Tools usually sit on tasks. An agent's own tools are added to "
                    "those of its task, and are left out while it leads a team."
                ),
            },
        ),
        (_("Limits"), {"fields": ("max_iterations", "timeout")}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found = super().get_queryset(request)
        members = TeamMember.objects.filter(team__dropped_at__isnull=True)
        return found.prefetch_related(
            Prefetch("tools", Tool.objects.live().only("name"), "live_tools"),
            Prefetch("leads", Team.objects.live().only("name", "supervisor_agent")),
            Prefetch("memberships", members.select_related("team")),
        )

    @admin.display(description=_("tools"))
    def tool_names(self, agent: Any) -> str:
        return listed(tool.name for tool in agent.live_tools)

    @admin.display(description=_("used by"))
    def used_by(self, agent: Agent) -> str:
        teams = [member.team for member in agent.memberships.all()]
        return listed(team.name for team in (*teams, *agent.leads.all()))


class TaskForm(DefinitionForm):
    kind = "task"
    plain = ("instruction", "enable_human_tool")

    class Meta:
        model = Task
        exclude = ()

    def attributes(self) -> dict[str, Any]:
        tools = [tool.name for tool in self.cleaned_data["tools"]]
        return super().attributes() | {"tools": tools}


@admin.register(Task)
class TaskAdmin(DefinitionAdmin):
    form = TaskForm
    list_display = ("name", "display_name", "tool_names", "used_by", "enabled")
    search_fields = ["name", "display_name", "description", "instruction"]
    filter_horizontal = ("tools",)
    fieldsets = [
        (None, {"fields": NAMING}),
        (_("What is to be done"), {"fields": ("instruction",)}),
        (_("What it may use"), {"fields": ("tools", "enable_human_tool")}),
    ]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found = super().get_queryset(request)
        members = TeamMember.objects.filter(team__dropped_at__isnull=True)
        return found.prefetch_related(
            Prefetch("tools", Tool.objects.live().only("name"), "live_tools"),
            Prefetch("memberships", members.select_related("team")),
        )

    @admin.display(description=_("tools"))
    def tool_names(self, task: Any) -> str:
        return listed(tool.name for tool in task.live_tools)

    @admin.display(description=_("used by"))
    def used_by(self, task: Task) -> str:
        return listed(member.team.name for member in task.memberships.all())
