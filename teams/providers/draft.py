"""The text of a reply while it comes: published at once, then in small batches."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from teams.providers.types import Delta

BATCH_SECONDS = 0.05

log = logging.getLogger("supervisor.models")


class Draft:
    """What a call has said so far. Written in the background loop, read anywhere."""

    def __init__(self, on_delta: Callable[[Delta], None]) -> None:
        self.attempt = 0
        self.closed = False
        self._on_delta = on_delta
        self._parts: list[str] = []
        self._published = 0
        self._offset = 0
        self._next_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, attempt: int) -> None:
        """A new attempt: what an earlier one said is void."""
        self._stop_timer()
        self._parts = []
        self._published = self._offset = 0
        self.attempt = attempt

    def text(self) -> str:
        return "".join(self._parts)

    def say(self, piece: str) -> None:
        self._parts.append(piece)
        if self._timer is not None:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        if now >= self._next_at:
            self.flush()
            self._next_at = now + BATCH_SECONDS
        else:
            self._timer = loop.call_at(self._next_at, self._due)

    def flush(self) -> None:
        """Publish what has come since the last time."""
        self._stop_timer()
        piece = "".join(self._parts[self._published :])
        self._published = len(self._parts)
        if not piece or self.closed:
            return
        delta = Delta(self.attempt, self._offset, piece)
        self._offset += len(piece)
        try:
            self._on_delta(delta)
        except Exception:
            # A listener's fault must not end the call.
            log.exception("A listener of a model call failed")

    def close(self) -> None:
        """Publish nothing more."""
        self.closed = True

    def _due(self) -> None:
        self._timer = None
        self._next_at = asyncio.get_running_loop().time() + BATCH_SECONDS
        self.flush()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
