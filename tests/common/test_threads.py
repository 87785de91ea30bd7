"""Threads for work that mostly waits: as few as needed, the last used one first."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator
from functools import partial

import pytest

from supervisor_site.common.threads import ThreadPool


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


@pytest.fixture
def done() -> queue.SimpleQueue[object]:
    return queue.SimpleQueue()


def hold(gate: threading.Event) -> None:
    gate.wait(5)


def settled(pool: ThreadPool, idle: int) -> None:
    """Wait until so many threads are idle."""
    deadline = time.monotonic() + 5
    while len(pool._idle) != idle:
        assert time.monotonic() < deadline
        time.sleep(0.002)


def test_one_after_the_other_is_done_by_one_thread(
    done: queue.SimpleQueue[object],
) -> None:
    pool = ThreadPool(8, "test")
    threads = set()
    for _ in range(10):
        pool.submit(lambda: done.put(threading.get_ident()))
        threads.add(done.get(timeout=5))
        settled(pool, 1)

    assert len(threads) == 1


def test_the_thread_used_last_is_used_next(
    gate: threading.Event, done: queue.SimpleQueue[object]
) -> None:
    pool = ThreadPool(8, "test")
    for _ in range(3):
        pool.submit(lambda: hold(gate))
    gate.set()
    settled(pool, 3)

    threads = set()
    for _ in range(10):
        pool.submit(lambda: done.put(threading.get_ident()))
        threads.add(done.get(timeout=5))
        settled(pool, 3)

    assert len(threads) == 1


def test_work_beyond_the_size_waits_in_line_and_keeps_its_order(
    gate: threading.Event, done: queue.SimpleQueue[object]
) -> None:
    pool = ThreadPool(1, "test")
    pool.submit(lambda: hold(gate))
    for number in range(5):
        pool.submit(partial(done.put, number))
    time.sleep(0.05)
    assert done.empty()

    gate.set()

    assert [done.get(timeout=5) for _ in range(5)] == [0, 1, 2, 3, 4]


def test_work_that_fails_leaves_the_thread_usable(
    done: queue.SimpleQueue[object], caplog: pytest.LogCaptureFixture
) -> None:
    pool = ThreadPool(1, "test")

    def leave() -> None:
        raise SystemExit

    pool.submit(leave)
    pool.submit(lambda: done.put("next"))

    assert done.get(timeout=5) == "next"
    assert "work in a test thread failed" in caplog.text


def test_idle_threads_end_and_new_ones_are_made(
    done: queue.SimpleQueue[object],
) -> None:
    pool = ThreadPool(2, "test", idle_seconds=0.05)
    for expected in ("first", "second"):
        pool.submit(partial(done.put, expected))
        assert done.get(timeout=5) == expected
        deadline = time.monotonic() + 5
        while pool._threads:
            assert time.monotonic() < deadline
            time.sleep(0.01)


def test_nothing_is_lost_where_work_comes_as_a_thread_ends(
    done: queue.SimpleQueue[object],
) -> None:
    pool = ThreadPool(2, "test", idle_seconds=0.001)
    for number in range(300):
        pool.submit(partial(done.put, number))
        time.sleep(0.001)

    assert {done.get(timeout=5) for _ in range(300)} == set(range(300))


def test_its_threads_do_not_keep_the_process_from_ending(
    done: queue.SimpleQueue[object],
) -> None:
    ThreadPool(1, "test").submit(lambda: done.put(threading.current_thread().daemon))

    assert done.get(timeout=5) is True
