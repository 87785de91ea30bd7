"""Freezing a team: the version that runs pin (``architecture.md``, "Rows").

``version_for`` runs at every start of a run. A team that has not changed since this
process looked last has the version it had then; only a changed one is checked and
frozen, and only content without a version is written.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Max

from teams.definition import TeamDefinition
from teams.models import Team, TeamVersion
from teams.permissions import Person
from teams.services.freezing import definition_from
from teams.services.overrides import overridden
from teams.services.state import state_of
from teams.validation import check_parts, parts_of

_ATTEMPTS = 5
_REMEMBERED = 512

# Of each team: the state of its rows when it was frozen last, and that version.
_known: dict[int, tuple[bytes, TeamVersion]] = {}


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
    if overrides:
        return _frozen(team, overrides, user)
    state = state_of(team.pk)
    known = _known.get(team.pk)
    if known is not None and known[0] == state:
        return known[1]
    # Read anew: what the caller holds may be older than the state.
    version = _frozen(Team.objects.get(pk=team.pk), {}, user)
    if state_of(team.pk) == state:
        # A version that is rolled back is forgotten with it.
        transaction.on_commit(partial(_remember, team.pk, state, version))
    return version


def _remember(team_id: int, state: bytes, version: TeamVersion) -> None:
    if len(_known) >= _REMEMBERED:
        _known.clear()
    _known[team_id] = (state, version)


def _frozen(team: Team, overrides: dict[str, Any], user: Person | None) -> TeamVersion:
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
            return _new_version(team, definition, overrides)
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
