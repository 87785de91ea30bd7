"""One tool call: the intent is committed, the tool runs, its one result is kept.

What a crash interrupted is repeated only where the tool says that this is safe;
otherwise a person decides (rule 4).
"""

from __future__ import annotations

import json

from django.conf import settings
from django.contrib.auth.models import User

from conversations.choices import ToolCallState
from conversations.engine.lease import confirm
from conversations.engine.steps import RunTool
from conversations.engine.work import Work
from conversations.models import ToolCall
from supervisor_site.common.connections import release_connection
from teams.selectors import disabled_parts
from teams.toolbox.base import ToolContext, ToolOutcome
from teams.toolbox.running import run_tool
from teams.toolbox.texts import cap_text


def run_call(work: Work, step: RunTool) -> None:
    call = step.call
    if call.tool_uid is None:
        raise TypeError(f"{call.kind} calls are no tool calls")
    tool = work.rows.definition.tools[call.tool_uid]
    if disabled_parts([tool.uid]):
        settle(work, call, ToolOutcome("This tool has been disabled.", ok=False))
        return
    if call.state != ToolCallState.RUNNING:
        work.move(call, ToolCallState.RUNNING)
    call.started_at = work.now()
    call.attempts += 1
    work.journal.update(call, "started_at", "attempts")
    work.commit()
    if work.holder.stale:
        # A stop came between the model's reply and this call: nothing may run after
        # it. The call was not begun, so it goes back to where it was.
        work.move(
            call, ToolCallState.PROPOSED, started_at=None, attempts=call.attempts - 1
        )
        return
    user = identity_of(work, call)
    if user is None:
        words = "The identity this agent works under is no longer active."
        settle(work, call, ToolOutcome(words, ok=False))
        return
    context = ToolContext(
        user=user,
        run_id=work.run.id,
        call_id=call.id,
        state=dict(work.run.tool_state),
        read_only=work.run.read_only,
    )
    confirm(work.holder)
    # A tool may take minutes; one that reads rows takes a connection for itself.
    release_connection()
    outcome = run_tool(tool, call.arguments, context)
    if context.state != work.run.tool_state:
        work.set_run(tool_state=context.state)
    settle(work, call, outcome)
    if not (tool.replay_safe or tool.read_only):
        # Its effect is in the world: let the row say so before anything else.
        work.commit()


def identity_of(work: Work, call: ToolCall) -> User | None:
    """Whose rights the tool uses: its agent's run-as identity, which goes down to
    nobody else (D6), else the person's."""
    run_as = work.rows.definition.agents[call.task_run.agent_uid].run_as
    if run_as is None:
        return work.run.requested_by
    return User.objects.filter(pk=run_as, is_active=True).first()


def settle(
    work: Work, call: ToolCall, outcome: ToolOutcome, *, counts: bool = True
) -> None:
    """Write the call's one result; a failure counts (S10) unless said otherwise, a
    long one is capped for the model and kept in full beside."""
    state = ToolCallState.SUCCEEDED if outcome.ok else ToolCallState.FAILED
    if outcome.unknown:
        state = ToolCallState.UNKNOWN
    text = outcome.text if outcome.ok else f"Error: {outcome.text}"
    if call.edited:
        made = json.dumps(call.arguments, ensure_ascii=False)
        text = f"(A person changed the arguments to {made}.)\n{text}"
    capped = cap_text(text, settings.TOOL_RESULT_MAX_CHARACTERS)
    values: dict[str, object] = {"result": capped, "finished_at": work.now()}
    if capped != text:
        values["full_result_id"] = work.payload(text)
    work.move(call, state, **values)
    task = call.task_run
    if call.started_at:
        spent = (work.now() - call.started_at).total_seconds()
        task.worked_ms += int(spent * 1000)
        work.journal.update(task, "worked_ms")
    if counts and not outcome.ok:
        task.failed_tools += 1
        work.journal.update(task, "failed_tools")
