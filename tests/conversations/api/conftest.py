"""Callers, and runs that are begun but not worked on."""

from __future__ import annotations

import pytest

from conversations import dispatch
from teams.models import Team
from tests.api.conftest import admin_api, anonymous, api, stranger_api
from tests.conversations.factories import make_team_version

__all__ = ["admin_api", "anonymous", "api", "idle", "stranger_api", "support_team"]


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is worked on: what is queued stays queued."""
    monkeypatch.setattr(dispatch, "enqueue", lambda run_id: None)


@pytest.fixture
def support_team(db: None) -> Team:
    return make_team_version().team
