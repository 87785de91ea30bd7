"""Advice on what a team is made of: rules, switches, tools, leaders (S3, S4, S5)."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from supervisor_site.common.errors import Invalid
from teams.advice.base import (
    ERROR,
    HINT,
    WARNING,
    Advice,
    acting,
    advice,
    all_tools,
    workers,
)
from teams.choices import Approval, Pattern
from teams.models import Agent, Definition, Team
from teams.rules.drafts import TeamParts
from teams.validation import check_parts


def rule_advice(parts: TeamParts) -> Iterator[Advice]:
    """What would refuse the next run."""
    try:
        check_parts(parts)
    except Invalid as error:
        for each in error.errors:
            yield advice(ERROR, "rule_broken", parts.team, each.message)


def switch_advice(parts: TeamParts) -> Iterator[Advice]:
    leader = parts.team.supervisor_agent
    if not parts.team.enabled:
        yield _off(WARNING, parts.team)
    if leader is not None and not leader.enabled:
        yield _off(ERROR, leader)
    if leader is not None and not leader.profile.enabled:
        yield _off(ERROR, leader.profile)
    start = parts.team.start_agent
    if start is not None and not start.enabled:
        yield _off(ERROR, start)
    yield from _delegates_off(parts)
    for member in parts.members:
        needed: tuple[Definition | None, ...] = (
            member.agent,
            member.task,
            member.agent.profile,
        )
        off = [each for each in needed if each is not None and not each.enabled]
        if off:
            yield advice(
                WARNING,
                "pair_unreachable",
                off[0],
                _("Nobody can reach “%(pair)s”, since “%(name)s” is switched off.")
                % {"pair": str(member), "name": off[0].name},
            )
    yield from (_off(WARNING, tool) for tool in all_tools(parts) if not tool.enabled)


def _delegates_off(parts: TeamParts) -> Iterator[Advice]:
    listed = {agent.pk for agent in workers(parts)}
    for agent in acting(parts):
        for each in (agent, agent.profile):
            if agent.pk not in listed and not each.enabled:
                yield _off(WARNING, each)


def _off(severity: str, definition: Definition) -> Advice:
    message = _("“%(name)s” is switched off.") % {"name": definition.name}
    return advice(severity, "switched_off", definition, message)


def leader_advice(parts: TeamParts) -> Iterator[Advice]:
    leader = parts.team.supervisor_agent
    if leader is None:
        return
    if leader.tools.all():
        yield advice(
            WARNING,
            "leader_tools_unused",
            leader,
            _(
                "While it leads, an agent delegates and asks only: its own tools "
                "(%(names)s) are left out. Give them to a worker's task."
            )
            % {"names": ", ".join(tool.name for tool in leader.tools.all())},
        )
    works_in = _names(
        Team.objects.live().filter(members__agent=leader).exclude(pk=parts.team.pk)
    )
    if works_in:
        yield advice(
            WARNING,
            "leader_works_elsewhere",
            leader,
            _(
                "It works as a plain worker in %(teams)s: there its role text still "
                "speaks of leading. A second agent would be clearer."
            )
            % {"teams": works_in},
        )
    yield from _leaders_among_workers(parts)


def _leaders_among_workers(parts: TeamParts) -> Iterator[Advice]:
    for agent in workers(parts):
        leads = _names(Team.objects.live().filter(supervisor_agent=agent))
        if leads:
            yield advice(
                WARNING,
                "worker_leads_elsewhere",
                agent,
                _(
                    "It leads %(teams)s and works here as a plain worker: it cannot "
                    "delegate here, whatever its role says."
                )
                % {"teams": leads},
            )


def _names(teams: object) -> str:
    names = sorted({team.name for team in teams})  # type: ignore[attr-defined]
    return ", ".join(f"“{name}”" for name in names)


def input_use_advice(parts: TeamParts) -> Iterator[Advice]:
    """What a task takes counts in a fixed order only (S12)."""
    if parts.team.pattern == Pattern.SEQUENTIAL:
        return
    for task in parts.tasks:
        if task.input is not None:
            yield advice(
                HINT,
                "input_unused",
                task,
                _(
                    "It names “%(input)s” as its input, which counts in teams of fixed "
                    "order only: here it gets the request."
                )
                % {"input": task.input.name},
            )


def tool_advice(parts: TeamParts) -> Iterator[Advice]:
    for tool in all_tools(parts):
        if not tool.read_only and tool.approval == Approval.NEVER:
            yield advice(
                HINT,
                "writes_without_approval",
                tool,
                _(
                    "It may change something and asks nobody first: mark it as read "
                    "only, or let a person approve it."
                ),
            )
        if not (tool.instruction or tool.description or tool.function):
            yield advice(
                WARNING,
                "tool_unexplained",
                tool,
                _("Say what it does and when to call it: the model reads this."),
            )


def idle_advice(parts: TeamParts) -> Iterator[Advice]:
    """Workers of a supervised team that can neither look anything up nor act."""
    agents: dict[int, Agent] = {agent.pk: agent for agent in workers(parts)}
    if parts.team.supervisor_agent is None or all_tools(parts) or not agents:
        return
    yield advice(
        HINT,
        "no_tools",
        parts.team,
        _("No worker has a tool: they can only write from what they are told."),
    )
