"""A word of the product to one agent: a message in its thread that nobody else sees."""

from __future__ import annotations

from conversations.choices import MessageRole
from conversations.engine.steps import Notify
from conversations.engine.work import Work
from conversations.models import Message


def notify(work: Work, step: Notify) -> None:
    """Say it and count it; the rows show it unanswered, so the model is called next."""
    task = step.task
    for name, value in step.counts.items():
        setattr(task, name, value)
    work.journal.update(task, *step.counts)
    message = Message(
        conversation_id=work.run.conversation_id,
        run=work.run,
        task_run=task,
        thread_id=task.thread_id,
        role=MessageRole.USER,
        author="",
        text=step.text,
        created_at=work.now(),
    )
    work.rows.add_message(message)
    work.journal.say(message)
