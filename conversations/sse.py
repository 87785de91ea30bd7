"""Following a run from a coroutine: wake-ups, drafts of replies, the wire format.

The truth is in the rows; a ``Subscription`` only says that there may be more of it
and gathers the text that is being written. It is fed from any thread by the
listeners of ``conversations.events`` and read in the loop that made it.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from conversations.events import DraftDelta, on_delta, on_wake
from supervisor_site.common.stopping import on_stop


@dataclass
class Draft:
    """The text of one reply while it is written, and how much of it was sent.

    ``text`` is one unbroken piece from ``start``; who joins late knows the middle
    before the beginning, which its row brings within a second.
    """

    task_run_id: UUID
    agent: str
    attempt: int = 0
    start: int = 0
    text: str = ""
    sent: int = 0

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def has_gap(self) -> bool:
        return self.start > self.sent

    def add(self, delta: DraftDelta) -> None:
        if delta.offset == 0 or delta.attempt > self.attempt > 0:
            # A new attempt, or the same call again after a crash: it replaces all
            # that was sent before.
            self.start, self.text, self.sent = delta.offset, "", 0
        elif delta.attempt < self.attempt:
            return
        self.attempt = delta.attempt
        if delta.offset > self.end:
            self.start, self.text = delta.offset, delta.text
        else:
            self.text += delta.text[self.end - delta.offset :]

    def fill(self, row_text: str) -> None:
        """Take in the text as its row has it, which begins at the beginning."""
        if len(row_text) >= self.end:
            self.start, self.text = 0, row_text
        elif len(row_text) >= self.start:
            self.start, self.text = 0, row_text[: self.start] + self.text

    def take(self) -> tuple[int, str] | None:
        """The next piece to send with its offset; none where a piece is missing."""
        if self.has_gap or self.end <= self.sent:
            return None
        offset, piece = self.sent, self.text[self.sent - self.start :]
        self.sent = self.end
        return offset, piece


@dataclass(eq=False)
class Subscription:
    """What one reader of a run has not yet been told."""

    run_id: UUID
    loop: asyncio.AbstractEventLoop
    drafts: dict[UUID, Draft] = field(default_factory=dict)
    finished: set[UUID] = field(default_factory=set)
    rows_changed: bool = True
    _news: asyncio.Event = field(default_factory=asyncio.Event)

    def wake(self) -> None:
        self.rows_changed = True
        self._news.set()

    def add(self, delta: DraftDelta) -> None:
        if delta.run_id != self.run_id or delta.message_id in self.finished:
            return
        self.draft(delta.message_id, delta.task_run_id, delta.agent).add(delta)
        self._news.set()

    def draft(self, message_id: UUID, task_run_id: UUID, agent: str) -> Draft:
        return self.drafts.setdefault(message_id, Draft(task_run_id, agent))

    def finish(self, message_id: UUID) -> bool:
        """Note that the message is complete; whether that is news."""
        self.drafts.pop(message_id, None)
        known = message_id in self.finished
        self.finished.add(message_id)
        return not known

    async def news(self, seconds: float) -> None:
        """Return when there is something, at the latest after ``seconds``."""
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return
        self._news.clear()


_lock = threading.Lock()
_subscriptions: dict[UUID, set[Subscription]] = {}


@contextmanager
def subscribed(conversation_id: UUID, run_id: UUID) -> Iterator[Subscription]:
    """Listen to one run, for as long as the block lasts."""
    subscription = Subscription(run_id, asyncio.get_running_loop())
    on_wake(pass_wake)
    on_delta(pass_delta)
    on_stop(end_all)
    with _lock:
        _subscriptions.setdefault(conversation_id, set()).add(subscription)
    try:
        yield subscription
    finally:
        with _lock:
            listeners = _subscriptions[conversation_id]
            listeners.discard(subscription)
            if not listeners:
                del _subscriptions[conversation_id]


def pass_wake(conversation_id: UUID, _number: int) -> None:
    for subscription in listening(conversation_id):
        call_soon(subscription, subscription.wake)


def pass_delta(delta: DraftDelta) -> None:
    for subscription in listening(delta.conversation_id):
        call_soon(subscription, subscription.add, delta)


def listening(conversation_id: UUID) -> list[Subscription]:
    with _lock:
        return list(_subscriptions.get(conversation_id, ()))


def end_all() -> None:
    """Wake all readers of this process, which then see that it is to stop.

    Without the lock: a signal may find its own thread holding it.
    """
    for group in list(_subscriptions.values()):
        for subscription in list(group):
            call_soon(subscription, subscription.wake)


def call_soon(
    subscription: Subscription, callback: Callable[..., None], *arguments: Any
) -> None:
    if not subscription.loop.is_closed():
        subscription.loop.call_soon_threadsafe(callback, *arguments)


def event_text(kind: str, data: dict[str, Any], number: int | None = None) -> str:
    """One event on the wire. Only what is in the rows has an id to go on from."""
    lines = [f"event: {kind}", f"data: {json.dumps(data, ensure_ascii=False)}"]
    if number is not None:
        lines.insert(0, f"id: {number}")
    return "\n".join(lines) + "\n\n"


HEARTBEAT = ": still here\n\n"
