"""Callers of the API, from the one who may do everything to the stranger."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.api.client import Api
from tests.api.conftest import admin_api, anonymous, api, stranger_api
from tests.conftest import make_user
from tests.teams import build

__all__ = ["admin_api", "anonymous", "api", "builder_api", "stranger_api"]


@pytest.fixture
def builder(db: None) -> User:
    """May build everything, and use no credential."""
    return build.builder(make_user("bob"))


@pytest.fixture
def builder_api(builder: User) -> Api:
    return Api(builder)
