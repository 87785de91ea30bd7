"""The database's settings from its address, with what the engine relies on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dj_database_url

from supervisor_site.env import bad, env_int

SQLITE = "supervisor_site.common.sqlite"
POSTGRESQL = "django.db.backends.postgresql"


def database(url: str) -> dict[str, Any]:
    """Settings for ``sqlite:///path`` or ``postgres://user:password@host/name``."""
    try:
        config: dict[str, Any] = dict(dj_database_url.parse(url))
    except (ValueError, KeyError) as error:
        raise bad("DATABASE_URL", f"cannot be read: {error}") from None
    if config["ENGINE"] == "django.db.backends.sqlite3":
        _sqlite(config)
    elif config["ENGINE"] == POSTGRESQL:
        _postgresql(config)
    else:
        raise bad("DATABASE_URL", "must start with sqlite:/// or postgres://")
    return config


def _sqlite(config: dict[str, Any]) -> None:
    if config["NAME"] == ":memory:":
        raise bad("DATABASE_URL", "must name a file: threads and processes share it.")
    # Immediate transactions: a read-then-write in a deferred one fails at once
    # with "database is locked", whatever the timeout. The cache is a connection's
    # own; what it does not hold the system's cache does.
    config["ENGINE"] = SQLITE
    config.setdefault("OPTIONS", {}).update(
        timeout=20,
        transaction_mode="IMMEDIATE",
        pool={"max_size": env_int("DATABASE_POOL", 6)},
        init_command=(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
            "PRAGMA busy_timeout=20000; PRAGMA cache_size=-500;"
        ),
    )
    config["CONN_MAX_AGE"] = 0
    try:
        Path(config["NAME"]).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise bad(
            "DATABASE_URL", f"names a folder that cannot be made: {error}"
        ) from None


def _postgresql(config: dict[str, Any]) -> None:
    if not config["NAME"]:
        raise bad("DATABASE_URL", "names no database: postgres://user@host/NAME")
    config.setdefault("OPTIONS", {})["pool"] = {
        "min_size": 1,
        "max_size": env_int("DATABASE_POOL", 16),
        "timeout": 20,
    }
    config["CONN_MAX_AGE"] = 0
    # A connection is tried before it leaves the pool: after a restart of the
    # database the pool is full of dead ones.
    config["CONN_HEALTH_CHECKS"] = True
