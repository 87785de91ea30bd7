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

from teams.admin.base import NAMING
from teams.admin.forms import DefinitionForm
from teams.admin.parts import SchemaField, listed, pretty_json
from teams.admin.trial import ToolTrial
from teams.choices import Approval
from teams.models import Agent, Task, Tool
from teams.toolbox.registry import RegisteredFunction, all_registered, registered

WHEN, CONDITION = "when", "approval_when"


class ToolForm(DefinitionForm):
    kind = "tool"
    description_help = gettext_lazy("In a sentence. The model reads it first.")
    plain = (
        "tool_type",
        "instruction",
        "function",
        "action",
        "action_done",
        "read_only",
        "replay_safe",
        "remember_approval",
        "timeout",
    )
    attribute_of = {"exists": "name", "run_as_forbidden": "function"}

    function = forms.ChoiceField(
        label=gettext_lazy("Function"),
        required=False,
        help_text=gettext_lazy("A Python function that an installed app registers."),
    )
    approval = forms.ChoiceField(
        label=gettext_lazy("Approval"),
        choices=[
            *Approval.choices,
            (WHEN, gettext_lazy("Ask when the arguments satisfy a condition")),
        ],
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Whether a person is asked before it runs."),
    )
    approval_when = SchemaField(
        label=gettext_lazy("Condition"),
        help_text=gettext_lazy(
            "JSON Schema of arguments that need approval, such as "
            '{"properties": {"amount": {"minimum": 100}}, "required": ["amount"]}.'
        ),
    )

    class Meta:
        model = Tool
        exclude = ("tool_params", "parameters")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance.pk:
            # A new tool takes it from its function, as all of its care.
            del self.fields["approval"], self.fields["approval_when"]
        elif isinstance(self.instance.approval, dict):
            self.initial["approval_when"] = self.instance.approval.get(WHEN)
            self.initial["approval"] = WHEN
        if "function" not in self.fields:
            return
        names = [(each.name, each.name) for each in all_registered()]
        current = self.instance.function
        if current and current not in dict(names):
            names.append((current, _("%(name)s (not installed)") % {"name": current}))
        field = self.fields["function"]
        field.choices = [("", "---------"), *names]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any] | None:
        given = super().clean()
        found = self.cleaned_data
        if found.get("approval") == WHEN and not found.get(CONDITION):
            if CONDITION not in self.errors:
                self.add_error(CONDITION, _("Describe the arguments in question."))
        elif found.get("approval") in Approval.values and found.get(CONDITION):
            self.add_error(
                CONDITION, _("Choose the approval with a condition, or empty this.")
            )
        return given

    def attributes(self) -> dict[str, Any]:
        given, found = self.cleaned_data, super().attributes()
        if "approval" in given:
            by_condition = given["approval"] == WHEN
            condition = {WHEN: given[CONDITION]}
            found["approval"] = condition if by_condition else given["approval"]
        return found

    def _add(self, attribute: str, message: str) -> None:
        by_condition = self.cleaned_data.get("approval") == WHEN
        condition = attribute == "approval" and by_condition
        super()._add(CONDITION if condition else attribute, message)


@admin.register(Tool)
class ToolAdmin(ToolTrial):
    form = ToolForm
    empty_words = gettext_lazy(
        "No tool yet. A tool is a Python function of an installed app that a model "
        "may call."
    )
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
                _("In words for people"),
                {
                    "fields": ("action", "action_done"),
                    "description": _(
                        "Left empty, they are as the function's author wrote them."
                    ),
                },
            ),
            (
                _("Care"),
                {"fields": self._care(request, obj)},
            ),
        ]

    def _care(self, request: HttpRequest, tool: Tool) -> tuple[str, ...]:
        # To read, the condition is a part of the approval.
        change = self.has_change_permission(request, tool)
        return (
            "approval",
            *([CONDITION] if change else []),
            "remember_approval",
            "read_only",
            "replay_safe",
            "timeout",
        )

    @admin.display(description=gettext_lazy("approval"), ordering="approval")
    def approval_word(self, tool: Tool) -> str:
        if isinstance(tool.approval, dict):
            return _("On a condition")
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
