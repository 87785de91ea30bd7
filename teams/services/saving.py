"""Putting attributes on an object and saving it: read, put, rules, rights, rows."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from supervisor_site.common.errors import Conflict, FieldError, Forbidden, Invalid
from supervisor_site.common.names import normal_name
from teams.choices import Pattern, Provider, ToolType
from teams.models import Agent, Definition, Profile, Team, Tool
from teams.permissions import Person, can_use_credentials
from teams.rules.drafts import MemberDraft, TeamDraft
from teams.services.attributes.given import read
from teams.services.attributes.kinds import Kind
from teams.validation import draft_of, name_errors, object_errors, team_errors

# Columns whose attribute has another name.
ATTRIBUTE_OF = {"profile": "profile_name"}


def save_definition(
    kind: Kind, definition: Definition, given: dict[str, Any], *, user: Person | None
) -> None:
    """Inside a transaction: all of it or, by an error raised, nothing.

    Raises ``Invalid`` with every error of the first stage that has one, ``Conflict``
    ``exists`` for a name taken, ``Forbidden`` for a credential out of reach.
    """
    values = read(kind, given, new=definition.pk is None)
    before = _Before(definition)
    for name, value in values.items():
        put = kind.attributes[name].put
        if put is not None:
            put(definition, value)
    _settle(definition, values, before)
    _check(definition, values)
    if isinstance(definition, Agent):
        _need_credential(definition, before, user)
    _save(definition)
    for name, value in values.items():
        store = kind.attributes[name].store
        if store is not None:
            store(definition, value)


class _Before:
    """What the object was, where a change of it means more than itself."""

    def __init__(self, definition: Definition) -> None:
        self.new = definition.pk is None
        self.base_url = definition.base_url if isinstance(definition, Profile) else ""
        self.profile = definition.profile_id if isinstance(definition, Agent) else None


def _settle(definition: Definition, values: dict[str, Any], before: _Before) -> None:
    if isinstance(definition, Profile):
        _settle_key(definition, values, before)
    elif isinstance(definition, Tool) and before.new:
        _take_defaults(definition, values)
    elif isinstance(definition, Team):
        _settle_pattern(definition, values)


def _settle_key(profile: Profile, values: dict[str, Any], before: _Before) -> None:
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
    if "pattern" not in values and ("supervisor_agent" in values or team.pk is None):
        team.pattern = (
            Pattern.SUPERVISOR if team.supervisor_agent else Pattern.SEQUENTIAL
        )


def _check(definition: Definition, values: dict[str, Any]) -> None:
    errors = [*object_errors(definition)]
    if isinstance(definition, Team):
        errors += team_errors(_team_draft(definition, values.get("agents")))
    known = {error.field for error in errors}
    errors += [each for each in _column_errors(definition) if each.field not in known]
    if errors:
        raise Invalid(errors)
    for error in name_errors(definition):
        raise Conflict(error.message, code="exists")


def _team_draft(team: Team, pairs: list[MemberDraft] | None) -> TeamDraft:
    if pairs is None:
        rows = team.members.select_related("agent", "task") if team.pk else []
        return draft_of(team, rows)
    return TeamDraft(team.pattern, team.process, team.supervisor_agent, tuple(pairs))


def _column_errors(definition: Definition) -> list[FieldError]:
    """What the columns themselves refuse: ranges, lengths, the alphabet of names."""
    relations = [
        each.name for each in definition._meta.get_fields() if each.is_relation
    ]
    try:
        definition.clean_fields(exclude=relations)
    except ValidationError as error:
        return [
            FieldError(ATTRIBUTE_OF.get(field, field), " ".join(messages))
            for field, messages in error.message_dict.items()
        ]
    return []


def _need_credential(agent: Agent, before: _Before, user: Person | None) -> None:
    if user is None or not agent.profile.has_key or agent.profile_id == before.profile:
        return
    if not can_use_credentials(user):
        raise Forbidden(
            _(
                "The profile “%(name)s” holds a key: attaching it needs the right "
                "“%(right)s”."
            )
            % {"name": agent.profile.name, "right": "teams.use_credentials"},
            code="credential_forbidden",
        )


def _save(definition: Definition) -> None:
    definition.name = normal_name(definition.name)
    try:
        with transaction.atomic():
            definition.save()
    except IntegrityError as error:
        # Somebody else took the name since the rules looked.
        raise Conflict(
            _("The name “%(name)s” is taken: choose another one.")
            % {"name": definition.name},
            code="exists",
        ) from error
