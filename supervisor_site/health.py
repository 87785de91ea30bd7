"""Whether the process lives, and whether it can serve."""

from __future__ import annotations

from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse


def healthz(_request: HttpRequest) -> JsonResponse:
    """The process answers; nothing else is looked at."""
    return JsonResponse({"status": "ok"})


def readyz(_request: HttpRequest) -> JsonResponse:
    """503 while the database, or the broker where one is set, does not answer."""
    problems = {
        name: problem
        for name, problem in (("database", _database()), ("broker", _broker()))
        if problem
    }
    if problems:
        return JsonResponse({"status": "unavailable", **problems}, status=503)
    return JsonResponse({"status": "ok"})


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM django_migrations LIMIT 1")
    except DatabaseError as error:
        return type(error).__name__
    return ""


def _broker() -> str:
    if not settings.REDIS_URL:
        return ""
    from redis import Redis
    from redis.exceptions import RedisError

    try:
        with Redis.from_url(
            settings.REDIS_URL, socket_timeout=2, socket_connect_timeout=2
        ) as client:
            client.ping()
    except RedisError as error:
        return type(error).__name__
    return ""
