"""The admin page of tools: a registered function, and how careful to be with it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from teams.admin.base import NAMING, DefinitionAdmin
from teams.admin.forms import DefinitionForm
from teams.admin.parts import listed, pretty_json
from teams.choices import Approval
from teams.models import Agent, Task, Tool
from teams.toolbox.registry import RegisteredFunction, all_registered, registered


class ToolForm(DefinitionForm):
    kind = "tool"
    plain = (
        "tool_type",
        "instruction",
        "function",
        "read_only",
        "replay_safe",
        "approval",
        "timeout",
    )

    function = forms.ChoiceField(
        label=gettext_lazy("Function"),
        required=False,
        help_text=gettext_lazy("A Python function that an installed app registers."),
    )
    approval = forms.ChoiceField(
        label=gettext_lazy("Approval"),
        choices=Approval.choices,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Whether a person is asked before it runs."),
    )

    class Meta:
        model = Tool
        exclude = ("tool_params", "parameters")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk:
            # A new tool takes it from its function, as all of its care.
            del self.fields["approval"]
        if "function" not in self.fields:
            return
        names = [(each.name, each.name) for each in all_registered()]
        current = self.instance.function
        if current and current not in dict(names):
            names.append((current, _("%(name)s (not installed)") % {"name": current}))
        field = self.fields["function"]
        field.choices = [("", "---------"), *names]  # type: ignore[attr-defined]


@admin.register(Tool)
class ToolAdmin(DefinitionAdmin):
    form = ToolForm
    list_display = (
        "name",
        "function",
        "approval_word",
        "read_only",
        "used_by",
        "enabled",
    )
    list_filter = ["enabled", "read_only", "tool_type"]
    search_fields = ["name", "display_name", "description", "instruction", "function"]
    readonly_fields = ("arguments", "functions")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found = super().get_queryset(request)
        return found.prefetch_related(
            Prefetch("agents", Agent.objects.live().only("name"), "live_agents"),
            Prefetch("tasks", Task.objects.live().only("name"), "live_tasks"),
        )

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        if obj is None:
            # The flags come from the function's author; they can be changed after.
            return [
                (None, {"fields": NAMING}),
                (
                    _("What it does"),
                    {
                        "fields": ("tool_type", "function", "instruction", "functions"),
                        "description": _(
                            "Approval, time limit and the rest start as the "
                            "function's author chose; change them after saving."
                        ),
                    },
                ),
            ]
        return [
            (None, {"fields": NAMING}),
            (
                _("What it does"),
                {"fields": ("tool_type", "function", "instruction", "arguments")},
            ),
            (
                _("Care"),
                {"fields": ("approval", "read_only", "replay_safe", "timeout")},
            ),
        ]

    @admin.display(description=gettext_lazy("approval"), ordering="approval")
    def approval_word(self, tool: Tool) -> str:
        return str(dict(Approval.choices).get(tool.approval, tool.approval))

    @admin.display(description=gettext_lazy("used by"))
    def used_by(self, tool: Any) -> str:
        users = [*tool.live_agents, *tool.live_tasks]
        return listed(user.name for user in users)

    @admin.display(description=gettext_lazy("arguments"))
    def arguments(self, tool: Tool) -> str:
        found = registered(tool.function)
        if found is None:
            return _("The function is not installed, so it cannot be called.")
        return format_html(
            "<p>{}</p>{}", found.description, pretty_json(found.parameters)
        )

    @admin.display(description=gettext_lazy("functions there are"))
    def functions(self, _tool: Any) -> str:
        rows = ((each.name, _about(each)) for each in all_registered())
        return format_html_join(
            "", "<details><summary>{}</summary>{}</details>", rows
        ) or _("None: no installed app has an agent_tools module with any.")


def _about(found: RegisteredFunction) -> str:
    return format_html("<p>{}</p>{}", found.description, pretty_json(found.parameters))
