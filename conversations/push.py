"""Live push: from what the engine says to the sockets of this server.

Truth is in the rows; what travels here is "there is more than n" and pieces of text
being written. With the in-memory layer everything is handed over to the server's own
loop, in order: a send from another thread would arrive late (its loop is not woken).
With Redis the background loop publishes, in whichever process a run is worked on.
A poll looks at the subscribed conversations every two seconds, so that a lost
wake-up, or a run in another process on the same file, is only a little late.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol
from uuid import UUID

from channels.db import database_sync_to_async
from channels.layers import InMemoryChannelLayer, get_channel_layer

from conversations import events
from conversations.models import Conversation
from conversations.rendering import Draft, drafts
from supervisor_site.common.loop import background_loop

logger = logging.getLogger("supervisor.push")

POLL_SECONDS = 2.0

# Reading and rendering for sockets has threads of its own: views never wait for it.
readers = ThreadPoolExecutor(max_workers=4, thread_name_prefix="push")

Item = tuple[str, dict[str, Any]]


class Watcher(Protocol):
    """An open socket, told by the poll of its process."""

    conversation_id: UUID

    def woken(self, number: int) -> None: ...

    def drafted(self, draft: Draft) -> None: ...


def group_of(conversation_id: UUID) -> str:
    return f"conversation.{conversation_id.hex}"


class Outbox:
    """An ordered queue into one loop, where a single task sends what is in it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.failing = False
        self.queue: asyncio.Queue[Item] = asyncio.Queue()
        # In a context of its own: it must not log the id of the run that came first.
        self.task = contextvars.Context().run(
            asyncio.run_coroutine_threadsafe, self._drain(), loop
        )
        events.on_wake(self.wake)
        events.on_delta(self.delta)

    def wake(self, conversation_id: UUID, number: int) -> None:
        message = {"type": "conversation.wake", "number": number}
        self._put((group_of(conversation_id), message))

    def delta(self, delta: events.DraftDelta) -> None:
        message = {
            "type": "conversation.delta",
            "message": str(delta.message_id),
            "task": str(delta.task_run_id),
            "run": str(delta.run_id),
            "agent": delta.agent,
            "attempt": delta.attempt,
            "offset": delta.offset,
            "text": delta.text,
        }
        self._put((group_of(delta.conversation_id), message))

    def _put(self, item: Item) -> None:
        # A closed loop has nobody left who listens.
        with contextlib.suppress(RuntimeError):
            self.loop.call_soon_threadsafe(self.queue.put_nowait, item)

    async def _drain(self) -> None:
        layer: Any = get_channel_layer()
        while True:
            group, message = await self.queue.get()
            try:
                await layer.group_send(group, message)
            except Exception:
                # A lost wake-up is only a little late: the poll brings it. One word
                # is enough for all that is lost until the layer is back.
                if not self.failing:
                    logger.exception("publishing to %s failed", group)
                self.failing = True
            else:
                self.failing = False

    def close(self) -> None:
        events.off(self.wake)
        events.off(self.delta)
        self.task.cancel()


class Server:
    """The push of one server process: its outbox, its open sockets, its poll."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self.watchers: set[Watcher] = set()
        in_memory = isinstance(get_channel_layer(), InMemoryChannelLayer)
        self.outbox = Outbox(loop if in_memory else background_loop())
        self.poll = loop.create_task(self._poll())

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            watched = {watcher.conversation_id for watcher in self.watchers}
            if not watched:
                continue
            try:
                found = await in_thread(_look, watched)
            except Exception:
                logger.exception("looking at the open conversations failed")
                continue
            self._tell(*found)

    def _tell(self, numbers: dict[UUID, int], written: Iterable[Draft]) -> None:
        for watcher in list(self.watchers):
            if watcher.conversation_id in numbers:
                watcher.woken(numbers[watcher.conversation_id])
            for draft in written:
                if draft.conversation_id == watcher.conversation_id:
                    watcher.drafted(draft)

    def close(self) -> None:
        self.outbox.close()
        self.poll.cancel()


def _look(watched: set[UUID]) -> tuple[dict[UUID, int], list[Draft]]:
    found = Conversation.objects.filter(id__in=watched).order_by()
    return dict(found.values_list("id", "last_number")), drafts(watched)


async def in_thread(work: Any, *arguments: Any) -> Any:
    """Run what reads the database in one of the push's own threads."""
    call = database_sync_to_async(work, thread_sensitive=False, executor=readers)
    return await call(*arguments)


_server: Server | None = None
_publisher: Outbox | None = None
_publishing = threading.Lock()


def serve() -> Server:
    """The push of the running loop, started where it is not yet. Call in the loop."""
    global _server  # noqa: PLW0603
    loop = asyncio.get_running_loop()
    if _server is None or _server.loop is not loop:
        stop()
        _server = Server(loop)
    return _server


def open_sockets() -> int:
    """How many pages are connected to this process."""
    return len(_server.watchers) if _server is not None else 0


def publish(conversation_id: UUID, number: int) -> None:
    """The first commit of a process without sockets (a worker, a command) makes it
    publish, where a layer can carry it; without Redis the servers' polls see the rows.
    Every reply begins with a commit, so no piece of text is missed."""
    global _publisher  # noqa: PLW0603
    if _publisher is not None or _server is not None:
        return
    if isinstance(get_channel_layer(), InMemoryChannelLayer):
        return
    with _publishing:
        if _publisher is None:
            _publisher = Outbox(background_loop())
            _publisher.wake(conversation_id, number)


def stop() -> None:
    global _server, _publisher  # noqa: PLW0603
    for part in (_server, _publisher):
        if part is not None:
            part.close()
    _server = _publisher = None
