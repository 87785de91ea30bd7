"""The connections of a process to one SQLite file: few, and the last used one first.

A connection costs up to a megabyte, and one that has rested finds its cache out of
date; so all threads share a few that stay warm.
"""

from __future__ import annotations

import os
import queue
import sqlite3
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PATIENCE_SECONDS = 5.0

# A connection and the file it is open on; ``None``: there is room for a new one.
Found = tuple[sqlite3.Connection, int] | None
Inbox = queue.SimpleQueue[Found]


@dataclass(frozen=True, eq=False)
class Place:
    """What a thread holds while it has a connection."""

    thread: threading.Thread


class Pool:
    """``size`` connections, and one more each time that none comes free for long:
    a program that keeps them all must neither stop the others nor end in an error.

    ``writing`` is the line of those who write. SQLite lets one connection write at a
    time; who finds it taken sleeps and tries again, in no order. A lock is quick and
    fair, among the threads of a process.
    """

    def __init__(self, path: str, size: int) -> None:
        self.writing = threading.Lock()
        self.size = size
        self._path = Path(path)
        self._lock = threading.Lock()
        self._free: list[tuple[sqlite3.Connection, int]] = []
        self._line: deque[tuple[Place, Inbox]] = deque()
        self._lent: set[Place] = set()

    def take(
        self, connect: Callable[[], sqlite3.Connection]
    ) -> tuple[Place, sqlite3.Connection]:
        """A place, and a connection: the last given back, else a new one."""
        place = Place(threading.current_thread())
        found = self._find(place)
        if found is not None:
            connection, file = found
            if file == self._file():
                return place, connection
            # Another file has come in its place.
            connection.close()
        try:
            return place, connect()
        except BaseException:
            self.leave(place)
            raise

    def give_back(self, place: Place, connection: sqlite3.Connection) -> None:
        """For the next who wants one; nothing may be unwritten."""
        self._leave(place, (connection, self._file()))

    def leave(self, place: Place) -> None:
        """Without a connection: it was closed, or never opened."""
        self._leave(place, None)

    def _find(self, place: Place) -> Found:
        with self._lock:
            if self._free or self._has_room():
                self._lent.add(place)
                return self._free.pop() if self._free else None
            inbox: Inbox = queue.SimpleQueue()
            self._line.append((place, inbox))
        try:
            return inbox.get(timeout=PATIENCE_SECONDS)
        except queue.Empty:
            return self._grow(place, inbox)

    def _grow(self, place: Place, inbox: Inbox) -> Found:
        with self._lock:
            if (place, inbox) in self._line:
                self._line.remove((place, inbox))
                self._lent.add(place)
                self.size += 1
                return None
        # One was given back at the very last moment.
        return inbox.get()

    def _leave(self, place: Place, found: Found) -> None:
        with self._lock:
            self._lent.discard(place)
            if self._line:
                first, inbox = self._line.popleft()
                self._lent.add(first)
                inbox.put(found)
            elif found is not None:
                self._free.append(found)

    def _has_room(self) -> bool:
        if len(self._lent) >= self.size:
            # A thread may end without giving back what it had.
            self._lent = {place for place in self._lent if place.thread.is_alive()}
        return len(self._lent) < self.size

    def _file(self) -> int:
        try:
            return self._path.stat().st_ino
        except OSError:
            return 0


_pools: dict[tuple[int, str], Pool] = {}
_lock = threading.Lock()


def pool_of(path: str, size: int) -> Pool:
    """This process's pool for a file; a forked child makes its own."""
    key = (os.getpid(), path)
    with _lock:
        if key not in _pools:
            _pools[key] = Pool(path, size)
        return _pools[key]
