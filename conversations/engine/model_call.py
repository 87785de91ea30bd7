"""One call of a model: intent row, streamed reply, then the reply's rows.

The engine's thread waits on an event with a deadline; the stream itself runs in the
background loop. Meanwhile the text so far is flushed to its row every second, and a
stop, a lost lease or a shutdown is noticed at once.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from conversations.choices import (
    MessageState,
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
from conversations.engine.reply import (
    message_for,
    note_debug,
    record_failure,
    record_reply,
    record_stop,
)
from conversations.engine.rows import load_thread
from conversations.engine.steps import CallModel, FailTask
from conversations.engine.work import Work
from conversations.events import DraftDelta, publish_delta
from conversations.models import Message, ModelCall, TaskRun
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
    request = request_for(work.rows, task, system, offers=offers)
    profile = profile_of(work.rows.definition, task)
    work.attempts_before = step.again.attempts if step.again else 0
    model_call = _again(work, step.again) or _new_call(work, task, profile)
    running: RunningCall | None = None
    try:
        connection = connection_for(profile)
        running = _start(work, model_call, connection, request, system=system)
        reply = _wait(work, model_call, running, task)
    except ModelFailure as failure:
        return record_failure(work, model_call, running, failure)
    if reply is not None:
        record_reply(work, model_call, running, reply)
        propose(work, model_call, reply, offers)
    return None


def _disabled(work: Work, task: TaskRun) -> FailTask | None:
    """Live switches can only forbid (rule 8); those of a worker's agent, task and
    profile end its task, which its supervisor then reads."""
    profile = profile_of(work.rows.definition, task)
    names = {task.agent_uid: task.agent_name, profile.uid: profile.name}
    if task.task_uid:
        names[task.task_uid] = task.task_name
    for uid, reason in disabled_parts(names).items():
        return FailTask(task, reason, {"name": names[uid]})
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

    before = work.attempts_before
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
                attempt=before + delta.attempt,
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
            record_stop(work, model_call, running)
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
    attempts = work.attempts_before + max(attempt, 1)
    if model_call.attempts != attempts:
        model_call.attempts = attempts
        work.journal.update(model_call, "attempts")
    work.commit(beat=True)
    return draft
