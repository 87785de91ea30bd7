"""``/tools``: what agents can call, and a call by hand."""

from __future__ import annotations

from typing import Any

from supervisor_site.api_base import ApiRequest
from teams.api.crud import definition_router
from teams.api.schemas import (
    ToolArguments,
    ToolAttributes,
    ToolOut,
    ToolPage,
    ToolResult,
)
from teams.services.trials import try_tool

router = definition_router("tool", ToolAttributes, ToolOut, ToolPage)


@router.post(
    "/{name}/run",
    response=ToolResult,
    operation_id="run_tool",
    summary="Run a tool by hand",
)
def run(request: ApiRequest, name: str, body: ToolArguments) -> dict[str, Any]:
    """It acts for the caller, and at once: nobody is asked for approval."""
    outcome = try_tool(name, body.arguments, user=request.user)
    return {"ok": outcome.ok, "text": outcome.text, "unknown": outcome.unknown}
