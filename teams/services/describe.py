"""Definitions as attributes: what REST answers and bundles carry (``contract.md``).

The inverse of ``teams.services.definitions``. Secrets are never among them.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db.models import Prefetch, QuerySet

from teams.choices import Pattern
from teams.models import (
    Agent,
    Definition,
    HandoffRule,
    Profile,
    Task,
    Team,
    TeamMember,
    Tool,
)


def as_attributes(definition: Definition) -> dict[str, Any]:
    """The object's attributes by the names of the contract."""
    common = {
        "name": definition.name,
        "display_name": definition.display_name,
        "description": definition.description,
        "enabled": definition.enabled,
    }
    return common | _own(definition)


def _own(definition: Definition) -> dict[str, Any]:
    match definition:
        case Profile():
            return _profile(definition)
        case Tool():
            return _tool(definition)
        case Agent():
            return _agent(definition)
        case Task():
            return _task(definition)
        case Team():
            return _team(definition)
        case _:
            raise TypeError(f"{type(definition).__name__} has no attributes")


def _profile(profile: Profile) -> dict[str, Any]:
    return {
        "provider": str(profile.provider),
        "base_url": profile.base_url,
        "has_key": profile.has_key,
        "model": profile.model,
        "parameters": profile.parameters,
        "compat": profile.compat,
        "timeout": profile.timeout,
        "max_retries": profile.max_retries,
        "context_window": profile.context_window,
        "input_price": plain_price(profile.input_price),
        "output_price": plain_price(profile.output_price),
        "calls_tools": profile.calls_tools,
    }


def plain_price(price: Decimal | None) -> str | None:
    """A price without trailing zeros, so that equal prices are equal texts."""
    return None if price is None else f"{price.normalize():f}"


def _tool(tool: Tool) -> dict[str, Any]:
    return {
        "tool_type": str(tool.tool_type),
        "instruction": tool.instruction,
        "function": tool.function,
        "action": tool.action,
        "action_done": tool.action_done,
        "tool_params": tool.tool_params,
        "parameters": tool.parameters,
        "read_only": tool.read_only,
        "replay_safe": tool.replay_safe,
        "approval": tool.approval,
        "remember_approval": tool.remember_approval,
        "timeout": tool.timeout,
    }


def _agent(agent: Agent) -> dict[str, Any]:
    return {
        "profile_name": agent.profile.name,
        "role": agent.role,
        "supervisor": agent.supervisor,
        "enable_human_tool": agent.enable_human_tool,
        "tools": [tool.name for tool in agent.tools.all()],
        "delegates": [other.name for other in agent.delegates.all()],
        "run_as": agent.run_as.get_username() if agent.run_as else None,
        "input_token_budget": agent.input_token_budget,
        "output_token_budget": agent.output_token_budget,
        "budget_strategy": str(agent.budget_strategy),
        "max_iterations": agent.max_iterations,
        "timeout": agent.timeout,
        "output_schema": agent.output_schema,
    }


def _task(task: Task) -> dict[str, Any]:
    return {
        "instruction": task.instruction,
        "tools": [tool.name for tool in task.tools.all()],
        "enable_human_tool": task.enable_human_tool,
        "input": task.input.name if task.input else None,
    }


def _team(team: Team) -> dict[str, Any]:
    leader = team.supervisor_agent
    return {
        "pattern": str(team.pattern),
        "process": str(team.process),
        "supervisor_agent": leader.name if leader else None,
        "agents": [_member(member) for member in team.members.all()],
        "access": {
            "everyone": team.access_everyone,
            "groups": sorted(group.name for group in team.access_groups.all()),
        },
        "starters": team.starters,
        "overridable": team.overridable,
        "run_token_budget": team.run_token_budget,
        "run_cost_budget": plain_price(team.run_cost_budget),
        "run_timeout": team.run_timeout,
        **(_handoff(team) if team.pattern == Pattern.HANDOFF else {}),
    }


def _handoff(team: Team) -> dict[str, Any]:
    return {
        "start_agent": team.start_agent.name if team.start_agent else None,
        "handoffs": [_rule(rule) for rule in team.handoffs.all()],
        "return_to": str(team.return_to),
        "autonomous": team.autonomous,
        "termination": team.termination,
        "outputs": {"intermediate": [], "hidden": []} | team.outputs,
    }


def _rule(rule: HandoffRule) -> dict[str, str]:
    return {
        "from": rule.source.name,
        "to": rule.target.name,
        "description": rule.description,
    }


def _member(member: TeamMember) -> dict[str, str]:
    named = {"name": member.agent.name}
    return named | {"task": member.task.name} if member.task else named


def with_links(rows: QuerySet[Any]) -> QuerySet[Any]:
    """The same rows, with all that ``as_attributes`` reads in a few queries."""
    if rows.model is Agent:
        found = rows.select_related("profile", "run_as")
        return found.prefetch_related("tools", "delegates")
    if rows.model is Task:
        return rows.select_related("input").prefetch_related("tools")
    if rows.model is Team:
        members = TeamMember.objects.select_related("agent", "task")
        rules = HandoffRule.objects.select_related("source", "target")
        return rows.select_related("supervisor_agent", "start_agent").prefetch_related(
            Prefetch("members", members), Prefetch("handoffs", rules), "access_groups"
        )
    return rows


def card(team: Team) -> dict[str, Any]:
    """What somebody who may run the team, but not build, sees of it (S14)."""
    return {
        "name": team.name,
        "display_name": team.display_name,
        "description": team.description,
        "enabled": team.enabled,
        "pattern": str(team.pattern),
        "starters": team.starters,
    }
