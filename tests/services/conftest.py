"""Real services, one of each for all tests; skipped, and counted, where none exists."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support import services


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """An empty database on a PostgreSQL server of our own."""
    try:
        with services.postgres() as url:
            yield url
    except services.ServiceMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis-compatible server of our own."""
    try:
        with services.redis() as url:
            yield url
    except services.ServiceMissing as missing:
        pytest.skip(str(missing))
