"""What all the read-only admin pages share: permissions, search by id, columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from conversations.choices import RunState
from conversations.permissions import visible_runs
from conversations.trace.overview import recent_since

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise as StrPromise

    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


@dataclass(frozen=True, slots=True)
class Question:
    """What a list answers before it offers filters: how many rows are in one of the
    ``states``. ``since`` names the moment that must be of the last seven days."""

    word: StrPromise
    look: str
    states: tuple[str, ...]
    since: str = ""

    def parameters(self) -> dict[str, str]:
        """As the list's address has them."""
        name = "state__exact" if len(self.states) == 1 else "state__in"
        return {name: ",".join(self.states)} | self._recent()

    def of(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows.filter(state__in=self.states, **self._recent())

    def _recent(self) -> dict[str, str]:
        return {f"{self.since}__gte": recent_since().isoformat()} if self.since else {}


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
    questions: tuple[Question, ...] = ()
    empty_words: StrPromise | str = ""

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

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        extra = {"questions": self._asked(request), "empty_words": self.empty_words}
        return super().changelist_view(request, extra | (extra_context or {}))

    def _asked(self, request: HttpRequest) -> list[dict[str, Any]]:
        """The questions, each with its answer and the address of its rows."""
        if not self.questions or not self.has_view_permission(request):
            return []
        rows = self.model._default_manager.filter(
            **{f"{self.run_path}__in": visible_runs(request.user)}
        )
        found = []
        for question in self.questions:
            wanted = question.parameters()
            found.append(
                {
                    "word": question.word,
                    "look": question.look,
                    "count": question.of(rows).count(),
                    "query": urlencode(wanted),
                    "chosen": wanted.items() <= request.GET.dict().items(),
                }
            )
        return found

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


def with_second(first: Any, second: Any, *, error: bool = False) -> SafeString | Any:
    """A cell with a quieter second line, or as it is where there is none."""
    if not second:
        return first
    look = "error" if error else "waits"
    return format_html('{}<div class="list-{}">{}</div>', first, look, second)


def first_line(text: str, length: int = 80) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= length else line[: length - 1] + "…"
