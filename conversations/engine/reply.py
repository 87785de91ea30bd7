"""What a model call came to: its message, state, tokens and cost, or its failure."""

from __future__ import annotations

from decimal import Decimal

from conversations.choices import (
    EventKind,
    MessageRole,
    MessageState,
    ModelCallState,
)
from conversations.engine.offer import takes_part
from conversations.engine.prompt import profile_of
from conversations.engine.steps import FailTask
from conversations.engine.work import Work
from conversations.models import Message, ModelCall, TaskRun
from conversations.transitions import move
from teams.providers.calls import RunningCall
from teams.providers.types import ModelFailure, ModelReply


def note_debug(work: Work, model_call: ModelCall) -> None:
    """A debug run shows every action of every agent live (D5)."""
    if work.run.debug:
        work.journal.note(EventKind.MODEL_CALL, model_call, new=model_call.state)


def message_for(
    work: Work, model_call: ModelCall, text: str, state: MessageState
) -> Message:
    """The reply's message: one row a call, with the call's own id, so that a draft
    people have seen is replaced and never doubled."""
    task = model_call.task_run
    messages = work.rows.messages[task.thread_id]
    for message in messages:
        if message.model_call_id == model_call.id:
            message.text, message.state = text, state
            work.journal.update(message, "text", "state")
            return message
    message = Message(
        id=model_call.id,
        conversation_id=work.run.conversation_id,
        run=work.run,
        task_run=task,
        thread_id=task.thread_id,
        model_call=model_call,
        role=MessageRole.ASSISTANT,
        author=task.agent_name,
        text=text,
        state=state,
        created_at=work.now(),
    )
    work.rows.add_message(message)
    work.journal.say(message)
    return message


def close_call(
    work: Work, model_call: ModelCall, running: RunningCall | None, state: str
) -> None:
    """What every end of a call records: state, times, attempts, the time worked."""
    move(model_call, state)
    note_debug(work, model_call)
    model_call.finished_at = work.now()
    fields = ["state", "finished_at", "last_number"]
    if running is not None:
        model_call.attempts = work.attempts_before + max(running.attempts, 1)
        model_call.first_token_at = running.first_token_at
        model_call.body_digest = running.body_digest
        fields += ["attempts", "first_token_at", "body_digest"]
    task = model_call.task_run
    spent = model_call.finished_at - model_call.started_at
    task.worked_ms += int(spent.total_seconds() * 1000)
    work.journal.update(task, "worked_ms")
    work.journal.update(model_call, *fields)


def record_reply(
    work: Work, model_call: ModelCall, running: RunningCall, reply: ModelReply
) -> None:
    close_call(work, model_call, running, ModelCallState.SUCCEEDED)
    model_call.finish_reason = reply.finish_reason[:40]
    work.journal.update(model_call, "finish_reason")
    thread_id = model_call.task_run.thread_id
    partial_seen = work.rows.message_of(model_call, thread_id) is not None
    message = message_for(work, model_call, reply.text, MessageState.COMPLETE)
    message.reasoning = reply.reasoning
    work.journal.update(message, "reasoning")
    say_to_everyone(work, model_call.task_run, message)
    if partial_seen:
        work.journal.note_message(message)
    if reply.usage:
        _count(work, model_call, reply)


def say_to_everyone(work: Work, task: TaskRun, message: Message) -> None:
    """A participant's text is said to everyone (H3); its calls stay its own."""
    if message.text and takes_part(work.rows.definition, task):
        message.to_everyone = True
        work.journal.update(message, "to_everyone")
        work.rows.add_message(message)


def _count(work: Work, model_call: ModelCall, reply: ModelReply) -> None:
    """Tokens and cost of the call, added to the run's totals."""
    usage = reply.usage
    if usage is None:
        return
    profile = profile_of(work.rows.definition, model_call.task_run)
    model_call.input_tokens = usage.input_tokens
    model_call.output_tokens = usage.output_tokens
    work.journal.update(model_call, "input_tokens", "output_tokens")
    task = model_call.task_run
    task.input_tokens += usage.input_tokens
    task.output_tokens += usage.output_tokens
    work.journal.update(task, "input_tokens", "output_tokens")
    work.set_run(
        input_tokens=work.run.input_tokens + usage.input_tokens,
        output_tokens=work.run.output_tokens + usage.output_tokens,
    )
    if profile.input_price is not None or profile.output_price is not None:
        cost = (
            usage.input_tokens * Decimal(profile.input_price or 0)
            + usage.output_tokens * Decimal(profile.output_price or 0)
        ) / 1_000_000
        model_call.cost = cost
        work.journal.update(model_call, "cost")
        work.set_run(cost=work.run.cost + cost)


def record_stop(work: Work, model_call: ModelCall, running: RunningCall) -> None:
    """A stop was asked for: what was written is kept (rule 12)."""
    close_call(work, model_call, running, ModelCallState.CANCELLED)
    keep_partial(work, model_call, running)
    work.commit()


def record_failure(
    work: Work,
    model_call: ModelCall,
    running: RunningCall | None,
    failure: ModelFailure,
) -> FailTask:
    close_call(work, model_call, running, ModelCallState.FAILED)
    model_call.error_code = failure.code
    model_call.error_params = failure.params
    work.journal.update(model_call, "error_code", "error_params")
    if running is not None:
        keep_partial(work, model_call, running)
    return FailTask(model_call.task_run, failure.code, failure.params)


def keep_partial(work: Work, model_call: ModelCall, running: RunningCall) -> None:
    """Keep what people have seen of a reply that will not be whole, marked as such."""
    task = model_call.task_run
    draft = work.rows.message_of(model_call, task.thread_id)
    _attempt, text = running.partial()
    text = text or (draft.text if draft else "")
    if text:
        message = message_for(work, model_call, text, MessageState.STOPPED)
        say_to_everyone(work, task, message)
    if draft is not None:
        work.journal.note_message(draft)
