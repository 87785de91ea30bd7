"""Delegation: a worker's task run opens in a new thread, its result comes back.

The worker sees its role, its task and the delegated request only (S6); its result,
or its failure, becomes the result of the call that delegated (S7, S10).
"""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import override

from conversations.choices import EventKind, MessageRole, TaskRunState, ToolCallState
from conversations.engine.rows import open_thread
from conversations.engine.steps import Delegate, FailTask, OpenTask, Return
from conversations.engine.tool_call import settle
from conversations.engine.work import Work
from conversations.error_texts import error_message
from conversations.models import Message, TaskRun, Thread, ToolCall
from conversations.threads import lasting_key
from teams.definition import MemberDefinition
from teams.selectors import disabled_parts
from teams.toolbox.base import ToolOutcome
from teams.toolbox.texts import cap_text


def open_task(work: Work, step: OpenTask) -> None:
    """Open a task run at the top: the supervisor, an agent alone, or the next step."""
    definition = work.rows.definition
    if definition.supervisor:
        member = MemberDefinition(agent=definition.supervisor)
    else:
        member = definition.members[step.position]
    key = lasting_key(definition)
    if key:
        thread = open_thread(work.rows, agent_uid=member.agent, key=key)
    else:
        thread = _new_thread(work, member)
    request = step.request or work.run.request.text
    task = _open(work, member, thread, request=request)
    task.leads = definition.supervisor is not None
    task.position = step.position
    if not key:
        _say_request(work, task, author=work.run.requested_by.get_username())


def delegate(work: Work, step: Delegate) -> None:
    """Open the worker's task run for a ``delegate_to_worker`` call."""
    call = step.call
    member = work.rows.definition.member_labelled(str(call.arguments["worker"]))
    if member is None:
        settle(work, call, ToolOutcome("This worker is not in the team.", ok=False))
        return
    uids = [uid for uid in (member.agent, member.task) if uid]
    if disabled_parts(uids):
        settle(work, call, ToolOutcome("This worker has been disabled.", ok=False))
        return
    work.move(call, ToolCallState.RUNNING, started_at=work.now())
    work.set_run(delegations=work.run.delegations + 1)
    parent = call.task_run
    task = _open(
        work, member, _new_thread(work, member), request=str(call.arguments["request"])
    )
    task.parent = parent
    task.origin_call = call
    task.depth = parent.depth + 1
    _say_request(work, task, author=parent.agent_name)


def _new_thread(work: Work, member: MemberDefinition) -> Thread:
    thread = Thread(
        conversation_id=work.run.conversation_id,
        agent_uid=member.agent,
        agent_name=work.rows.definition.agents[member.agent].name,
    )
    work.journal.insert(thread)
    work.rows.messages[thread.id] = []
    return thread


def _open(
    work: Work, member: MemberDefinition, thread: Thread, *, request: str
) -> TaskRun:
    definition = work.rows.definition
    task = TaskRun(
        run=work.run,
        thread=thread,
        agent_uid=member.agent,
        agent_name=definition.agents[member.agent].name,
        task_uid=member.task,
        task_name=definition.tasks[member.task].name if member.task else "",
        request=request,
        started_at=work.now(),
    )
    work.journal.insert(task)
    work.journal.note(EventKind.TASK_RUN_STATE, task, new=task.state)
    work.rows.task_runs.append(task)
    return task


def _say_request(work: Work, task: TaskRun, *, author: str) -> None:
    message = Message(
        conversation_id=work.run.conversation_id,
        run=work.run,
        task_run=task,
        thread=task.thread,
        role=MessageRole.USER,
        author=author,
        text=task.request,
        created_at=work.now(),
    )
    work.rows.messages[task.thread_id].append(message)
    work.journal.say(message)


def return_result(work: Work, step: Return) -> None:
    """The task is done; its text goes to whoever delegated, and to nobody else."""
    now = work.now()
    work.move(step.task, TaskRunState.SUCCEEDED, result=step.text, finished_at=now)
    call = origin_of(work, step.task)
    if call is not None:
        text = cap_text(step.text, settings.TOOL_RESULT_MAX_CHARACTERS)
        work.move(call, ToolCallState.SUCCEEDED, result=text, finished_at=now)


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
    """The call that delegated, as the very row the journal knows."""
    if task.origin_call_id is None:
        return None
    return next(
        call for call in work.rows.all_calls() if call.id == task.origin_call_id
    )
