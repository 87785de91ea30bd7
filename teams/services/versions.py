"""Freezing a team: the version that runs pin (``architecture.md``, "Rows").

``version_for`` runs at every start of a run, so it reads few rows in few queries and
writes only when the team's content has no version yet.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from teams.definition import TeamDefinition
from teams.models import Team, TeamVersion
from teams.permissions import Person
from teams.services.freezing import definition_from
from teams.services.overrides import overridden
from teams.validation import check_parts, parts_of

_ATTEMPTS = 5


def build_definition(team: Team) -> TeamDefinition:
    """The team as it stands now, frozen."""
    return definition_from(parts_of(team))


def version_for(
    team: Team, overrides: dict[str, Any] | None = None, *, user: Person | None = None
) -> TeamVersion:
    """The version that holds the team as it stands now, made if there is none.

    ``overrides`` are what one run replaces (see ``teams.services.overrides``); the
    user is who starts it. Raises ``Invalid`` ``team_broken`` where the team breaks its
    own rules (S3), and what ``overridden`` raises.
    """
    parts = parts_of(team)
    check_parts(parts)
    definition = definition_from(parts)
    if overrides:
        definition = overridden(definition, team, overrides, user=user)
    digest = definition.digest()
    for _attempt in range(_ATTEMPTS):
        version = team.versions.filter(digest=digest).first()
        if version is not None:
            return version
        try:
            return _new_version(team, definition, overrides or {})
        except IntegrityError:
            # Somebody else made this version, or took its number: read again.
            continue
    return team.versions.get(digest=digest)


def _new_version(
    team: Team, definition: TeamDefinition, overrides: dict[str, Any]
) -> TeamVersion:
    with transaction.atomic():
        last = team.versions.aggregate(last=Max("number"))["last"] or 0
        return team.versions.create(
            number=last + 1,
            digest=definition.digest(),
            schema=definition.schema_version,
            definition=definition.as_json(),
            overrides=overrides,
        )


@lru_cache(maxsize=512)
def definition_of(version_id: int) -> TeamDefinition:
    """The frozen team of a version; versions never change, so it is kept."""
    stored = TeamVersion.objects.values_list("definition", flat=True).get(pk=version_id)
    return TeamDefinition.model_validate(stored)
