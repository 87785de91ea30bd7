"""Callers, and runs that are begun but not worked on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from conversations import dispatch
from teams.models import Team
from tests.api.conftest import admin_api, anonymous, api, stranger_api
from tests.conversations.factories import make_team_version
from tests.support.product import Product
from tests.support.scripted_model import ScriptedModel

__all__ = ["admin_api", "anonymous", "api", "stranger_api"]


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is worked on: what is queued stays queued."""
    monkeypatch.setattr(dispatch, "enqueue", lambda run_id: None)


@pytest.fixture
def support_team(db: None) -> Team:
    return make_team_version().team


@pytest.fixture(scope="session")
def served_model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as model:
        yield model


@pytest.fixture(scope="session")
def served(
    tmp_path_factory: pytest.TempPathFactory, served_model: ScriptedModel
) -> Iterator[Product]:
    """One real server on a scripted model, for all tests that only talk to it."""
    product = Product(tmp_path_factory.mktemp("api"), model_url=served_model.base_url)
    product.set_up()
    product.start()
    yield product
    product.stop()
