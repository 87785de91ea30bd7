"""When a thread gives its database connection back."""

from __future__ import annotations

from django.db import connection


def release_connection() -> None:
    """Give this thread's connection back to the pool; the next query takes one again.

    On SQLite the thread keeps it: closing costs more than it saves. Inside a
    transaction nothing happens.
    """
    if connection.vendor != "sqlite" and not connection.in_atomic_block:
        connection.close()
