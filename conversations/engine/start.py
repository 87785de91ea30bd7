"""What must still hold when a run starts or goes on after a pause or a retry: live
flags and rights can only forbid."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from conversations.engine.rows import Rows
from teams.models import Team
from teams.permissions import can_run, is_shared_with


@dataclass(frozen=True)
class Refusal:
    code: str
    params: dict[str, Any] = field(default_factory=dict)


def may_start(rows: Rows) -> Refusal | None:
    """``None``, or why the run may not start, or go on, any more (S14). One that had
    begun before its team was dropped goes on (rule 8)."""
    team = Team.objects.get(versions=rows.run.team_version_id)
    if not team.enabled:
        return Refusal("team_disabled")
    may = is_shared_with if rows.task_runs else can_run
    if not may(rows.run.requested_by, team):
        return Refusal("access_revoked")
    return None
