"""The people of the tests: an owner, a colleague, a stranger, an operator, an admin."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from teams.services.versions import definition_of

pytest_plugins = ["tests.support.fixtures"]

SHARED_PROCESSES = ("browser", "durability", "services")


@pytest.fixture(autouse=True)
def no_remembered_versions() -> None:
    """Versions are remembered by id, and a rolled-back test gives its ids to others."""
    definition_of.cache_clear()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(
    config: pytest.Config, log: Producer
) -> LoadFileScheduling:
    return Sharing(config, log)


class Sharing(LoadFileScheduling):  # type: ignore[misc]
    """What one worker runs when there are several: a file stays together, and so do
    the folders whose tests share processes that take long to start."""

    def _split_scope(self, nodeid: str) -> str:
        file = Path(super()._split_scope(nodeid))
        shared = file.parent.name in SHARED_PROCESSES
        return str(file.parent if shared else file)


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
