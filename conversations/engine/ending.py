"""How a run ends: with an answer, with an error, or stopped."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from conversations.choices import (
    TASK_RUN_OPEN,
    TOOL_CALL_SETTLED,
    EventKind,
    MessageState,
    ModelCallState,
    RequestState,
    RunState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from conversations.engine.work import Work
from conversations.models import ToolCall
from conversations.transitions import move


def finish(work: Work, answer: str, ended_by: str = "") -> None:
    """With an answer. A termination condition ends the conversation as well (H6)."""
    work.set_run(answer=answer, finished_at=work.now(), ended_by=ended_by)
    if ended_by.startswith("condition:"):
        conversation = work.run.conversation
        conversation.ended_at, conversation.ended_by = work.now(), ended_by
        work.journal.update(conversation, "ended_at", "ended_by")
        work.journal.note(EventKind.CONVERSATION, conversation, ended=True)
    work.move_run(RunState.SUCCEEDED)


def fail(work: Work, code: str, params: dict[str, Any]) -> None:
    """End the whole run with a reason; what is still open ends with it."""
    close_open(work, TaskRunState.FAILED, code=code, params=params)
    work.set_run(error_code=code, error_params=params, finished_at=work.now())
    work.move_run(RunState.FAILED)


def cancel(work: Work) -> None:
    """A person stopped it: nothing runs after this; what was written is kept."""
    close_open(work, TaskRunState.CANCELLED)
    work.set_run(finished_at=work.now())
    work.move_run(RunState.CANCELLED)


def expire(work: Work) -> None:
    """A question that nobody answered in time ends the run."""
    close_open(
        work,
        TaskRunState.EXPIRED,
        code="question_expired",
        requests=RequestState.EXPIRED,
    )
    work.set_run(error_code="question_expired", error_params={}, finished_at=work.now())
    work.move_run(RunState.EXPIRED)


def end_wait(work: Work) -> None:
    """The time that people took counts for no cap of the run."""
    run = work.run
    if run.waiting_since is not None:
        waited = int((work.now() - run.waiting_since).total_seconds() * 1000)
        work.set_run(waiting_since=None, waited_ms=run.waited_ms + waited)


def close_open(
    work: Work,
    state: TaskRunState,
    *,
    code: str = "",
    params: dict[str, Any] | None = None,
    requests: RequestState = RequestState.CANCELLED,
) -> None:
    """Close all that is open below a run that ends, so that no row stays open."""
    now = work.now()
    end_wait(work)
    for asked in work.rows.requests.values():
        for request in asked:
            if request.state == RequestState.PENDING:
                work.settle_request(request, requests)
    for call in work.rows.all_calls():
        if call.state not in TOOL_CALL_SETTLED:
            _close_call(work, call)
    for task in reversed(work.rows.task_runs):
        if task.state in TASK_RUN_OPEN:
            _close_model_call(work, task.id)
            work.move(
                task, state, error_code=code, error_params=params or {}, finished_at=now
            )


def _close_call(work: Work, call: ToolCall) -> None:
    """A function that was begun and has no result may have had its effect, whether or
    not a person has been asked since what is to become of it."""
    if call.kind == ToolCallKind.FUNCTION and call.attempts:
        result = "Error: interrupted; whether it took effect is unknown."
        work.move(call, ToolCallState.UNKNOWN, result=result, finished_at=work.now())
    else:
        work.move(call, ToolCallState.CANCELLED)


def _close_model_call(work: Work, task_id: UUID) -> None:
    for model_call in work.rows.model_calls.get(task_id, ()):
        if model_call.state == ModelCallState.RUNNING:
            move(model_call, ModelCallState.CANCELLED)
            model_call.finished_at = work.now()
            work.journal.update(model_call, "state", "finished_at")
    for messages in work.rows.messages.values():
        for message in messages:
            if message.task_run_id == task_id and message.state == MessageState.PARTIAL:
                message.state = MessageState.STOPPED
                work.journal.update(message, "state")
                work.journal.note_message(message)
