"""Versions of teams: to read, never to change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from teams.admin.parts import pretty_json
from teams.models import TeamVersion

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


@admin.register(TeamVersion)
class TeamVersionAdmin(ModelAdmin):
    empty_words = _("None yet. The first run of a team makes its first version.")
    list_display = ("__str__", "created_at", "short_digest")
    list_filter = (("team", admin.RelatedOnlyFieldListFilter), "created_at")
    list_select_related = ("team",)
    list_per_page = 50
    search_fields = ("team__name", "digest")
    fields = ("team", "number", "created_at", "schema", "digest", "readable")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        # Definitions are large, and the list shows nothing of them.
        return super().get_queryset(request).defer("definition")

    @admin.display(description=_("digest"))
    def short_digest(self, version: TeamVersion) -> str:
        return version.digest[:12]

    @admin.display(description=_("definition"))
    def readable(self, version: TeamVersion) -> str:
        return pretty_json(version.definition)

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        extra = {"empty_words": self.empty_words}
        return super().changelist_view(request, extra | (extra_context or {}))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
