"""What waits, or waited, for a person."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.admin.base import ReadOnlyAdmin, first_line
from conversations.models import HumanRequest
from conversations.templatetags import look


@admin.register(HumanRequest)
class HumanRequestAdmin(ReadOnlyAdmin):
    id_fields = ("id", "run_id", "call_id")
    list_display = [
        "what",
        "state_word",
        "person",
        "opened",
        "due",
        "decided_by",
        "decided",
        "reply",
        "how",
        "agent",
        "kind",
    ]
    list_filter = [
        "state",
        "kind",
        "task_run__agent_name",
        "call__tool_name",
        ("run__team_version__team", admin.RelatedOnlyFieldListFilter),
        ("run__requested_by", admin.RelatedOnlyFieldListFilter),
        ("decided_by", admin.RelatedOnlyFieldListFilter),
        "created_at",
        ("edited", admin.EmptyFieldListFilter),
        "remember",
    ]
    search_fields = [
        "prompt",
        "answer",
        "reason",
        "call__tool_name",
        "task_run__agent_name",
        "run__requested_by__username",
    ]
    search_help_text = _("Question, answer, reason, tool, agent, person or an id")
    list_select_related = ["call", "task_run", "run__requested_by", "decided_by"]
    date_hierarchy = "created_at"
    ordering = ["-created_at"]

    @admin.display(description=_("what"))
    def what(self, request: HumanRequest) -> str:
        return first_line(request.prompt or request.call.tool_name or request.call.name)

    @admin.display(description=_("state"), ordering="state")
    def state_word(self, request: HumanRequest) -> SafeString:
        return look.state_short(request)

    @admin.display(description=_("agent / task"), ordering="task_run__agent_name")
    def agent(self, request: HumanRequest) -> str:
        return request.task_run.label

    @admin.display(description=_("waits for"), ordering="run__requested_by__username")
    def person(self, request: HumanRequest) -> str:
        return request.run.requested_by.get_username()

    @admin.display(description=_("opened"), ordering="created_at")
    def opened(self, request: HumanRequest) -> SafeString | str:
        return look.ago(request.created_at)

    @admin.display(description=_("due"), ordering="expires_at")
    def due(self, request: HumanRequest) -> SafeString | str:
        return "" if request.decided_at else look.moment(request.expires_at)

    @admin.display(description=_("decided"), ordering="decided_at")
    def decided(self, request: HumanRequest) -> SafeString | str:
        return look.ago(request.decided_at)

    @admin.display(description=_("how"))
    def how(self, request: HumanRequest) -> str:
        """What a person added to a plain approval."""
        words = [
            (request.edited is not None, _("changed arguments")),
            (request.remember, _("for the conversation")),
        ]
        return ", ".join(str(word) for given, word in words if given)

    @admin.display(description=_("answer"))
    def reply(self, request: HumanRequest) -> str:
        return first_line(request.answer or request.reason)
