"""What a run has said to the person so far, and who passed it on to whom."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from conversations.choices import (
    MessageRole,
    MessageState,
    RunState,
    ToolCallKind,
)
from conversations.models import Message, Run, TaskRun, ToolCall
from teams.choices import Pattern
from teams.services.versions import definition_of

JsonObject = dict[str, Any]

# What participants of a handoff team said to everyone, in the order it was said; not
# their questions, which are human requests.
TO_EVERYONE = (
    Message.objects.filter(
        to_everyone=True,
        role=MessageRole.ASSISTANT,
        state=MessageState.COMPLETE,
        model_call__isnull=False,
    )
    .exclude(text="")
    .defer("reasoning")
    .order_by("number")
)


def outputs(run: Run, task_runs: Sequence[TaskRun]) -> list[JsonObject]:
    """The texts for the person (H9): the answer, or all that participants said.

    ``kind`` is ``output`` or ``intermediate``; what is hidden is left out.
    """
    if is_handoff(run):
        return said_in_turn(run, task_runs)
    if run.state != RunState.SUCCEEDED or not run.answer:
        return []
    speakers = [row.agent_name for row in task_runs if row.depth == 0]
    agent = speakers[-1] if speakers else ""
    return [{"agent": agent, "text": run.answer, "kind": "output"}]


def said_in_turn(run: Run, task_runs: Iterable[TaskRun]) -> list[JsonObject]:
    plan = definition_of(run.team_version_id).outputs
    agents = {row.id: row.agent_uid for row in task_runs}
    said: Iterable[Message] | None = getattr(run, "said_to_everyone", None)
    found = []
    for message in TO_EVERYONE.filter(run=run) if said is None else said:
        agent = agents.get(message.task_run_id) if message.task_run_id else None
        if agent not in plan.hidden:
            folded = agent in plan.intermediate
            kind = "intermediate" if folded else "output"
            found.append({"agent": message.author, "text": message.text, "kind": kind})
    return found


def handoffs(task_runs: Iterable[TaskRun]) -> list[JsonObject]:
    """Who passed the conversation on to whom."""
    rows = {row.id: row for row in task_runs}
    found = []
    for row in rows.values():
        call = row.origin_call
        if call is not None and call.kind == ToolCallKind.HANDOFF:
            found.append(handoff(call, rows.get(call.task_run_id), row))
    return found


def handoff(call: ToolCall, source: TaskRun | None, target: TaskRun) -> JsonObject:
    return {
        "from": source.agent_name if source else "",
        "to": target.agent_name,
        "reason": str(call.arguments.get("reason") or ""),
        "at": timestamp(target.started_at),
    }


def active_agent(run: Run, task_runs: Iterable[TaskRun]) -> str | None:
    """Who has the conversation, in a handoff team."""
    if not is_handoff(run):
        return None
    speakers = [row.agent_name for row in task_runs if row.depth == 0]
    return speakers[-1] if speakers else None


def is_handoff(run: Run) -> bool:
    return run.team_version.team.pattern == Pattern.HANDOFF


def timestamp(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC, as ``2026-11-30T14:02:00.123456Z``."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
