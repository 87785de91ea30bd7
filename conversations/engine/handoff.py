"""Handoff: one agent's turn ends and another's begins, with the conversation so far.

Who speaks is the *active agent*; it lives on the conversation (H4). What travels is
what was said to everyone: a person's messages and agents' texts (H3). The call that
hands over gets its result like any other; routing never reaches another's prompt.
"""

from __future__ import annotations

from uuid import UUID

from conversations.choices import (
    EventKind,
    TaskRunState,
    ToolCallKind,
    ToolCallState,
)
from conversations.engine.opening import open_run_of
from conversations.engine.rows import open_thread
from conversations.engine.steps import HandOver
from conversations.engine.tool_call import settle
from conversations.engine.work import Work
from conversations.models import TaskRun, ToolCall
from conversations.threads import participant_key
from teams.choices import ReturnTo
from teams.definition import MemberDefinition
from teams.models import HandoffRule, TeamMember
from teams.selectors import disabled_parts
from teams.toolbox.base import ToolOutcome

AFTER_DENIAL = (
    "Not handed over: the person denied another call of the same reply. "
    "Take that into account, then decide again."
)


def receiver_of(work: Work) -> UUID:
    """Who gets a person's message: the agent that spoke last, or the start agent.

    If the active agent has left the team, or is switched off now, the start agent
    takes over, and the person is told (H8). What is asked again goes to whom it went.
    """
    definition = work.rows.definition
    start = definition.start_agent or definition.participants[0]
    active = work.run.conversation.active_agent_uid
    if work.run.retry_of_id:
        active = _first_receiver(work.run.retry_of_id) or active
    elif definition.return_to == ReturnTo.START:
        return start
    if active is None or active == start:
        return start
    if active in definition.participants and not disabled_parts([active]):
        return active
    code = (
        "active_agent_off" if active in definition.participants else "active_agent_left"
    )
    notice = {"code": code, "params": {"agent": definition.agents[start].name}}
    work.set_run(notices=[*work.run.notices, notice])
    return start


def _first_receiver(run_id: UUID) -> UUID | None:
    tasks = TaskRun.objects.filter(run=run_id, parent=None).order_by("position")
    return tasks.values_list("agent_uid", flat=True).first()


def open_participant(work: Work, agent: UUID, *, position: int = 0) -> TaskRun:
    """The agent's turn, in its own lasting thread, seeing the whole conversation."""
    member = next(m for m in work.rows.definition.members if m.agent == agent)
    key = participant_key(agent)
    thread = open_thread(work.rows, agent_uid=agent, key=key, sees_conversation=True)
    task = open_run_of(
        work,
        MemberDefinition(agent=agent, task=member.task),
        thread,
        request=work.run.request.text,
    )
    task.position = position
    conversation = work.run.conversation
    conversation.active_agent_uid = agent
    work.journal.update(conversation, "active_agent_uid")
    return task


def hand_over(work: Work, step: HandOver) -> None:
    """Deliver a handover, or tell its agent why not. The first of a reply counts."""
    call = step.call
    target, source = call.agent_uid, call.task_run
    if denied_beside(work, call):
        # What came of a denial is no failed attempt either (H7).
        settle(work, call, ToolOutcome(AFTER_DENIAL, ok=False), counts=False)
        return
    problem = refusal(work, call)
    if target is None or problem:
        settle(work, call, ToolOutcome(problem or "There is no such agent.", ok=False))
        return
    name = work.rows.definition.agents[target].name
    work.move(
        call,
        ToolCallState.SUCCEEDED,
        result=f"Handed over to {name}.",
        finished_at=work.now(),
    )
    for other in work.rows.calls.get(call.model_call_id, ()):
        if other.kind == ToolCallKind.HANDOFF and other.state == ToolCallState.PROPOSED:
            settle(work, other, ToolOutcome("Another handover came first.", ok=False))
    text = next(
        (
            m.text
            for m in work.rows.messages[source.thread_id]
            if m.model_call_id == call.model_call_id
        ),
        "",
    )
    work.move(source, TaskRunState.HANDED_OVER, result=text, finished_at=work.now())
    task = open_participant(work, target, position=source.position + 1)
    task.origin_call = call
    work.set_run(handoffs=work.run.handoffs + 1)
    work.journal.note(EventKind.HANDOFF, task, call=str(call.id))


def denied_beside(work: Work, call: ToolCall) -> bool:
    """Whether a person denied another call of the same reply: its model reads that
    first, and decides again."""
    siblings = work.rows.calls.get(call.model_call_id, ())
    return any(other.state == ToolCallState.DENIED for other in siblings)


def refusal(work: Work, call: ToolCall) -> str:
    """Why a handover is not delivered now, or empty (H8)."""
    target = call.agent_uid
    if target is None or disabled_parts([target]):
        return "This agent has been disabled."
    if not _still_allowed(work, call.task_run.agent_uid, target):
        return "This handover is no longer allowed."
    return ""


def _still_allowed(work: Work, source: UUID, target: UUID) -> bool:
    """A rule removed since the run started forbids; one added since allows nothing.

    Without rules everyone may hand to everyone: rules made since, and having left the
    team, forbid as well.
    """
    version = work.run.team_version_id
    rules = HandoffRule.objects.filter(team__versions=version)
    if work.rows.definition.handoffs or rules.exists():
        return rules.filter(source__uid=source, target__uid=target).exists()
    members = TeamMember.objects.filter(team__versions=version)
    return members.filter(agent__uid=target).exists()
