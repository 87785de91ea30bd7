"""Django's SQLite backend, except that closing a connection gives it back to a pool,
and that transactions of one process line up instead of trying again and again."""

from __future__ import annotations

import sqlite3
from typing import Any

from django.db import OperationalError
from django.db.backends.sqlite3 import base

from supervisor_site.common.sqlite.pool import Place, Pool, pool_of

CONNECTIONS = 6
# As long as SQLite itself waits for another process.
LINE_SECONDS = 20.0


# Its types leave out what a backend has to override.
Backend: Any = base.DatabaseWrapper


class DatabaseWrapper(Backend):  # type: ignore[misc]
    pool: Pool | None = None
    place: Place | None = None
    writes = False

    def get_connection_params(self) -> dict[str, Any]:
        params: dict[str, Any] = super().get_connection_params()
        size = params.pop("pool", {}).get("max_size", CONNECTIONS)
        if not self.is_in_memory_db():
            self.pool = pool_of(str(params["database"]), size)
        return params

    def get_new_connection(self, conn_params: dict[str, Any]) -> sqlite3.Connection:
        def connect() -> sqlite3.Connection:
            made: sqlite3.Connection = Backend.get_new_connection(self, conn_params)
            return made

        if self.pool is None:
            return connect()
        self.place, connection = self.pool.take(connect)
        return connection

    def _close(self) -> None:
        self._leave_line()
        connection, place, self.place = self.connection, self.place, None
        if self.pool is None or place is None or connection is None:
            super()._close()
            return
        # What broke off, or may be broken, is used no more.
        if self.in_atomic_block or self.errors_occurred or connection.in_transaction:
            try:
                super()._close()
            finally:
                self.pool.leave(place)
        else:
            self.pool.give_back(place, connection)

    def _start_transaction_under_autocommit(self) -> None:
        if self.pool is not None and not self.writes:
            if not self.pool.writing.acquire(timeout=LINE_SECONDS):
                raise OperationalError("database is locked")
            self.writes = True
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self._leave_line()
            raise

    def _commit(self) -> None:
        super()._commit()
        self._leave_line()

    def _rollback(self) -> None:
        try:
            super()._rollback()
        finally:
            self._leave_line()

    def _leave_line(self) -> None:
        if self.pool is not None and self.writes:
            self.writes = False
            self.pool.writing.release()
