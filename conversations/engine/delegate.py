"""Delegation: a worker's task run opens in a new thread, its result comes back.

The worker sees its role, its task and the delegated request only (S6); its result,
or its failure, becomes the result of the call that delegated (S7, S10).
"""

from __future__ import annotations

import json
from uuid import UUID

from django.conf import settings
from django.utils.translation import override

from conversations.choices import (
    TASK_RUN_OPEN,
    TOOL_CALL_SETTLED,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from conversations.engine.handoff import open_participant, receiver_of
from conversations.engine.opening import new_thread, open_run_of, say_request
from conversations.engine.rows import load_thread, open_thread
from conversations.engine.steps import Delegate, FailTask, OpenTask, Return
from conversations.engine.tool_call import settle
from conversations.engine.work import Work
from conversations.error_texts import error_message
from conversations.models import TaskRun, Thread, ToolCall
from conversations.threads import lasting_key
from teams.choices import Pattern
from teams.definition import MemberDefinition
from teams.selectors import disabled_parts
from teams.toolbox.base import ToolOutcome
from teams.toolbox.texts import cap_text

DELEGATE_KEY = "delegate:"

NO_SUCH_THREAD = (
    "This conversation_id is no conversation of this agent here that can be continued. "
    "Leave it out to start a new one."
)


def open_task(work: Work, step: OpenTask) -> None:
    """Open a task run at the top: the supervisor, an agent alone, or the next step."""
    definition = work.rows.definition
    if definition.pattern == Pattern.HANDOFF:
        open_participant(work, receiver_of(work))
        return
    if definition.supervisor:
        member = MemberDefinition(agent=definition.supervisor)
    else:
        member = definition.members[step.position]
    key = lasting_key(definition)
    if key:
        thread = open_thread(work.rows, agent_uid=member.agent, key=key)
    else:
        thread = new_thread(work, member)
    request = step.request or work.run.request.text
    task = open_run_of(work, member, thread, request=request)
    task.leads = definition.supervisor is not None
    task.position = step.position
    if not key:
        say_request(work, task, author=work.run.requested_by.get_username())


def delegate(work: Work, step: Delegate) -> None:
    """Open the task run that a call asks for: a worker's for ``delegate_to_worker``,
    else the named agent's (D1)."""
    call = step.call
    if call.agent_uid is None:
        member = work.rows.definition.member_labelled(str(call.arguments["worker"]))
        request = str(call.arguments["request"])
    else:
        member = MemberDefinition(agent=call.agent_uid)
        request = str(call.arguments["prompt"])
    if member is None:
        settle(work, call, ToolOutcome("This worker is not in the team.", ok=False))
        return
    uids = [uid for uid in (member.agent, member.task) if uid]
    if disabled_parts(uids):
        settle(work, call, ToolOutcome("This worker has been disabled.", ok=False))
        return
    thread = _thread_of(work, call, member)
    if thread is None:
        settle(work, call, ToolOutcome(NO_SUCH_THREAD, ok=False))
        return
    work.move(call, ToolCallState.RUNNING, started_at=work.now())
    work.set_run(delegations=work.run.delegations + 1)
    parent = call.task_run
    task = open_run_of(work, member, thread, request=request)
    task.parent = parent
    task.origin_call = call
    task.depth = parent.depth + 1
    say_request(work, task, author=parent.agent_name)


def _thread_of(work: Work, call: ToolCall, member: MemberDefinition) -> Thread | None:
    """A new thread, or the delegate's own that the call names (D3); ``None`` where
    there is no such thread of this agent in this conversation, or it is at work."""
    asked = str(call.arguments.get("conversation_id") or "").strip()
    if call.agent_uid is None or not asked:
        return new_thread(work, member, key=DELEGATE_KEY if call.agent_uid else "")
    try:
        thread_id = UUID(asked)
    except ValueError:
        return None
    at_work = {t.thread_id for t in work.rows.task_runs if t.state in TASK_RUN_OPEN}
    if thread_id in at_work or work.run.read_only:
        return None
    # Of the runs on this one's path, and of none that was read-only (D4).
    worked = TaskRun.objects.filter(run__in=work.rows.path, run__read_only=False)
    thread = Thread.objects.filter(
        pk=thread_id,
        conversation_id=work.run.conversation_id,
        agent_uid=call.agent_uid,
        key__startswith=DELEGATE_KEY,
        task_runs__in=worked,
    ).first()
    if thread is None:
        return None
    if thread.id not in work.rows.messages:
        load_thread(work.rows, thread)
    return thread


def return_result(work: Work, step: Return) -> None:
    """The task is done; its text goes to whoever delegated, and to nobody else."""
    now = work.now()
    for left in work.rows.all_calls():
        if left.task_run_id == step.task.id and left.state not in TOOL_CALL_SETTLED:
            settle(work, left, ToolOutcome("No more handovers in this run.", ok=False))
    work.move(step.task, TaskRunState.SUCCEEDED, result=step.text, finished_at=now)
    if step.ended_by:
        work.set_run(ended_by=step.ended_by)
    call = origin_of(work, step.task)
    if call is not None:
        text = cap_text(step.text, settings.TOOL_RESULT_MAX_CHARACTERS)
        if call.agent_uid is not None:
            text = delegate_result(work, step.task, text)
        work.move(call, ToolCallState.SUCCEEDED, result=text, finished_at=now)


def delegate_result(work: Work, task: TaskRun, answer: str) -> str:
    """``{answer, conversation_id}``; a read-only run has nothing to continue (D4)."""
    thread = None if work.run.read_only else str(task.thread_id)
    return json.dumps({"answer": answer, "conversation_id": thread}, ensure_ascii=False)


def fail_task(work: Work, step: FailTask) -> None:
    """A failure takes the same road as a result (S10); the reader decides."""
    now = work.now()
    work.move(
        step.task,
        TaskRunState.FAILED,
        error_code=step.code,
        error_params=step.params,
        finished_at=now,
    )
    call = origin_of(work, step.task)
    if call is not None:
        with override("en"):
            reason = error_message(step.code, step.params)
        result = f"The worker failed: {reason}"
        work.move(call, ToolCallState.FAILED, result=result, finished_at=now)


def origin_of(work: Work, task: TaskRun) -> ToolCall | None:
    """The call that delegated, as the very row the journal knows; a handover has its
    result already."""
    for call in work.rows.all_calls():
        if call.id == task.origin_call_id and call.kind == ToolCallKind.DELEGATE:
            return call
    return None
