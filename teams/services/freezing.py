"""A team's live rows as one frozen ``TeamDefinition``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from supervisor_site.common.names import function_name, name_key
from teams.choices import Pattern
from teams.definition import (
    AgentDefinition,
    AutonomousDefinition,
    HandoffDefinition,
    MemberDefinition,
    OutputsDefinition,
    ProfileDefinition,
    TaskDefinition,
    TeamDefinition,
    TerminationDefinition,
    ToolDefinition,
)
from teams.models import Agent, Profile, Task, Team, Tool
from teams.rules.drafts import TeamParts
from teams.rules.offers import PRODUCT_NAMES, PRODUCT_PREFIX
from teams.services.describe import plain_price


def definition_from(parts: TeamParts) -> TeamDefinition:
    team = parts.team
    tools: dict[int, Tool] = {}
    for agent in parts.agents:
        tools.update((tool.pk, tool) for tool in agent.tools.all())
    for task in parts.tasks:
        tools.update((tool.pk, tool) for tool in task.tools.all())
    leader = team.supervisor_agent
    start = team.start_agent
    frozen_tools = _tools(tools.values())
    agents = {agent.uid: _agent(agent) for agent in parts.agents}
    names = {tool.function_name for tool in frozen_tools.values()}
    return TeamDefinition(
        uid=team.uid,
        name=team.name,
        display_name=team.display_name,
        description=team.description,
        pattern=team.pattern,
        supervisor=leader.uid if leader else None,
        members=tuple(
            MemberDefinition(
                agent=member.agent.uid, task=member.task.uid if member.task else None
            )
            for member in parts.members
        ),
        start_agent=start.uid if start else None,
        agents=_with_names(agents, names),
        tasks={task.uid: _task(task) for task in parts.tasks},
        tools=frozen_tools,
        profiles={
            agent.profile.uid: profile_definition(agent.profile)
            for agent in parts.agents
        },
        run_token_budget=team.run_token_budget,
        run_cost_budget=plain_price(team.run_cost_budget),
        run_timeout=team.run_timeout,
        **_handoff(team, _ByName((m.agent.name, m.agent.uid) for m in parts.members)),
    )


class _ByName:
    """The uids of a handoff team's participants by their names, whatever the case."""

    def __init__(self, pairs: Iterable[tuple[str, UUID]]) -> None:
        self._uids = {name_key(name): uid for name, uid in pairs}

    def __getitem__(self, name: str) -> UUID:
        return self._uids[name_key(name)]


def _handoff(team: Team, uids: _ByName) -> dict[str, Any]:
    """What only a handoff team has; agents are named in JSON and frozen by uid."""
    if team.pattern != Pattern.HANDOFF:
        return {}
    rules = team.handoffs.select_related("source", "target")
    autonomous, outputs = team.autonomous, team.outputs or {}
    return {
        "handoffs": tuple(
            HandoffDefinition(
                source=rule.source.uid,
                target=rule.target.uid,
                description=rule.description,
            )
            for rule in rules
        ),
        "return_to": team.return_to,
        "autonomous": None if autonomous is None else _autonomous(autonomous, uids),
        "termination": None
        if team.termination is None
        else TerminationDefinition.model_validate(team.termination),
        "outputs": OutputsDefinition(
            intermediate=tuple(
                uids[name] for name in outputs.get("intermediate") or ()
            ),
            hidden=tuple(uids[name] for name in outputs.get("hidden") or ()),
        ),
    }


def _autonomous(mode: dict[str, Any], uids: _ByName) -> AutonomousDefinition:
    return AutonomousDefinition(
        agents=tuple(uids[name] for name in mode.get("agents") or ()),
        turn_limit=mode.get("turn_limit", 50),
        turn_limits={
            uids[n]: limit for n, limit in (mode.get("turn_limits") or {}).items()
        },
        prompt=mode.get("prompt") or "",
        prompts={uids[n]: text for n, text in (mode.get("prompts") or {}).items()},
        max_handoffs=mode.get("max_handoffs"),
    )


def _with_names(
    agents: dict[UUID, AgentDefinition], taken: set[str]
) -> dict[UUID, AgentDefinition]:
    """What models see of agents: as delegates, and as targets of a handover."""
    used = {name.lower() for name in taken}
    named = {}
    for agent in sorted(
        agents.values(), key=lambda agent: (agent.name.casefold(), agent.uid)
    ):
        delegate = derived_name(agent.name, used)
        used.add(delegate.lower())
        handoff = function_name(agent.name, prefix=PRODUCT_PREFIX, taken=used)
        used.add(handoff.lower())
        update = {"function_name": delegate, "handoff_name": handoff}
        named[agent.uid] = agent.model_copy(update=update)
    return {uid: named[uid] for uid in agents}


def _agent(agent: Agent) -> AgentDefinition:
    return AgentDefinition(
        uid=agent.uid,
        name=agent.name,
        display_name=agent.display_name,
        description=agent.description,
        role=agent.role,
        profile=agent.profile.uid,
        enable_human_tool=agent.enable_human_tool,
        tools=tuple(tool.uid for tool in agent.tools.all()),
        delegates=tuple(other.uid for other in agent.delegates.all()),
        run_as=agent.run_as_id,
        max_iterations=agent.max_iterations,
        input_token_budget=agent.input_token_budget,
        output_token_budget=agent.output_token_budget,
        budget_strategy=agent.budget_strategy,
        output_schema=agent.output_schema,
        timeout=agent.timeout,
    )


def _task(task: Task) -> TaskDefinition:
    return TaskDefinition(
        uid=task.uid,
        name=task.name,
        display_name=task.display_name,
        description=task.description,
        instruction=task.instruction,
        tools=tuple(tool.uid for tool in task.tools.all()),
        enable_human_tool=task.enable_human_tool,
        input=task.input.uid if task.input else None,
    )


def profile_definition(profile: Profile) -> ProfileDefinition:
    return ProfileDefinition(
        uid=profile.uid,
        name=profile.name,
        display_name=profile.display_name,
        description=profile.description,
        provider=profile.provider,
        model=profile.model,
        parameters=profile.parameters,
        compat=profile.compat,
        timeout=profile.timeout,
        max_retries=profile.max_retries,
        context_window=profile.context_window,
        input_price=plain_price(profile.input_price),
        output_price=plain_price(profile.output_price),
    )


def _tools(tools: Iterable[Tool]) -> dict[UUID, ToolDefinition]:
    """In name order, so that the numbers in derived names do not move."""
    taken: set[str] = set()
    frozen: dict[UUID, ToolDefinition] = {}
    for tool in sorted(tools, key=lambda tool: tool.name_key):
        name = derived_name(tool.name, taken)
        taken.add(name)
        frozen[tool.uid] = tool_definition(tool, name)
    return frozen


def derived_name(name: str, taken: set[str]) -> str:
    derived = function_name(name, taken=taken)
    lowered = derived.lower()
    if lowered in PRODUCT_NAMES or lowered.startswith(PRODUCT_PREFIX):
        return function_name(name, prefix="tool_", taken=taken)
    return derived


def tool_definition(tool: Tool, name: str = "") -> ToolDefinition:
    """A tool frozen; without a name given as if it were the only one."""
    parameters, description = tool.parameters, tool.description
    action, action_done = tool.action, tool.action_done
    if tool.function:
        # The toolbox imports every app's agent_tools, which may import us.
        from teams.toolbox.registry import registered

        function = registered(tool.function)
        if function is not None:
            parameters = function.parameters
            description = description or function.description
            action = action or function.action
            action_done = action_done or function.action_done
    return ToolDefinition(
        uid=tool.uid,
        name=tool.name,
        display_name=tool.display_name,
        description=description,
        function_name=name or derived_name(tool.name, set()),
        tool_type=tool.tool_type,
        instruction=tool.instruction,
        function=tool.function,
        action=action,
        action_done=action_done,
        tool_params=tool.tool_params,
        parameters=parameters,
        read_only=tool.read_only,
        replay_safe=tool.replay_safe,
        approval=tool.approval,
        remember_approval=tool.remember_approval,
        timeout=tool.timeout,
    )
