"""Threads in which tool functions run, so that a slow one can be left behind.

A Python function cannot be interrupted: on a timeout its thread is abandoned and
takes up new work only when the function returns. The threads are daemons, so a
hanging function never keeps the server from ending.
"""

from __future__ import annotations

import contextvars
import logging
import os
import threading
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.db import connections

from supervisor_site.common.threads import ThreadPool

logger = logging.getLogger("supervisor.toolbox")


class TimedOut(Exception):
    """The work did not end in time; it may still be going on."""


class NoWorker(Exception):
    """Every thread is still busy; the work was not begun."""


class _Job:
    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.context = contextvars.copy_context()
        self.done = threading.Event()
        self.value: Any = None
        self.error: Exception | None = None

    def run(self) -> None:
        try:
            self.value = self.context.run(self.work)
        except Exception as error:  # noqa: BLE001 - told to the caller
            self.error = error
        except BaseException as error:  # noqa: BLE001
            # A tool's SystemExit must end neither this thread nor the caller.
            self.error = RuntimeError(type(error).__name__)
        finally:
            _release_connections()


class WorkerPool:
    """At most ``size`` threads, made when needed, the last used one first."""

    def __init__(self, size: int) -> None:
        self._free = threading.Semaphore(size)
        self._threads = ThreadPool(size, "tool")

    def run(self, work: Callable[[], Any], timeout: float) -> Any:
        """The work's value, or its own exception; TimedOut, NoWorker."""
        deadline = time.monotonic() + timeout
        if not self._free.acquire(timeout=timeout):
            raise NoWorker
        job = _Job(work)
        self._threads.submit(lambda: self._do(job), job.done.set)
        if not job.done.wait(max(deadline - time.monotonic(), 0)):
            raise TimedOut
        if job.error is not None:
            raise job.error
        return job.value

    def _do(self, job: _Job) -> None:
        job.run()
        self._free.release()


def _release_connections() -> None:
    """Back to the pool of the process."""
    for connection in connections.all(initialized_only=True):
        try:
            connection.close()
        except Exception:
            logger.exception("a database connection could not be released")
            connection.connection = None


_pools: dict[int, WorkerPool] = {}
_pools_lock = threading.Lock()


def worker_pool() -> WorkerPool:
    """This process's pool; a forked child makes its own."""
    with _pools_lock:
        pool = _pools.get(os.getpid())
        if pool is None:
            _pools.clear()
            pool = _pools[os.getpid()] = WorkerPool(settings.RUN_THREADS)
    return pool
