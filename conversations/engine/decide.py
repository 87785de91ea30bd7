"""The next step, as a pure function of the rows: same rows, same step.

A stop comes first. Without an open task run the next one opens, or the run ends
as its last one did. Otherwise the deepest open task run is looked at: its last
model reply's calls are put to a person where one must decide, then done in the
model's order, each to its one result; then the model is called again; a reply
without calls is the task's result.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from conversations.choices import (
    TOOL_CALL_SETTLED,
    ModelCallState,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
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
    OpenTask,
    Pause,
    Return,
    RunTool,
    Step,
)
from conversations.models import ModelCall, TaskRun, ToolCall
from teams.choices import Approval


@dataclass(frozen=True)
class Limits:
    """Ceilings of S10: rounds and failed tool calls a task, delegations a run."""

    rounds: int
    failed_tools: int
    delegations: int


def site_limits() -> Limits:
    return Limits(
        rounds=settings.RUN_MAX_ROUNDS,
        failed_tools=settings.RUN_MAX_FAILED_TOOLS,
        delegations=settings.RUN_MAX_DELEGATIONS,
    )


def decide(rows: Rows, limits: Limits) -> Step:
    if rows.run.cancel_requested_at is not None:
        return Cancel()
    task = rows.deepest_open()
    if task is None:
        return _next_task(rows)
    model_call = rows.last_model_call(task)
    if model_call is None:
        return CallModel(task)
    if model_call.state == ModelCallState.RUNNING:
        return CallModel(task, again=model_call)
    if model_call.state != ModelCallState.SUCCEEDED:
        # Only a retry finds an open task with such a call: ask again.
        return _call_model(rows, task, limits)
    calls = rows.calls.get(model_call.id, [])
    if not calls:
        return Return(task, _text_of(rows, task, model_call))
    return _next_call(rows, calls, limits) or _call_model(rows, task, limits)


def _next_task(rows: Rows) -> Step:
    """Open the first task run, or the next in a fixed order, or end the run (S12)."""
    last = rows.last_top()
    if last is None:
        return OpenTask(0, "")
    if last.state != TaskRunState.SUCCEEDED:
        return Fail(last.error_code, last.error_params)
    steps = 1 if rows.definition.supervisor else len(rows.definition.members)
    if last.position + 1 < steps:
        return OpenTask(last.position + 1, last.result)
    return Finish(last.result)


def _next_call(rows: Rows, calls: list[ToolCall], limits: Limits) -> Step | None:
    """What is to be done for these calls, or ``None`` once each has its result."""
    undecided = tuple(call for call in calls if needs_person(rows, call))
    if undecided:
        return AskPerson(undecided)
    if any(call.state == ToolCallState.WAITING_FOR_HUMAN for call in calls):
        return Pause()
    call = next((call for call in calls if call.state not in TOOL_CALL_SETTLED), None)
    if call is None:
        return None
    if call.kind == ToolCallKind.DELEGATE:
        if rows.run.delegations >= limits.delegations:
            return Fail("delegations_exceeded", {"limit": limits.delegations})
        return Delegate(call)
    if call.state == ToolCallState.RUNNING and not may_repeat(rows, call):
        return AskRecovery(call)
    return RunTool(call)


def needs_person(rows: Rows, call: ToolCall) -> bool:
    """Whether a person must answer or approve before the reply's calls are done."""
    if call.state != ToolCallState.PROPOSED or call.approved:
        return False
    if call.kind == ToolCallKind.ASK_HUMAN:
        return True
    if call.tool_uid is None:
        return False
    return bool(rows.definition.tools[call.tool_uid].approval == Approval.ALWAYS)


def may_repeat(rows: Rows, call: ToolCall) -> bool:
    """Whether an interrupted call may run again without asking (rule 4)."""
    tool = rows.definition.tools[call.tool_uid] if call.tool_uid else None
    return tool is not None and (tool.replay_safe or tool.read_only)


def _call_model(rows: Rows, task: TaskRun, limits: Limits) -> Step:
    agent = rows.definition.agents[task.agent_uid]
    rounds = min(limits.rounds, agent.max_iterations or limits.rounds)
    if task.failed_tools >= limits.failed_tools:
        params = {"limit": limits.failed_tools, "agent": task.agent_name}
        return FailTask(task, "tools_failed", params)
    if task.rounds >= rounds:
        return FailTask(
            task, "rounds_exceeded", {"limit": rounds, "agent": task.agent_name}
        )
    if task.worked_ms >= agent.timeout * 1000:
        params = {"seconds": agent.timeout, "agent": task.agent_name}
        return FailTask(task, "task_timeout", params)
    return CallModel(task)


def _text_of(rows: Rows, task: TaskRun, model_call: ModelCall) -> str:
    message = rows.message_of(model_call, task.thread_id)
    return message.text if message else ""
