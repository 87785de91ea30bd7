"""The filters of the lists: newest first, among what the person may see."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.db.models import Model, QuerySet

from conversations.api.bodies import RunFilters, TaskRunFilters, ToolCallFilters
from conversations.models import Run, TaskRun, ToolCall
from conversations.permissions import visible_runs
from supervisor_site.common.names import name_key

Row = TypeVar("Row", bound=Model)


def runs(user: User, filters: RunFilters) -> QuerySet[Run]:
    found = narrow(
        visible_runs(user),
        team_version__team__name_key=name_key(filters.team) if filters.team else None,
        state__in=filters.state,
        requested_by__username=filters.user,
        created_at__gte=aware(filters.since),
        created_at__lt=aware(filters.until),
    )
    return found.order_by("-created_at", "-pk")


def task_runs(user: User, filters: TaskRunFilters) -> QuerySet[TaskRun]:
    found = narrow(
        TaskRun.objects.filter(run__in=visible_runs(user)),
        run_id=filters.run_id,
        run__team_version__team__name_key=name_key(filters.team)
        if filters.team
        else None,
        agent_name=filters.agent,
        task_name=filters.task,
        state__in=filters.state,
        run__requested_by__username=filters.user,
        started_at__gte=aware(filters.since),
        started_at__lt=aware(filters.until),
    )
    return found.order_by("-started_at", "-pk")


def tool_calls(user: User, filters: ToolCallFilters) -> QuerySet[ToolCall]:
    found = narrow(
        ToolCall.objects.filter(task_run__run__in=visible_runs(user)),
        task_run__run_id=filters.run_id,
        task_run__run__team_version__team__name_key=name_key(filters.team)
        if filters.team
        else None,
        task_run__agent_name=filters.agent,
        tool_name=filters.tool,
        kind__in=filters.kind,
        state__in=filters.state,
        task_run__run__requested_by__username=filters.user,
        created_at__gte=aware(filters.since),
        created_at__lt=aware(filters.until),
    )
    return found.order_by("-created_at", "-position", "-pk")


def narrow(rows: QuerySet[Row], **conditions: Any) -> QuerySet[Row]:
    """Apply the conditions that were given; ``None`` and ``[]`` are none."""
    given = {k: v for k, v in conditions.items() if v is not None and v != []}
    return rows.filter(**given)


def aware(moment: datetime | None) -> datetime | None:
    """A time without a zone is taken as UTC."""
    if moment is None or moment.tzinfo is not None:
        return moment
    return moment.replace(tzinfo=UTC)
