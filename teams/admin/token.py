"""API tokens: to see who has some, and to revoke them. Making one is its owner's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from teams.models import ApiToken

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    ModelAdmin = admin.ModelAdmin


@admin.register(ApiToken)
class ApiTokenAdmin(ModelAdmin):
    empty_words = _(
        "Nobody has a token yet. Each person makes their own over the REST API."
    )
    list_display = ("name", "user", "created_at", "last_used_at")
    list_filter = ("created_at", "last_used_at")
    list_select_related = ("user",)
    list_per_page = 50
    search_fields = ("name", "user__username")
    fields = ("name", "user", "created_at", "last_used_at")
    readonly_fields = fields
    delete_confirmation_template = "admin/teams/revoke_confirmation.html"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        extra = {"empty_words": self.empty_words}
        return super().changelist_view(request, extra | (extra_context or {}))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
