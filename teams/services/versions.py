"""Freezing a team: the version that runs pin (``architecture.md``, "Rows").

``version_for`` runs at every start of a run, so it reads few rows in few queries and
writes only when the team's content has no version yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from django.db import IntegrityError, transaction
from django.db.models import Max

from supervisor_site.common.names import function_name
from teams.definition import (
    AgentDefinition,
    MemberDefinition,
    ProfileDefinition,
    TaskDefinition,
    TeamDefinition,
    ToolDefinition,
)
from teams.models import Agent, Profile, Task, Team, TeamVersion, Tool
from teams.services.describe import plain_price
from teams.validation import TeamParts, check_parts, parts_of

RESERVED_FUNCTIONS = ("delegate_to_worker", "ask_human")
RESERVED_PREFIX = "handoff_to_"
_ATTEMPTS = 5


def build_definition(team: Team) -> TeamDefinition:
    """The team as it stands now, frozen."""
    return definition_from(parts_of(team))


def definition_from(parts: TeamParts) -> TeamDefinition:
    team = parts.team
    tools: dict[int, Tool] = {}
    for agent in parts.agents:
        tools.update((tool.pk, tool) for tool in agent.tools.all())
    for task in parts.tasks:
        tools.update((tool.pk, tool) for tool in task.tools.all())
    leader = team.supervisor_agent
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
        agents={agent.uid: _agent(agent) for agent in parts.agents},
        tasks={task.uid: _task(task) for task in parts.tasks},
        tools=_tools(tools.values()),
        profiles={agent.profile.uid: _profile(agent.profile) for agent in parts.agents},
    )


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
        max_iterations=agent.max_iterations,
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
    )


def _profile(profile: Profile) -> ProfileDefinition:
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


def _tools(tools: Iterable[Tool]) -> dict[object, ToolDefinition]:
    """In name order, so that the numbers in derived names do not move."""
    taken: set[str] = set()
    frozen: dict[object, ToolDefinition] = {}
    for tool in sorted(tools, key=lambda tool: tool.name_key):
        name = _function_name(tool.name, taken)
        taken.add(name)
        frozen[tool.uid] = _tool(tool, name)
    return frozen


def _function_name(name: str, taken: set[str]) -> str:
    derived = function_name(name, taken=taken)
    lowered = derived.lower()
    if lowered in RESERVED_FUNCTIONS or lowered.startswith(RESERVED_PREFIX):
        return function_name(name, prefix="tool_", taken=taken)
    return derived


def _tool(tool: Tool, derived_name: str) -> ToolDefinition:
    parameters, description = tool.parameters, tool.description
    if tool.function:
        # The toolbox imports every app's agent_tools, which may import us.
        from teams.toolbox.registry import registered

        function = registered(tool.function)
        if function is not None:
            parameters = function.parameters
            description = description or function.description
    return ToolDefinition(
        uid=tool.uid,
        name=tool.name,
        display_name=tool.display_name,
        description=description,
        function_name=derived_name,
        tool_type=tool.tool_type,
        instruction=tool.instruction,
        function=tool.function,
        tool_params=tool.tool_params,
        parameters=parameters,
        read_only=tool.read_only,
        replay_safe=tool.replay_safe,
        approval=tool.approval,
        timeout=tool.timeout,
    )


def version_for(team: Team) -> TeamVersion:
    """The version that holds the team as it stands now, made if there is none.

    Raises ``Invalid`` ``team_broken`` where the team breaks its own rules (S3).
    """
    parts = parts_of(team)
    check_parts(parts)
    definition = definition_from(parts)
    digest = definition.digest()
    for _attempt in range(_ATTEMPTS):
        version = team.versions.filter(digest=digest).first()
        if version is not None:
            return version
        try:
            return _new_version(team, definition, digest)
        except IntegrityError:
            # Somebody else made this version, or took its number: read again.
            continue
    return team.versions.get(digest=digest)


def _new_version(team: Team, definition: TeamDefinition, digest: str) -> TeamVersion:
    with transaction.atomic():
        last = team.versions.aggregate(last=Max("number"))["last"] or 0
        return team.versions.create(
            number=last + 1,
            digest=digest,
            schema=definition.schema_version,
            definition=definition.as_json(),
        )


@lru_cache(maxsize=512)
def definition_of(version_id: int) -> TeamDefinition:
    """The frozen team of a version; versions never change, so it is kept."""
    stored = TeamVersion.objects.values_list("definition", flat=True).get(pk=version_id)
    return TeamDefinition.model_validate(stored)
