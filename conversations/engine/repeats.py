"""Calls that repeat an earlier one of the same task to no purpose.

What a person denied is not put to anybody again. A delegate's task stops at the third
failure of the same call, and gets an earlier success back instead of a second one (D9).
"""

from __future__ import annotations

from conversations.choices import ToolCallKind, ToolCallState
from conversations.engine.rows import Rows
from conversations.models import TaskRun, ToolCall

SAME_FAILURES = 3


def settle_repeat(rows: Rows, call: ToolCall) -> None:
    """Give a pointless repetition its result at once, without doing it."""
    if call.state != ToolCallState.PROPOSED or call.kind != ToolCallKind.FUNCTION:
        return
    same = earlier(rows, call.task_run, call)
    if any(other.state == ToolCallState.DENIED for other in same):
        _settle(
            call, ToolCallState.DENIED, "Denied: the person has denied this very call."
        )
    elif is_delegate(rows, call.task_run):
        done = [other for other in same if other.state == ToolCallState.SUCCEEDED]
        if done:
            words = f"You have called this already; its result was: {done[-1].result}"
            _settle(call, ToolCallState.SUCCEEDED, words)


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
