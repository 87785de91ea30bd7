"""Set-ups in which workers would get nothing, or lose what they have."""

from __future__ import annotations

from pytest_django.fixtures import Settings

from supervisor_site.database import SQLITE
from tests.project.test_checks import numbers, production

__all__ = ["production"]


def test_a_broker_in_memory_reaches_no_worker(production: Settings) -> None:
    production.RUN_DISPATCHER = "celery"
    production.CELERY_BROKER_URL = "memory://"
    production.REDIS_URL = "redis://host"
    production.DATABASES["default"]["ENGINE"] = "django.db.backends.postgresql"
    try:
        assert numbers() == ["supervisor.E004"]
    finally:
        production.DATABASES["default"]["ENGINE"] = SQLITE


def test_a_lease_must_outlast_two_heartbeats(production: Settings) -> None:
    production.RUN_LEASE_SECONDS = 9
    production.RUN_HEARTBEAT_SECONDS = 5

    assert numbers() == ["supervisor.E005"]
