"""Answer what waits for a person: a question, an approval, a recovery choice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations import dispatch
from conversations.choices import RequestKind, RequestState, RunState
from conversations.engine.answers import Decision, settle
from conversations.models import HumanRequest, Run
from conversations.permissions import may_answer
from conversations.services.checks import check_prompt
from supervisor_site.common.errors import Conflict, Forbidden, invalid
from teams.definition import ToolDefinition
from teams.services.versions import definition_of
from teams.toolbox.running import argument_problem

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
    remember: bool = False,
    client_id: str = "",
) -> HumanRequest:
    """Settle a request, once (S9, H7).

    A question takes ``answer``; an approval ``decision`` approve or deny, with an
    optional ``reason``, changed ``arguments`` (with the right to) and ``remember``
    (for the rest of the conversation, where the tool permits it); a recovery choice
    ``decision`` retry, skip or fail. ``client_id`` is that of the message which
    answers. Raises ``Forbidden``, ``Invalid`` and ``Conflict`` ``already_decided``
    with the request as it was decided.
    """
    if not may_answer(user, request):
        raise Forbidden(_("Only the person who asked can do this, or an operator."))
    if request.state != RequestState.PENDING:
        raise _already(request)
    made = _read(request, user=user, answer=answer, decision=decision, reason=reason)
    made = replace(made, client_id=client_id)
    if made.state == RequestState.APPROVED:
        made = replace(
            made,
            arguments=_edited(request, user, arguments),
            remember=remember and _remembered(request),
        )
    if not settle(request.pk, made):
        raise _already(request)
    state = Run.objects.values_list("state", flat=True).get(pk=request.run_id)
    if state == RunState.RESUMING:
        dispatch.enqueue(request.run_id)
    return _again(request)


def _tool_of(request: HumanRequest) -> ToolDefinition | None:
    definition = definition_of(request.run.team_version_id)
    uid = request.call.tool_uid
    return definition.tools.get(uid) if uid else None


def _edited(
    request: HumanRequest, user: User, arguments: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Changed arguments, checked like a model's; ``None`` where nothing is changed."""
    if arguments is None or arguments == request.call.arguments:
        return None
    if not user.has_perm("conversations.edit_arguments"):
        raise Forbidden(_("You may approve or deny this call, but not change it."))
    tool = _tool_of(request)
    problem = argument_problem(tool.parameters, arguments) if tool else ""
    if problem:
        raise invalid("arguments", problem)
    return arguments


def may_remember(request: HumanRequest) -> bool:
    """Whether the tool permits an approval for the rest of the conversation (H7)."""
    tool = _tool_of(request)
    return tool is not None and tool.remember_approval


def _remembered(request: HumanRequest) -> bool:
    if not may_remember(request):
        raise invalid(
            "remember",
            _("This tool needs an approval each time; it cannot be remembered."),
        )
    return True


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
