"""A model that is known not to call tools can neither lead, hand over nor delegate
(H0). One that was never tried is let through; the team check warns of it."""

from __future__ import annotations

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError
from teams.choices import Pattern
from teams.models import Agent, Definition, Team


def model_errors(definition: Definition) -> list[FieldError]:
    """On an agent or a team as it is now stored; others have none."""
    match definition:
        case Agent():
            if definition.profile.calls_tools is not False or not _needs(definition):
                return []
            return [FieldError("profile_name", _words(definition))]
        case Team():
            return _team(definition)
        case _:
            return []


def _needs(agent: Agent) -> bool:
    if agent.delegates.exists():
        return True
    live = Team.objects.live()
    if live.filter(supervisor_agent=agent).exists():
        return True
    return live.filter(pattern=Pattern.HANDOFF, members__agent=agent).exists()


def _team(team: Team) -> list[FieldError]:
    leader = team.supervisor_agent
    if leader is not None:
        known = leader.profile.calls_tools is False
        return [FieldError("supervisor_agent", _words(leader))] if known else []
    if team.pattern != Pattern.HANDOFF:
        return []
    members = team.members.select_related("agent__profile").order_by("position", "pk")
    return [
        FieldError(f"agents.{number}.name", _words(member.agent))
        for number, member in enumerate(members)
        if member.agent.profile.calls_tools is False
    ]


def _words(agent: Agent) -> str:
    return _(
        "The profile “%(profile)s” of “%(agent)s” is known not to call tools, and this "
        "needs it: choose another profile, or try that one again."
    ) % {"profile": agent.profile.name, "agent": agent.name}
