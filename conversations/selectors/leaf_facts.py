"""What the fragments of a transcript say beside the row itself.

Texts are cut here, so that no page and no push carries more than a person reads;
the whole text has a page of its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _

from conversations.choices import (
    RUN_OPEN,
    RUN_RETRYABLE,
    TASK_RUN_OPEN,
    MessageRole,
    MessageState,
    RunState,
    TaskRunState,
    ToolCallState,
)
from conversations.error_texts import error_message
from conversations.models import (
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.selectors.budgets import Spent, spent_by_run
from conversations.selectors.doings import argument_line, shown, summary
from conversations.selectors.notes import modes, notes_of
from conversations.selectors.transcript_rows import TranscriptRows

TEXT_HEAD = 20_000
RESULT_HEAD = 2_000
ARGUMENTS_HEAD = 4_000
VALUE_HEAD = 500

Facts = dict[str, Any]


def of_run(rows: TranscriptRows, run: Run) -> Facts:
    failed = run.state in (RunState.FAILED, RunState.EXPIRED)
    return {
        "open": run.state in RUN_OPEN,
        "failed": failed,
        "error": error_message(run.error_code, run.error_params)
        if run.error_code
        else "",
        "may_retry": run.state in RUN_RETRYABLE,
        "notes": notes_of(run),
        "modes": modes(run),
        "details": []
        if run.state in RUN_OPEN
        else [*(_failure(rows, run) if failed else ()), *spent_by_run(run)],
    }


def _failure(rows: TranscriptRows, run: Run) -> Iterator[Spent]:
    """Where it failed, and what to tell who looks into it."""
    failed = [
        task
        for task in rows.tasks.values()
        if task.run_id == run.id and task.error_code and task.id not in rows.hidden
    ]
    if failed:
        task = max(failed, key=lambda task: task.depth)
        yield Spent(_("Where"), " › ".join(path(rows, task) or [label(task)]))
    if run.error_code:
        yield Spent(_("Error code"), run.error_code)
    yield Spent(_("Run"), str(run.id))


def of_task(rows: TranscriptRows, task: TaskRun) -> Facts:
    """``unfolded``: what goes on, or went wrong, is open; what is done is folded."""
    definition = rows.definition(task.run_id)
    known = definition.tasks.get(task.task_uid) if task.task_uid else None
    last_step = task.depth == 0 and task.position == len(definition.members) - 1
    return {
        "label": label(task),
        "title": known.title if known else task.task_name,
        "open": task.state in TASK_RUN_OPEN,
        "unfolded": task.state != TaskRunState.SUCCEEDED or last_step,
        "error": error_message(task.error_code, task.error_params)
        if task.error_code
        else "",
        "summary": summary(rows, task),
        "continued": continues(rows, task),
    }


def continues(rows: TranscriptRows, task: TaskRun) -> bool:
    """Whether a delegate goes on in a thread it had before (D3)."""
    call = rows.calls.get(task.origin_call_id) if task.origin_call_id else None
    return bool(call and call.agent_uid and call.arguments.get("conversation_id"))


def of_model_call(rows: TranscriptRows, call: ModelCall) -> Facts:
    return {
        "agent": rows.tasks[call.task_run_id].agent_name,
        "error": error_message(call.error_code, call.error_params)
        if call.error_code
        else "",
    }


def of_message(
    rows: TranscriptRows, message: Message, task: TaskRun | None, *, as_request: bool
) -> Facts:
    cut = len(message.text) > TEXT_HEAD
    speaker = task
    if as_request and task is not None:
        speaker = rows.tasks.get(task.parent_id) if task.parent_id else None
    return {
        "person": message.role == MessageRole.USER and not as_request,
        "request": as_request,
        "leads": speaker is not None and speaker.leads,
        "partial": message.state == MessageState.PARTIAL,
        "attempt": message.model_call.attempts
        if message.state == MessageState.PARTIAL and message.model_call
        else 1,
        "stopped": message.state == MessageState.STOPPED,
        "text": message.text[:TEXT_HEAD] if cut else message.text,
        "length": len(message.text),
        "cut": cut,
    }


def of_call(rows: TranscriptRows, call: ToolCall) -> Facts:
    result = readable(call.result)
    return {
        "name": call.tool_name or call.name,
        "line": argument_line(call.arguments),
        "pairs": pairs(call.arguments),
        "asked": "" if call.arguments else call.asked[:ARGUMENTS_HEAD],
        "result": result[:RESULT_HEAD],
        "cut": len(result) > RESULT_HEAD or call.full_result_id is not None,
        "open": call.state in (ToolCallState.RUNNING, ToolCallState.PROPOSED),
        "bad": call.state in (ToolCallState.FAILED, ToolCallState.UNKNOWN),
        "source": rows.tasks[call.task_run_id].agent_name,
        "target": _target(rows, call),
        "reason": str(call.arguments.get("reason") or ""),
    }


def _target(rows: TranscriptRows, call: ToolCall) -> str:
    """Who takes over, for a handover."""
    agents = rows.definition(rows.run_of(call)).agents
    agent = agents.get(call.agent_uid) if call.agent_uid else None
    return agent.name if agent else ""


def label(task: TaskRun) -> str:
    """``AGENT / TASK``: the name of a worker's part."""
    if not task.task_name:
        return task.agent_name
    return f"{task.agent_name} / {task.task_name}"


def path(rows: TranscriptRows, task: TaskRun) -> list[str]:
    """Who delegated to whom down to this one, without the leading supervisor."""
    steps: list[str] = []
    row: TaskRun | None = task
    while row is not None:
        if not row.leads:
            steps.insert(0, label(row))
        row = rows.tasks.get(row.parent_id) if row.parent_id else None
    return steps


def pairs(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, Truncator(shown(value)).chars(VALUE_HEAD))
        for name, value in arguments.items()
    ]


def pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def readable(text: str) -> str:
    """JSON laid out on lines; any other text as it is."""
    if not text.startswith(("{", "[")) or len(text) > TEXT_HEAD:
        return text
    try:
        return pretty(json.loads(text))
    except ValueError:
        return text
