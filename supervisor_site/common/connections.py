"""When a thread gives its database connection back."""

from __future__ import annotations

from django.db import connection


def release_connection() -> None:
    """Give this thread's connection back to the pool; the next query takes one again.

    Inside a transaction nothing happens.
    """
    if not connection.in_atomic_block:
        connection.close()
