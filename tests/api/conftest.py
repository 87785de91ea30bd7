"""Callers of the API: see ``tests.api.client``."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.api.client import Api


@pytest.fixture
def api(owner: User) -> Api:
    return Api(owner)


@pytest.fixture
def anonymous(db: None) -> Api:
    return Api()


@pytest.fixture
def stranger_api(stranger: User) -> Api:
    return Api(stranger)


@pytest.fixture
def admin_api(administrator: User) -> Api:
    return Api(administrator)
