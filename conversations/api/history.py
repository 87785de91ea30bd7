"""``/history``: what ran, newest first."""

from __future__ import annotations

from typing import Any

from ninja import Query, Router

from conversations import describe
from conversations.api import filters as lists
from conversations.api.bodies import RunFilters, TaskRunFilters, ToolCallFilters
from conversations.api.schemas import RunPage, TaskRunPage, ToolCallPage
from conversations.permissions import visible_runs
from conversations.selectors.private import kept_from
from supervisor_site.api_base import ApiRequest, Paging, page

router = Router(tags=["history"])


@router.get(
    "/team-runs",
    response=RunPage,
    summary="List runs of teams",
    operation_id="list_team_runs",
)
def team_runs(
    request: ApiRequest, filters: Query[RunFilters], paging: Query[Paging]
) -> dict[str, Any]:
    rows = describe.for_run_objects(lists.runs(request.user, filters))
    return page(rows, paging, describe.run_object)


@router.get(
    "/task-runs",
    response=TaskRunPage,
    summary="List the agents' work",
    operation_id="list_task_runs",
)
def task_runs(
    request: ApiRequest, filters: Query[TaskRunFilters], paging: Query[Paging]
) -> dict[str, Any]:
    rows = lists.task_runs(request.user, filters)
    if hidden := kept_from(request.user, visible_runs(request.user)):
        rows = rows.exclude(pk__in=hidden)
    return page(rows, paging, describe.task_run_object)


@router.get(
    "/tool-calls",
    response=ToolCallPage,
    summary="List calls of tools",
    operation_id="list_tool_calls",
)
def tool_calls(
    request: ApiRequest, filters: Query[ToolCallFilters], paging: Query[Paging]
) -> dict[str, Any]:
    rows = lists.tool_calls(request.user, filters).select_related("child")
    if hidden := kept_from(request.user, visible_runs(request.user)):
        rows = rows.exclude(task_run__in=hidden)
    return page(rows, paging, describe.tool_call_object)
