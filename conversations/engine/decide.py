"""The next step, as a pure function of the rows: same rows, same step.

A stop comes first. Without an open task run the next one opens, or the run ends
as its last one did. Otherwise the deepest open task run is looked at: its last
model reply's calls are put to a person where one must decide, then done in the
model's order, handovers last, each to its one result; then the model is called
again, within its budgets; a reply without calls is looked at by ``outcome``.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from conversations.choices import (
    TOOL_CALL_SETTLED,
    MessageRole,
    ModelCallState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from conversations.engine.budget import over_task_budget, over_team_cap
from conversations.engine.outcome import (
    answer_of,
    begins_ended,
    condition_met,
    outcome_of,
)
from conversations.engine.repeats import fails_again
from conversations.engine.rows import Rows
from conversations.engine.steps import (
    AskPerson,
    AskRecovery,
    CallModel,
    Cancel,
    Delegate,
    Fail,
    FailTask,
    Finish,
    HandOver,
    OpenTask,
    Pause,
    Return,
    RunTool,
    Step,
)
from conversations.models import ModelCall, TaskRun, ToolCall
from teams.choices import Approval, Pattern
from teams.toolbox.arguments import satisfies

MAX_DEPTH = 10


@dataclass(frozen=True)
class Limits:
    """Ceilings: rounds and failed tool calls a task, delegations and handovers a run
    (S10, H5)."""

    rounds: int
    failed_tools: int
    delegations: int
    handoffs: int


def site_limits() -> Limits:
    return Limits(
        rounds=settings.RUN_MAX_ROUNDS,
        failed_tools=settings.RUN_MAX_FAILED_TOOLS,
        delegations=settings.RUN_MAX_DELEGATIONS,
        handoffs=settings.RUN_MAX_HANDOFFS,
    )


def decide(rows: Rows, limits: Limits, now: datetime) -> Step:
    if rows.run.cancel_requested_at is not None:
        return Cancel()
    task = rows.deepest_open()
    if task is None:
        return _next_task(rows)
    step = _step_of(rows, task, limits)
    if isinstance(step, CallModel):
        return over_team_cap(rows, now) or step
    return step


def _step_of(rows: Rows, task: TaskRun, limits: Limits) -> Step:
    model_call = rows.last_model_call(task)
    if model_call is None:
        return CallModel(task)
    if model_call.state == ModelCallState.RUNNING:
        return CallModel(task, again=model_call)
    if model_call.state != ModelCallState.SUCCEEDED or _has_notice(rows, task):
        # A retry finds an open task with a failed call: ask again.
        return _call_model(rows, task, limits)
    calls = rows.calls.get(model_call.id, [])
    if calls:
        return _next_call(rows, calls, limits) or _call_model(rows, task, limits)
    return outcome_of(rows, task, _text_of(rows, task, model_call))


def _next_task(rows: Rows) -> Step:
    """Open the first task run, or the next in a fixed order, or end the run (S12)."""
    last = rows.last_top()
    if last is None:
        ended = begins_ended(rows)
        return Finish("", ended) if ended else OpenTask(0, "")
    if last.state != TaskRunState.SUCCEEDED:
        return Fail(last.error_code, last.error_params)
    definition = rows.definition
    if definition.pattern == Pattern.SEQUENTIAL and last.position + 1 < len(
        definition.members
    ):
        return OpenTask(last.position + 1, _input_of(rows, last.position + 1))
    return Finish(answer_of(rows, last), rows.run.ended_by)


def _input_of(rows: Rows, position: int) -> str:
    """The result of the step before, or of the nearest earlier one of the task that
    this step's task names in ``input`` (S12)."""
    member = rows.definition.members[position]
    wanted = rows.definition.tasks[member.task].input if member.task else None
    tops = [t for t in rows.task_runs if t.parent_id is None and t.position < position]
    tops.sort(key=lambda task: task.position)
    named = [task for task in tops if wanted is not None and task.task_uid == wanted]
    return (named or tops)[-1].result


def _has_notice(rows: Rows, task: TaskRun) -> bool:
    """Whether the product has had the last word: the model is to answer it."""
    messages = rows.messages.get(task.thread_id, [])
    return bool(messages) and is_notice(messages[-1].role, messages[-1].author)


def is_notice(role: str, author: str) -> bool:
    return role == MessageRole.USER and not author


def _next_call(rows: Rows, calls: list[ToolCall], limits: Limits) -> Step | None:
    """What is to be done for these calls, or ``None`` once each has its result."""
    undecided = tuple(call for call in calls if needs_person(rows, call))
    if undecided:
        return AskPerson(undecided)
    if any(call.state == ToolCallState.WAITING_FOR_HUMAN for call in calls):
        return Pause()
    still = [call for call in calls if call.state not in TOOL_CALL_SETTLED]
    if not still:
        return None
    # Stable: the model's order, with handovers after all else.
    call = min(
        still, key=lambda call: (call.kind == ToolCallKind.HANDOFF, call.position)
    )
    if call.kind == ToolCallKind.DELEGATE:
        return _delegate(rows, call, limits)
    if call.kind == ToolCallKind.HANDOFF:
        return _hand_over(rows, call, limits)
    if call.state == ToolCallState.RUNNING and not may_repeat(rows, call):
        return AskRecovery(call)
    return RunTool(call)


def _delegate(rows: Rows, call: ToolCall, limits: Limits) -> Step:
    if call.task_run.depth >= MAX_DEPTH:
        return Fail("depth_exceeded", {"chain": _chain(rows, call), "limit": MAX_DEPTH})
    if rows.run.delegations >= limits.delegations:
        return Fail("delegations_exceeded", {"limit": limits.delegations})
    return Delegate(call)


def _chain(rows: Rows, call: ToolCall) -> str:
    """Who delegated to whom, down to the call that went too deep (D8)."""
    names: list[str] = [call.name]
    task: TaskRun | None = call.task_run
    while task is not None:
        names.append(task.agent_name)
        task = rows.task_run(task.parent_id)
    return " → ".join(reversed(names))


def _hand_over(rows: Rows, call: ToolCall, limits: Limits) -> Step:
    """Deliver it, unless the conversation is over by a condition that the text of the
    same reply meets (H6), or the run has had its handovers (H5)."""
    task = call.task_run
    mode = rows.definition.autonomous
    limit = mode.max_handoffs if mode and mode.max_handoffs else limits.handoffs
    ended = condition_met(rows, task)
    if not ended and rows.run.handoffs < limit:
        return HandOver(call)
    model_call = rows.last_model_call(task)
    text = _text_of(rows, task, model_call) if model_call else ""
    return Return(task, text, ended or "limit:handoffs")


def needs_person(rows: Rows, call: ToolCall) -> bool:
    """Whether a person must answer or approve before the reply's calls are done."""
    if call.state != ToolCallState.PROPOSED or call.approved:
        return False
    if call.kind == ToolCallKind.ASK_HUMAN:
        return True
    if call.kind != ToolCallKind.FUNCTION or call.tool_uid is None:
        return False
    tool = rows.definition.tools[call.tool_uid]
    if tool.remember_approval and tool.uid in rows.standing:
        return False
    if isinstance(tool.approval, dict):
        return satisfies(tool.approval["when"], call.arguments)
    return bool(tool.approval == Approval.ALWAYS)


def may_repeat(rows: Rows, call: ToolCall) -> bool:
    """Whether an interrupted call may run again without asking (rule 4)."""
    tool = rows.definition.tools[call.tool_uid] if call.tool_uid else None
    return tool is not None and (tool.replay_safe or tool.read_only)


def _call_model(rows: Rows, task: TaskRun, limits: Limits) -> Step:
    if task.failed_tools >= limits.failed_tools:
        params = {"limit": limits.failed_tools, "agent": task.agent_name}
        return FailTask(task, "tools_failed", params)
    again = fails_again(rows, task)
    if again:
        return FailTask(
            task, "repeated_failure", {"agent": task.agent_name, "tool": again}
        )
    if task.rounds >= limits.rounds:
        params = {"limit": limits.rounds, "agent": task.agent_name}
        return FailTask(task, "rounds_exceeded", params)
    return over_task_budget(rows, task) or CallModel(task)


def _text_of(rows: Rows, task: TaskRun, model_call: ModelCall) -> str:
    message = rows.message_of(model_call, task.thread_id)
    return message.text if message else ""
