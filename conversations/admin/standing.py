"""Tools that need no more approval in a conversation, and taking that back."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from conversations.admin.base import ReadOnlyAdmin, first_line
from conversations.models import StandingApproval
from conversations.permissions import answers_all, visible_conversations
from conversations.selectors.approvals import standing_approvals
from conversations.services.approvals import revoke
from conversations.templatetags import look


@admin.register(StandingApproval)
class StandingApprovalAdmin(ReadOnlyAdmin):
    """Operators delete one: the tool asks again from its next call on."""

    empty_words = _(
        "None. On an approval card people can allow a tool for the rest of the "
        "conversation, where the tool permits it; that is listed here."
    )
    id_fields = ("conversation_id", "tool_uid")
    list_display = ["tool", "talk", "owner", "given_by", "given"]
    list_display_links = None
    list_filter = [
        ("conversation__team", admin.RelatedOnlyFieldListFilter),
        ("given_by", admin.RelatedOnlyFieldListFilter),
        "created_at",
    ]
    search_fields = ["conversation__title", "given_by__username"]
    search_help_text = _("Title of the conversation, person, or an id")
    list_select_related = ["conversation__owner", "given_by"]
    fields = ["tool", "talk", "owner", "given_by", "created_at"]
    readonly_fields = ["tool", "talk", "owner"]
    actions = ["take_back"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[StandingApproval]:
        return standing_approvals(visible_conversations(request.user))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        return super().get_actions(request) if answers_all(request.user) else {}

    def has_delete_permission(self, request: HttpRequest, *_args: Any) -> bool:
        return answers_all(request.user)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        return super(ReadOnlyAdmin, self).change_view(
            request, object_id, form_url, extra_context
        )

    def delete_model(self, request: HttpRequest, obj: StandingApproval) -> None:
        revoke(user=request.user, approval=obj)  # type: ignore[arg-type]

    @admin.action(description=_("Take back the selected approvals"))
    def take_back(
        self, request: HttpRequest, queryset: QuerySet[StandingApproval]
    ) -> None:
        approvals = list(queryset.select_related("conversation"))
        for approval in approvals:
            self.delete_model(request, approval)
        n = len(approvals)
        text = ngettext("%(n)d approval taken back.", "%(n)d approvals taken back.", n)
        self.message_user(request, text % {"n": n})

    @admin.display(description=_("tool"), ordering="tool_name")
    def tool(self, approval: Any) -> str:
        return str(approval.tool_name or approval.tool_uid)

    @admin.display(description=_("conversation"), ordering="conversation__title")
    def talk(self, approval: StandingApproval) -> SafeString:
        conversation = approval.conversation
        url = reverse("admin:conversations_conversation_change", args=[conversation.pk])
        return format_html(
            '<a href="{}">{}</a>', url, first_line(str(conversation), 60)
        )

    @admin.display(description=_("owner"), ordering="conversation__owner__username")
    def owner(self, approval: StandingApproval) -> str:
        return approval.conversation.owner.get_username()

    @admin.display(description=_("given"), ordering="created_at")
    def given(self, approval: StandingApproval) -> SafeString | str:
        return look.ago(approval.created_at)
