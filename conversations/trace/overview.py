"""What the admin's first page answers: what waits, what failed, what ran last."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import QuerySet
from django.utils import timezone

from conversations.choices import RUN_CLAIMABLE, RequestState, RunState
from conversations.models import HumanRequest, Run
from conversations.permissions import visible_runs

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SHOWN = 6
RECENT = timedelta(days=7)


def recent_since() -> datetime:
    """The beginning of the day from which on a failure is a recent one."""
    today = timezone.localtime().replace(hour=0, minute=0, second=0, microsecond=0)
    return today - RECENT


@dataclass(frozen=True, slots=True)
class Overview:
    """Totals count beyond the rows that are shown; ``failed`` are of seven days."""

    waiting: list[HumanRequest]
    waiting_total: int
    failed: list[Run]
    failed_total: int
    latest: list[Run]
    working_total: int
    failed_since: str


def overview_for(user: User) -> Overview:
    """In six queries, whatever there is."""
    runs = visible_runs(user)
    pending = HumanRequest.objects.filter(run__in=runs, state=RequestState.PENDING)
    since = recent_since()
    failed = runs.filter(state=RunState.FAILED, created_at__gte=since)
    requests = pending.select_related(
        "call", "task_run", "run__request", "run__requested_by"
    )
    return Overview(
        waiting=list(requests.order_by("created_at")[:SHOWN]),
        waiting_total=pending.count(),
        failed=_shown(failed),
        failed_total=failed.count(),
        latest=_shown(runs),
        working_total=runs.filter(state__in=RUN_CLAIMABLE).count(),
        failed_since=since.isoformat(),
    )


def _shown(runs: QuerySet[Run]) -> list[Run]:
    found = runs.select_related("request", "requested_by", "team_version__team")
    return list(
        found.defer("team_version__definition", "tool_state", "variables").order_by(
            "-created_at"
        )[:SHOWN]
    )
