"""Answer what waits for a person: a question, an approval, a recovery choice."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations import dispatch
from conversations.choices import RequestKind, RequestState, RunState
from conversations.engine.answers import Decision, settle
from conversations.models import HumanRequest, Run
from conversations.permissions import may_answer
from conversations.services.runs import check_prompt
from supervisor_site.common.errors import Conflict, Forbidden, invalid

REASON_MAX = 2000
RECOVERY = ("retry", "skip", "fail")


def answer_request(
    *,
    user: User,
    request: HumanRequest,
    answer: str = "",
    decision: str = "",
    reason: str = "",
    arguments: dict[str, Any] | None = None,
) -> HumanRequest:
    """Settle a request, once (S9, H7).

    A question takes ``answer``; an approval ``decision`` approve or deny, with an
    optional ``reason``; a recovery choice ``decision`` retry, skip or fail. Raises
    ``Forbidden``, ``Invalid`` and ``Conflict`` ``already_decided`` with the request
    as it was decided.
    """
    if not may_answer(user, request):
        raise Forbidden(_("Only the person who asked can do this, or an operator."))
    if request.state != RequestState.PENDING:
        raise _already(request)
    if arguments is not None and arguments != request.call.arguments:
        raise invalid(
            "arguments",
            _("The arguments of this call cannot be changed: approve or deny it."),
        )
    made = _read(request, user=user, answer=answer, decision=decision, reason=reason)
    if not settle(request.pk, made):
        raise _already(request)
    state = Run.objects.values_list("state", flat=True).get(pk=request.run_id)
    if state == RunState.RESUMING:
        dispatch.enqueue(request.run_id)
    return _again(request)


def _again(request: HumanRequest) -> HumanRequest:
    return HumanRequest.objects.select_related(
        "run__conversation__owner", "task_run", "call", "decided_by"
    ).get(pk=request.pk)


def _already(request: HumanRequest) -> Conflict:
    decided = _again(request)
    who = decided.decided_by.get_username() if decided.decided_by else _("the system")
    message = _("Already decided by %(who)s: %(state)s.") % {
        "who": who,
        "state": decided.get_state_display(),
    }
    return Conflict(message, code="already_decided", request=decided)


def _read(
    request: HumanRequest, *, user: User, answer: str, decision: str, reason: str
) -> Decision:
    """What the person decided, checked against what was asked."""
    if request.expires_at < timezone.now():
        raise Conflict(_("This request has expired."), code="expired")
    if request.kind == RequestKind.QUESTION:
        text = check_prompt(answer, field="answer")
        return Decision(RequestState.ANSWERED, answer=text, by=user)
    reason = reason.strip()
    if len(reason) > REASON_MAX:
        raise invalid(
            "reason", _("Keep the reason below %(n)d characters.") % {"n": REASON_MAX}
        )
    if request.kind == RequestKind.APPROVAL:
        states = {"approve": RequestState.APPROVED, "deny": RequestState.DENIED}
        if decision not in states:
            raise invalid("decision", _("Decide “approve” or “deny”."))
        return Decision(states[decision], reason=reason, by=user)
    if decision not in RECOVERY:
        raise invalid("decision", _("Decide “retry”, “skip” or “fail”."))
    return Decision(RequestState.ANSWERED, answer=decision, reason=reason, by=user)
