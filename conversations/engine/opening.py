"""Opening a task run: its thread, its row, and the request that its agent reads."""

from __future__ import annotations

from conversations.choices import EventKind, MessageRole
from conversations.engine.work import Work
from conversations.models import Message, TaskRun, Thread
from teams.definition import MemberDefinition


def new_thread(work: Work, member: MemberDefinition, *, key: str = "") -> Thread:
    thread = Thread(
        conversation_id=work.run.conversation_id,
        agent_uid=member.agent,
        agent_name=work.rows.definition.agents[member.agent].name,
    )
    thread.key = f"{key}{thread.id}" if key else ""
    work.journal.insert(thread)
    work.rows.threads[thread.id] = thread
    work.rows.messages[thread.id] = []
    return thread


def open_run_of(
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


def say_request(work: Work, task: TaskRun, *, author: str) -> None:
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
    work.rows.add_message(message)
    work.journal.say(message)
