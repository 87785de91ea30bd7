"""What waits, or waited, for a person."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from conversations.admin.base import (
    Question,
    ReadOnlyAdmin,
    first_line,
    with_second,
)
from conversations.choices import RequestState
from conversations.models import HumanRequest
from conversations.templatetags import look


@admin.register(HumanRequest)
class HumanRequestAdmin(ReadOnlyAdmin):
    id_fields = ("id", "run_id", "call_id")
    list_display = ["what", "state_word", "person", "opened", "due", "decided", "reply"]
    questions = (Question(_("waiting"), "waiting", (RequestState.PENDING,)),)
    empty_words = _(
        "No agent has asked a person yet. Questions and approvals are listed here."
    )
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
    def what(self, request: HumanRequest) -> SafeString:
        """And who asks it, of which kind."""
        words = request.prompt or request.call.tool_name or request.call.name
        below = f"{request.get_kind_display()} · {request.task_run.label}"
        return with_second(first_line(words), below)

    @admin.display(description=_("state"), ordering="state")
    def state_word(self, request: HumanRequest) -> SafeString:
        return look.state_short(request)

    @admin.display(description=_("waits for"), ordering="run__requested_by__username")
    def person(self, request: HumanRequest) -> str:
        return request.run.requested_by.get_username()

    @admin.display(description=_("opened"), ordering="created_at")
    def opened(self, request: HumanRequest) -> SafeString | str:
        return look.ago(request.created_at)

    @admin.display(description=_("due in"), ordering="expires_at")
    def due(self, request: HumanRequest) -> SafeString | str:
        return "" if request.decided_at else look.left(request.expires_at)

    @admin.display(description=_("decided"), ordering="decided_at")
    def decided(self, request: HumanRequest) -> SafeString | str:
        """And by whom; an expiry is nobody's decision."""
        person = request.decided_by.get_username() if request.decided_by else ""
        return with_second(look.ago(request.decided_at), person)

    @admin.display(description=_("answer"))
    def reply(self, request: HumanRequest) -> SafeString | str:
        """With what a person added to a plain approval."""
        words = [
            (request.edited is not None, _("changed arguments")),
            (request.remember, _("for the conversation")),
        ]
        added = ", ".join(str(word) for given, word in words if given)
        said = first_line(request.answer or request.reason)
        return with_second(said, added) if said else added
