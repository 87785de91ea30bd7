"""Whether the process lives, and whether it can serve."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse

logger = logging.getLogger("supervisor.health")

ANSWER_SECONDS = 2


def healthz(_request: HttpRequest) -> JsonResponse:
    """The process answers; nothing else is looked at."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> JsonResponse:
    """503 while the database, or the broker where one is set, does not answer. What is
    wrong is named by its kind; the log has the rest."""
    looks = (("database", _database), ("broker", _broker))
    problems = {name: problem for name, look in looks if (problem := look())}
    if problems:
        return JsonResponse({"status": "unavailable", **problems}, status=503)
    return JsonResponse({"status": "ok"})


def _database() -> str:
    try:
        with _cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except DatabaseError as error:
        return _told("database", error)
    return ""


@contextmanager
def _cursor() -> Iterator[Any]:
    """One of our database; where a pool would wait long for a connection, as requests
    do while the database restarts, it is not waited for."""
    pool = getattr(connection, "pool", None) if connection.vendor != "sqlite" else None
    if pool is None:
        with connection.cursor() as cursor:
            yield cursor
        return
    with connection.wrap_database_errors:
        pool.open()
        with pool.connection(ANSWER_SECONDS) as lent:
            yield lent


def _broker() -> str:
    return _redis() or _queue()


def _redis() -> str:
    if not settings.REDIS_URL:
        return ""
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=ANSWER_SECONDS,
            socket_connect_timeout=ANSWER_SECONDS,
        ) as client:
            client.ping()
    except RedisError as error:
        return _told("broker", error)
    return ""


def _queue() -> str:
    """Where runs go through a broker other than that Redis."""
    broker = settings.CELERY_BROKER_URL
    if settings.RUN_DISPATCHER != "celery" or broker == settings.REDIS_URL:
        return ""
    from kombu import Connection
    from kombu.exceptions import OperationalError

    try:
        with Connection(broker, connect_timeout=ANSWER_SECONDS) as asked:
            asked.ensure_connection(max_retries=1, timeout=ANSWER_SECONDS)
    except (OperationalError, OSError) as error:
        return _told("broker", error)
    return ""


def _told(part: str, error: Exception) -> str:
    logger.warning("the %s does not answer: %s", part, error)
    return type(error).__name__
