"""Registered functions of one test only, and what a call of one needs."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from teams.definition import ToolDefinition
from teams.toolbox import registry
from teams.toolbox.base import ToolContext
from teams.toolbox.registry import registered


@pytest.fixture(autouse=True)
def own_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.all_registered()
    monkeypatch.setattr(registry, "_functions", dict(registry._functions))


@pytest.fixture
def given() -> ToolContext:
    person = User(username="alice", email="alice@example.com")
    return ToolContext(user=person, run_id=uuid.uuid4(), call_id=uuid.uuid4())


@pytest.fixture
def tool() -> Callable[..., ToolDefinition]:
    """A frozen tool of a registered function, with that function's own flags."""

    def make(function: str, **fields: Any) -> ToolDefinition:
        found = registered(function)
        own: dict[str, Any] = {
            "name": function,
            "function_name": function,
            "function": function,
        }
        if found:
            own |= {
                "parameters": found.parameters,
                "read_only": found.read_only,
                "replay_safe": found.replay_safe,
                "timeout": found.timeout,
            }
        return ToolDefinition(
            **{"uid": uuid.uuid4(), "tool_type": "FUNCTION", **own, **fields}
        )

    return make
