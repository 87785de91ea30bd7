"""The people of the tests: an owner, a colleague, a stranger, an operator, an admin."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from teams.services.versions import definition_of

pytest_plugins = ["tests.support.fixtures"]

SHARED_PROCESSES = ("browser", "durability", "services")


@pytest.fixture(autouse=True)
def no_remembered_versions() -> None:
    """Versions are remembered by id, and a rolled-back test gives its ids to others."""
    definition_of.cache_clear()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What one worker runs when there are several: a file stays together, and so do
    the folders whose tests share processes that take long to start."""
    for item in items:
        folder = item.path.parent.name
        shared = folder if folder in SHARED_PROCESSES else str(item.path)
        item.add_marker(pytest.mark.xdist_group(shared))


def make_user(name: str, **fields: bool) -> User:
    user = User(username=name, email=f"{name}@example.com", **fields)
    user.set_password("a-password-for-tests")
    user.save()
    return user


@pytest.fixture
def owner(db: None) -> User:
    return make_user("alice")


@pytest.fixture
def stranger(db: None) -> User:
    return make_user("charlie")


@pytest.fixture
def administrator(db: None) -> User:
    return make_user("admin", is_staff=True, is_superuser=True)
