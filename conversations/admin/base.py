"""What all the read-only admin pages share: permissions, search by id, columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from conversations.choices import RunState
from conversations.permissions import visible_runs

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


class StateFilter(admin.ChoicesFieldListFilter):
    """States in words for somebody else: a wait is for the person named in the row."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        yours, waiting = str(RunState.WAITING_FOR_HUMAN.label), _("Waiting")
        for choice in super().choices(changelist):
            display = str(choice["display"]).replace(yours, waiting)
            yield {**choice, "display": display}


class ReadOnlyAdmin(ModelAdmin):
    """Rows that only the engine writes. ``run_path`` leads from a row to its run,
    ``id_fields`` are searched when the words are an id."""

    run_path = "run"
    id_fields: tuple[str, ...] = ("id",)
    list_per_page = 50
    # A count of everything for each filter is a scan of each table.
    show_full_result_count = False
    actions: Any = None
    empty_value_display = "–"

    def has_add_permission(self, request: HttpRequest, *_args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, *_args: Any) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, *_args: Any) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """Those of the runs that this person may read, as everywhere else."""
        rows = super().get_queryset(request)
        return rows.filter(**{f"{self.run_path}__in": visible_runs(request.user)})

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        try:
            wanted = UUID(search_term.strip())
        except ValueError:
            return super().get_search_results(request, queryset, search_term)
        found = queryset.none()
        for field in self.id_fields:
            found = found | queryset.filter(**{field: wanted})
        return found, False

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """A row is read in the trace of its run, at its own step."""
        row = self.get_object(request, object_id)
        if row is None or not self.has_view_permission(request, row):
            return super().change_view(request, object_id, form_url, extra_context)
        run_id = self.run_id_of(row)
        place = "admin:conversations_run_change"
        if not request.user.has_perm("conversations.view_run"):
            place = "run_trace"
        url = reverse(place, args=[run_id])
        return redirect(url if row.pk == run_id else f"{url}?step={row.pk}")

    def run_id_of(self, row: Any) -> UUID:
        found: UUID = row.run_id
        return found


def first_line(text: str, length: int = 80) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= length else line[: length - 1] + "…"
