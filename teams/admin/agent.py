"""The admin pages of agents and tasks."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import Prefetch, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from teams.admin.base import NAMING, DefinitionAdmin
from teams.admin.forms import DefinitionForm
from teams.admin.parts import SchemaField, listed
from teams.models import Agent, Task, Team, TeamMember, Tool

# The words of a choice that Django calls unknown, yes and no.
AS_ITS_AGENT = [
    ("unknown", _("As its agent")),
    ("true", _("Yes")),
    ("false", _("No")),
]


class AgentForm(DefinitionForm):
    kind = "agent"
    description_help = _(
        "In a sentence, what to come to it for: a supervisor, and who hands over, "
        "choose by it."
    )
    field_of = {"profile_name": "profile"}
    attribute_of = {
        "exists": "name",
        "in_use": "supervisor",
        "credential_forbidden": "profile_name",
        "run_as_forbidden": "run_as",
    }
    plain = (
        "role",
        "supervisor",
        "enable_human_tool",
        "input_token_budget",
        "output_token_budget",
        "budget_strategy",
        "max_iterations",
        "timeout",
        "output_schema",
    )

    output_schema = SchemaField(
        label=_("Output schema"),
        help_text=_(
            "JSON Schema that its answer must satisfy, such as "
            '{"type": "object", "required": ["total"]}; empty for plain text.'
        ),
    )

    class Meta:
        model = Agent
        exclude = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "run_as" in self.fields:
            self._offer_identities()

    def _offer_identities(self) -> None:
        """Oneself and who is chosen already; to a superuser everyone (D6)."""
        users = User.objects.filter(is_active=True).order_by("username")
        if not getattr(self.user, "is_superuser", False):
            users = users.filter(
                Q(pk=self.user.pk) | Q(pk=self.instance.run_as_id or self.user.pk)
            )
        field: Any = self.fields["run_as"]
        field.queryset = users
        field.empty_label = _("The person who asks")
        # Choosing a user is no place to make or change one.
        for icon in ("can_add_related", "can_change_related", "can_view_related"):
            setattr(field.widget, icon, False)

    def attributes(self) -> dict[str, Any]:
        given = self.cleaned_data
        return super().attributes() | {
            "profile_name": given["profile"].name,
            "tools": [tool.name for tool in given["tools"]],
            "delegates": [other.name for other in given["delegates"]],
            "run_as": given["run_as"].get_username() if given["run_as"] else None,
        }


@admin.register(Agent)
class AgentAdmin(DefinitionAdmin):
    form = AgentForm
    empty_words = _(
        "No agent yet. An agent is a role and a profile: make a profile first."
    )
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
    filter_horizontal = ("tools", "delegates")
    fieldsets = [
        (None, {"fields": NAMING}),
        (_("Who it is"), {"fields": ("role", "profile", "supervisor")}),
        (
            _("What it may use"),
            {
                "fields": ("tools", "enable_human_tool", "run_as"),
                "description": _(
                    "Tools usually sit on tasks. An agent's own tools are added to "
                    "those of its task, and are left out while it leads a team."
                ),
            },
        ),
        (
            _("Delegates"),
            {
                "fields": ("delegates",),
                "description": _(
                    "Each becomes a tool named after it, and its role is what this "
                    "agent reads of it. It answers in a conversation of its own, "
                    "with its own tools and budgets. Left out while it leads a team."
                ),
            },
        ),
        (
            _("Budgets"),
            {
                "fields": (
                    "max_iterations",
                    "timeout",
                    "input_token_budget",
                    "output_token_budget",
                    "budget_strategy",
                ),
                "description": _(
                    "Of one task; each delegate has its own. A team may cap the whole "
                    "run besides."
                ),
            },
        ),
        (_("Form of its answer"), {"fields": ("output_schema",)}),
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
    description_help = _("In a sentence, what it is: a supervisor chooses by it.")
    attribute_of = {"exists": "name", "run_as_forbidden": "tools"}
    plain = ("instruction", "enable_human_tool")

    class Meta:
        model = Task
        exclude = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "enable_human_tool" in self.fields:
            field: Any = self.fields["enable_human_tool"]
            field.widget.choices = AS_ITS_AGENT
            field.help_text = ""

    def attributes(self) -> dict[str, Any]:
        given = self.cleaned_data
        return super().attributes() | {
            "tools": [tool.name for tool in given["tools"]],
            "input": given["input"].name if given["input"] else None,
        }


@admin.register(Task)
class TaskAdmin(DefinitionAdmin):
    form = TaskForm
    empty_words = _("No task yet. A task is an instruction and the tools it may use.")
    list_display = ("name", "display_name", "tool_names", "used_by", "enabled")
    search_fields = ["name", "display_name", "description", "instruction"]
    autocomplete_fields = ("input",)
    filter_horizontal = ("tools",)
    fieldsets = [
        (None, {"fields": NAMING}),
        (_("What is to be done"), {"fields": ("instruction",)}),
        (_("What it may use"), {"fields": ("tools", "enable_human_tool")}),
        (_("In a fixed order"), {"fields": ("input",)}),
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
