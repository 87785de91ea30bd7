"""What follows from attributes that were given: the parts that they settle."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Invalid
from supervisor_site.common.names import name_key
from teams.choices import Pattern, Provider, ToolType
from teams.models import Agent, Definition, Profile, Team, Tool
from teams.rules.drafts import TeamDraft
from teams.services.attributes.handover import with_names

HANDOFF_ONLY = ("start_agent", "handoffs", "autonomous", "termination", "outputs")


class Before:
    """What the object was, where a change of it means more than itself."""

    def __init__(self, definition: Definition) -> None:
        self.new = definition.pk is None
        self.name = definition.name
        self.profile: int | None = None
        self.base_url, self.model = "", ("", "", "")
        if isinstance(definition, Profile):
            self.base_url, self.model = definition.base_url, _model(definition)
        if isinstance(definition, Agent):
            self.profile = definition.profile_id


def settle(definition: Definition, values: dict[str, Any], before: Before) -> None:
    """Before the rules: values that follow from others. Raises ``Invalid``."""
    if isinstance(definition, Profile):
        _settle_key(definition, values, before)
        if "calls_tools" not in values and _model(definition) != before.model:
            definition.calls_tools = None
    elif isinstance(definition, Tool) and before.new:
        _take_defaults(definition, values)
    elif isinstance(definition, Team):
        _settle_pattern(definition, values)
        _settle_handoff(definition, values)


def _model(profile: Profile) -> tuple[str, str, str]:
    """What a trial call said something of."""
    return profile.provider, profile.base_url, profile.model


def _settle_key(profile: Profile, values: dict[str, Any], before: Before) -> None:
    """A key belongs to its base URL: a new URL never gets the old key."""
    if profile.provider != Provider.OPENAI:
        if values.get("api_key"):
            raise Invalid(
                [
                    FieldError(
                        "api_key",
                        _("Leave it out: this provider stores no key."),
                    )
                ]
            )
        profile.api_key_encrypted = ""
    elif profile.base_url != before.base_url and not values.get("api_key"):
        profile.api_key_encrypted = ""


def _take_defaults(tool: Tool, values: dict[str, Any]) -> None:
    """A new tool is as careful as the author of its function says."""
    if tool.tool_type != ToolType.FUNCTION or not tool.function:
        return
    from teams.toolbox.registry import registered

    function = registered(tool.function)
    if function is None:
        return
    for name in ("read_only", "replay_safe", "approval", "timeout"):
        if name not in values:
            setattr(tool, name, getattr(function, name))


def _settle_pattern(team: Team, values: dict[str, Any]) -> None:
    """Not named, it follows from who leads, starts or hands over."""
    telling = {"supervisor_agent", "start_agent", "handoffs"} & values.keys()
    if "pattern" in values or not (telling or team.pk is None):
        return
    if team.supervisor_agent:
        team.pattern = Pattern.SUPERVISOR
    elif team.start_agent or values.get("handoffs"):
        team.pattern = Pattern.HANDOFF
    else:
        team.pattern = Pattern.SEQUENTIAL


def _settle_handoff(team: Team, values: dict[str, Any]) -> None:
    """A team of another pattern keeps nothing of a handoff team."""
    if team.pattern == Pattern.HANDOFF:
        return
    # An empty object switches autonomous mode on, so it is a setting as well.
    given = [
        name
        for name in HANDOFF_ONLY
        if values.get(name) or (name == "autonomous" and values.get(name) is not None)
    ]
    if given:
        text = _("Only a handoff team has it: take it out, or choose that pattern.")
        raise Invalid([FieldError(name, text) for name in given])
    team.start_agent = None
    team.autonomous = team.termination = None
    team.outputs = {}


def settle_names(team: Team, draft: TeamDraft) -> None:
    """Agents stand in a team's settings as they are spelt themselves."""
    spelt = {name_key(m.agent.name): m.agent.name for m in draft.members}

    def own(name: str) -> str:
        return spelt.get(name_key(name), name)

    team.autonomous = with_names(team.autonomous, own)
    team.outputs = with_names(team.outputs, own)


def follow_name(agent: Agent, before: str) -> None:
    """Renaming an agent changes nothing in the teams that it takes part in (H8)."""
    old = name_key(before)

    def renamed(name: str) -> str:
        return agent.name if name_key(name) == old else name

    teams = Team.objects.live().filter(pattern=Pattern.HANDOFF, members__agent=agent)
    for team in teams.distinct():
        team.autonomous = with_names(team.autonomous, renamed)
        team.outputs = with_names(team.outputs, renamed)
        team.save(update_fields=["autonomous", "outputs"])
