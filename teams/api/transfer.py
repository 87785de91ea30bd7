"""``/teams/{name}/export`` and ``/import``: a team with all it needs as one object."""

from __future__ import annotations

from typing import Any

from ninja import Router

from supervisor_site.api_base import ApiRequest
from teams.api.schemas import BundleIn, ImportOut
from teams.models import Team
from teams.permissions import KINDS
from teams.services.definitions import find, need
from teams.services.transfer import export_team, import_bundle

router = Router(tags=["teams"])


@router.get(
    "/teams/{name}/export",
    response=dict[str, Any],
    operation_id="export_team",
    summary="Export a team",
)
def export(request: ApiRequest, name: str) -> dict[str, Any]:
    """The team with its agents, tasks, tools and profiles; no secrets."""
    for kind in KINDS:
        need(request.user, "view", kind)
    team = find("team", name)
    assert isinstance(team, Team)
    return export_team(team)


@router.post(
    "/import",
    response=ImportOut,
    operation_id="import_team",
    summary="Import a team",
)
def import_team(request: ApiRequest, body: BundleIn) -> dict[str, Any]:
    """All of the bundle or nothing. ``dry_run`` only says what would change;
    ``replace`` changes objects that exist and differ, instead of 409 ``exists``."""
    changes = import_bundle(
        body.bundle, user=request.user, dry_run=body.dry_run, replace=body.replace
    )
    return {
        "dry_run": body.dry_run,
        "changes": [change.as_json() for change in changes],
    }
