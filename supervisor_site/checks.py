"""System checks of the set-up: what cannot work (E) and what is unwise (W).

``manage.py check`` prints them, ``manage.py check --database default`` also looks at
stored secrets, and the server refuses to start on an error.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.checks import Warning as Unwise
from django.core.exceptions import ImproperlyConfigured
from django.db import connections

from supervisor_site.common import crypto
from supervisor_site.database import SQLITE

LOOPBACK = {"127.0.0.1", "localhost", "[::1]", "::1"}


def check_channel_layer(**_kwargs: Any) -> list[CheckMessage]:
    if settings.REDIS_URL or settings.SERVER_PROCESSES == 1:
        return []
    return [
        Error(
            f"{settings.SERVER_PROCESSES} server processes share no channel layer: "
            "pages would miss what the other processes do.",
            hint="Set REDIS_URL, or start one process (WEB_CONCURRENCY=1).",
            id="supervisor.E001",
        )
    ]


def check_dispatcher(**_kwargs: Any) -> list[CheckMessage]:
    if settings.RUN_DISPATCHER != "celery":
        return []
    found: list[CheckMessage] = []
    if not settings.CELERY_BROKER_URL:
        found.append(
            Error(
                "RUN_DISPATCHER=celery has no broker to hand runs to.",
                hint="Set CELERY_BROKER_URL or REDIS_URL.",
                id="supervisor.E002",
            )
        )
    if settings.CELERY_BROKER_URL.startswith("memory"):
        found.append(
            Error(
                "A broker in memory is seen by nobody else: no worker gets a run.",
                hint="Set CELERY_BROKER_URL to one that runs by itself.",
                id="supervisor.E004",
            )
        )
    if not settings.REDIS_URL:
        found.append(
            Unwise(
                "Workers cannot push to pages without REDIS_URL: pages see their "
                "work up to 2 s late and replies do not stream.",
                hint="Set REDIS_URL.",
                id="supervisor.W001",
            )
        )
    if settings.DATABASES["default"]["ENGINE"] == SQLITE:
        found.append(
            Unwise(
                "Celery workers on SQLite wait for one another, and must run on "
                "the machine that holds the file.",
                hint="Set DATABASE_URL to PostgreSQL, or RUN_DISPATCHER=thread.",
                id="supervisor.W002",
            )
        )
    return found


def check_lease(**_kwargs: Any) -> list[CheckMessage]:
    """What renews a lease must come several times before it ends."""
    if settings.RUN_HEARTBEAT_SECONDS * 2 <= settings.RUN_LEASE_SECONDS:
        return []
    return [
        Error(
            f"RUN_HEARTBEAT_SECONDS ({settings.RUN_HEARTBEAT_SECONDS}) is over half of "
            f"RUN_LEASE_SECONDS ({settings.RUN_LEASE_SECONDS}): runs would be taken "
            "from workers that are alive.",
            hint="Raise RUN_LEASE_SECONDS.",
            id="supervisor.E005",
        )
    ]


def check_production(**_kwargs: Any) -> list[CheckMessage]:
    if settings.DEBUG:
        return []
    found: list[CheckMessage] = []
    if set(settings.ALLOWED_HOSTS) <= LOOPBACK:
        found.append(
            Unwise(
                "ALLOWED_HOSTS names only this machine: nobody else reaches the site.",
                hint="Set ALLOWED_HOSTS to the site's host names.",
                id="supervisor.W003",
            )
        )
    address = urlsplit(settings.BASE_URL)
    if address.scheme == "http" and address.hostname not in LOOPBACK:
        found.append(
            Unwise(
                "BASE_URL is not https: log-ins and tokens travel in the open.",
                hint="Serve the site over https and set BASE_URL to that address.",
                id="supervisor.W004",
            )
        )
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        found.append(
            Unwise(
                "E-mail goes to the log, to nobody's mailbox.",
                hint="Set EMAIL_URL, for example submission://user:password@host.",
                id="supervisor.W005",
            )
        )
    return found


def check_development(**_kwargs: Any) -> list[CheckMessage]:
    if not settings.DEBUG or set(settings.ALLOWED_HOSTS) <= LOOPBACK:
        return []
    return [
        Unwise(
            "DEBUG is on while ALLOWED_HOSTS lets others in: errors would show them "
            "settings and code.",
            hint="Set DEBUG=false, with SECRET_KEY and FIELD_ENCRYPTION_KEYS.",
            id="supervisor.W006",
        )
    ]


def check_stored_secrets(
    *, databases: Sequence[str] | None = None, **_kwargs: Any
) -> list[CheckMessage]:
    """Keys that are stored and can no longer be read, each profile by its name."""
    from teams.models import Profile

    if "default" not in (databases or ()):
        return []
    # The first migrate runs the checks before there is a table.
    if Profile._meta.db_table not in connections["default"].introspection.table_names():
        return []
    stored = Profile.objects.exclude(api_key_encrypted="")
    lost = [
        name
        for name, token in stored.values_list("name", "api_key_encrypted")
        if not _readable(token)
    ]
    if not lost:
        return []
    return [
        Error(
            "The stored keys of these profiles cannot be read with any key of "
            f"FIELD_ENCRYPTION_KEYS: {', '.join(sorted(lost))}.",
            hint="List the key they were stored with as well, or enter them again.",
            id="supervisor.E003",
        )
    ]


def _readable(token: str) -> bool:
    try:
        crypto.decrypt(token)
    except crypto.SecretUnreadable:
        return False
    return True


SETTINGS_CHECKS: tuple[Callable[..., list[CheckMessage]], ...] = (
    check_channel_layer,
    check_dispatcher,
    check_lease,
    check_production,
    check_development,
)


def register_checks() -> None:
    for check in SETTINGS_CHECKS:
        register(check)
    register(check_stored_secrets, Tags.database)


def refuse_unsafe_start() -> None:
    """Raise ``ImproperlyConfigured`` where the set-up cannot work.

    Servers do not run Django's checks themselves; ours calls this at its start.
    """
    errors = [
        f"{found.msg} {found.hint}"
        for check in SETTINGS_CHECKS
        for found in check()
        if found.is_serious()
    ]
    if errors:
        raise ImproperlyConfigured(" ".join(errors))
