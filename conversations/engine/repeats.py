"""Calls that repeat an earlier one to no purpose.

What a person denied is not put to anybody again in the same run, whichever agent asks,
until the person has answered a question. A delegate's task stops at the third failure
of the same call, and gets an earlier success back instead of a second one (D9).
"""

from __future__ import annotations

from datetime import datetime

from conversations.choices import (
    RequestKind,
    RequestState,
    ToolCallKind,
    ToolCallState,
)
from conversations.engine.rows import Rows
from conversations.models import TaskRun, ToolCall

SAME_FAILURES = 3


def settle_repeat(rows: Rows, call: ToolCall) -> None:
    """Give a pointless repetition its result at once, without doing it."""
    if call.state != ToolCallState.PROPOSED or call.kind != ToolCallKind.FUNCTION:
        return
    denial = denied_before(rows, call)
    if denial:
        _settle(call, ToolCallState.DENIED, denial)
    elif is_delegate(rows, call.task_run):
        same = earlier(rows, call.task_run, call)
        done = [other for other in same if other.state == ToolCallState.SUCCEEDED]
        if done:
            words = f"You have called this already; its result was: {done[-1].result}"
            _settle(call, ToolCallState.SUCCEEDED, words)


def denied_before(rows: Rows, call: ToolCall) -> str:
    """What to say of a call that was denied in this run already, or empty (H7)."""
    heard = _last_answer(rows)
    for other in rows.all_calls():
        same = other.tool_uid == call.tool_uid and other.arguments == call.arguments
        if not same or other.state != ToolCallState.DENIED:
            continue
        if heard and other.finished_at and other.finished_at < heard:
            continue
        asked = rows.requests.get(other.id, ())
        if any(request.state == RequestState.EXPIRED for request in asked):
            return "Denied: nobody approved this very call in time."
        return "Denied: the person has denied this very call."
    return ""


def _last_answer(rows: Rows) -> datetime | None:
    """When the person last answered a question of this run."""
    times = [
        request.decided_at
        for asked in rows.requests.values()
        for request in asked
        if request.kind == RequestKind.QUESTION
        and request.state == RequestState.ANSWERED
        and request.decided_at
    ]
    return max(times, default=None)


def _settle(call: ToolCall, state: ToolCallState, result: str) -> None:
    call.state, call.result, call.finished_at = state, result, call.created_at


def earlier(rows: Rows, task: TaskRun, call: ToolCall) -> list[ToolCall]:
    """Calls of the same tool with the same arguments in the same task."""
    return [
        other
        for model_call in rows.model_calls.get(task.id, ())
        for other in rows.calls.get(model_call.id, ())
        if other.id != call.id
        and other.name == call.name
        and other.arguments == call.arguments
    ]


def is_delegate(rows: Rows, task: TaskRun) -> bool:
    """Whether the task was delegated to an agent by its name (D1)."""
    origin = next((c for c in rows.all_calls() if c.id == task.origin_call_id), None)
    return origin is not None and origin.agent_uid is not None


def fails_again(rows: Rows, task: TaskRun) -> str:
    """The name of a call that a delegate has made in vain three times, or empty."""
    if not is_delegate(rows, task):
        return ""
    model_call = rows.last_model_call(task)
    for call in rows.calls.get(model_call.id, ()) if model_call else ():
        same = [*earlier(rows, task, call), call]
        failed = [other for other in same if other.state == ToolCallState.FAILED]
        if len(failed) >= SAME_FAILURES:
            return call.name
    return ""
