"""What a run replaces for itself in its team's version, where the team lists it as
overridable (S11): the profile of all agents, settings of tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from supervisor_site.common.errors import FieldError, Forbidden, Invalid, invalid
from supervisor_site.common.names import name_key
from teams.choices import Overridable, Pattern
from teams.definition import TeamDefinition
from teams.models import Profile, Team
from teams.permissions import Person, can_use_credentials
from teams.rules.objects import json_problem
from teams.services.freezing import profile_definition

FIELD = "overrides"
NAMES = {"profile_name": Overridable.PROFILE, "tool_params": Overridable.TOOL_PARAMS}


def overridden(
    definition: TeamDefinition,
    team: Team,
    overrides: dict[str, Any],
    *,
    user: Person | None = None,
) -> TeamDefinition:
    """The frozen team with ``{profile_name, tool_params: {TOOL: {…}}}`` put in.

    Settings of a tool are added to its own. Raises ``Invalid`` for what the team does
    not allow or have, and ``Forbidden`` ``credential_forbidden`` where the user may
    not use the key of that profile.
    """
    errors = [*_refused(team, overrides)]
    if errors:
        raise Invalid(errors)
    name, params = overrides.get("profile_name"), overrides.get("tool_params")
    if name is not None:
        definition = _with_profile(definition, _profile(name, user))
    if params is not None:
        definition = _with_params(definition, params)
    return definition


def _refused(team: Team, overrides: Any) -> Iterator[FieldError]:
    if not isinstance(overrides, dict):
        yield FieldError(FIELD, _("Give a JSON object, such as {}."))
        return
    for name in overrides:
        allowed = NAMES.get(name)
        if allowed is None:
            text = _("“%(name)s” cannot be overridden; known are: %(known)s.")
            shown = str(name)[:50]
            words = text % {"name": shown, "known": ", ".join(NAMES)}
            yield FieldError(f"{FIELD}.{shown}", words)
        elif allowed not in team.overridable:
            text = _("The team “%(team)s” does not let a run replace this.")
            yield FieldError(f"{FIELD}.{name}", text % {"team": team.title})


def _profile(name: Any, user: Person | None) -> Profile:
    field = f"{FIELD}.profile_name"
    rows = Profile.objects.named(name) if isinstance(name, str) else None
    found: Profile | None = rows.filter(enabled=True).first() if rows else None
    if found is None:
        raise invalid(field, _("There is no enabled profile of this name."))
    if found.has_key and user is not None and not can_use_credentials(user):
        raise Forbidden(
            _("The profile holds a key: using it needs the right “%(right)s”.")
            % {"right": "teams.use_credentials"},
            code="credential_forbidden",
        )
    return found


def _with_profile(definition: TeamDefinition, profile: Profile) -> TeamDefinition:
    needs_tools = definition.pattern in (Pattern.SUPERVISOR, Pattern.HANDOFF)
    needs_tools |= any(agent.delegates for agent in definition.agents.values())
    if needs_tools and profile.calls_tools is False:
        raise invalid(
            f"{FIELD}.profile_name",
            _("This profile is known not to call tools, and the team needs it."),
        )
    agents = {
        uid: agent.model_copy(update={"profile": profile.uid})
        for uid, agent in definition.agents.items()
    }
    profiles = {profile.uid: profile_definition(profile)}
    return definition.model_copy(update={"agents": agents, "profiles": profiles})


def _with_params(definition: TeamDefinition, params: Any) -> TeamDefinition:
    field = f"{FIELD}.tool_params"
    if not isinstance(params, dict):
        raise invalid(field, _("Give an object with the names of tools."))
    by_name = {name_key(tool.name): tool for tool in definition.tools.values()}
    tools = dict(definition.tools)
    for name, given in params.items():
        tool = by_name.get(name_key(str(name)))
        where = f"{field}.{str(name)[:50]}"
        if tool is None:
            raise invalid(where, _("The team has no tool of this name."))
        if not isinstance(given, dict):
            raise invalid(where, _("Give a JSON object, such as {}."))
        if problem := json_problem(given):
            raise invalid(where, problem)
        merged = {**tool.tool_params, **given}
        tools[tool.uid] = tool.model_copy(update={"tool_params": merged})
    return definition.model_copy(update={"tools": tools})
