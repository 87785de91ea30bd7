"""The office of the engine's tests; runs are worked on when the test says so."""

from __future__ import annotations

from tests.conversations.engine.conftest import (  # noqa: F401
    ask,
    asker,
    by_hand,
    lead,
    no_holders,
    office,
    post,
    world,
)
