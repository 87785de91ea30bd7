"""Putting attributes on an object and saving it: read, put, rules, rights, rows."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from supervisor_site.common.errors import Conflict, FieldError, Forbidden, Invalid
from supervisor_site.common.names import normal_name
from teams.choices import Pattern
from teams.models import Agent, Definition, Team
from teams.permissions import Person, can_use_credentials
from teams.rules.drafts import TeamDraft
from teams.services.attributes.given import read
from teams.services.attributes.kinds import Kind
from teams.services.identity import reach, refuse_wider_reach
from teams.services.settling import Before, follow_name, settle, settle_names
from teams.validation import (
    draft_of,
    model_errors,
    name_errors,
    object_errors,
    offer_errors,
    team_errors,
)

# Columns whose attribute has another name.
ATTRIBUTE_OF = {"profile": "profile_name"}


def save_definition(
    kind: Kind, definition: Definition, given: dict[str, Any], *, user: Person | None
) -> None:
    """Inside a transaction: all of it or, by an error raised, nothing.

    Raises ``Invalid`` with every error of the first stage that has one, ``Conflict``
    ``exists`` for a name taken, ``Forbidden`` for a credential or an identity out of
    reach.
    """
    values = read(kind, given, new=definition.pk is None)
    before, reached = Before(definition), reach(definition, user)
    for name, value in values.items():
        put = kind.attributes[name].put
        if put is not None:
            put(definition, value)
    settle(definition, values, before)
    _check(definition, values)
    if isinstance(definition, Agent):
        _need_credential(definition, before, user)
    _save(definition)
    for name, value in values.items():
        store = kind.attributes[name].store
        if store is not None:
            store(definition, value)
    _follow(definition, before)
    errors = [*offer_errors(definition), *model_errors(definition)]
    if errors:
        raise Invalid(errors)
    refuse_wider_reach(reached, reach(definition, user))


def _check(definition: Definition, values: dict[str, Any]) -> None:
    errors = [*object_errors(definition)]
    if isinstance(definition, Team):
        draft = _team_draft(definition, values)
        errors += team_errors(draft)
        settle_names(definition, draft)
    known = {error.field for error in errors}
    errors += [each for each in _column_errors(definition) if each.field not in known]
    if errors:
        raise Invalid(errors)
    for error in name_errors(definition):
        raise Conflict(error.message, code="exists")


def _team_draft(team: Team, values: dict[str, Any]) -> TeamDraft:
    """The team with its pairs and rules as given, else as they are stored."""
    pairs = values.get("agents")
    if pairs is None:
        pairs = team.members.select_related("agent", "task__input") if team.pk else []
    draft = draft_of(team, pairs)
    if "handoffs" in values and team.pattern == Pattern.HANDOFF:
        return replace(draft, rules=tuple(values["handoffs"]))
    return draft


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


def _need_credential(agent: Agent, before: Before, user: Person | None) -> None:
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


def _follow(definition: Definition, before: Before) -> None:
    """What others keep of the object follows it."""
    if before.new:
        return
    if isinstance(definition, Agent) and definition.name != before.name:
        follow_name(definition, before.name)
    elif isinstance(definition, Team) and definition.pattern != Pattern.HANDOFF:
        definition.handoffs.all().delete()
