"""What the rules look at: a team as it would be saved, or as it stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects

from teams.choices import Pattern
from teams.models import Agent, HandoffRule, Task, Team, TeamMember


@dataclass(frozen=True)
class MemberDraft:
    """An agent-task pair; the rules read names and flags only, and ask no database."""

    agent: Agent
    task: Task | None = None

    @property
    def key(self) -> tuple[int | None, int | None]:
        return self.agent.pk, self.task.pk if self.task else None

    @property
    def label(self) -> str:
        return f"{self.agent.name}/{self.task.name}" if self.task else self.agent.name


@dataclass(frozen=True)
class RuleDraft:
    """Who may hand to whom, and when."""

    source: Agent
    target: Agent
    description: str = ""


@dataclass(frozen=True)
class TeamDraft:
    """A team as it would be saved."""

    pattern: str
    process: str
    supervisor: Agent | None
    members: tuple[MemberDraft, ...]
    start: Agent | None = None
    rules: tuple[RuleDraft, ...] = ()
    autonomous: Any = None
    termination: Any = None
    outputs: Any = None


@dataclass(frozen=True)
class TeamParts:
    """A team's live rows, each object once, with profiles and tools at hand."""

    team: Team
    members: list[TeamMember]
    agents: list[Agent]
    tasks: list[Task]


def parts_of(team: Team) -> TeamParts:
    """Read the rows a team is made of, in few queries: one more for each level of
    delegates that the agents have."""
    members = list(
        team.members.select_related("agent__profile", "task__input").order_by(
            "position", "pk"
        )
    )
    agents = {member.agent_id: member.agent for member in members}
    if team.supervisor_agent is not None:
        agents.setdefault(team.supervisor_agent.pk, team.supervisor_agent)
    _with_delegates(agents)
    tasks = {member.task.pk: member.task for member in members if member.task}
    for member in members:
        member.agent = agents[member.agent_id]
        member.task = tasks[member.task_id] if member.task_id else None
    prefetch_related_objects(list(agents.values()), "tools")
    prefetch_related_objects(list(tasks.values()), "tools")
    return TeamParts(team, members, list(agents.values()), list(tasks.values()))


def _with_delegates(agents: dict[int, Agent]) -> None:
    """Add the agents' delegates, and theirs, each as one object. Cycles end here."""
    level = list(agents.values())
    while level:
        delegates = Agent.objects.select_related("profile")
        prefetch_related_objects(level, Prefetch("delegates", delegates))
        found = {other.pk: other for agent in level for other in agent.delegates.all()}
        level = [other for pk, other in found.items() if pk not in agents]
        agents.update((other.pk, other) for other in level)


def draft_of(
    team: Team,
    members: Iterable[TeamMember | MemberDraft],
    rules: Iterable[HandoffRule | RuleDraft] | None = None,
) -> TeamDraft:
    """The draft of a team row with these members, and these rules or its own."""
    handoff = team.pattern == Pattern.HANDOFF
    if rules is None:
        stored = handoff and team.pk is not None
        rules = team.handoffs.select_related("source", "target") if stored else ()
    return TeamDraft(
        pattern=team.pattern,
        process=team.process,
        supervisor=team.supervisor_agent,
        members=tuple(MemberDraft(member.agent, member.task) for member in members),
        start=team.start_agent,
        rules=tuple(RuleDraft(r.source, r.target, r.description) for r in rules),
        autonomous=team.autonomous if handoff else None,
        termination=team.termination if handoff else None,
        outputs=team.outputs if handoff else None,
    )
