"""Putting something to a person: requests open, the run waits, the thread is free."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings

from conversations.choices import (
    EventKind,
    RequestKind,
    RunState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from conversations.engine.steps import AskPerson, AskRecovery
from conversations.engine.work import Work
from conversations.models import HumanRequest, ToolCall

MAX_CHOICES = 20


def ask_person(work: Work, step: AskPerson) -> None:
    """All requests of one reply open in one transaction (rule 7)."""
    for call in step.calls:
        if call.kind == ToolCallKind.ASK_HUMAN:
            choices = call.arguments.get("choices") or []
            _request(
                work,
                call,
                RequestKind.QUESTION,
                prompt=str(call.arguments["question"]),
                choices=[str(choice) for choice in choices][:MAX_CHOICES]
                if isinstance(choices, list)
                else [],
            )
        else:
            _request(work, call, RequestKind.APPROVAL, prompt=_will_do(work, call))
        work.move(call, ToolCallState.WAITING_FOR_HUMAN)
    pause(work)


def _will_do(work: Work, call: ToolCall) -> str:
    """What the person is asked to approve, where the tool says it in words."""
    tools = work.rows.definition.tools
    tool = tools.get(call.tool_uid) if call.tool_uid else None
    return tool.will_do(call.arguments) if tool else ""


def ask_recovery(work: Work, step: AskRecovery) -> None:
    """A tool was interrupted: its effect may have happened. Retry, skip or fail?"""
    _request(work, step.call, RequestKind.RECOVERY, choices=["retry", "skip", "fail"])
    work.move(step.call, ToolCallState.WAITING_FOR_HUMAN)
    pause(work)


def pause(work: Work) -> None:
    """Write that the run waits. Everything else stays as it is, in the rows."""
    task = work.rows.deepest_open()
    if task is not None and task.state == TaskRunState.RUNNING:
        work.move(task, TaskRunState.WAITING_FOR_HUMAN)
    work.set_run(waiting_since=work.now())
    work.move_run(RunState.WAITING_FOR_HUMAN)


def _request(
    work: Work,
    call: ToolCall,
    kind: RequestKind,
    *,
    prompt: str = "",
    choices: list[str] | None = None,
) -> None:
    now = work.now()
    request = HumanRequest(
        run=work.run,
        task_run=call.task_run,
        call=call,
        kind=kind,
        prompt=prompt,
        choices=choices or [],
        expires_at=now + timedelta(hours=settings.HUMAN_REQUEST_HOURS),
        created_at=now,
    )
    work.journal.insert(request)
    work.journal.note(EventKind.REQUEST_OPENED, request)
    work.rows.requests.setdefault(call.id, []).append(request)
