"""The pairs of a team as rows of its form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from teams.admin.rows import RowSet, TeamInline
from teams.models import TeamMember
from teams.services.attributes.members import MEMBERS_MAX

if TYPE_CHECKING:
    ModelForm = forms.ModelForm[Any]
else:
    ModelForm = forms.ModelForm


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


class MemberFormSet(RowSet):
    def in_order(self) -> list[Any]:
        """The filled forms in the order of the pairs they are to become."""
        last = len(self.forms) + 10_000
        return sorted(
            self.filled("agent"),
            key=lambda form: form.cleaned_data.get("place") or last,
        )

    def attributes(self) -> list[dict[str, str]]:
        """The pairs as the attribute ``agents`` of a team."""
        found = []
        for form in self.in_order():
            pair = {"name": form.cleaned_data["agent"].name}
            if task := form.cleaned_data.get("task"):
                pair["task"] = task.name
            found.append(pair)
        return found


class MemberInline(TeamInline):
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
