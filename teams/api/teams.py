"""``/teams``: for builders whole, for others the teams that they may run."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from ninja import Query

from supervisor_site.api_base import ApiRequest, Paging, page
from teams.api.crud import definition_router
from teams.api.team_schemas import (
    CheckOut,
    TeamAttributes,
    TeamCard,
    TeamOut,
    TeamPage,
    VersionDetail,
    VersionPage,
)
from teams.check import ERROR, check_team
from teams.models import Team, TeamVersion
from teams.permissions import may
from teams.selectors import shared_teams
from teams.services.definitions import find, need
from teams.services.describe import as_attributes, card, with_links

router = definition_router("team", TeamAttributes, TeamOut, None)


@router.get(
    "",
    response=TeamPage,
    exclude_unset=True,
    operation_id="list_teams",
    summary="List teams",
)
def list_teams(request: ApiRequest, paging: Query[Paging]) -> dict[str, Any]:
    """Builders see every team whole, others a card of those they may run."""
    if may(request.user, "view", "team"):
        return page(with_links(Team.objects.live()), paging, as_attributes)
    return page(shared_teams(request.user), paging, card)


@router.get(
    "/{name}",
    response=TeamOut | TeamCard,
    exclude_unset=True,
    operation_id="get_team",
    summary="Read a team",
)
def get_team(request: ApiRequest, name: str) -> dict[str, Any]:
    if may(request.user, "view", "team"):
        return as_attributes(find("team", name))
    team = shared_teams(request.user).named(name).first()  # type: ignore[attr-defined]
    if team is None:
        raise Http404
    return card(team)


def team_to_build(request: ApiRequest, name: str) -> Team:
    need(request.user, "view", "team")
    team = find("team", name)
    assert isinstance(team, Team)
    return team


@router.post(
    "/{name}/check",
    response=CheckOut,
    operation_id="check_team",
    summary="Check a team",
)
def check(request: ApiRequest, name: str) -> dict[str, Any]:
    """What is wrong with it and what would make it better."""
    team = team_to_build(request, name)
    advice = check_team(team)
    return {
        "team": team.name,
        "ok": not any(each.severity == ERROR for each in advice),
        "advice": [each.as_json() for each in advice],
    }


@router.get(
    "/{name}/versions",
    response=VersionPage,
    operation_id="list_team_versions",
    summary="List a team's versions",
)
def list_versions(
    request: ApiRequest, name: str, paging: Query[Paging]
) -> dict[str, Any]:
    """The states of the team that runs have worked on, newest first."""
    rows = team_to_build(request, name).versions.defer("definition")
    return page(rows, paging, _version)


@router.get(
    "/{name}/versions/{int:number}",
    response=VersionDetail,
    operation_id="get_team_version",
    summary="Read a version of a team",
)
def get_version(request: ApiRequest, name: str, number: int) -> dict[str, Any]:
    version = team_to_build(request, name).versions.filter(number=number).first()
    if version is None:
        raise Http404
    held = {"definition": version.definition, "overrides": version.overrides}
    return _version(version) | held


def _version(version: TeamVersion) -> dict[str, Any]:
    return {
        "number": version.number,
        "digest": version.digest,
        "created_at": version.created_at.isoformat(),
    }
