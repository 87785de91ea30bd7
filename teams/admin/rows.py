"""What the rows of a team's form share: the form reads them, and puts refusals on
them, since a team is saved and judged as one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.forms.models import BaseInlineFormSet
from django.http import HttpRequest

from teams.admin.base import without_drop_icon
from teams.models import Definition, Team
from teams.permissions import Action, may

if TYPE_CHECKING:
    FormSet = BaseInlineFormSet[Any, Any, Any]
    Inline = admin.TabularInline[Any, Any]
else:
    FormSet = BaseInlineFormSet
    Inline = admin.TabularInline


class RowSet(FormSet, ABC):
    """Rows that are a part of their team. They make themselves known to the team they
    belong to, and so to its form, which is validated after they were made."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known: dict[str, RowSet] = rows_of(self.instance)
        self.instance.row_sets = known | {self.prefix: self}

    def filled(self, field: str) -> list[Any]:
        return [
            form
            for form in self.forms
            if form not in self.deleted_forms and form.cleaned_data.get(field)
        ]

    @abstractmethod
    def in_order(self) -> list[Any]:
        """The filled forms in the order of what they become."""

    @abstractmethod
    def attributes(self) -> list[dict[str, str]]:
        """The rows as an attribute of the team."""

    def refuse(self, place: str, field_of: dict[str, str], message: str) -> None:
        """Put a refusal of ``N.part`` on its row, of "" on all of them."""
        number, _dot, part = place.partition(".")
        rows = self.in_order()
        if not number.isdecimal() or int(number) >= len(rows):
            self.non_form_errors().append(message)
            return
        form = rows[int(number)]
        form.add_error(field_of.get(part, next(iter(field_of.values()))), message)


def rows_of(team: Team) -> dict[str, RowSet]:
    """The row sets that were made for this very object, by prefix."""
    found: dict[str, RowSet] = vars(team).get("row_sets", {})
    return found


class TeamInline(Inline):
    """Rows of a team: whoever may change the team may change them."""

    def formfield_for_foreignkey(self, db_field: Any, request: Any, **kw: Any) -> Any:
        target = db_field.remote_field.model
        if issubclass(target, Definition):
            kw["queryset"] = target.objects.live()
        return super().formfield_for_foreignkey(db_field, request, **kw)

    def formfield_for_dbfield(self, db_field: Any, request: Any, **kw: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kw)
        if field is not None and isinstance(field.widget, forms.Textarea):
            field.widget.attrs["rows"] = 2
        return without_drop_icon(field)

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
