"""Who may hand over to whom, as rows of a team's form."""

from __future__ import annotations

from typing import Any, ClassVar

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from teams.admin.rows import RowSet, TeamInline
from teams.models import HandoffRule


class RuleFormSet(RowSet):
    def in_order(self) -> list[Any]:
        return [form for form in self.filled("source") if form.cleaned_data["target"]]

    def attributes(self) -> list[dict[str, str]]:
        """The rules as the attribute ``handoffs`` of a team."""
        return [
            {
                "from": form.cleaned_data["source"].name,
                "to": form.cleaned_data["target"].name,
                "description": form.cleaned_data.get("description") or "",
            }
            for form in self.in_order()
        ]


class RuleInline(TeamInline):
    model = HandoffRule
    formset = RuleFormSet
    # Two foreign keys lead to agents; only one leads to the team.
    fk_name = "team"
    fields: ClassVar[Any] = ("source", "target", "description")
    autocomplete_fields = ("source", "target")
    verbose_name = _("handover rule")
    verbose_name_plural = _("who may hand over to whom (none: everyone to everyone)")

    def get_extra(self, request: HttpRequest, obj: Any = None, **kwargs: Any) -> int:
        return 1
