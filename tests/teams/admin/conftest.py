"""Browsers of an administrator, and the small team they look at."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from teams.models import Team
from tests.conftest import make_user
from tests.teams import build


@pytest.fixture
def desk(db: None) -> Team:
    return build.desk()


@pytest.fixture
def office(client: Client, administrator: User) -> Client:
    """The browser of somebody who may do everything."""
    client.force_login(administrator)
    return client


@pytest.fixture
def clerk(db: None) -> User:
    """Staff without any right."""
    return make_user("clerk", is_staff=True)
