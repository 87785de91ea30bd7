"""Threads for work that mostly waits: made when needed, the last used one first.

So no more threads are kept warm, each with its database connection and that one's
cache, than there is work for at once; the others end after a while. They are
daemons: work that hangs never keeps the process from ending.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger("supervisor.threads")

IDLE_SECONDS = 30.0

Work = Callable[[], None]
Inbox = queue.SimpleQueue[Work]


class ThreadPool:
    """At most ``size`` threads; work for which none is free waits in line."""

    def __init__(
        self, size: int, name: str, *, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._size = size
        self._name = name
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._idle: list[Inbox] = []
        self._line: deque[Work] = deque()
        self._threads = 0

    def submit(self, work: Work) -> None:
        """Do it soon. What it raises is logged, since nobody waits for it."""
        with self._lock:
            if self._idle:
                self._idle.pop().put(work)
                return
            if self._threads >= self._size:
                self._line.append(work)
                return
            thread = threading.Thread(
                target=self._serve, args=[work], name=self._name, daemon=True
            )
            thread.start()
            self._threads += 1

    def _serve(self, first: Work) -> None:
        inbox: Inbox = queue.SimpleQueue()
        work: Work | None = first
        while work is not None:
            try:
                work()
            except BaseException:
                # A SystemExit of the work's must not end the thread either.
                logger.exception("work in a %s thread failed", self._name)
            work = None
            work = self._next(inbox)
        connections.close_all()

    def _next(self, inbox: Inbox) -> Work | None:
        """The next work in line or handed over; ``None`` after a while without."""
        with self._lock:
            if self._line:
                return self._line.popleft()
            self._idle.append(inbox)
        try:
            return inbox.get(timeout=self._idle_seconds)
        except queue.Empty:
            pass
        with self._lock:
            if inbox in self._idle:
                self._idle.remove(inbox)
                self._threads -= 1
                return None
        # Something was handed over at the very last moment.
        return inbox.get()
