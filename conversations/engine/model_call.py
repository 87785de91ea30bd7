"""One call of a model: intent row, streamed reply, then the reply's rows.

The engine's thread waits on an event with a deadline; the stream itself runs in the
background loop. Meanwhile the text so far is flushed to its row every second, and a
stop, a lost lease or a shutdown is noticed at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal

from conversations.choices import (
    EventKind,
    MessageRole,
    MessageState,
    ModelCallState,
)
from conversations.engine.lease import HandBackError
from conversations.engine.offer import offers_for, takes_part
from conversations.engine.prompt import (
    RULES_VERSION,
    profile_of,
    request_for,
    system_text,
)
from conversations.engine.proposals import propose
from conversations.engine.rows import load_thread
from conversations.engine.steps import CallModel, FailTask
from conversations.engine.work import Work
from conversations.events import DraftDelta, publish_delta
from conversations.models import Message, ModelCall, TaskRun
from conversations.transitions import move
from supervisor_site.common.connections import release_connection
from teams.definition import ProfileDefinition
from teams.providers.calls import RunningCall, start_call
from teams.providers.connection import connection_for
from teams.providers.types import (
    Connection,
    Delta,
    ModelFailure,
    ModelReply,
    ModelRequest,
)
from teams.selectors import disabled_parts

FLUSH_SECONDS = 1.0


def call_model(work: Work, step: CallModel) -> FailTask | None:
    """Do the step; a failure of the model is the task's failure (S10)."""
    task = step.task
    refused = _disabled(work, task)
    if refused:
        return refused
    if task.thread_id not in work.rows.messages:
        if task.thread.sees_conversation:
            # What was just said to everyone must be among what is read.
            work.commit()
        load_thread(work.rows, task.thread)
    offers = offers_for(work.rows.definition, task, read_only=work.run.read_only)
    system = system_text(work.rows, task)
    made = work.rows.model_calls.get(task.id, ())
    first = not made or step.again is made[0]
    request = request_for(work.rows, task, system, offers=offers, first=first)
    profile = profile_of(work.rows.definition, task)
    model_call = _again(work, step.again) or _new_call(work, task, profile)
    running: RunningCall | None = None
    try:
        connection = connection_for(profile)
        running = _start(work, model_call, connection, request, system=system)
        reply = _wait(work, model_call, running, task)
    except ModelFailure as failure:
        return _failed(work, model_call, running, failure)
    if reply is not None:
        _record(work, model_call, running, reply)
        propose(work, model_call, reply, offers)
    return None


def _disabled(work: Work, task: TaskRun) -> FailTask | None:
    """Live switches can only forbid (rule 8); those of a worker's agent and profile
    end its task, which its supervisor then reads."""
    definition = work.rows.definition
    profile = profile_of(definition, task)
    reasons = disabled_parts([task.agent_uid, profile.uid])
    for uid, reason in reasons.items():
        name = profile.name if uid == profile.uid else task.agent_name
        return FailTask(task, reason, {"name": name})
    return None


def _again(work: Work, model_call: ModelCall | None) -> ModelCall | None:
    """A call that a crash interrupted goes on in its own row (rule 4)."""
    if model_call is not None:
        model_call.started_at = work.now()
        work.journal.update(model_call, "started_at")
    return model_call


def _new_call(work: Work, task: TaskRun, profile: ProfileDefinition) -> ModelCall:
    model_call = ModelCall(
        task_run=task,
        round=len(work.rows.model_calls.get(task.id, ())) + 1,
        profile_uid=profile.uid,
        profile_name=profile.name,
        started_at=work.now(),
    )
    task.rounds += 1
    work.journal.update(task, "rounds")
    work.journal.insert(model_call)
    note_debug(work, model_call)
    work.rows.model_calls.setdefault(task.id, []).append(model_call)
    return model_call


def note_debug(work: Work, model_call: ModelCall) -> None:
    """A debug run shows every action of every agent live (D5)."""
    if work.run.debug:
        work.journal.note(EventKind.MODEL_CALL, model_call, new=model_call.state)


def _start(
    work: Work,
    model_call: ModelCall,
    connection: Connection,
    request: ModelRequest,
    *,
    system: str,
) -> RunningCall:
    """Commit the intent, then call."""
    messages = work.rows.messages[model_call.task_run.thread_id]
    model_call.system_id = work.payload(system)
    model_call.tools_id = work.payload(json.dumps(request.tools, ensure_ascii=False))
    model_call.model = connection.model
    model_call.rules = RULES_VERSION
    work.journal.update(model_call, "system_id", "tools_id", "model", "rules")
    work.commit()
    # Numbers are given at commit; the newest message may be of this very commit.
    model_call.last_number = messages[-1].number if messages else 0
    note = _publisher(work, model_call)
    work.holder.wake.clear()
    return start_call(connection, request, on_delta=note, notify=work.holder.wake.set)


def _publisher(work: Work, model_call: ModelCall) -> Callable[[Delta], None]:
    run, task = work.run, model_call.task_run

    hidden = takes_part(work.rows.definition, task) and (
        task.agent_uid in work.rows.definition.outputs.hidden
    )

    def publish(delta: Delta) -> None:
        if hidden:
            return
        publish_delta(
            DraftDelta(
                conversation_id=run.conversation_id,
                run_id=run.id,
                task_run_id=task.id,
                message_id=model_call.id,
                agent=task.agent_name,
                attempt=delta.attempt,
                offset=delta.offset,
                text=delta.text,
            )
        )

    return publish


def _wait(
    work: Work, model_call: ModelCall, running: RunningCall, task: TaskRun
) -> ModelReply | None:
    """Wait for the reply; ``None`` where a stop was asked for meanwhile."""
    timeout = work.rows.definition.agents[task.agent_uid].timeout
    started = model_call.started_at
    draft: Message | None = None
    while True:
        # A run that waits for a model holds no connection (rule 11).
        release_connection()
        work.holder.wake.wait(FLUSH_SECONDS)
        work.holder.wake.clear()
        reply = running.result()
        if reply is not None:
            return reply
        try:
            if work.holder.stopping or work.holder.lost:
                raise HandBackError
            draft = _flush(work, model_call, running, draft)
        except BaseException:
            # Whatever ends the wait, the stream must not go on behind it.
            running.cancel()
            raise
        if work.holder.stale:
            running.cancel()
            _stopped(work, model_call, running, draft)
            return None
        spent = task.worked_ms + (work.now() - started).total_seconds() * 1000
        if spent > timeout * 1000:
            running.cancel()
            raise ModelFailure("task_timeout", seconds=timeout, agent=task.agent_name)


def _flush(
    work: Work, model_call: ModelCall, running: RunningCall, draft: Message | None
) -> Message | None:
    """Keep the text so far in its row. The fence also tells of signals."""
    attempt, text = running.partial()
    if draft is None and text:
        draft = message_for(work, model_call, text, MessageState.PARTIAL)
    elif draft is not None and draft.text != text:
        draft.text = text
        work.journal.update(draft, "text")
    if model_call.attempts != attempt:
        model_call.attempts = max(attempt, 1)
        work.journal.update(model_call, "attempts")
    work.commit(beat=True)
    return draft


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


def _close(
    work: Work, model_call: ModelCall, running: RunningCall | None, state: str
) -> None:
    """What every end of a call records: state, times, attempts, the time worked."""
    move(model_call, state)
    note_debug(work, model_call)
    model_call.finished_at = work.now()
    fields = ["state", "finished_at", "last_number"]
    if running is not None:
        model_call.attempts = max(running.attempts, 1)
        model_call.first_token_at = running.first_token_at
        model_call.body_digest = running.body_digest
        fields += ["attempts", "first_token_at", "body_digest"]
    task = model_call.task_run
    spent = model_call.finished_at - model_call.started_at
    task.worked_ms += int(spent.total_seconds() * 1000)
    work.journal.update(task, "worked_ms")
    work.journal.update(model_call, *fields)


def _record(
    work: Work, model_call: ModelCall, running: RunningCall, reply: ModelReply
) -> None:
    _close(work, model_call, running, ModelCallState.SUCCEEDED)
    model_call.finish_reason = reply.finish_reason[:40]
    work.journal.update(model_call, "finish_reason")
    partial_seen = any(
        m.model_call_id == model_call.id
        for m in work.rows.messages[model_call.task_run.thread_id]
    )
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


def _stopped(
    work: Work, model_call: ModelCall, running: RunningCall, draft: Message | None
) -> None:
    """A stop was asked for: keep what was written, marked as stopped (rule 12)."""
    _attempt, text = running.partial()
    _close(work, model_call, running, ModelCallState.CANCELLED)
    if text:
        message = message_for(work, model_call, text, MessageState.STOPPED)
        say_to_everyone(work, model_call.task_run, message)
        if draft is not None:
            work.journal.note_message(message)
    work.commit()


def _failed(
    work: Work,
    model_call: ModelCall,
    running: RunningCall | None,
    failure: ModelFailure,
) -> FailTask:
    task = model_call.task_run
    _close(work, model_call, running, ModelCallState.FAILED)
    model_call.error_code = failure.code
    model_call.error_params = failure.params
    work.journal.update(model_call, "error_code", "error_params")
    for message in work.rows.messages.get(task.thread_id, ()):
        if message.model_call_id == model_call.id:
            message.state = MessageState.STOPPED
            work.journal.update(message, "state")
            work.journal.note_message(message)
    return FailTask(task, failure.code, failure.params)
