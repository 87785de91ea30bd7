"""The pairs of a team as rows of its form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from teams.admin.base import without_drop_icon
from teams.models import Agent, Task, TeamMember
from teams.permissions import Action, may
from teams.services.attributes.members import MEMBERS_MAX
from teams.validation import MemberDraft, TeamDraft, team_errors

if TYPE_CHECKING:
    FormSet = BaseInlineFormSet[Any, Any, Any]
    Inline = admin.TabularInline[Any, Any]
    ModelForm = forms.ModelForm[Any]
else:
    FormSet = BaseInlineFormSet
    Inline = admin.TabularInline
    ModelForm = forms.ModelForm

FIELD_OF = {"name": "agent", "task": "task"}


class MemberForm(ModelForm):
    """``place`` counts from 1; left empty, the pair comes last."""

    place = forms.IntegerField(
        label=_("Order"),
        required=False,
        min_value=1,
        max_value=10_000,
        widget=forms.NumberInput(attrs={"class": "vSmallIntegerField", "min": 1}),
    )

    class Meta:
        model = TeamMember
        fields = ("agent", "task")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk:
            self.initial.setdefault("place", self.instance.position + 1)


class MemberFormSet(FormSet):
    def pair_forms(self) -> list[Any]:
        """The filled forms in the order of the pairs they are to become."""
        filled = [
            form
            for form in self.forms
            if form not in self.deleted_forms and form.cleaned_data.get("agent")
        ]
        last = len(self.forms) + 10_000
        return sorted(filled, key=lambda form: form.cleaned_data.get("place") or last)

    def pairs(self) -> list[dict[str, str]]:
        """The pairs as the attribute ``agents`` of a team."""
        found = []
        for form in self.pair_forms():
            pair = {"name": form.cleaned_data["agent"].name}
            if task := form.cleaned_data.get("task"):
                pair["task"] = task.name
            found.append(pair)
        return found

    def clean(self) -> None:
        super().clean()
        if any(self.errors):
            return
        forms_in_order = self.pair_forms()
        team = self.instance
        drafts = [
            MemberDraft(form.cleaned_data["agent"], form.cleaned_data.get("task"))
            for form in forms_in_order
        ]
        draft = TeamDraft(
            team.pattern, team.process, team.supervisor_agent, tuple(drafts)
        )
        problems = []
        for error in team_errors(draft):
            attribute, _dot, place = error.field.partition(".")
            if attribute == "agents" and place:
                number, _dot, part = place.partition(".")
                form = forms_in_order[int(number)]
                form.add_error(FIELD_OF.get(part, "agent"), error.message)
            elif attribute == "agents":
                problems.append(error.message)
        if problems:
            raise ValidationError(problems)


class MemberInline(Inline):
    model = TeamMember
    form = MemberForm
    formset = MemberFormSet
    fields: ClassVar[Any] = ("place", "agent", "task")
    autocomplete_fields = ("agent", "task")
    max_num = MEMBERS_MAX
    verbose_name = _("agent with a task")
    verbose_name_plural = _("agents and their tasks")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if self.has_change_permission(request, obj):
            return self.fields
        return ("agent", "task")

    def get_extra(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        return 1 if obj is not None else 3

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kw: Any) -> Any:
        live: dict[str, Any] = {"agent": Agent.objects, "task": Task.objects}
        if db_field.name in live:
            kw["queryset"] = live[db_field.name].live()
        return super().formfield_for_foreignkey(db_field, request, **kw)

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kw: Any) -> Any:
        return without_drop_icon(super().formfield_for_dbfield(db_field, request, **kw))

    # Pairs are a part of the team: whoever may change it may change them.

    def _may(self, request: HttpRequest, obj: Any) -> bool:
        action: Action = "change" if obj is not None and obj.pk else "add"
        return may(request.user, action, "team")

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, obj)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._may(request, obj)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return may(request.user, "view", "team")
