"""Conversations, with the runs that happened in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.admin.base import ReadOnlyAdmin, first_line
from conversations.choices import RunState
from conversations.models import Conversation, Run
from conversations.permissions import visible_conversations
from conversations.templatetags import look
from conversations.trace import figures

if TYPE_CHECKING:
    TabularInline = admin.TabularInline[Run, Conversation]
else:
    TabularInline = admin.TabularInline


class RunInline(TabularInline):
    model = Run
    fields = ["prompt", "state_word", "asked", "took", "cost_amount"]
    readonly_fields = ["prompt", "state_word", "asked", "took", "cost_amount"]
    ordering = ["created_at"]
    extra = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Run]:
        runs = super().get_queryset(request).select_related("request")
        return runs.defer("tool_state", "variables")

    @admin.display(description=_("request"))
    def prompt(self, run: Run) -> SafeString:
        url = reverse("admin:conversations_run_change", args=[run.pk])
        return format_html('<a href="{}">{}</a>', url, first_line(run.request.text))

    @admin.display(description=_("state"))
    def state_word(self, run: Run) -> SafeString:
        return look.state_short(run)

    @admin.display(description=_("asked"))
    def asked(self, run: Run) -> SafeString | str:
        return look.ago(run.created_at)

    @admin.display(description=_("took"))
    def took(self, run: Run) -> str:
        return figures.duration(figures.elapsed(run.created_at, run.finished_at))

    @admin.display(description=_("cost"))
    def cost_amount(self, run: Run) -> str:
        return figures.cost(run.cost) if run.cost else ""


@admin.register(Conversation)
class ConversationAdmin(ReadOnlyAdmin):
    empty_words = _(
        "No conversation yet. Each one that is begun in the chat is listed here."
    )
    id_fields = ("id",)
    list_display = ["name", "owner", "team", "last_state", "run_count", "changed"]
    list_filter = [
        ("team", admin.RelatedOnlyFieldListFilter),
        ("owner", admin.RelatedOnlyFieldListFilter),
        "updated_at",
    ]
    search_fields = ["title", "owner__username", "team__name", "messages__text"]
    search_help_text = _("Title, owner, team, anything said, or an id")
    list_select_related = ["owner", "team"]
    date_hierarchy = "created_at"
    ordering = ["-updated_at"]
    fields = ["title", "owner", "team", "created_at", "updated_at", "ended_at", "page"]
    readonly_fields = ["page"]
    inlines = [RunInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Conversation]:
        latest = Run.objects.filter(conversation=OuterRef("pk")).order_by("-created_at")
        return visible_conversations(request.user).annotate(
            latest_state=Subquery(latest.values("state")[:1]),
            counted_runs=Count("runs", distinct=True),
        )

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

    @admin.display(description=_("title"), ordering="title")
    def name(self, conversation: Conversation) -> str:
        return first_line(str(conversation))

    @admin.display(description=_("last run"), ordering="latest_state")
    def last_state(self, conversation: Any) -> SafeString | str:
        state = conversation.latest_state
        return look.state_short(Run(state=RunState(state))) if state else ""

    @admin.display(description=_("runs"), ordering="counted_runs")
    def run_count(self, conversation: Any) -> int:
        return int(conversation.counted_runs)

    @admin.display(description=_("changed"), ordering="updated_at")
    def changed(self, conversation: Conversation) -> SafeString | str:
        return look.ago(conversation.updated_at)

    @admin.display(description=_("page"))
    def page(self, conversation: Conversation) -> SafeString:
        url = reverse("conversation", args=[conversation.pk])
        return format_html('<a href="{}">{}</a>', url, _("Read the conversation"))
