"""The threads tools run in: reused, limited, and careful with connections."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction

from teams.toolbox.workers import NoWorker, TimedOut, WorkerPool, worker_pool


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_one_after_the_other_uses_the_same_thread() -> None:
    pool = WorkerPool(4)
    threads = {pool.run(threading.get_ident, timeout=5) for _ in range(500)}
    assert len(threads) == 1


def test_a_hanging_work_takes_one_thread_only(gate: threading.Event) -> None:
    pool = WorkerPool(2)
    with pytest.raises(TimedOut):
        pool.run(gate.wait, timeout=0.05)
    assert pool.run(lambda: "next", timeout=5) == "next"


def test_when_all_threads_hang_the_next_work_is_not_begun(
    gate: threading.Event,
) -> None:
    pool = WorkerPool(1)
    begun: list[int] = []
    with pytest.raises(TimedOut):
        pool.run(gate.wait, timeout=0.05)
    with pytest.raises(NoWorker):
        pool.run(lambda: begun.append(1), timeout=0.05)
    gate.set()
    assert pool.run(lambda: "again", timeout=5) == "again"
    assert begun == []


def test_threads_do_not_keep_the_process_from_ending() -> None:
    assert WorkerPool(1).run(lambda: threading.current_thread().daemon, timeout=5)


def test_the_caller_s_context_variables_come_along() -> None:
    variable = contextvars.ContextVar("variable", default="")
    variable.set("mine")
    assert WorkerPool(1).run(variable.get, timeout=5) == "mine"


@pytest.mark.django_db(transaction=True)
def test_a_connection_left_without_autocommit_is_not_given_on() -> None:
    pool = WorkerPool(1)

    def careless() -> None:
        transaction.set_autocommit(False)
        User.objects.exists()

    pool.run(careless, timeout=5)
    assert pool.run(transaction.get_autocommit, timeout=5) is True


def test_a_process_has_one_pool() -> None:
    assert worker_pool() is worker_pool()


@pytest.mark.django_db(transaction=True)
def test_the_connection_goes_back_to_the_pool_of_the_process() -> None:
    pool = WorkerPool(1)
    pool.run(User.objects.exists, timeout=5)
    assert pool.run(lambda: connection.connection, timeout=5) is None
