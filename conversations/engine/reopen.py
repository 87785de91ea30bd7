"""Retry: an ended run opens again at the step where it ended (rule 13).

What is settled stays settled. A task run is opened again if it ended with its run:
the top one, and those whose result nobody has got. Ceilings count anew.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import F
from django.utils import timezone

from conversations.choices import (
    EventKind,
    RunState,
    TaskRunState,
    ToolCallState,
)
from conversations.engine.budget import worked_ms
from conversations.engine.rows import Rows, load
from conversations.events import Journal
from conversations.models import Run, TaskRun, ToolCall
from conversations.transitions import move

COUNTERS = (
    "rounds",
    "failed_tools",
    "worked_ms",
    "input_tokens",
    "output_tokens",
    "rounds_at_limit",
    "repairs",
    "autonomous_turns",
)
_ENDED_BADLY = (TaskRunState.FAILED, TaskRunState.CANCELLED, TaskRunState.EXPIRED)


def reopen(run_id: UUID) -> None:
    """Write the run as QUEUED again. The caller holds the locks and queues it."""
    rows = load(run_id)
    run = rows.run
    journal = Journal(run.conversation_id, run.id)
    old = move(run, RunState.QUEUED)
    run.error_code, run.error_params, run.finished_at = "", {}, None
    run.cancel_requested_at, run.cancel_requested_by, run.delegations = None, None, 0
    run.lease_until, run.handoffs, run.ended_by = None, 0, ""
    run.spent_before = {
        "tokens": run.input_tokens + run.output_tokens,
        "cost": str(run.cost),
        "worked_ms": worked_ms(rows, timezone.now()),
    }
    journal.update(
        run,
        "state",
        "error_code",
        "error_params",
        "finished_at",
        "cancel_requested_at",
        "cancel_requested_by",
        "delegations",
        "handoffs",
        "ended_by",
        "spent_before",
        "lease_until",
    )
    journal.note(EventKind.RUN_STATE, run, old=old, new=run.state, retry=True)
    Run.objects.filter(pk=run.pk).update(signal=F("signal") + 1)
    reopened = {task.id for task in rows.task_runs if _ended_with_run(rows, task)}
    for task in rows.task_runs:
        if task.id in reopened:
            _open_task(journal, task)
    for call in rows.all_calls():
        if call.state == ToolCallState.CANCELLED and call.task_run_id in reopened:
            _open_call(journal, rows, call)
    journal.write(timezone.now())


def _ended_with_run(rows: Rows, task: TaskRun) -> bool:
    if task.state not in _ENDED_BADLY:
        return False
    if task.parent_id is None:
        return True
    origin = next((c for c in rows.all_calls() if c.id == task.origin_call_id), None)
    return origin is not None and origin.state == ToolCallState.CANCELLED


def _open_task(journal: Journal, task: TaskRun) -> None:
    old = move(task, TaskRunState.RUNNING)
    task.error_code, task.error_params, task.finished_at = "", {}, None
    for counter in COUNTERS:
        setattr(task, counter, 0)
    task.limit_hit = ""
    journal.update(
        task,
        "state",
        "error_code",
        "error_params",
        "finished_at",
        "limit_hit",
        *COUNTERS,
    )
    journal.note(EventKind.TASK_RUN_STATE, task, old=old, new=task.state)


def _open_call(journal: Journal, rows: Rows, call: ToolCall) -> None:
    child = rows.child_of(call)
    state = ToolCallState.RUNNING if child else ToolCallState.PROPOSED
    old = move(call, state)
    journal.update(call, "state")
    journal.note(EventKind.TOOL_CALL_STATE, call, old=old, new=state)
