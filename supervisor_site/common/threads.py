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
from typing import NamedTuple

from django.db import connections

logger = logging.getLogger("supervisor.threads")

IDLE_SECONDS = 30.0

Work = Callable[[], None]
Inbox = queue.SimpleQueue["Order"]


class Order(NamedTuple):
    """What to do, and what to call when its thread can be given the next."""

    work: Work
    then: Work | None


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
        self._line: deque[Order] = deque()
        self._threads = 0

    def submit(self, work: Work, then: Work | None = None) -> None:
        """Do it soon. What it raises is logged, since nobody waits for it.

        ``then`` is called when it is done and its thread has taken its place again,
        so whoever hears of the end and gives more work meets the same thread.
        """
        order = Order(work, then)
        with self._lock:
            if self._idle:
                self._idle.pop().put(order)
                return
            if self._threads >= self._size:
                self._line.append(order)
                return
            thread = threading.Thread(
                target=self._serve, args=[order], name=self._name, daemon=True
            )
            thread.start()
            self._threads += 1

    def _serve(self, first: Order) -> None:
        inbox: Inbox = queue.SimpleQueue()
        order: Order | None = first
        while order is not None:
            try:
                order.work()
            except BaseException:
                # A SystemExit of the work's must not end the thread either.
                logger.exception("work in a %s thread failed", self._name)
            then = order.then
            order = None
            order = self._next(inbox, then)
        connections.close_all()

    def _next(self, inbox: Inbox, then: Work | None) -> Order | None:
        """The next order in line or handed over; ``None`` after a while without."""
        order = None
        with self._lock:
            if self._line:
                order = self._line.popleft()
            else:
                self._idle.append(inbox)
        if then is not None:
            then()
            # Nothing of the last work is kept while this waits.
            then = None
        if order is not None:
            return order
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
