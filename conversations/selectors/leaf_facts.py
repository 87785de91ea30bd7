"""What the fragments of a transcript say beside the row itself.

Texts are cut here, so that no page and no push carries more than a person reads;
the whole text has a page of its own.
"""

from __future__ import annotations

import json
from typing import Any

from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversations.choices import (
    RUN_OPEN,
    RUN_RETRYABLE,
    TASK_RUN_OPEN,
    MessageRole,
    MessageState,
    RequestKind,
    RequestState,
    RunState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from conversations.error_texts import error_message
from conversations.models import (
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    ToolCall,
)
from conversations.selectors.budgets import spent_by_run
from conversations.selectors.notes import modes, notes_of
from conversations.selectors.transcript_rows import TranscriptRows
from teams.definition import ToolDefinition

TEXT_HEAD = 20_000
RESULT_HEAD = 2_000
ARGUMENTS_HEAD = 4_000
VALUE_HEAD = 500
LINE_HEAD = 80

Facts = dict[str, Any]


def of_run(rows: TranscriptRows, run: Run) -> Facts:
    return {
        "open": run.state in RUN_OPEN,
        "waits": run.state == RunState.WAITING_FOR_HUMAN,
        "error": error_message(run.error_code, run.error_params)
        if run.error_code
        else "",
        "may_retry": run.state in RUN_RETRYABLE,
        "notes": notes_of(run),
        "modes": modes(run),
        "spent": [] if run.state in RUN_OPEN else spent_by_run(run),
    }


def of_task(rows: TranscriptRows, task: TaskRun) -> Facts:
    """``unfolded``: what goes on, or went wrong, is open; what is done is folded."""
    definition = rows.definition(task.run_id)
    known = definition.tasks.get(task.task_uid) if task.task_uid else None
    last_step = task.depth == 0 and task.position == len(definition.members) - 1
    return {
        "label": label(task),
        "title": known.title if known else task.task_name,
        "path": path(rows, task),
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


def of_request(rows: TranscriptRows, request: HumanRequest) -> Facts:
    call = rows.calls[request.call_id]
    task = rows.tasks[request.task_run_id]
    arguments = request.edited if request.edited is not None else call.arguments
    tool = call.tool_name or call.name
    tool_of = _tool(rows, call)
    question = request.kind == RequestKind.QUESTION
    return {
        "pending": request.state == RequestState.PENDING,
        "question": question,
        "approval": request.kind == RequestKind.APPROVAL,
        "recovery": request.kind == RequestKind.RECOVERY,
        "asker": task.agent_name,
        "path": path(rows, task) or [label(task)],
        "tool": tool,
        "name": _request_name(request, tool, task.agent_name),
        "sentence": request.prompt or _sentence(request, tool, task.agent_name),
        "about": ""
        if question or tool_of is None
        else _first_line(tool_of.description),
        "may_remember": tool_of is not None and tool_of.remember_approval,
        "pairs": [] if question else pairs(arguments),
        "json": "" if question else pretty(arguments),
        "original": "" if request.edited is None else readable(call.asked or "{}"),
        "decision": _decision(request),
        "outcome": ""
        if question or request.state != RequestState.APPROVED
        else call.get_state_display(),
    }


def _request_name(request: HumanRequest, tool: str, agent: str) -> str:
    if request.kind == RequestKind.QUESTION:
        return _("Question from %(agent)s") % {"agent": agent}
    if request.kind == RequestKind.RECOVERY:
        return _("%(tool)s was interrupted") % {"tool": tool}
    return _("%(tool)s: approval for %(agent)s") % {"tool": tool, "agent": agent}


def _decision(request: HumanRequest) -> str:
    """``Approved by alice``; without a name where no person decided."""
    word = request.get_state_display()
    if request.kind == RequestKind.RECOVERY and request.answer:
        word = {
            "retry": _("Tried again"),
            "skip": _("Skipped"),
            "fail": _("Counted as failed"),
        }.get(request.answer, word)
    if request.decided_by is None:
        return word
    names = {"word": word, "name": request.decided_by.get_username()}
    if request.edited is not None:
        return _("%(word)s with changes by %(name)s") % names
    return _("%(word)s by %(name)s") % names


def _sentence(request: HumanRequest, tool: str, agent: str) -> str:
    names = {"agent": agent, "tool": tool}
    if request.kind == RequestKind.RECOVERY:
        return _("%(tool)s was interrupted, and it is not known whether it ran.") % (
            names
        )
    return _("%(agent)s wants to use %(tool)s.") % names


def _tool(rows: TranscriptRows, call: ToolCall) -> ToolDefinition | None:
    tools = rows.definition(rows.run_of(call)).tools
    return tools.get(call.tool_uid) if call.tool_uid else None


def _first_line(text: str) -> str:
    return text.strip().split("\n")[0]


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


def summary(rows: TranscriptRows, task: TaskRun) -> str:
    """What the task has done, in one line: its one call, or how many there were."""
    calls = [
        call
        for call in rows.calls_by_task.get(task.id, ())
        if call.kind == ToolCallKind.FUNCTION
    ]
    if not calls:
        return ""
    if len(calls) == 1 or task.state in TASK_RUN_OPEN:
        call = calls[-1]
        line = argument_line(call.arguments)
        return f"{call.tool_name or call.name} {line}".strip()
    text = ngettext("%(n)d tool call", "%(n)d tool calls", len(calls))
    return text % {"n": len(calls)}


def argument_line(arguments: dict[str, Any]) -> str:
    """The values in a line, as one would say them."""
    return Truncator(", ".join(map(_shown, arguments.values()))).chars(LINE_HEAD)


def pairs(arguments: dict[str, Any]) -> list[tuple[str, str]]:
    return [
        (name, Truncator(_shown(value)).chars(VALUE_HEAD))
        for name, value in arguments.items()
    ]


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


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
