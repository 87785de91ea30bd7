"""Where a conversation stands: its last run, and what waits for whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.contrib.auth.models import User
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.choices import (
    RUN_OPEN,
    RUN_RETRYABLE,
    RequestKind,
    RequestState,
    RunState,
)
from conversations.error_texts import error_message
from conversations.models import Conversation, HumanRequest, Run


@dataclass(frozen=True)
class Standing:
    """``mine``: the reader is who talks here; others may only look, or answer."""

    run: Run | None = None
    pending: list[HumanRequest] = field(default_factory=list)
    mine: bool = True

    @property
    def open(self) -> bool:
        return self.run is not None and self.run.state in RUN_OPEN

    @property
    def stopping(self) -> bool:
        return self.open and bool(self.run and self.run.cancel_requested_at)

    @property
    def waits(self) -> bool:
        return self.run is not None and self.run.state == RunState.WAITING_FOR_HUMAN

    @property
    def may_retry(self) -> bool:
        return self.run is not None and self.run.state in RUN_RETRYABLE

    @property
    def question(self) -> HumanRequest | None:
        """The one open question, which a message answers."""
        if len(self.pending) != 1 or self.pending[0].kind != RequestKind.QUESTION:
            return None
        return self.pending[0]

    @property
    def sentence(self) -> str:
        """What is said beside the state: what waits, or what went wrong."""
        if self.run is None:
            return ""
        if self.stopping:
            return _("Stopping")
        if self.run.error_code:
            return error_message(self.run.error_code, self.run.error_params)
        if not self.waits or not self.pending:
            return ""
        if len(self.pending) > 1:
            text = ngettext(
                "%(n)d decision is open", "%(n)d decisions are open", len(self.pending)
            )
            return text % {"n": len(self.pending)}
        return self._of_one(self.pending[0])

    def _of_one(self, request: HumanRequest) -> str:
        names = {
            "agent": request.task_run.agent_name,
            "tool": request.call.tool_name or request.call.name,
        }
        if request.kind == RequestKind.QUESTION:
            return _("%(agent)s has a question") % names
        if request.kind == RequestKind.RECOVERY:
            return _("%(tool)s was interrupted") % names
        return _("%(agent)s asks to use %(tool)s") % names


def standing_of(conversation: Conversation, user: User) -> Standing:
    """In two queries; the second only while something waits."""
    run = (
        Run.objects.filter(conversation=conversation)
        .select_related("request")
        .defer("tool_state", "variables", "answer", "request__text")
        .order_by("-request__number")
        .first()
    )
    mine = conversation.owner_id == user.pk
    if run is None or run.state != RunState.WAITING_FOR_HUMAN:
        return Standing(run, [], mine)
    pending = (
        HumanRequest.objects.filter(run=run, state=RequestState.PENDING)
        .select_related("call", "task_run")
        .order_by("call__created_at", "call__position")
    )
    return Standing(run, list(pending), mine)
