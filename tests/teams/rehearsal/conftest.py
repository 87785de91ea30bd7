"""The seeded teams on the rehearsal model; runs are worked on in the test's thread."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from conversations import dispatch
from teams.demo import seed
from tests.conftest import make_user
from tests.teams.rehearsal.engine import Chat


@pytest.fixture
def chat(
    transactional_db: None, settings, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Chat]:
    """Opens a conversation with a seeded team."""
    settings.DEBUG = True
    settings.OPENAI_API_KEY = settings.OPENAI_BASE_URL = ""
    monkeypatch.setattr(dispatch, "enqueue", lambda run_id: None)
    monkeypatch.setattr("teams.providers.rehearsal.transport.PIECE_DELAY", 0.0)
    seed.seed("a-demo-password")
    user = make_user("erin")
    return lambda team: Chat(user, team)
