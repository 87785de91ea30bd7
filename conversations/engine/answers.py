"""A person's decision, or a deadline passed: single use, bound to the stored call.

Locks the conversation and the run before it counts what is still open; the run goes
on when nothing open is left (rule 7).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from conversations.choices import (
    EventKind,
    MessageRole,
    RequestKind,
    RequestState,
    RunState,
    TaskRunState,
    ToolCallState,
)
from conversations.engine import ending
from conversations.engine.lease import Holder
from conversations.engine.work import work_on
from conversations.events import Journal, lock
from conversations.models import (
    HumanRequest,
    Message,
    Run,
    StandingApproval,
    TaskRun,
    ToolCall,
)
from conversations.transitions import move
from teams.choices import Pattern
from teams.services.versions import definition_of


@dataclass(frozen=True)
class Decision:
    """What was decided: the request's new state and what a person added to it."""

    state: RequestState
    answer: str = ""
    reason: str = ""
    by: User | None = None
    arguments: dict[str, Any] | None = None
    remember: bool = False
    client_id: str = ""


def settle(request_id: UUID, decision: Decision) -> bool:
    """Apply a decision; ``False`` where the request was already settled.

    Raises nothing else: what the decision means for the call follows from the kind
    of the request. The caller queues the run, which is RESUMING once nothing is open.
    """
    with transaction.atomic():
        request = HumanRequest.objects.select_related("call", "run").get(pk=request_id)
        run = lock(request.run.conversation_id, request.run_id)
        now = timezone.now()
        won = HumanRequest.objects.filter(
            pk=request_id, state=RequestState.PENDING
        ).update(
            state=decision.state,
            answer=decision.answer,
            reason=decision.reason,
            edited=decision.arguments,
            remember=decision.remember,
            client_id=decision.client_id,
            decided_by=decision.by,
            decided_at=now,
        )
        if not won or run is None:
            return False
        journal = Journal(run.conversation_id, run.id)
        journal.note(EventKind.REQUEST_SETTLED, request, new=decision.state)
        call = ToolCall.objects.get(pk=request.call_id)
        _apply(journal, call, request, decision)
        if request.kind == RequestKind.QUESTION and decision.by:
            _tell_everyone(journal, request, decision, now)
        if decision.remember and decision.by and call.tool_uid:
            StandingApproval.objects.get_or_create(
                conversation_id=run.conversation_id,
                tool_uid=call.tool_uid,
                defaults={"given_by": decision.by},
            )
        _resume(journal, run, request.task_run_id)
        journal.write(now)
    return True


def _apply(
    journal: Journal, call: ToolCall, request: HumanRequest, decision: Decision
) -> None:
    state, values = outcome_of(request.kind, decision)
    old = move(call, state)
    for name, value in values.items():
        setattr(call, name, value)
    if state != ToolCallState.PROPOSED:
        call.finished_at = timezone.now()
    journal.update(call, "state", "finished_at", *values)
    journal.note(EventKind.TOOL_CALL_STATE, call, old=old, new=state)


def _tell_everyone(
    journal: Journal, request: HumanRequest, decision: Decision, now: datetime
) -> None:
    """In a handoff team the others get the question and its answer, whoever asked; the
    asker has them as its call's result, once (``history.history_of``)."""
    definition = definition_of(request.run.team_version_id)
    if definition.pattern != Pattern.HANDOFF or decision.by is None:
        return
    task = TaskRun.objects.get(pk=request.task_run_id)
    said = (
        (MessageRole.ASSISTANT, task.agent_name, request.prompt),
        (MessageRole.USER, decision.by.get_username(), decision.answer),
    )
    for role, author, text in said:
        journal.say(
            Message(
                conversation_id=journal.conversation_id,
                run_id=request.run_id,
                task_run=task,
                thread_id=task.thread_id,
                role=role,
                author=author,
                text=text,
                to_everyone=True,
                created_at=now,
            )
        )


def outcome_of(kind: str, decision: Decision) -> tuple[ToolCallState, dict[str, Any]]:
    """What a decision makes of the call: its new state and fields."""
    if kind == RequestKind.QUESTION:
        return ToolCallState.SUCCEEDED, {"result": decision.answer}
    if kind == RequestKind.APPROVAL:
        if decision.state == RequestState.APPROVED:
            if decision.arguments is None:
                return ToolCallState.PROPOSED, {"approved": True}
            changed = {
                "approved": True,
                "edited": True,
                "arguments": decision.arguments,
            }
            return ToolCallState.PROPOSED, changed
        return ToolCallState.DENIED, {"result": denial(decision)}
    if decision.answer == "retry":
        return ToolCallState.PROPOSED, {"approved": True}
    if decision.answer == "skip":
        text = (
            "Error: interrupted; whether it took effect is unknown. Do not repeat it."
        )
        return ToolCallState.UNKNOWN, {"result": text}
    text = "Error: interrupted; a person decided that it counts as failed."
    return ToolCallState.FAILED, {"result": text}


def denial(decision: Decision) -> str:
    """What the model is told: the reason, and not to try again (H7)."""
    if decision.state == RequestState.EXPIRED:
        return "Denied: nobody approved this in time. Do not try it again."
    reason = f" Reason: {decision.reason}" if decision.reason else ""
    return f"Denied: the person did not approve this call.{reason} Do not try it again."


def _resume(journal: Journal, run: Run, task_run_id: UUID) -> None:
    """Level-triggered: whatever was answered, the run goes on if nothing is open."""
    if run.state != RunState.WAITING_FOR_HUMAN:
        return
    if HumanRequest.objects.filter(run=run, state=RequestState.PENDING).exists():
        return
    old = move(run, RunState.RESUMING)
    journal.update(run, "state")
    journal.note(EventKind.RUN_STATE, run, old=old, new=run.state)
    Run.objects.filter(pk=run.pk).update(signal=F("signal") + 1)
    task = TaskRun.objects.get(pk=task_run_id)
    if task.state == TaskRunState.WAITING_FOR_HUMAN:
        before = move(task, TaskRunState.RUNNING)
        journal.update(task, "state")
        journal.note(EventKind.TASK_RUN_STATE, task, old=before, new=task.state)


def expire_due() -> list[UUID]:
    """Settle what nobody decided in time; returns the runs that can go on.

    An expired approval or recovery choice is a denial, or unknown, and the run goes
    on; an expired question ends the run as EXPIRED.
    """
    due = HumanRequest.objects.filter(
        state=RequestState.PENDING, expires_at__lt=timezone.now()
    ).order_by("created_at")
    resumed = []
    for request_id, run_id, kind in due.values_list("id", "run_id", "kind"):
        if kind == RequestKind.QUESTION:
            _expire_run(run_id)
        elif settle(request_id, Decision(RequestState.EXPIRED, answer="skip")):
            resumed.append(run_id)
    return resumed


def _expire_run(run_id: UUID) -> None:
    """End a waiting run: its lease is free, so its version may be raised here."""
    with transaction.atomic():
        conversation_id = Run.objects.values_list("conversation_id", flat=True).get(
            pk=run_id
        )
        run = lock(conversation_id, run_id)
        if run is None or run.state != RunState.WAITING_FOR_HUMAN:
            return
        Run.objects.filter(pk=run_id).update(lease_version=F("lease_version") + 1)
        work = work_on(Holder(run_id, run.lease_version + 1, run.signal))
        ending.expire(work)
        work.commit(release=True)
