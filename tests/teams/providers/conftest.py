from __future__ import annotations

import pytest

from teams.providers import retry


@pytest.fixture
def quick_retries(monkeypatch):
    """The first wait is short; the rest of the rules stays."""
    monkeypatch.setattr(retry, "FIRST_WAIT", 0.02)
