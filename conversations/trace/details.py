"""What a selected step shows below the chart: what went in and what came out."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from typing import Any
from uuid import UUID

from conversations.error_texts import error_message
from conversations.models import (
    Event,
    HumanRequest,
    Message,
    ModelCall,
    Run,
    TaskRun,
    Thread,
    ToolCall,
)
from conversations.selectors.budgets import spent_by_task
from conversations.selectors.private import NOTICE
from conversations.trace.prompts import kept_back, prompt_of
from conversations.trace.texts import (
    is_long,
    json_block,
    payload_block,
    plain_block,
    said_block,
)
from supervisor_site.common.markdown import render_markdown

EVENTS_AT_MOST = 200

Context = dict[str, Any]


def detail_of(
    run: Run, step_id: UUID, *, full: bool = False, without: Collection[UUID] = ()
) -> Context | None:
    """The context of ``trace/_detail.html``; None where the run has no such step, or
    it is of a task run in ``without``, which are kept from the reader."""
    for kind, find, describe in _KINDS:
        row = find(run, step_id)
        if row is not None:
            task = row if isinstance(row, TaskRun) else row.task_run
            if task.id in without:
                return None
            context = describe(row, full)
            if without and kind == "model":
                context["prompt"] = kept_back()
            code = getattr(row, "error_code", "")
            return {
                "run": run,
                "kind": kind,
                "row": row,
                "task_run": task,
                "path": path_to(task),
                "full": full,
                "error": error_message(code, getattr(row, "error_params", {})),
                "error_params": getattr(row, "error_params", {}) if code else {},
                **context,
            }
    return None


def path_to(task: TaskRun) -> list[TaskRun]:
    """From the first agent down to this one: who delegated to whom."""
    tasks = TaskRun.objects.filter(run_id=task.run_id).defer("request", "result")
    known = {row.id: row for row in tasks}
    path = [known[task.id]]
    while path[0].parent_id in known:
        path.insert(0, known[path[0].parent_id])
    return path


def _find_task(run: Run, step_id: UUID) -> TaskRun | None:
    return (
        TaskRun.objects.filter(run=run, pk=step_id)
        .select_related("origin_call__task_run", "parent", "run")
        .first()
    )


def _find_model(run: Run, step_id: UUID) -> ModelCall | None:
    return (
        ModelCall.objects.filter(task_run__run=run, pk=step_id)
        .select_related("task_run", "system", "tools")
        .first()
    )


def _find_tool(run: Run, step_id: UUID) -> ToolCall | None:
    return (
        ToolCall.objects.filter(task_run__run=run, pk=step_id)
        .select_related("task_run", "full_result", "model_call")
        .first()
    )


def _find_wait(run: Run, step_id: UUID) -> HumanRequest | None:
    return (
        HumanRequest.objects.filter(run=run, pk=step_id)
        .select_related("task_run", "call", "decided_by")
        .first()
    )


def _find_notice(run: Run, step_id: UUID) -> Message | None:
    notices = Message.objects.filter(NOTICE, run=run, pk=step_id)
    return notices.select_related("task_run").first()


def _notice(notice: Message, full: bool) -> Context:  # noqa: FBT001
    return {"text": said_block(notice.text, full=full), "is_long": is_long(notice.text)}


def _task(task: TaskRun, full: bool) -> Context:  # noqa: FBT001 - one signature for all
    return {
        "request": said_block(task.request, full=full) if task.request else "",
        "result": render_markdown(task.result) if task.result else "",
        "is_long": is_long(task.request),
        "spent": spent_by_task(task),
        "continues": Thread.objects.filter(
            pk=task.thread_id, task_runs__started_at__lt=task.started_at
        ).exists(),
    }


def _model(call: ModelCall, full: bool) -> Context:  # noqa: FBT001
    reply = Message.objects.filter(model_call=call).first()
    prompt = prompt_of(call, full=full)
    return {
        "prompt": prompt,
        "reply": reply,
        "reply_html": render_markdown(reply.text) if reply and reply.text else "",
        "reasoning": plain_block(reply.reasoning, full=full)
        if reply and reply.reasoning
        else "",
        "asked": ToolCall.objects.filter(model_call=call).order_by("position"),
        "is_long": any(message.is_long for message in prompt.messages),
    }


def _tool(call: ToolCall, full: bool) -> Context:  # noqa: FBT001
    result = call.full_result.text if full and call.full_result else call.result
    return {
        "arguments": json_block(call.arguments, full=full),
        "as_asked": "" if _same(call) else plain_block(call.asked, full=full),
        "result": payload_block(result, full=full) if result else "",
        "waits": HumanRequest.objects.filter(call=call).select_related("decided_by"),
        "is_long": is_long(call.result) or call.full_result is not None,
    }


def _same(call: ToolCall) -> bool:
    """Whether what ran is what the model asked for, spaces and order aside."""
    try:
        return bool(json.loads(call.asked or "{}") == call.arguments)
    except ValueError:
        return False


def _wait(request: HumanRequest, full: bool) -> Context:  # noqa: FBT001
    call = request.call
    return {
        "arguments": payload_block(call.asked, full=full)
        if request.edited
        else json_block(call.arguments, full=full),
        "edited": json_block(request.edited, full=full) if request.edited else "",
        "is_long": False,
    }


_KINDS: tuple[
    tuple[str, Callable[[Run, UUID], Any], Callable[[Any, bool], Context]], ...
] = (
    ("task", _find_task, _task),
    ("model", _find_model, _model),
    ("tool", _find_tool, _tool),
    ("wait", _find_wait, _wait),
    ("notice", _find_notice, _notice),
)


def events_of(run: Run) -> tuple[list[Event], int]:
    """The first events of a run, and how many there are."""
    events = Event.objects.filter(run=run).order_by("number")
    return list(events[:EVENTS_AT_MOST]), events.count()
