"""The socket of a conversation page: it pushes, and never commands.

Handlers of the layer only note what there is; one task per socket reads, renders and
sends, so that a slow reader holds up nobody. Every push asks again whether the reader
may still read.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from typing import Any
from urllib.parse import parse_qs
from uuid import UUID

from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

from conversations import push
from conversations.reading import Feed, RefusedError
from conversations.rendering import Draft

logger = logging.getLogger("supervisor.push")

HEARTBEAT_SECONDS = 25.0
DRAFT_SECONDS = 1.0
FRAME_CHARACTERS = 200
BAD_FRAMES = 20
BAD_FRAMES_CODE = 4400
REFUSED_CODE = 4404
FAILED_CODE = 1011


class ConversationConsumer(AsyncWebsocketConsumer):
    """Closes with 4404 once its reader may not read, 4400 after many bad frames."""

    feed: Feed
    pump: asyncio.Task[None] | None = None
    server: push.Server | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.leave()

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Not the inherited one: it visits a thread for each message, and an unknown
        # kind would end the socket.
        handler = getattr(self, message["type"].replace(".", "_"), None)
        if handler is not None:
            await handler(message)

    async def connect(self) -> None:
        self.conversation_id: UUID = self.scope["url_route"]["kwargs"]["conversation"]
        self.bad_frames = 0
        self.ready = asyncio.Event()
        query = parse_qs(self.scope["query_string"].decode("latin-1"))
        self.feed = Feed(
            conversation_id=self.conversation_id,
            session_key=self.scope["cookies"].get(settings.SESSION_COOKIE_NAME, ""),
            language=query.get("language", [""])[0],
        )
        try:
            await push.in_thread(self.feed.open, query.get("after", ["0"])[0])
        except RefusedError:
            await self.close()
            return
        self.server = push.serve()
        await self.join()
        await self.accept()
        self.server.watchers.add(self)
        self.pump = asyncio.create_task(self.run())

    async def join(self) -> None:
        group = push.group_of(self.conversation_id)
        try:
            await self.channel_layer.group_add(group, self.channel_name)
        except Exception:
            # The layer is away: the poll tells of changes, the next beat joins again.
            logger.exception("%s could not be joined", group)

    async def conversation_wake(self, message: dict[str, Any]) -> None:
        self.woken(message["number"])

    async def conversation_delta(self, message: dict[str, Any]) -> None:
        self.feed.add(message)
        self.ready.set()

    def woken(self, number: int) -> None:
        if number > self.feed.wanted:
            self.feed.wanted = number
            self.ready.set()

    def drafted(self, draft: Draft) -> None:
        if self.feed.add_draft(draft):
            self.ready.set()

    async def receive(
        self, text_data: str | None = None, bytes_data: bytes | None = None
    ) -> None:
        """A ping is answered; anything else is ignored, and too much of it refused."""
        frame = None
        if text_data and len(text_data) <= FRAME_CHARACTERS:
            with contextlib.suppress(ValueError):
                frame = json.loads(text_data)
        if isinstance(frame, dict) and isinstance(frame.get("ping"), int):
            await self.say({"pong": frame["ping"]})
            return
        self.bad_frames += 1
        if self.bad_frames > BAD_FRAMES:
            await self.close(BAD_FRAMES_CODE)

    async def run(self) -> None:
        """Send what there is, when there is; look and beat when there is nothing."""
        beat_at = asyncio.get_running_loop().time() + HEARTBEAT_SECONDS
        try:
            while True:
                async for frame in self.feed.frames():
                    await self.say(frame)
                now = asyncio.get_running_loop().time()
                if now >= beat_at:
                    await push.in_thread(self.feed.check)
                    await self.join()
                    await self.say({"beat": self.feed.number})
                    beat_at = now + HEARTBEAT_SECONDS
                pause = DRAFT_SECONDS if self.feed.missing else beat_at - now
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.ready.wait(), pause)
                self.ready.clear()
        except RefusedError:
            await self.close(REFUSED_CODE)
        except Exception:
            logger.exception("the push of %s failed", self.conversation_id)
            await self.close(FAILED_CODE)

    async def say(self, frame: dict[str, Any]) -> None:
        # The browser may have left meanwhile; its disconnect ends us.
        with contextlib.suppress(OSError, RuntimeError):
            await self.send(text_data=json.dumps(frame, ensure_ascii=False))

    async def disconnect(self, code: int) -> None:
        self.leave()
        group = push.group_of(self.conversation_id)
        try:
            await self.channel_layer.group_discard(group, self.channel_name)
        except Exception:
            logger.exception("%s could not be left", group)

    def leave(self) -> None:
        if self.pump is not None:
            self.pump.cancel()
        if self.server is not None:
            self.server.watchers.discard(self)
