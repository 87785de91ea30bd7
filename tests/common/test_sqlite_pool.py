"""Threads share a few connections to SQLite, and those who write line up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, transaction
from django.db.utils import ConnectionHandler

from supervisor_site.common.sqlite import pool as pools
from supervisor_site.common.sqlite.base import DatabaseWrapper
from supervisor_site.common.sqlite.pool import Pool
from supervisor_site.database import database

SIZE = 2


class File:
    """A database of its own, with a table of one number; each thread has a wrapper."""

    def __init__(self, path: Path) -> None:
        self.path = path
        config = database(f"sqlite:///{path}")
        config["OPTIONS"]["pool"] = {"max_size": SIZE}
        config["OPTIONS"]["timeout"] = 0.05
        config["OPTIONS"]["init_command"] = "PRAGMA journal_mode=WAL"
        self.handler = ConnectionHandler({"default": config})
        self.run("CREATE TABLE counter (number integer)")
        self.run("INSERT INTO counter VALUES (0)")
        self.close()

    @property
    def mine(self) -> DatabaseWrapper:
        wrapper: Any = self.handler["default"]
        assert isinstance(wrapper, DatabaseWrapper)
        return wrapper

    @property
    def pool(self) -> Pool:
        assert self.mine.pool is not None
        return self.mine.pool

    def run(self, text: str) -> Any:
        with self.mine.cursor() as cursor:
            return cursor.execute(text).fetchone()

    def raw(self) -> object:
        """The connection itself that this thread is lent."""
        self.mine.ensure_connection()
        return self.mine.connection

    def close(self) -> None:
        self.mine.close()


@pytest.fixture
def file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, django_db_blocker: Any
) -> Iterator[File]:
    with django_db_blocker.unblock():
        made = File(tmp_path / "db.sqlite3")
        # ``atomic`` finds its connection by the alias.
        monkeypatch.setattr(transaction, "get_connection", lambda using=None: made.mine)
        yield made
        made.close()


def in_a_thread(work: Callable[[], Any]) -> Any:
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(work).result(20)


def test_the_next_thread_gets_the_connection_that_was_given_back_last(
    file: File,
) -> None:
    mine = file.raw()
    file.close()
    assert in_a_thread(lambda: file.raw() is mine)


def test_many_threads_work_with_a_few_connections(file: File) -> None:
    seen: set[object] = set()

    def read() -> None:
        seen.add(file.raw())
        assert file.run("SELECT number FROM counter") == (0,)
        file.close()

    with ThreadPoolExecutor(12) as threads:
        list(threads.map(lambda _n: read(), range(200)))
    assert 1 <= len(seen) <= SIZE


def test_connections_that_are_kept_do_not_stop_the_others(
    file: File, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "PATIENCE_SECONDS", 0.05)
    done = threading.Event()

    def keep() -> None:
        file.raw()
        done.wait(20)
        file.close()

    with ThreadPoolExecutor(SIZE) as threads:
        for _n in range(SIZE):
            threads.submit(keep)
        assert in_a_thread(lambda: file.run("SELECT number FROM counter")) == (0,)
        done.set()


def test_a_thread_that_ends_without_giving_back_leaves_its_place(file: File) -> None:
    file.close()
    pool = file.pool
    for _n in range(SIZE * 2):
        thread = threading.Thread(target=file.raw)
        thread.start()
        thread.join(20)
    assert in_a_thread(lambda: file.run("SELECT number FROM counter")) == (0,)
    assert pool.size == SIZE


def test_another_file_in_its_place_is_opened_anew(file: File, tmp_path: Path) -> None:
    other = File(tmp_path / "other.sqlite3")
    other.run("UPDATE counter SET number = 7")
    other.run("PRAGMA wal_checkpoint(TRUNCATE)")
    other.close()
    file.close()
    (tmp_path / "other.sqlite3").replace(file.path)
    assert file.run("SELECT number FROM counter") == (7,)


def test_what_was_not_committed_is_not_given_on(file: File) -> None:
    def break_off() -> object:
        raw = file.raw()
        with suppress(ValueError), transaction.atomic():
            file.run("UPDATE counter SET number = 1")
            file.close()
            raise ValueError("broken off")
        return raw

    broken = in_a_thread(break_off)
    assert file.run("SELECT number FROM counter") == (0,)
    assert file.raw() is not broken


def test_those_who_write_line_up_whoever_comes(file: File) -> None:
    """SQLite itself would give up after the 50 ms of these connections."""

    def count(_n: int) -> None:
        with transaction.atomic():
            (number,) = file.run("SELECT number FROM counter")
            time.sleep(0.02)
            file.run(f"UPDATE counter SET number = {number + 1}")
        file.close()

    with ThreadPoolExecutor(12) as threads:
        list(threads.map(count, range(24)))
    assert file.run("SELECT number FROM counter") == (24,)


def test_a_transaction_that_fails_leaves_the_line(file: File) -> None:
    with pytest.raises(OperationalError), transaction.atomic():
        file.run("SELECT nothing FROM nowhere")
    file.close()

    def write() -> None:
        with transaction.atomic():
            file.run("UPDATE counter SET number = 2")

    in_a_thread(write)
    assert file.run("SELECT number FROM counter") == (2,)
