"""``/profiles``: connections to models, and a trial of one."""

from __future__ import annotations

from typing import Any

from supervisor_site.api_base import ApiRequest
from teams.api.crud import definition_router
from teams.api.schemas import ProfileAttributes, ProfileOut, ProfilePage, ProfileTest
from teams.services.trials import try_profile

router = definition_router("profile", ProfileAttributes, ProfileOut, ProfilePage)


@router.post(
    "/{name}/test",
    response=ProfileTest,
    operation_id="test_profile",
    summary="Call a profile's model once",
)
def run_test(request: ApiRequest, name: str) -> dict[str, Any]:
    """Says whether it answers, how fast, and whether it calls tools."""
    return try_profile(name, user=request.user)
