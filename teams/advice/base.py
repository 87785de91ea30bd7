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
    """The agents that are in a pair: all but the one that leads."""
    leader = parts.team.supervisor_agent_id
    return [agent for agent in parts.agents if agent.pk != leader]


def tools_of(agent: Agent, task: Task | None) -> list[Tool]:
    """What a worker is offered: its task's tools and its own, each once (S1)."""
    found = {tool.pk: tool for tool in agent.tools.all()}
    if task is not None:
        found |= {tool.pk: tool for tool in task.tools.all()}
    return list(found.values())


def all_tools(parts: TeamParts) -> list[Tool]:
    """Every tool that some worker of the team can call, each once."""
    found = {
        tool.pk: tool
        for member in parts.members
        for tool in tools_of(member.agent, member.task)
    }
    return sorted(found.values(), key=lambda tool: tool.name_key)
