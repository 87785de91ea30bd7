"""One piece of advice, and the team it is given on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from teams.models import Agent, Definition, Task, Tool
from teams.rules.drafts import TeamParts

ERROR, WARNING, HINT = "error", "warning", "hint"


@dataclass(frozen=True)
class Advice:
    """``severity``: ``error`` stops runs, ``warning`` makes them go wrong, ``hint``
    makes them better. ``kind`` and ``name`` say which object to edit."""

    code: str
    severity: str
    message: str
    kind: str
    name: str

    def as_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "object": {"kind": self.kind, "name": self.name},
        }


def advice(severity: str, code: str, on: Definition, message: str) -> Advice:
    return Advice(code, severity, message, type(on).__name__.lower(), on.name)


def pairs(parts: TeamParts) -> Iterator[tuple[Agent, Task]]:
    """The agent-task pairs, each once."""
    seen = set()
    for member in parts.members:
        key = (member.agent_id, member.task_id)
        if member.task is not None and key not in seen:
            seen.add(key)
            yield member.agent, member.task


def workers(parts: TeamParts) -> list[Agent]:
    """The agents that the team lists, each once: neither its leader nor delegates."""
    return list({member.agent_id: member.agent for member in parts.members}.values())


def acting(parts: TeamParts) -> list[Agent]:
    """The agents that may act other than by leading: the listed ones, and those that
    they can delegate to."""
    by_pk = {agent.pk: agent for agent in parts.agents}
    found: dict[int, Agent] = {}
    left = workers(parts)
    while left:
        agent = left.pop(0)
        if agent.pk not in found:
            found[agent.pk] = agent
            left += [by_pk.get(other.pk, other) for other in agent.delegates.all()]
    return list(found.values())


def tools_of(agent: Agent, task: Task | None) -> list[Tool]:
    """What a worker is offered: its task's tools and its own, each once (S1)."""
    found = {tool.pk: tool for tool in agent.tools.all()}
    if task is not None:
        found |= {tool.pk: tool for tool in task.tools.all()}
    return list(found.values())


def all_tools(parts: TeamParts) -> list[Tool]:
    """Every tool that some agent of the team can call, each once."""
    owners: list[Agent | Task] = [*acting(parts), *parts.tasks]
    found = {tool.pk: tool for owner in owners for tool in owner.tools.all()}
    return sorted(found.values(), key=lambda tool: tool.name_key)
