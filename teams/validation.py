"""The rules that refuse: one door for services, admin, REST, import and run start.

A function ending in ``_errors`` answers a list of ``FieldError``, whose fields are
the attributes of the REST API; one that begins with ``check_`` or ``refuse_`` raises.
Advice that does not refuse is in ``teams.check``.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Invalid
from supervisor_site.common.names import name_key
from teams.models import Definition, Team
from teams.rules.drafts import (
    MemberDraft,
    RuleDraft,
    TeamDraft,
    TeamParts,
    draft_of,
    parts_of,
)
from teams.rules.models import model_errors
from teams.rules.objects import (
    agent_errors,
    object_errors,
    profile_errors,
    task_errors,
    tool_errors,
)
from teams.rules.offers import collisions, offer_errors
from teams.rules.team import team_errors
from teams.rules.use import (
    Use,
    drop_problem,
    lead_errors,
    refuse_broken_lead,
    refuse_drop,
    uses_of,
)

__all__ = [
    "MemberDraft",
    "RuleDraft",
    "TeamDraft",
    "TeamParts",
    "Use",
    "agent_errors",
    "check_parts",
    "check_version_rules",
    "draft_of",
    "drop_problem",
    "lead_errors",
    "model_errors",
    "name_errors",
    "object_errors",
    "offer_errors",
    "parts_of",
    "profile_errors",
    "refuse_broken_lead",
    "refuse_drop",
    "task_errors",
    "team_errors",
    "tool_errors",
    "uses_of",
]


def name_errors(definition: Definition) -> list[FieldError]:
    """Whether another live object of the kind has this name, whatever the case."""
    same = type(definition).objects.named(definition.name).exclude(pk=definition.pk)
    if not name_key(definition.name) or not same.exists():
        return []
    return [
        FieldError(
            "name",
            _("The name “%(name)s” is taken: choose another one.")
            % {"name": definition.name},
        )
    ]


def check_version_rules(team: Team) -> None:
    """The rules once more at the start of a run: rows can change behind our back.

    Raises ``Invalid`` ``team_broken``. ``version_for`` does this by itself.
    """
    check_parts(parts_of(team))


def check_parts(parts: TeamParts) -> None:
    """``check_version_rules`` on rows that are read already; asks no database."""
    errors = team_errors(draft_of(parts.team, parts.members))
    for number, member in enumerate(parts.members):
        errors += _gone(f"agents.{number}.name", member.agent)
        if member.task:
            errors += _gone(f"agents.{number}.task", member.task)
    if parts.team.supervisor_agent:
        errors += _gone("supervisor_agent", parts.team.supervisor_agent)
    errors += [*_agent_problems(parts), *_tool_problems(parts)]
    if errors:
        raise Invalid(
            errors,
            message=_("The team “%(name)s” cannot run as it stands: %(problem)s")
            % {"name": parts.team.title, "problem": errors[0].message},
            code="team_broken",
        )


def _agent_problems(parts: TeamParts) -> Iterator[FieldError]:
    """Delegates that were dropped, or are called like a tool beside them (D2)."""
    for agent in parts.agents:
        tools = [*agent.tools.all()]
        for member in parts.members:
            if member.agent_id == agent.pk and member.task:
                tools += member.task.tools.all()
        for delegate in agent.delegates.all():
            yield from _gone(f"agents.{agent.name}.delegates", delegate)
        for delegate, other in collisions(agent, tools):
            text = _("“%(agent)s” has the delegate “%(delegate)s” beside “%(other)s”.")
            names = {"agent": agent.name, "delegate": delegate.name, "other": other}
            yield FieldError(f"agents.{agent.name}.delegates", text % names)


def _tool_problems(parts: TeamParts) -> Iterator[FieldError]:
    tools = {tool.pk: tool for owner in parts.agents for tool in owner.tools.all()}
    tools |= {tool.pk: tool for owner in parts.tasks for tool in owner.tools.all()}
    for tool in tools.values():
        for error in tool_errors(tool):
            yield FieldError(f"tools.{tool.name}", f"{tool.name}: {error.message}")


def _gone(field: str, definition: Definition) -> list[FieldError]:
    if definition.dropped_at is None:
        return []
    return [
        FieldError(
            field,
            _("“%(name)s” was dropped: choose another one.")
            % {"name": definition.name},
        )
    ]
