"""The REST routers of definitions: ``router`` is mounted at the API's root."""

from __future__ import annotations

from ninja import Router

from teams.api import profiles, teams, tools, transfer
from teams.api.crud import definition_router
from teams.api.schemas import (
    AgentAttributes,
    AgentOut,
    AgentPage,
    TaskAttributes,
    TaskOut,
    TaskPage,
)

router = Router()
router.add_router("/profiles", profiles.router)
router.add_router("/tools", tools.router)
router.add_router(
    "/agents", definition_router("agent", AgentAttributes, AgentOut, AgentPage)
)
router.add_router(
    "/tasks", definition_router("task", TaskAttributes, TaskOut, TaskPage)
)
router.add_router("/teams", teams.router)
router.add_router("", transfer.router)
