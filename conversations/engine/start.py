"""What must still hold when a run starts: live flags and rights can only forbid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conversations.engine.rows import Rows
from teams.models import TeamVersion
from teams.permissions import can_run


@dataclass(frozen=True)
class Refusal:
    code: str
    params: dict[str, Any] = field(default_factory=dict)


def may_start(rows: Rows) -> Refusal | None:
    """``None``, or why a queued run may not start any more (S14)."""
    version = TeamVersion.objects.select_related("team").get(
        pk=rows.run.team_version_id
    )
    if not version.team.enabled:
        return Refusal("team_disabled")
    user = rows.run.requested_by
    if not (user.is_active and can_run(user, version.team)):
        return Refusal("access_revoked")
    return None
